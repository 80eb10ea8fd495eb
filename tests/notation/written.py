"""Any match that can be written, legal or not, for Hypothesis."""

from typing import Any, Final

from hypothesis import strategies as st

from service.notation import match_text as mt
from service.notation.body import DEAL_ENDS, EVENTS, ITEMS, MATCH_ENDS, REASONS
from service.notation.lines import is_plain
from service.notation.moves import PLAIN, SHOWING
from service.rules import moves as m
from service.rules.cards import FACES, JOKER, NO_CARD
from service.rules.events import SPECTATOR
from service.rules.games import GAMES, SeatChoice, game_with
from service.rules.melds import MeldKind
from service.rules.scores import Line
from service.rules.state import NOBODY, Fairness, MatchEnd
from tests.support.options import valid_rules
from tests.support.records import random_decks

CARD: Final = st.sampled_from((*FACES, JOKER))
CARD_IF_ANY: Final = st.just(NO_CARD) | CARD
CARDS: Final = st.lists(CARD, max_size=20).map(bytes)
MELD_ID: Final = st.integers(1, 10_000)
POINTS: Final = st.integers(-999_999, 999_999)
PLAIN_TEXT: Final = st.text(max_size=30).filter(is_plain)
REMARK: Final = PLAIN_TEXT.map(lambda text: text.replace("\t", " ").strip(" "))
RULE_ID: Final = PLAIN_TEXT.filter(lambda text: not set(text) & set("[]\t")) | st.sampled_from(("", "B4-31", "§1.0"))

MOVE: Final[st.SearchStrategy[m.Move]] = st.one_of(
    st.sampled_from(list(PLAIN.values())),
    st.tuples(CARDS, st.none() | st.sampled_from(MeldKind), CARD_IF_ANY).map(lambda parts: m.LayMeld(*parts)),
    st.tuples(MELD_ID, CARDS.filter(bool), CARD_IF_ANY).map(lambda parts: m.LayOff(*parts)),
    CARD.map(m.Discard),
    st.tuples(MELD_ID, CARD).map(lambda parts: m.ReplaceWild(*parts)),
    st.tuples(CARD_IF_ANY, st.lists(CARDS, max_size=4).map(tuple)).map(lambda parts: m.Knock(*parts)),
)


@st.composite
def _written(draw: st.DrawFn) -> mt.Written:
    move = draw(MOVE)
    return mt.Written(move, draw(CARD_IF_ANY) if move.kind in SHOWING else NO_CARD)


def _entry(players: int, sides: int) -> st.SearchStrategy[mt.AnyEntry]:
    seat = st.integers(0, players - 1)
    side = st.integers(0, sides - 1)
    somebody = st.just(NOBODY) | seat
    each_side = st.lists(POINTS, min_size=sides, max_size=sides).map(tuple)
    line = st.tuples(st.sampled_from(list(ITEMS.values())), POINTS, st.just(0) | MELD_ID, somebody).map(Line._make)
    fault = st.builds(mt.Fault, st.sampled_from(list(REASONS.values())), RULE_ID)
    winners = st.lists(side, max_size=sides).map(tuple)
    ended = st.builds(
        mt.ResultIs, st.sampled_from(list(MATCH_ENDS.values())), winners, st.just(()) | each_side, remark=REMARK
    )
    return st.one_of(
        st.builds(mt.Remark, REMARK),
        st.builds(mt.Turn, seat, st.lists(_written(), min_size=1, max_size=12).map(tuple), remark=REMARK),
        st.builds(mt.RefusedMove, seat, MOVE, st.lists(fault, min_size=1, max_size=4).map(tuple), remark=REMARK),
        st.builds(mt.DealMark, st.integers(1, 99_999), somebody, CARD_IF_ANY, remark=REMARK),
        st.builds(mt.Happened, st.sampled_from(list(EVENTS)), st.just(SPECTATOR) | seat, remark=REMARK),
        st.builds(mt.HandIs, seat, CARDS, remark=REMARK),
        st.builds(mt.MeldIs, MELD_ID, CARDS, remark=REMARK),
        st.builds(mt.PileIs, CARDS, remark=REMARK),
        st.builds(mt.StockIs, st.integers(0, 108), remark=REMARK),
        st.builds(mt.DealEnds, st.sampled_from(list(DEAL_ENDS.values())), somebody, remark=REMARK),
        st.builds(mt.SideScore, side, st.lists(line, max_size=12).map(tuple), remark=REMARK),
        st.builds(mt.Points, each_side, st.just(()) | each_side, remark=REMARK),
        st.just(mt.ResultIs(MatchEnd.NOT_ENDED)),
        ended,
    )


@st.composite
def matches(draw: st.DrawFn) -> mt.MatchText:
    """Any match: rules of any game, any origin of the deck, anything in the body."""
    rules: Any = draw(st.sampled_from(list(GAMES.values())).flatmap(valid_rules))
    players = rules.players
    seats = (st.none() | st.integers(0, players - 1)).map(lambda dealer: SeatChoice(dealer=dealer))
    if players == 4 and game_with(rules).drawn_seats is not None:
        seats |= st.just(SeatChoice(drawn=True))
    fairness, commitment = draw(_fairness(rules))
    name = st.text(min_size=1, max_size=64).filter(is_plain)
    return mt.MatchText(
        rules=rules,
        fairness=fairness,
        request_id=draw(st.text(max_size=16).filter(lambda text: len(text.encode()) <= 64)),
        seats=draw(seats),
        names=draw(st.just(()) | st.lists(name, min_size=players, max_size=players).map(tuple)),
        commitment=commitment,
        match_id=draw(st.just(b"") | st.binary(min_size=16, max_size=16)),
        remarks=draw(st.lists(REMARK, max_size=3).map(tuple)),
        body=draw(st.lists(_entry(players, game_with(rules).sides(rules)), max_size=12).map(tuple)),
    )


def _fairness(rules: Any) -> st.SearchStrategy[tuple[Fairness, bytes]]:  # noqa: ANN401  # any game's
    bytes_32 = st.binary(min_size=32, max_size=32)
    entropy = st.lists(st.binary(min_size=1, max_size=64), max_size=rules.players).map(tuple)
    committed = st.tuples(bytes_32, entropy, bytes_32).map(lambda parts: Fairness(*parts))
    return st.one_of(
        st.tuples(bytes_32.map(lambda seed: Fairness(seed, given=True)), st.just(b"")),
        st.tuples(bytes_32.map(Fairness), st.just(b"")),
        st.tuples(committed, st.just(b"") | bytes_32),
        st.tuples(st.builds(random_decks, st.just(rules), st.integers(0, 99), st.integers(1, 3)), st.just(b"")),
    )
