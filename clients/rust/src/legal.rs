//! Every single move of a compact list of legal ones.

use std::fmt;
use std::iter::FusedIterator;

use crate::moves;
use crate::v1::r#move::Kind;
use crate::v1::{CardCount, Discard, Knock, LayMeld, LayOff, LegalMoves, Move, MoveGroup, MoveKind, ReplaceWild};

/// More cards than any game has: 53 faces, at most 8 copies of each.
const MOST_CARDS: u64 = 53 * 8;

/// Goes through every single move that the list stands for, each once, in a stable order; its length is exact.
///
/// # Errors
/// When the list has moves of a kind that this client does not know, or counts others than it finds, since the service is
/// newer: a list with moves left out would be wrong without saying so.
pub fn expand(legal: &LegalMoves) -> Result<Expand<'_>, UnknownMoves> {
    let simple = legal.simple.iter().map(|&number| simple_move(number)).collect::<Result<Vec<_>, _>>()?;
    let groups = legal.groups.iter().map(expand_group).collect::<Result<Vec<_>, _>>()?;
    let left = groups.iter().fold(simple.len() + legal.discards.len(), |sum, group| sum.saturating_add(group.left));
    if legal.count != left as u64 {
        return Err(UnknownMoves { what: format!("a count of {}, of which {left} are known", legal.count) });
    }
    let discards = legal.discards.iter().map(|&card| moves::of(Kind::Discard(Discard { card })));
    Ok(Expand { moves: Box::new(simple.into_iter().chain(discards).chain(groups.into_iter().flatten())), left })
}

/// Goes through every single move of a group; its length is exact.
///
/// # Errors
/// When this client does not know the group's kind of move.
pub fn expand_group(group: &MoveGroup) -> Result<Expand<'_>, UnknownMoves> {
    check(group)?;
    let wilds = if group.wild_choices.is_empty() { None.into_iter() } else { Some(()).into_iter() };
    let with_wild = wilds.len() > 0;
    let moves = sizes(group).flat_map(|size| Choices::new(&group.optional, size)).flat_map(move |chosen| {
        let cards = [&group.required[..], &chosen].concat();
        let bare = (!with_wild).then(|| of_group(group, cards.clone()));
        let wild = group.wild_choices.iter().map(move |&wild| of_group(group, [&cards[..], &[wild]].concat()));
        bare.into_iter().chain(wild)
    });
    Ok(Expand { moves: Box::new(moves), left: count(group) })
}

/// The moves that a list or a group stands for, see [`expand`].
pub struct Expand<'a> {
    moves: Box<dyn Iterator<Item = Move> + Send + 'a>,
    left: usize,
}

impl fmt::Debug for Expand<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Expand").field("left", &self.left).finish_non_exhaustive()
    }
}

impl Iterator for Expand<'_> {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let next = self.moves.next()?;
        self.left = self.left.saturating_sub(1);
        Some(next)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Expand<'_> {}
impl FusedIterator for Expand<'_> {}

/// A list of legal moves that this client cannot read: it is older than the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownMoves {
    what: String,
}

impl fmt::Display for UnknownMoves {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the legal moves have {}: this client is older than the service, and has to be updated", self.what)
    }
}

impl std::error::Error for UnknownMoves {}

fn simple_move(number: i32) -> Result<Move, UnknownMoves> {
    let found = MoveKind::try_from(number).ok().and_then(moves::simple);
    found.ok_or_else(|| UnknownMoves { what: format!("a kind of move without arguments with the number {number}") })
}

/// Refuses what no move could be made of, so that going through the moves cannot fail half way.
fn check(group: &MoveGroup) -> Result<(), UnknownMoves> {
    let unknown = |what: String| Err(UnknownMoves { what });
    if group.optional.iter().map(|face| u64::from(face.count)).sum::<u64>() > MOST_CARDS {
        return unknown(format!("a group that chooses among more than {MOST_CARDS} cards"));
    }
    let fit = match group.kind() {
        MoveKind::Meld | MoveKind::LayOff => 0..=usize::MAX,
        MoveKind::ReplaceWild => 1..=1,
        MoveKind::Knock => 0..=1,
        _ => return unknown(format!("a group of a kind of move with the number {}", group.kind)),
    };
    let fixed = group.required.len() + usize::from(!group.wild_choices.is_empty());
    let sizes = sizes(group);
    let (least, most) = (fixed + sizes.start(), fixed + sizes.end());
    let fits = fit.contains(&least) && fit.contains(&most);
    if !sizes.is_empty() && !fits {
        return unknown(format!("moves of {least} to {most} cards, where {} has {fit:?}", group.kind().as_str_name()));
    }
    Ok(())
}

