//! Words for requests that are made often.

use crate::v1::create_match_request::{Seating, SeedSource};
use crate::v1::rules_selection::Game;
use crate::v1::viewer::Who;
use crate::v1::{
    BurracoRules, CreateMatchRequest, DrawnSeats, GinRules, GivenSeats, HandOrder, Preset, RaminoRules, RulesSelection,
    Scala40Rules, Spectator, Viewer,
};

/// A match by its preset; what else there is to say is said by the methods, each of which replaces what it said before.
impl From<Preset> for CreateMatchRequest {
    fn from(preset: Preset) -> Self {
        Self { rules: Some(preset.into()), ..Self::default() }
    }
}

impl CreateMatchRequest {
    /// A match by its preset.
    #[must_use]
    pub fn of(preset: Preset) -> Self {
        preset.into()
    }

    /// With options that replace the preset's own: of the game that the preset is of.
    #[must_use]
    pub fn with_options(mut self, options: impl Into<Game>) -> Self {
        self.rules.get_or_insert_default().game = Some(options.into());
        self
    }

    /// With a name among the caller's own matches: the same request with the same seed makes the same match.
    #[must_use]
    pub fn with_request_id(self, request_id: impl Into<String>) -> Self {
        Self { request_id: request_id.into(), ..self }
    }

    /// With a seed of the caller's, for tests and puzzles. In place of a sealed one.
    #[must_use]
    pub fn with_given_seed(self, seed: [u8; 32]) -> Self {
        Self { seed_source: Some(SeedSource::GivenSeed(seed.to_vec())), ..self }
    }

    /// With a seed that the service committed itself to, and what the players add to it. In place of a given one.
    #[must_use]
    pub fn with_sealed_seed(self, seed: impl Into<Vec<u8>>, entropy: impl IntoIterator<Item = Vec<u8>>) -> Self {
        let entropy = entropy.into_iter().collect();
        Self { seed_source: Some(SeedSource::SealedSeed(seed.into())), entropy, ..self }
    }

    /// With this first dealer, and seats in the order of the players. In place of a draw.
    #[must_use]
    pub fn with_dealer(self, seat: u32) -> Self {
        Self { seating: Some(Seating::GivenSeats(GivenSeats { dealer: Some(seat) })), ..self }
    }

    /// With a draw for seats, which finds the dealer too.
    #[must_use]
    pub fn with_drawn_seats(self) -> Self {
        Self { seating: Some(Seating::DrawnSeats(DrawnSeats {})), ..self }
    }

    /// With hands sorted this way in the views.
    #[must_use]
    pub fn with_hand_order(self, order: HandOrder) -> Self {
        Self { hand_order: order.into(), ..self }
    }

    /// With seat tokens that hold so long.
    #[must_use]
    pub fn with_seat_token_seconds(self, seconds: u32) -> Self {
        Self { seat_token_seconds: seconds, ..self }
    }
}

impl From<Preset> for RulesSelection {
    fn from(preset: Preset) -> Self {
        Self { preset: preset.into(), game: None }
    }
}

impl From<BurracoRules> for Game {
    fn from(options: BurracoRules) -> Self {
        Self::Burraco(options)
    }
}

impl From<RaminoRules> for Game {
    fn from(options: RaminoRules) -> Self {
        Self::Ramino(options)
    }
}

impl From<GinRules> for Game {
    fn from(options: GinRules) -> Self {
        Self::Gin(options)
    }
}

impl From<Scala40Rules> for Game {
    fn from(options: Scala40Rules) -> Self {
        Self::Scala40(options)
    }
}

impl Viewer {
    /// A seat, which sees its own hand and all that is public.
    #[must_use]
    pub fn seat(seat: u32) -> Self {
        Self { who: Some(Who::Seat(seat)) }
    }

    /// Somebody at no seat, who sees what is public and nothing else.
    #[must_use]
    pub fn spectator() -> Self {
        Self { who: Some(Who::Spectator(Spectator {})) }
    }
}

impl From<u32> for Viewer {
    fn from(seat: u32) -> Self {
        Self::seat(seat)
    }
}
