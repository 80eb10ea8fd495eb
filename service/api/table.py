"""Cards of people at a real table: counting a deal, explaining a selection."""

from collections import Counter
from typing import Final, NamedTuple

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import reasons_pb2
from service.rules.burraco.dealing import POZZETTO_SIZE
from service.rules.burraco.kinds import opens_the_close
from service.rules.burraco.reading import read, why_not_read
from service.rules.burraco.score import VICTORY_STEP, SideCount, count_deal, match_result
from service.rules.cards import JOKER, text
from service.rules.hand import Hand, hand_of
from service.rules.melds import Meld, MeldKind
from service.rules.options import BurracoRules, VictoryPoints
from service.rules.reasons import Reason, Violation, violation
from service.rules.scores import Sheet
from service.rules.state import NOBODY, Result
from service.text.catalogue import ENGLISH
from service.wire import messages
from service.wire.faults import Fault
from service.wire.rules_codec import effective_rules

SIDES: Final = 2
MAX_MELDS: Final = 36
MAX_POINTS: Final = 1_000_000
MAX_DEALS: Final = 1000


class Counted(NamedTuple):
    """A counted deal."""

    sheet: Sheet
    points: tuple[int, ...]
    result: Result | None


def selection_of(cards: bytes, field: str, rules: BurracoRules) -> Hand:
    """Gather cards that lie before one; the deck has to hold them."""
    _in_deck(Counter(cards), field, rules)
    return hand_of(cards)


def _in_deck(counts: Counter[int], field: str, rules: BurracoRules) -> None:
    for card, count in sorted(counts.items()):
        most = rules.jokers if card == JOKER else 2
        if count > most:
            text_ = f"has {text(card)} {count} times, but the deck holds it {most} times."
            raise Fault(field, reasons_pb2.REASON_FIELDS_CONTRADICT, text_, count=count, max=most)


def explain(request: pb.ExplainMeldRequest, rules: BurracoRules) -> tuple[list[Meld], list[Violation]]:
    """Read a selection: its readings, or everything wrong with it."""
    if not request.cards:
        raise messages.missing("cards", "name the cards to explain.")
    selection = selection_of(messages.read_cards(request.cards, "cards"), "cards", rules)
    kind, wild_as = messages.read_reading(request.reading, "reading")
    meld = read(selection, rules)
    if meld is None:
        return [], sorted(why_not_read(selection, rules), key=lambda fault: fault.reason)
    if not _is_wanted(meld, kind, wild_as):
        return [], [violation(Reason.READING_NOT_POSSIBLE, selection.cards())]
    return [meld], []


def _is_wanted(meld: Meld, kind: MeldKind | None, wild_as: int) -> bool:
    return kind in (None, meld.kind) and wild_as in (0, meld.wild_as)


def count_table(table: pb.TableDeal) -> Counted:
    """Count a deal from melds and hands alone (B4-36 … B4-42)."""
    rules = effective_rules(table.rules, "table.rules")
    if len(table.sides) != SIDES:
        raise messages.out_of_range("table.sides", len(table.sides), SIDES, SIDES, messages.LENGTH)
    closed_by = NOBODY
    if table.HasField("closed_by_side"):
        closed_by = messages.read_seat(table.closed_by_side, SIDES, "table.closed_by_side")
    most_deals = rules.deals_per_match or MAX_DEALS
    if table.deals_played > most_deals:
        raise messages.out_of_range("table.deals_played", table.deals_played, 0, most_deals)
    seen: Counter[int] = Counter()
    sides = [_side(table, side, closed=side == closed_by, rules=rules, seen=seen) for side in range(SIDES)]
    _in_deck(seen, "table", rules)
    sheet = count_deal(sides, rules)
    before = [side.match_points_before for side in table.sides]
    points = tuple(earlier + now for earlier, now in zip(before, sheet.deal_points, strict=True))
    sheet = sheet._replace(match_points=points, closed_by_side=closed_by)
    return Counted(sheet, points, match_result(points, table.deals_played, rules))


