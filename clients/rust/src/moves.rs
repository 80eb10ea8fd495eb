//! Moves: a constructor for each, and a few words for logs.

use std::fmt;

use crate::v1::r#move::Kind;
use crate::v1::{
    CallTime, Card, CardGroup, DeclareStalemate, Discard, DrawStock, Knock, LayMeld, LayOff, MeldReading, Move,
    MoveKind, NextDeal, PassUpcard, ReplaceWild, Resign, TakePile, TimeOutTurn,
};

/// Draws the top card of the stock.
#[must_use]
pub fn draw() -> Move {
    of(Kind::DrawStock(DrawStock {}))
}

/// Takes the discard pile.
#[must_use]
pub fn take_pile() -> Move {
    of(Kind::TakePile(TakePile {}))
}

/// Lays a new meld.
pub fn meld(cards: impl IntoIterator<Item = Card>) -> Move {
    of(Kind::Meld(LayMeld { cards: numbers(cards), reading: None }))
}

/// Lays a new meld, and names a reading where the rules leave a choice.
pub fn meld_as(cards: impl IntoIterator<Item = Card>, reading: MeldReading) -> Move {
    of(Kind::Meld(LayMeld { cards: numbers(cards), reading: Some(reading) }))
}

/// Adds cards to a meld on the table, all together.
pub fn lay_off(meld_id: u32, cards: impl IntoIterator<Item = Card>) -> Move {
    lay_off_as(meld_id, cards, Card::Unspecified)
}

/// Adds cards to a meld on the table, and names the card that an added wild stands for.
pub fn lay_off_as(meld_id: u32, cards: impl IntoIterator<Item = Card>, wild_as: Card) -> Move {
    of(Kind::LayOff(LayOff { meld_id, cards: numbers(cards), wild_as: wild_as.into() }))
}

/// Discards a card, which ends the turn.
#[must_use]
pub fn discard(card: Card) -> Move {
    of(Kind::Discard(Discard { card: card.into() }))
}

/// Puts a card in the place of a meld's joker, and takes the joker. Not a move of Burraco.
#[must_use]
pub fn replace_wild(meld_id: u32, card: Card) -> Move {
    of(Kind::ReplaceWild(ReplaceWild { meld_id, card: card.into() }))
}

/// Knocks with a discard, or without one for big gin; the service arranges the melds. A move of Gin only.
#[must_use]
pub fn knock(discard: Option<Card>) -> Move {
    knock_with(discard, Vec::<Vec<Card>>::new())
}

/// Knocks, and says how the hand is arranged into melds. A move of Gin only.
pub fn knock_with<M: IntoIterator<Item = Card>>(discard: Option<Card>, melds: impl IntoIterator<Item = M>) -> Move {
    of(Kind::Knock(Knock {
        discard: discard.unwrap_or_default().into(),
        melds: melds.into_iter().map(|cards| CardGroup { cards: numbers(cards) }).collect(),
    }))
}

/// Passes the first up-card. A move of Gin only.
#[must_use]
pub fn pass_upcard() -> Move {
    of(Kind::PassUpcard(PassUpcard {}))
}

/// Ends the deal because a one-card pile goes round.
#[must_use]
pub fn declare_stalemate() -> Move {
    of(Kind::DeclareStalemate(DeclareStalemate {}))
}

/// Deals again once a deal is over.
#[must_use]
pub fn next_deal() -> Move {
    of(Kind::NextDeal(NextDeal {}))
}

/// Gives up the match.
#[must_use]
pub fn resign() -> Move {
    of(Kind::Resign(Resign {}))
}

/// Completes an absent player's turn; for back ends only.
#[must_use]
pub fn time_out_turn() -> Move {
    of(Kind::TimeOutTurn(TimeOutTurn {}))
}

/// Says that the tournament clock has run out; for back ends only.
#[must_use]
pub fn call_time() -> Move {
    of(Kind::CallTime(CallTime {}))
}

/// The move of a kind that has no arguments; none for the others.
#[must_use]
pub fn simple(kind: MoveKind) -> Option<Move> {
    match kind {
        MoveKind::DrawStock => Some(draw()),
        MoveKind::TakePile => Some(take_pile()),
        MoveKind::PassUpcard => Some(pass_upcard()),
        MoveKind::DeclareStalemate => Some(declare_stalemate()),
        MoveKind::NextDeal => Some(next_deal()),
        MoveKind::Resign => Some(resign()),
        MoveKind::TimeOutTurn => Some(time_out_turn()),
        MoveKind::CallTime => Some(call_time()),
        MoveKind::Unspecified
        | MoveKind::Meld
        | MoveKind::LayOff
        | MoveKind::Discard
        | MoveKind::ReplaceWild
        | MoveKind::Knock => None,
    }
}

