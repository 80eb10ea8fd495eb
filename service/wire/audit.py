"""Whether a decoded state holds together: all that the rules rely on, so that nothing they do with it can fail.

The seal vouches that a state is one of ours; this is for the day when it is one of a faulty release, or made by hand.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from service.rules.cards import FACES, IS_CARD, JOKER, NO_CARD, Card, card_at, rank_of
from service.rules.games import game_of, game_with
from service.rules.hand import Hand
from service.rules.melds import Meld, MeldKind
from service.rules.options import RuleSet
from service.rules.state import NOBODY, DealEnd, Fairness, Match, Phase, State

ALL_FACES: Final = sum(1 << card for card in FACES)
NAMED: Final = IS_CARD | {NO_CARD}
MAX_COUNTER: Final = (1 << 31) - 1
MAX_POINTS: Final = 1_000_000
LAST_SLOT: Final = 14


def audit(state: State) -> None:
    """Check a state.

    :raises ValueError: it says in a few words what is wrong.
    """
    _match(state.match)
    _seats(state)
    _progress(state)
    _cards(state)
    game_of(state).audit(state)


def _require(fact: object, defect: str) -> None:
    if not fact:
        raise ValueError(defect)


def _match(match: Match) -> None:
    _require(len(match.match_id) == 16, "its match id is not of 16 bytes")
    _require(sorted(match.players) == list(range(match.rules.players)), "its players are wrong")
    _fairness(match.fairness, match.rules.players)


@lru_cache(maxsize=256)
def _fairness(fairness: Fairness, players: int) -> None:
    _require(len(fairness.seed) == 32 and len(fairness.salt) in (0, 32), "its seed is wrong")
    _require(
        len(fairness.entropy) <= players and all(1 <= len(entry) <= 64 for entry in fairness.entropy),
        "its entropy is wrong",
    )


def _seats(state: State) -> None:
    players, sides = len(state.match.players), state.match.sides
    _require(state.seat < players and state.dealer < players, "its turn or dealer is at no seat")
    _require(
        len(state.hands) == len(state.unseen) == len(state.token_epochs) == players, "it has seats too many or few"
    )
    _require(len(state.points) == sides, "it has sides too many or few")
    _require(len(state.taken_by) == len(state.unplayed) and len(state.unplayed) in (0, sides), "its pozzetti are wrong")
    for per_seat in (state.laid, state.out, state.reentries):
        _require(len(per_seat) in (0, players), "it has seats too many or few")
    _require(len(state.deals_won) in (0, sides), "it has sides too many or few")
    _require(all(NOBODY <= seat < players for seat in (state.knocker, *state.taken_by)), "it names a wrong seat")
    _require(NOBODY <= state.closed_by < players, "it was closed at no seat")


def _progress(state: State) -> None:
    game = game_of(state)
    _require(state.phase in game.phases, "its phase is not one of its game")
    _require(state.deal_end in game.deal_ends, "its deal ended in no way of its game")
    result = state.result
    _require((result is not None) == (state.phase is Phase.MATCH_OVER), "its result and its phase disagree")
    _require(state.over == (state.deal_end is not DealEnd.NOT_ENDED), "its phase and the end of its deal disagree")
    if result:
        sides = range(state.match.sides)
        _require(
            result.match_end in game.match_ends and all(side in sides for side in result.winning_sides),
            "its result is wrong",
        )
        _require(len(result.victory_points) in (0, len(sides)), "its victory points are wrong")
    counters = [state.revision, state.deal_number, state.deals_scored, state.stalemate_turns, state.turns_taken]
    counters += [state.renewals, state.passes, state.turn.opening, state.turn.jokers_owed]
    counters += [*state.token_epochs, *state.reentries, *state.deals_won]
    _require(max(counters) <= MAX_COUNTER and len(state.chain) == 16, "its counters are wrong")
    _require(all(abs(total) <= MAX_POINTS for total in state.points), "its points are wrong")
    _require(state.turns_left <= len(state.match.players) + 1, "it has too many turns left")


def _cards(state: State) -> None:
    """Check the turn's cards, the melds, and that all cards together are the deck."""
    turn = state.turn
    for card in (turn.drawn, turn.taken_single, turn.must_meld, turn.taken):
        _require(card in NAMED, "its turn names no card")
    for number, meld in enumerate(state.melds, 1):
        _require(meld.meld_id == number and meld.side < state.match.sides, "a meld has a wrong number or side")
        _roles(meld, game_of(state).is_wild)
    _require(state.next_meld_id == len(state.melds) + 1, "its melds are numbered wrongly")
    for hand in state.hands:
        _hand(hand)
    _hand(turn.hand_before_pile)
    piles = [state.stock, state.discard, *state.pozzetti]
    piles += [meld.cards for meld in state.melds]
    piles += [hand.cards() for hand in state.hands]
    _require(sorted(b"".join(piles)) == _deck(state.rules), "its cards are not those of the deck")


def _hand(hand: Hand) -> None:
    wrong = hand.once & ~ALL_FACES or hand.twice & ~hand.once or hand.jokers > 4
    _require(not wrong, "a hand holds what is no card")


@lru_cache(maxsize=16)
def _deck(rules: RuleSet) -> list[int]:
    return sorted(game_with(rules).deck(rules))


@lru_cache(maxsize=4096)
def _roles(meld: Meld, is_wild: Callable[[Card], bool]) -> None:
    cards, wild_at = meld.cards, meld.wild_at
    _require(3 <= len(cards) <= LAST_SLOT and NOBODY <= wild_at < len(cards), "a meld has a wrong size or wild")
    _require(wild_at < 0 or is_wild(cards[wild_at]), "a meld's wild is none")
    naturals = [card for at, card in enumerate(cards) if at != wild_at]
    _require(IS_CARD.issuperset(cards) and JOKER not in naturals, "a meld has a joker that is not its wild")
    if meld.kind is MeldKind.SET:
        right = len({rank_of(card) for card in naturals}) == 1 and not is_wild(naturals[0])
        _require(right and wild_at in (NOBODY, len(cards) - 1), "a set is wrong")
        _require(not meld.low or (meld.wild_at >= 0 and meld.low <= 4 and meld.wild_as not in cards), "a set is wrong")
        return
    _require(meld.low >= 1 and meld.low + len(cards) - 1 <= LAST_SLOT, "a sequence leaves its slots")
    suit = meld.suit
    right = all(card == card_at(suit, meld.low + at) for at, card in enumerate(cards) if at != wild_at)
    _require(right, "a sequence is wrong")
