"""Cards of people at a real table: counting a deal, explaining a selection."""

from collections import Counter
from functools import lru_cache
from typing import Any, Final, NamedTuple

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import reasons_pb2
from service.rules.cards import text
from service.rules.game import TableFault, TableSide
from service.rules.games import game_with
from service.rules.hand import Hand, hand_of
from service.rules.melds import Meld, MeldKind
from service.rules.options import Game, RuleSet
from service.rules.reasons import Reason, Violation, violation
from service.rules.scores import Sheet
from service.rules.state import NOBODY, Result
from service.text.catalogue import ENGLISH
from service.wire import messages
from service.wire.faults import Fault
from service.wire.rules_codec import effective_rules

MAX_MELDS: Final = 36
MAX_POINTS: Final = 1_000_000
MAX_DEALS: Final = 1000


class Counted(NamedTuple):
    """A counted deal."""

    sheet: Sheet
    points: tuple[int, ...]
    result: Result | None
    game: Game


@lru_cache(maxsize=32)
def _deck(rules: RuleSet) -> Counter[int]:
    return Counter(game_with(rules).deck(rules))


def selection_of(cards: bytes, field: str, rules: RuleSet) -> Hand:
    """Gather cards that lie before one; the deck has to hold them."""
    _in_deck(Counter(cards), field, rules)
    return hand_of(cards)


def _in_deck(counts: Counter[int], field: str, rules: RuleSet) -> None:
    deck = _deck(rules)
    for card, count in sorted(counts.items()):
        if count > deck[card]:
            told = f"has {text(card)} {count} times, but the deck holds it {deck[card]} times."
            raise Fault(field, reasons_pb2.REASON_FIELDS_CONTRADICT, told, count=count, max=deck[card])


def explain(request: pb.ExplainMeldRequest, rules: RuleSet) -> tuple[list[Meld], list[Violation]]:
    """Read a selection: its readings, or everything wrong with it."""
    if not request.cards:
        raise messages.missing("cards", "name the cards to explain.")
    selection = selection_of(messages.read_cards(request.cards, "cards"), "cards", rules)
    kind, wild_as = messages.read_reading(request.reading, "reading")
    game = game_with(rules)
    readings = game.readings(selection, rules)
    if not readings:
        return [], sorted(game.why_not_read(selection, rules), key=lambda fault: fault.reason)
    wanted = [meld for meld in readings if _is_wanted(meld, kind, wild_as)]
    if not wanted:
        return [], [violation(Reason.READING_NOT_POSSIBLE, selection.cards())]
    return wanted, []


def _is_wanted(meld: Meld, kind: MeldKind | None, wild_as: int) -> bool:
    return kind in (None, meld.kind) and wild_as in (0, meld.wild_as)


def count_table(table: pb.TableDeal) -> Counted:
    """Count a deal from melds and hands alone."""
    rules: Any = effective_rules(table.rules, "table.rules")
    game = game_with(rules)
    number = game.sides(rules)
    if len(table.sides) != number:
        raise messages.out_of_range("table.sides", len(table.sides), number, number, messages.LENGTH)
    closed_by = NOBODY
    if table.HasField("closed_by_side"):
        closed_by = messages.read_seat(table.closed_by_side, number, "table.closed_by_side")
    most_deals = getattr(rules, "deals_per_match", 0) or MAX_DEALS
    if table.deals_played > most_deals:
        raise messages.out_of_range("table.deals_played", table.deals_played, 0, most_deals)
    if table.closed_in_hand and (closed_by == NOBODY or not game.closes_in_hand):
        told = "is set, but nobody closed." if game.closes_in_hand else "is set, but the game rewards no such close."
        raise Fault("table.closed_in_hand", reasons_pb2.REASON_FIELDS_CONTRADICT, told)
    seen: Counter[int] = Counter()
    sides = [_side(side, f"table.sides[{at}]", rules, seen) for at, side in enumerate(table.sides)]
    _in_deck(seen, "table", rules)
    try:
        sheet = game.count_table(rules, sides, closed_by, table.closed_in_hand)
    except TableFault as fault:
        reason = reasons_pb2.Reason.ValueType(fault.reason or reasons_pb2.REASON_FIELDS_CONTRADICT)
        raise Fault(f"table.sides[{fault.side}].{fault.field}", reason, fault.text) from None
    before = [side.match_points_before for side in table.sides]
    points = tuple(earlier + now for earlier, now in zip(before, sheet.deal_points, strict=True))
    sheet = sheet._replace(match_points=points, closed_by_side=closed_by)
    return Counted(sheet, points, game.table_result(rules, before, points, table.deals_played), game.name)


