"""Tables of Ramino and Scala 40 set up by hand, and short words for what is done at them.

Cards are written as in `7S 10H JK`. A meld is written low to high, its joker with the card that it stands for in a
sequence (`5H JK(=6H) 7H`) and plain in a set (`KS KH JK`). What is not named is filled from the rest of the deck.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from service.rules.cards import JOKER, parse, rank_of, text
from service.rules.events import DealScored, Event
from service.rules.game import Game, Seating
from service.rules.hand import Hand, hand_of
from service.rules.melds import NO_WILD, Meld, MeldKind
from service.rules.moves import Discard, LayMeld, LayOff, Move, MoveKind, ReplaceWild
from service.rules.options import Game as GameName
from service.rules.outcome import Applied, LegalMoves, Refused
from service.rules.reasons import Reason, Violation
from service.rules.rummy.game import RAMINO_GAME, SCALA_40_GAME
from service.rules.rummy.options import RaminoRules, Scala40Rules
from service.rules.rummy.presets import RAMINO, SCALA_40, SCALA_40_FISCA
from service.rules.rummy.terms import terms_of
from service.rules.scores import ScoreItem, Sheet
from service.rules.state import NEW_TURN, NOBODY, DealEnd, Fairness, Match, Phase, State, Turn

GAMES = {GameName.RAMINO: RAMINO_GAME, GameName.SCALA_40: SCALA_40_GAME}
WORD = re.compile(r"(\w+)(?:\(=(\w+)\))?")
SLOTS = {name: slot for slot, name in enumerate(("", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"))}
ENOUGH = 1 << 30

Rules = RaminoRules | Scala40Rules
E = TypeVar("E", bound=Event)


def with_options(base: Rules, **options: object) -> Any:  # noqa: ANN401  # of the same type as the base
    """Change some options of a preset."""
    return replace(base, **options)  # type: ignore[arg-type]  # the tests name options that exist


def game_of(state: State) -> Game:
    """The game that a state belongs to."""
    return GAMES[state.match.rules.game]


def meld(words: str, meld_id: int = 0, side: int = 0) -> Meld:
    """Lay a meld by hand, its roles as written."""
    cards, wild_at, ranks = bytearray(), NO_WILD, []
    for at, (word, stands_for) in enumerate(WORD.findall(words)):
        cards += parse(word)
        if cards[-1] == JOKER:
            wild_at = at
        ranks.append(rank_of(parse(stands_for or word)[0]))
    if len({rank for rank in ranks if rank}) == 1:
        return Meld(MeldKind.SET, bytes(cards), wild_at, 0, meld_id, side)
    # The second card is never an ace, so it tells where the first one stands.
    return Meld(MeldKind.SEQUENCE, bytes(cards), wild_at, ranks[1] - 1, meld_id, side)


def table(
    *,
    options: Rules,
    hands: Sequence[str] = (),
    melds: Mapping[int, Sequence[str]] | None = None,
    pile: str | None = None,
    stock: str | None = None,
    phase: Phase = Phase.PLAY,
    seat: int = 0,
    turn: Turn = NEW_TURN,
    opened: Sequence[int] = (),
    turns_taken: int = 50,
    **fields: object,
) -> State:
    """Set up a table: `hands` by seat, `melds` by side, `pile` bottom first, `stock` top first, `opened` seats.

    A hand that is not named has four cards, those who are out none. It is long past the first round.
    """
    rest = Counter(terms_of(options).deck)
    lying: list[Meld] = []
    for side, side_melds in (melds or {}).items():
        lying += [meld(words, len(lying) + 1 + at, side) for at, words in enumerate(side_melds)]
    named = [parse(hand) for hand in hands]
    heap = parse(pile) if pile is not None else None
    draw = parse(stock) if stock is not None else None
    for cards in (*named, *(each.cards for each in lying), heap or b"", draw or b""):
        rest.subtract(cards)
    assert not [card for card, count in rest.items() if count < 0], "the deck has not so many copies of a card"

    def take(count: int) -> bytes:
        # High cards of clubs and diamonds first: tests name spades and hearts.
        cards = sorted(rest.elements(), key=lambda card: (card == JOKER, -card))[:count]
        rest.subtract(cards)
        return bytes(cards)

    players = options.players
    out: tuple[bool, ...] = fields.setdefault("out", (False,) * players)  # type: ignore[assignment]  # by name
    filled = [named[at] if at < len(named) and hands[at] else take(0 if out[at] else 4) for at in range(players)]
    heap = take(1) if heap is None else heap
    draw = take(sum(rest.values())) if draw is None else draw
    if phase is Phase.PLAY and turn == NEW_TURN:
        turn = Turn(drawn=filled[seat][0])
    state = State(
        match=Match(b"m" * 16, options, tuple(range(players)), Fairness(b"s" * 32, given=True)),
        revision=0,
        chain=b"c" * 16,
        deal_number=1,
        dealer=players - 1,
        phase=phase,
        seat=seat,
        hands=tuple(map(hand_of, filled)),
        unseen=(False,) * players,
        pozzetti=(),
        stock=draw,
        discard=heap,
        melds=tuple(lying),
        next_meld_id=len(lying) + 1,
        taken_by=(),
        unplayed=(),
        turn=turn,
        stalemate_turns=0,
        turns_left=NOBODY,
        points=(0,) * players,
        deals_scored=0,
        deal_end=DealEnd.NOT_ENDED,
        closed_by=NOBODY,
        result=None,
        token_epochs=(0,) * players,
        laid=tuple(seat in opened for seat in range(players)),
        reentries=(0,) * players,
        turns_taken=turns_taken,
    )
    return state._replace(**fields)  # type: ignore[arg-type]  # fields of State, named by the test


def ramino(**fields: Any) -> State:  # noqa: ANN401  # arguments of `table`, by name
    """A table of Ramino."""
    return table(**({"options": RAMINO} | fields))


def scala(**fields: Any) -> State:  # noqa: ANN401  # arguments of `table`, by name
    """A table of Scala 40 after seed 004."""
    return table(**({"options": SCALA_40} | fields))


def fisca(**fields: Any) -> State:  # noqa: ANN401  # arguments of `table`, by name
    """A table of Scala 40 after the federation."""
    return table(**({"options": SCALA_40_FISCA} | fields))


# --- moves ------------------------------------------------------------------------------------------------------------


def card(word: str) -> int:
    """Number of a card."""
    return parse(word)[0]


def lay(cards: str, reading: MeldKind | None = None, wild_as: str = "") -> LayMeld:
    """Lay a meld."""
    return LayMeld(parse(cards), reading, card(wild_as) if wild_as else 0)


def add(meld_id: int, cards: str, wild_as: str = "") -> LayOff:
    """Lay off on a meld."""
    return LayOff(meld_id, parse(cards), card(wild_as) if wild_as else 0)


def swap(meld_id: int, word: str) -> ReplaceWild:
    """Recover a joker."""
    return ReplaceWild(meld_id, card(word))


def drop(word: str) -> Discard:
    """Discard a card."""
    return Discard(card(word))


# --- outcomes ---------------------------------------------------------------------------------------------------------


def play(state: State, move: Move, seat: int | None = None) -> Applied | Refused:
    """Play a move, of the seat to move unless another is named."""
    return game_of(state).play(state, state.seat if seat is None else seat, move)


def applied(state: State, move: Move, seat: int | None = None) -> Applied:
    """Play a move that has to be legal."""
    outcome = play(state, move, seat)
    assert isinstance(outcome, Applied), [violation.reason.name for violation in outcome.violations]
    return outcome


def after(state: State, *moves: Move) -> State:
    """Play moves, each of the seat then to move; all have to be legal."""
    for move in moves:
        state = applied(state, move).state
    return state


def faults(state: State, move: Move, seat: int | None = None) -> tuple[Violation, ...]:
    """What is wrong with a move that has to be illegal."""
    outcome = play(state, move, seat)
    assert isinstance(outcome, Refused), "the move was accepted"
    return outcome.violations


def refused(state: State, move: Move, seat: int | None = None) -> list[Reason]:
    """Reasons, in their order, for which a move is illegal."""
    return [violation.reason for violation in faults(state, move, seat)]


def is_accepted(state: State, move: Move, seat: int | None = None) -> bool:
    """Whether a move is legal."""
    return isinstance(play(state, move, seat), Applied)


def only(events: tuple[Event, ...], kind: type[E]) -> E:
    """The only event of a kind."""
    (found,) = (event for event in events if isinstance(event, kind))
    return found


def names(events: tuple[Event, ...]) -> list[str]:
    """Kinds of events, in their order."""
    return [type(event).__name__ for event in events]


def sheet_of(outcome: Applied) -> Sheet:
    """The score sheet of the deal that a move ended."""
    return only(outcome.events, DealScored).sheet


def lines(sheet: Sheet, seat: int) -> list[tuple[ScoreItem, int]]:
    """Lines of a player: what each counts, and its points."""
    return [(line.item, line.points) for line in sheet.lines[seat]]


# --- melds ------------------------------------------------------------------------------------------------------------


def shown(lying: Meld) -> str:
    """Write a meld, its joker with the card that it stands for: in a set only where that was declared."""
    words = [text(number) for number in lying.cards]
    if lying.wild_as:
        words[lying.wild_at] += f"(={text(lying.wild_as)})"
    return " ".join(words)


def on_table(state: State) -> list[str]:
    """The melds on the table."""
    return [shown(lying) for lying in state.melds]


def readings(cards: str, rules: Rules) -> list[str]:
    """Every meld that cards can be, the one that is meant first."""
    return [shown(found) for found in GAMES[rules.game].readings(hand_of(parse(cards)), rules)]


def why_not(cards: str, rules: Rules) -> list[Reason]:
    """Why cards are no meld."""
    return [violation.reason for violation in GAMES[rules.game].why_not_read(hand_of(parse(cards)), rules)]


def holds(state: State, seat: int, cards: str) -> bool:
    """Whether a hand is just these cards."""
    return state.hands[seat] == hand_of(parse(cards))


def hand(cards: str) -> Hand:
    """Cards as a hand."""
    return hand_of(parse(cards))


# --- whole matches ----------------------------------------------------------------------------------------------------


def new_match(rules: Rules, seed: int = 1, dealer: int | None = None) -> State:
    """Deal the first deal of a match."""
    players = tuple(range(rules.players))
    match = Match(b"m" * 16, rules, players, Fairness(seed.to_bytes(32, "big"), given=True))
    seating = Seating(players, seed % rules.players if dealer is None else dealer)
    return GAMES[rules.game].first_deal(match, seating, b"c" * 16)[0]


def listed(state: State, seat: int) -> LegalMoves:
    """All legal moves of a seat."""
    return game_of(state).legal_moves(state, seat, ENOUGH)


def expand(state: State, seat: int) -> list[Move]:
    """Every legal move of a seat, one by one."""
    return list(listed(state, seat).moves())


def walk(state: State, rng: random.Random, eager: float = 0.85) -> Iterator[tuple[State, int, Move, Applied]]:
    """Random legal moves until the match is over: each time the state before, the seat, the move, the outcome."""
    while state.phase is not Phase.MATCH_OVER:
        seat = state.seat
        moves = [move for move in expand(state, seat) if move.kind is not MoveKind.RESIGN]
        plays = [move for move in moves if move.kind in (MoveKind.MELD, MoveKind.LAY_OFF, MoveKind.REPLACE_WILD)]
        rest = [move for move in moves if move not in plays]
        chosen = rng.choice(plays if plays and (not rest or rng.random() < eager) else rest)
        outcome = applied(state, chosen)
        yield state, seat, chosen, outcome
        state = outcome.state