fn of_group(group: &MoveGroup, cards: Vec<i32>) -> Move {
    let first = cards.first().copied().unwrap_or_default();
    let meld_id = group.meld_id;
    moves::of(match group.kind() {
        MoveKind::Meld => Kind::Meld(LayMeld { cards, reading: None }),
        MoveKind::LayOff => Kind::LayOff(LayOff { meld_id, cards, wild_as: 0 }),
        MoveKind::ReplaceWild => Kind::ReplaceWild(ReplaceWild { meld_id, card: first }),
        _ => Kind::Knock(Knock { discard: first, melds: vec![] }),
    })
}

/// How many optional cards a move of the group may have, in turn.
fn sizes(group: &MoveGroup) -> std::ops::RangeInclusive<usize> {
    let there: usize = group.optional.iter().map(|face| face.count as usize).sum();
    group.min_optional as usize..=there.min(group.max_optional as usize)
}

/// Exact number of moves of a group: ways to choose so many cards, order meaning nothing, for each number of them.
fn count(group: &MoveGroup) -> usize {
    let most = *sizes(group).end();
    let mut ways = vec![0_usize; most + 1];
    ways[0] = 1;
    for face in &group.optional {
        for size in (1..=most).rev() {
            let fewer = (1..=size.min(face.count as usize)).map(|copies| ways[size - copies]);
            ways[size] = fewer.fold(ways[size], usize::saturating_add);
        }
    }
    let choices = sizes(group).fold(0_usize, |sum, size| sum.saturating_add(ways[size]));
    choices.saturating_mul(group.wild_choices.len().max(1))
}

/// Ways to choose `size` cards, a face at most as often as it is there: most copies of the first face first.
struct Choices<'a> {
    optional: &'a [CardCount],
    /// Copies of each face in the next choice; none when all have been made.
    copies: Option<Vec<usize>>,
}

impl<'a> Choices<'a> {
    fn new(optional: &'a [CardCount], size: usize) -> Self {
        let mut copies = vec![0; optional.len()];
        let fits = fill(optional, &mut copies, size);
        Self { optional, copies: fits.then_some(copies) }
    }
}

impl Iterator for Choices<'_> {
    type Item = Vec<i32>;

    fn next(&mut self) -> Option<Vec<i32>> {
        let copies = self.copies.take()?;
        let cards = self.optional.iter().zip(&copies).flat_map(|(face, &count)| std::iter::repeat_n(face.card, count));
        let chosen = cards.collect();
        self.copies = following(self.optional, copies);
        Some(chosen)
    }
}

/// Takes as many of the first faces as there are; false when there are fewer cards than asked for.
fn fill(optional: &[CardCount], copies: &mut [usize], size: usize) -> bool {
    let mut left = size;
    for (face, taken) in optional.iter().zip(copies) {
        *taken = left.min(face.count as usize);
        left -= *taken;
    }
    left == 0
}