def _side(side: pb.TableSide, field: str, rules: RuleSet, seen: Counter[int]) -> TableSide:
    if len(side.melds) > MAX_MELDS:
        raise messages.too_many(f"{field}.melds", len(side.melds), MAX_MELDS)
    _points(side.match_points_before, f"{field}.match_points_before", rules)
    most_hands = game_with(rules).hands_a_side(rules)
    if len(side.hands) > most_hands:
        raise messages.too_many(f"{field}.hands", len(side.hands), most_hands)
    melds = tuple(_meld(meld, f"{field}.melds[{at}]", at + 1, rules) for at, meld in enumerate(side.melds))
    hands = []
    for at, group in enumerate(side.hands):
        path = f"{field}.hands[{at}].cards"
        cards = messages.read_cards(group.cards, path)
        hands.append(selection_of(cards, path, rules))
        seen.update(cards)
    for meld in melds:
        seen.update(meld.cards)
    unplayed = _unplayed(side, field, rules, seen)
    return TableSide(melds, tuple(hands), side.pozzetto_taken, unplayed, side.match_points_before)


def _points(points: int, field: str, rules: RuleSet) -> None:
    if abs(points) > MAX_POINTS:
        raise messages.out_of_range(field, points, -MAX_POINTS, MAX_POINTS)
    step = game_with(rules).points_step(rules)
    if points % step:
        told = f"is {points}, but victory points need multiples of {step}."
        raise Fault(field, reasons_pb2.REASON_FIELDS_CONTRADICT, told)


def _meld(meld: pb.TableMeld, field: str, meld_id: int, rules: RuleSet) -> Meld:
    game = game_with(rules)
    selection = selection_of(messages.read_cards(meld.cards, f"{field}.cards"), f"{field}.cards", rules)
    kind, wild_as = messages.read_reading(meld.reading, f"{field}.reading")
    readings = game.readings(selection, rules)
    if not readings:
        fault = min(game.why_not_read(selection, rules), key=lambda fault: fault.reason)
        reason = reasons_pb2.Reason.ValueType(fault.reason)
        told = f"are no meld. {ENGLISH.violation(fault)}"
        raise Fault(f"{field}.cards", reason, told, **dict(fault.arguments))
    wanted = [laid for laid in readings if _is_wanted(laid, kind, wild_as)]
    if not wanted:
        told = "is not how these cards can lie: leave it open."
        raise Fault(f"{field}.reading", reasons_pb2.REASON_READING_NOT_POSSIBLE, told)
    return wanted[0]._replace(meld_id=meld_id)


def _unplayed(side: pb.TableSide, field: str, rules: RuleSet, seen: Counter[int]) -> Hand | None:
    sizes = game_with(rules).pozzetto_sizes(rules)
    if side.pozzetto_taken and not sizes:
        raise Fault(f"{field}.pozzetto_taken", reasons_pb2.REASON_FIELDS_CONTRADICT, "is set, but the game has none.")
    if not side.unplayed_pozzetto:
        return None
    field = f"{field}.unplayed_pozzetto"
    if not side.pozzetto_taken:
        raise Fault(field, reasons_pb2.REASON_FIELDS_CONTRADICT, "is set, but pozzetto_taken is not.")
    cards = messages.read_cards(side.unplayed_pozzetto, field)
    if len(cards) not in sizes:
        raise messages.out_of_range(field, len(cards), sizes[0], sizes[-1], messages.LENGTH)
    seen.update(cards)
    return selection_of(cards, field, rules)
