//! Cards as people write them: `7S`, `10H`, `AS`, and `JK` for a joker.

use std::fmt;
use std::str::FromStr;

use crate::v1::Card;

/// What stands for [`Card::Unspecified`], an answer's "no card". It is read as no card either.
const NO_CARD: &str = "--";

impl Card {
    /// The card as text, which [`str::parse`] reads again: `7S`, `10H`, `JK`; `--` for no card.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Unspecified => NO_CARD,
            Self::Joker => "JK",
            _ => self.as_str_name().trim_start_matches("CARD_"),
        }
    }

    /// The card with the sign of its suit, for showing: `7♠`, `10♥`, `JK`.
    #[must_use]
    pub fn pretty(self) -> String {
        let text = self.text();
        match (self, text.split_at(text.len() - 1)) {
            (Self::Unspecified | Self::Joker, _) => text.to_owned(),
            (_, (rank, "S")) => format!("{rank}♠"),
            (_, (rank, "H")) => format!("{rank}♥"),
            (_, (rank, "D")) => format!("{rank}♦"),
            (_, (rank, _)) => format!("{rank}♣"),
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.text())
    }
}

impl FromStr for Card {
    type Err = ParseCardError;

    /// Reads one card; case and space around it mean nothing.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let upper = text.trim().to_ascii_uppercase();
        let found = match upper.as_str() {
            "JK" => Some(Self::Joker),
            "JOKER" | "UNSPECIFIED" => None,
            name => Self::from_str_name(&format!("CARD_{name}")),
        };
        found.ok_or_else(|| ParseCardError { text: text.to_owned() })
    }
}

/// A text that is no card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseCardError {
    text: String,
}

impl fmt::Display for ParseCardError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{:?} is no card; a card is a rank (A, 2 to 10, J, Q, K) and a suit (S, H, D, C), as in 7S or 10H; \
             or JK, a joker",
            self.text
        )
    }
}

impl std::error::Error for ParseCardError {}

/// Reads cards parted by space or commas: `7S 8S JK`.
///
/// # Errors
/// When one of them is no card; the error names it.
pub fn cards(text: &str) -> Result<Vec<Card>, ParseCardError> {
    text.split(|sign: char| sign == ',' || sign.is_whitespace()).filter(|one| !one.is_empty()).map(str::parse).collect()
}

/// Writes cards parted by spaces, so that [`cards`] reads them again.
pub fn text(shown: impl IntoIterator<Item = Card>) -> String {
    shown.into_iter().map(Card::text).collect::<Vec<_>>().join(" ")
}

/// Writes cards with suit signs, for showing: `7♠ 10♥ JK`.
pub fn pretty(shown: impl IntoIterator<Item = Card>) -> String {
    shown.into_iter().map(Card::pretty).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_card() -> impl Iterator<Item = Card> {
        (1..=64).filter_map(|number| Card::try_from(number).ok())
    }

    #[test]
    fn each_of_the_53_faces_is_read_as_it_is_written() {
        assert_eq!(every_card().count(), 53);
        for card in every_card() {
            assert_eq!(card.to_string().parse(), Ok(card));
            assert_eq!(card.text().to_lowercase().parse(), Ok(card));
        }
    }

    #[test]
    fn a_face_is_its_suit_and_rank() {
        assert_eq!("7S".parse(), Ok(Card::Card7s));
        assert_eq!(" 10h ".parse(), Ok(Card::Card10h));
        assert_eq!("AC".parse(), Ok(Card::Ac));
        assert_eq!("jd".parse(), Ok(Card::Jd));
        assert_eq!("JK".parse(), Ok(Card::Joker));
        assert_eq!(Card::Kd as i32, 45);
    }

    #[test]
    fn what_is_no_card_is_named() {
        for wrong in ["", "1S", "11S", "7X", "S7", "JOKER", "UNSPECIFIED", "CARD_7S", "--", "7S 8S", "7♠"] {
            let error = wrong.parse::<Card>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("{wrong:?} is no card; a card is a rank")), "{error}");
        }
    }

    #[test]
    fn selections_are_parted_by_spaces_and_commas() {
        let read = cards("7S, 8S\tJK,,10H ").unwrap();
        assert_eq!(read, [Card::Card7s, Card::Card8s, Card::Joker, Card::Card10h]);
        assert_eq!(text(read.iter().copied()), "7S 8S JK 10H");
        assert_eq!(pretty(read), "7♠ 8♠ JK 10♥");
        assert_eq!(pretty([Card::Ad, Card::Qc, Card::Unspecified]), "A♦ Q♣ --");
        assert_eq!(cards(""), Ok(vec![]));
        assert!(cards("7S 8Z").unwrap_err().to_string().contains("\"8Z\""));
    }

    #[test]
    fn a_width_pads_it() {
        assert_eq!(format!("[{:>4}]", Card::Card7s), "[  7S]");
    }
}