/// The choice after this one: the last face that can do with one copy less, so that those behind it take one more.
fn following(optional: &[CardCount], mut copies: Vec<usize>) -> Option<Vec<usize>> {
    let mut behind = 0;
    for at in (0..copies.len()).rev() {
        if copies[at] > 0 {
            copies[at] -= 1;
            if fill(&optional[at + 1..], &mut copies[at + 1..], behind + 1) {
                return Some(copies);
            }
            copies[at] += 1;
        }
        behind += copies[at];
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::v1::Card;

    fn group(kind: MoveKind, optional: &[(i32, u32)], sizes: (u32, u32), wilds: &[i32]) -> MoveGroup {
        MoveGroup {
            kind: kind.into(),
            meld_id: 3,
            required: vec![7],
            optional: optional.iter().map(|&(card, count)| CardCount { card, count }).collect(),
            min_optional: sizes.0,
            max_optional: sizes.1,
            wild_choices: wilds.to_vec(),
            ..MoveGroup::default()
        }
    }

    fn words(group: &MoveGroup) -> Vec<String> {
        expand_group(group).unwrap().map(|each| each.to_string()).collect()
    }

    #[test]
    fn a_group_is_every_choice_of_its_optional_cards() {
        let given = group(MoveKind::Meld, &[(8, 2), (9, 1)], (1, 2), &[]);
        assert_eq!(words(&given), ["meld 7S 8S", "meld 7S 9S", "meld 7S 8S 8S", "meld 7S 8S 9S"]);
    }

    #[test]
    fn every_choice_has_exactly_one_wild_where_there_are_some() {
        let given = group(MoveKind::LayOff, &[(8, 1)], (0, 1), &[2, 64]);
        let expected = ["7S 2S", "7S JK", "7S 8S 2S", "7S 8S JK"].map(|cards| format!("lay off {cards} on meld 3"));
        assert_eq!(words(&given), expected);
    }

    #[test]
    fn kinds_of_one_card_take_it() {
        assert_eq!(words(&group(MoveKind::ReplaceWild, &[], (0, 0), &[])), ["replace the wild of meld 3 by 7S"]);
        assert_eq!(words(&group(MoveKind::Knock, &[], (0, 0), &[])), ["knock with 7S"]);
        let big_gin = MoveGroup { kind: MoveKind::Knock.into(), ..MoveGroup::default() };
        assert_eq!(words(&big_gin), ["knock"]);
    }

    #[test]
    fn a_list_is_simple_moves_then_discards_then_groups_and_knows_its_length() {
        let legal = LegalMoves {
            simple: vec![MoveKind::DrawStock.into(), MoveKind::Resign.into()],
            discards: vec![Card::As.into(), 99],
            groups: vec![group(MoveKind::Meld, &[(8, 2), (9, 1)], (1, 2), &[2, 64])],
            count: 12,
            ..LegalMoves::default()
        };
        let mut expanded = expand(&legal).unwrap();
        assert_eq!(expanded.len(), 12);
        assert_eq!(
            expanded.by_ref().take(5).map(|each| each.to_string()).collect::<Vec<_>>(),
            ["draw", "resign", "discard AS", "discard card 99", "meld 7S 8S 2S"]
        );
        assert_eq!(expanded.len(), 7);
        assert_eq!(expanded.by_ref().count(), 7);
    }

    /// Every small group there is, against going through all subsets of the cards.
    #[test]
    fn the_length_is_the_number_of_moves_and_no_move_comes_twice() {
        for (a, b, c) in (0..27).map(|n| (n % 3, n / 3 % 3, n / 9)) {
            for (low, high) in (0..49).map(|n| (n % 7, n / 7)) {
                let given = group(MoveKind::Meld, &[(8, a), (9, b), (10, c)], (low, high), &[]);
                let brute: BTreeSet<_> = (0..27_u32)
                    .map(|n| (n % 3, n / 3 % 3, n / 9))
                    .filter(|&(x, y, z)| x <= a && y <= b && z <= c && (low..=high).contains(&(x + y + z)))
                    .collect();
                let expanded = expand_group(&given).unwrap();
                assert_eq!(expanded.len(), brute.len(), "{given:?}");
                let listed: Vec<_> = expanded.map(|each| each.to_string()).collect();
                assert_eq!(listed.len(), brute.len(), "{given:?}");
                assert_eq!(listed.iter().collect::<BTreeSet<_>>().len(), brute.len(), "{given:?}");
            }
        }
    }

    #[test]
    fn what_this_client_does_not_know_is_no_shorter_list() {
        let unknown_simple = LegalMoves { simple: vec![77], ..LegalMoves::default() };
        assert!(expand(&unknown_simple).unwrap_err().to_string().contains("the number 77"));
        let meld_as_simple = LegalMoves { simple: vec![MoveKind::Meld.into()], ..LegalMoves::default() };
        assert!(expand(&meld_as_simple).is_err());
        let kind = MoveGroup { kind: 77, ..MoveGroup::default() };
        assert!(expand_group(&kind).unwrap_err().to_string().contains("the number 77"));
        let absurd = group(MoveKind::Meld, &[(8, u32::MAX)], (0, u32::MAX), &[]);
        assert!(expand_group(&absurd).unwrap_err().to_string().contains("more than 424 cards"));
        for count in [0, 3] {
            let other = LegalMoves { discards: vec![Card::As.into()], count, ..LegalMoves::default() };
            assert_eq!(
                expand(&other).unwrap_err().to_string(),
                format!(
                    "the legal moves have a count of {count}, of which 1 are known: \
                     this client is older than the service, and has to be updated"
                )
            );
        }
    }

    #[test]
    fn cards_that_a_kind_of_one_card_cannot_take_are_not_left_out() {
        for (kind, card, optional, sizes, wilds) in [
            (MoveKind::ReplaceWild, false, vec![], (0, 0), vec![]),
            (MoveKind::ReplaceWild, false, vec![(8, 1)], (0, 1), vec![]),
            (MoveKind::ReplaceWild, true, vec![], (0, 0), vec![64]),
            (MoveKind::Knock, true, vec![], (0, 0), vec![64]),
            (MoveKind::Knock, false, vec![(8, 2)], (1, 2), vec![]),
        ] {
            let mut given = group(kind, &optional, sizes, &wilds);
            given.required.truncate(usize::from(card));
            let told = expand_group(&given).unwrap_err().to_string();
            assert!(told.contains(" cards, where MOVE_KIND_"), "{told}");
        }
    }

    #[test]
    fn a_number_of_moves_beyond_counting_stays_a_number() {
        let many: Vec<_> = (1..=53).map(|card| (card, 8)).collect();
        let expanded = expand_group(&group(MoveKind::Meld, &many, (0, 424), &[])).map(|all| all.len());
        assert_eq!(expanded, Ok(usize::MAX));
    }

    #[test]
    fn sizes_out_of_reach_are_no_moves() {
        assert!(words(&group(MoveKind::Meld, &[(8, 1)], (2, 3), &[])).is_empty());
        assert!(words(&group(MoveKind::Meld, &[], (1, 0), &[])).is_empty());
        assert_eq!(words(&group(MoveKind::Meld, &[], (0, 5), &[])), ["meld 7S"]);
    }
}