pub(crate) fn of(kind: Kind) -> Move {
    Move { kind: Some(kind) }
}

fn numbers(cards: impl IntoIterator<Item = Card>) -> Vec<i32> {
    cards.into_iter().map(i32::from).collect()
}

/// A few words, for logs: `lay off 10S on meld 2`.
impl fmt::Display for Move {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(kind) = &self.kind else { return out.write_str("no move") };
        match kind {
            Kind::DrawStock(_) => out.write_str("draw"),
            Kind::TakePile(_) => out.write_str("take the pile"),
            Kind::Meld(meld) => write!(out, "meld {}", Shown(&meld.cards)),
            Kind::LayOff(on) => write!(out, "lay off {} on meld {}", Shown(&on.cards), on.meld_id),
            Kind::Discard(one) => write!(out, "discard {}", Shown(&[one.card])),
            Kind::ReplaceWild(at) => write!(out, "replace the wild of meld {} by {}", at.meld_id, Shown(&[at.card])),
            Kind::Knock(Knock { discard: 0, .. }) => out.write_str("knock"),
            Kind::Knock(knock) => write!(out, "knock with {}", Shown(&[knock.discard])),
            Kind::PassUpcard(_) => out.write_str("pass the up-card"),
            Kind::DeclareStalemate(_) => out.write_str("declare a stalemate"),
            Kind::NextDeal(_) => out.write_str("next deal"),
            Kind::Resign(_) => out.write_str("resign"),
            Kind::TimeOutTurn(_) => out.write_str("time out"),
            Kind::CallTime(_) => out.write_str("call time"),
        }
    }
}

/// Cards by number, among which a newer service may have some that this client does not know.
struct Shown<'a>(&'a [i32]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, &number) in self.0.iter().enumerate() {
            let space = if at == 0 { "" } else { " " };
            match Card::try_from(number) {
                Ok(card) => write!(out, "{space}{card}")?,
                Err(_) => write!(out, "{space}card {number}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::cards;

    #[test]
    fn moves_are_told_in_a_few_words() {
        let told = [
            (draw(), "draw"),
            (meld(cards("7S 8S JK").unwrap()), "meld 7S 8S JK"),
            (lay_off(2, [Card::Card10s]), "lay off 10S on meld 2"),
            (discard(Card::As), "discard AS"),
            (replace_wild(3, Card::Card6h), "replace the wild of meld 3 by 6H"),
            (knock(None), "knock"),
            (knock(Some(Card::Kd)), "knock with KD"),
            (of(Kind::Discard(Discard { card: 99 })), "discard card 99"),
            (Move::default(), "no move"),
        ];
        for (each, words) in told {
            assert_eq!(each.to_string(), words);
        }
    }

    #[test]
    fn a_kind_without_arguments_has_its_move() {
        for number in 1..=13 {
            let kind = MoveKind::try_from(number).unwrap();
            let takes_cards = (3..=7).contains(&number);
            assert_eq!(simple(kind).is_none(), takes_cards, "{kind:?}");
        }
        assert_eq!(simple(MoveKind::NextDeal), Some(next_deal()));
    }

    #[test]
    fn what_is_named_is_sent() {
        let reading = MeldReading { kind: 2, wild_as: Card::Card9h.into() };
        let Some(Kind::Meld(laid)) = meld_as(cards("7H 8H JK").unwrap(), reading).kind else { panic!("no meld") };
        assert_eq!((laid.cards, laid.reading), (vec![23, 24, 64], Some(reading)));
        let Some(Kind::LayOff(added)) = lay_off_as(4, [Card::Joker], Card::Card5c).kind else { panic!("no lay-off") };
        assert_eq!((added.meld_id, added.cards, added.wild_as), (4, vec![64], 53));
        let melds = [cards("7H 7S 7D").unwrap(), cards("AS 2S 3S").unwrap()];
        let Some(Kind::Knock(knocked)) = knock_with(Some(Card::Kd), melds).kind else { panic!("no knock") };
        assert_eq!((knocked.discard, knocked.melds.len(), &knocked.melds[1].cards[..]), (45, 2, &[1, 2, 3][..]));
    }
}