def _side(table: pb.TableDeal, number: int, *, closed: bool, rules: BurracoRules, seen: Counter[int]) -> SideCount:
    side, field = table.sides[number], f"table.sides[{number}]"
    if len(side.melds) > MAX_MELDS:
        raise messages.too_many(f"{field}.melds", len(side.melds), MAX_MELDS)
    if abs(side.match_points_before) > MAX_POINTS:
        raise messages.out_of_range(f"{field}.match_points_before", side.match_points_before, -MAX_POINTS, MAX_POINTS)
    if rules.victory_points is VictoryPoints.FIBUR and side.match_points_before % VICTORY_STEP:
        text_ = f"is {side.match_points_before}, but victory points need multiples of {VICTORY_STEP}."
        raise Fault(f"{field}.match_points_before", reasons_pb2.REASON_FIELDS_CONTRADICT, text_)
    most_hands = rules.players // SIDES
    if len(side.hands) > most_hands:
        raise messages.too_many(f"{field}.hands", len(side.hands), most_hands)
    melds = [_meld(meld, f"{field}.melds[{at}]", at + 1, rules) for at, meld in enumerate(side.melds)]
    hands = []
    for at, group in enumerate(side.hands):
        path = f"{field}.hands[{at}].cards"
        cards = messages.read_cards(group.cards, path)
        hands.append((number + SIDES * at, selection_of(cards, path, rules)))
        seen.update(cards)
    for meld in melds:
        seen.update(meld.cards)
    if closed and len(hands) == most_hands and all(hand.size for _, hand in hands):
        text_ = "closed, but all its hands hold cards: the one who closed has none."
        raise Fault(f"{field}.hands", reasons_pb2.REASON_FIELDS_CONTRADICT, text_)
    unplayed = _unplayed(side, f"{field}.unplayed_pozzetto", rules, seen)
    if closed:
        _may_have_closed(side, melds, f"{field}", rules)
    return SideCount(melds, hands, closed, side.pozzetto_taken, unplayed)


def _meld(meld: pb.TableMeld, field: str, meld_id: int, rules: BurracoRules) -> Meld:
    selection = selection_of(messages.read_cards(meld.cards, f"{field}.cards"), f"{field}.cards", rules)
    kind, wild_as = messages.read_reading(meld.reading, f"{field}.reading")
    laid = read(selection, rules)
    if laid is None:
        fault = min(why_not_read(selection, rules), key=lambda fault: fault.reason)
        told = ENGLISH.violation(fault)
        raise Fault(
            f"{field}.cards",
            reasons_pb2.Reason.ValueType(fault.reason),
            f"are no meld. {told}",
            **dict(fault.arguments),
        )
    if not _is_wanted(laid, kind, wild_as):
        text_ = "is not how these cards can lie: leave it open."
        raise Fault(f"{field}.reading", reasons_pb2.REASON_READING_NOT_POSSIBLE, text_)
    return laid._replace(meld_id=meld_id)


def _unplayed(side: pb.TableSide, field: str, rules: BurracoRules, seen: Counter[int]) -> tuple[int, Hand] | None:
    if not side.unplayed_pozzetto:
        return None
    if not side.pozzetto_taken:
        raise Fault(field, reasons_pb2.REASON_FIELDS_CONTRADICT, "is set, but pozzetto_taken is not.")
    cards = messages.read_cards(side.unplayed_pozzetto, field, POZZETTO_SIZE)
    if len(cards) != POZZETTO_SIZE:
        raise messages.out_of_range(field, len(cards), POZZETTO_SIZE, POZZETTO_SIZE, messages.LENGTH)
    seen.update(cards)
    return NOBODY, selection_of(cards, field, rules)


def _may_have_closed(side: pb.TableSide, melds: list[Meld], field: str, rules: BurracoRules) -> None:
    """Refuse a closing that the rules do not know (B4-31)."""
    if not side.pozzetto_taken:
        text_ = "closed, but took no pozzetto: a side that closes has taken one."
        raise Fault(f"{field}.pozzetto_taken", reasons_pb2.REASON_CLOSE_NEEDS_POZZETTO, text_)
    if not any(opens_the_close(meld, rules) for meld in melds):
        text_ = "closed, but has no burraco of the kind that closing needs."
        raise Fault(f"{field}.melds", reasons_pb2.REASON_CLOSE_NEEDS_BURRACO, text_)
