"""The body of a text: turns, and what the text claims about them; read and written, line by line."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, get_args

from service.notation import match_text as mt
from service.notation.cursor import NO_CARDS, Cursor, is_number
from service.notation.head import WORDS as HEAD_WORDS
from service.notation.head import print_remark
from service.notation.lines import SIGN, WORD, Line
from service.notation.moves import print_cards, print_move, read_move
from service.rules.cards import NO_CARD, text
from service.rules.events import SPECTATOR, Event
from service.rules.moves import MAX_MELD_ID
from service.rules.reasons import Reason
from service.rules.scores import Line as ScoreLine
from service.rules.scores import ScoreItem
from service.rules.state import NOBODY, DealEnd, MatchEnd

MAX_POINTS: Final = 999_999
MAX_DEAL: Final = 99_999
MAX_LINES: Final = 500
MAX_MOVES_A_TURN: Final = 1000
MAX_FAULTS: Final = 50
WIDTH: Final = 100
"""Columns after which a line is broken."""
REASONS: Final = {reason.name: reason for reason in Reason if reason < Reason.PRESET_UNKNOWN}
ITEMS: Final = {item.name: item for item in ScoreItem}
DEAL_ENDS: Final = {end.name: end for end in DealEnd if end is not DealEnd.NOT_ENDED}
MATCH_ENDS: Final = {end.name: end for end in MatchEnd if end is not MatchEnd.NOT_ENDED}
GOES_ON: Final = "none"


def event_name(event: type) -> str:
    """Name an event as the contract does, such as `took_pozzetto`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", event.__name__).lower()


EVENTS: Final = {event_name(event): event for event in get_args(Event)}


class Table(NamedTuple):
    """What the lines of a body are read against."""

    players: int
    sides: int


def read_entry(line: Line, table: Table) -> mt.AnyEntry:
    """Read one line of the body."""
    if not line.tokens:
        return mt.Remark(line.remark, at=line.at)
    cursor = Cursor(line)
    first = line.tokens[0]
    if first.kind == WORD and is_number(first.text):
        entry: mt.AnyEntry = _turn(cursor, table, line)
    elif first.kind == WORD and first.text in HEAD_WORDS:
        return cursor.fail("a turn or a check: lines of the head stand before the first of them")
    else:
        known = ", ".join(READERS)
        word = cursor.one_of(READERS, f"a turn, such as '0: draw; discard 7S', or a check: {known}")
        entry = READERS[word.text](cursor, table, line)
    cursor.end("';' and another move, or the end of the line" if isinstance(entry, mt.Turn) else "the end of the line")
    return entry


def _turn(cursor: Cursor, table: Table, line: Line) -> mt.Turn:
    seat = _seat(cursor, table)
    cursor.sign(":")
    moves = [read_move(cursor)]
    while cursor.took(SIGN, ";"):
        if len(moves) == MAX_MOVES_A_TURN:
            cursor.fail(f"at most {MAX_MOVES_A_TURN} moves of one turn")
        moves.append(read_move(cursor))
    return mt.Turn(seat, tuple(moves), remark=line.remark, at=line.at)


def _seat(cursor: Cursor, table: Table) -> int:
    return cursor.number("a seat", 0, table.players - 1)


def _refused(cursor: Cursor, table: Table, line: Line) -> mt.RefusedMove:
    seat = _seat(cursor, table)
    cursor.sign(":")
    move = read_move(cursor).move
    cursor.sign("=")
    faults = [_fault(cursor)]
    while cursor.took(SIGN, ","):
        if len(faults) == MAX_FAULTS:
            cursor.fail(f"at most {MAX_FAULTS} reasons")
        faults.append(_fault(cursor))
    return mt.RefusedMove(seat, move, tuple(faults), remark=line.remark, at=line.at)


def _fault(cursor: Cursor) -> mt.Fault:
    reason = REASONS[cursor.one_of(REASONS, "a reason of the contract without REASON_, such as TOO_FEW_CARDS").text]
    return mt.Fault(reason, cursor.rule())


def _deal(cursor: Cursor, table: Table, line: Line) -> mt.DealMark:
    number = cursor.number("the number of the deal", 1, MAX_DEAL)
    dealer = _seat(cursor, table) if cursor.took(WORD, "dealer") else NOBODY
    upcard = cursor.card() if cursor.took(WORD, "upcard") else NO_CARD
    return mt.DealMark(number, dealer, upcard, remark=line.remark, at=line.at)


def _happened(cursor: Cursor, table: Table, line: Line) -> mt.Happened:
    name = cursor.one_of(EVENTS, f"an event: {', '.join(EVENTS)}").text
    seat = _seat(cursor, table) if cursor.peek() else SPECTATOR
    return mt.Happened(name, seat, remark=line.remark, at=line.at)


def _hand(cursor: Cursor, table: Table, line: Line) -> mt.HandIs:
    seat = _seat(cursor, table)
    cursor.sign(":")
    return mt.HandIs(seat, cursor.cards(), remark=line.remark, at=line.at)


def _meld(cursor: Cursor, _table: Table, line: Line) -> mt.MeldIs:
    meld_id = cursor.number("the number of a meld", 1, MAX_MELD_ID)
    cursor.sign(":")
    return mt.MeldIs(meld_id, cursor.cards(), remark=line.remark, at=line.at)


def _pile(cursor: Cursor, _table: Table, line: Line) -> mt.PileIs:
    cursor.sign(":")
    return mt.PileIs(cursor.cards(), remark=line.remark, at=line.at)


def _stock(cursor: Cursor, _table: Table, line: Line) -> mt.StockIs:
    return mt.StockIs(cursor.number("a number of cards", 0, 108), remark=line.remark, at=line.at)


def _ended(cursor: Cursor, table: Table, line: Line) -> mt.DealEnds:
    end = DEAL_ENDS[cursor.one_of(DEAL_ENDS, f"an end of a deal: {', '.join(DEAL_ENDS)}").text]
    closed_by = _seat(cursor, table) if cursor.took(WORD, "by") else NOBODY
    return mt.DealEnds(end, closed_by, remark=line.remark, at=line.at)


def _score(cursor: Cursor, table: Table, line: Line) -> mt.SideScore:
    side = cursor.number("a side", 0, table.sides - 1)
    cursor.sign(":")
    if cursor.took(WORD, NO_CARDS):
        return mt.SideScore(side, (), remark=line.remark, at=line.at)
    lines = [_score_line(cursor, table)]
    while cursor.took(SIGN, ";"):
        if len(lines) == MAX_LINES:
            cursor.fail(f"at most {MAX_LINES} lines of a score")
        lines.append(_score_line(cursor, table))
    return mt.SideScore(side, tuple(lines), remark=line.remark, at=line.at)


def _score_line(cursor: Cursor, table: Table) -> ScoreLine:
    item = ITEMS[cursor.one_of(ITEMS, f"what a line of a score counts: {', '.join(ITEMS)}").text]
    points = cursor.number("points", -MAX_POINTS, MAX_POINTS)
    meld_id = cursor.number("the number of a meld", 1, MAX_MELD_ID) if cursor.took(WORD, "meld") else 0
    seat = _seat(cursor, table) if cursor.took(WORD, "seat") else NOBODY
    return ScoreLine(item, points, meld_id, seat)


def _points(cursor: Cursor, table: Table, line: Line) -> mt.Points:
    deal = _each_side(cursor, table, "points")
    total = _each_side(cursor, table, "points") if cursor.took(WORD, "total") else ()
    return mt.Points(deal, total, remark=line.remark, at=line.at)


def _each_side(cursor: Cursor, table: Table, what: str) -> tuple[int, ...]:
    return tuple(cursor.number(f"{what} of side {side}", -MAX_POINTS, MAX_POINTS) for side in range(table.sides))


def _result(cursor: Cursor, table: Table, line: Line) -> mt.ResultIs:
    if cursor.took(WORD, GOES_ON):
        return mt.ResultIs(MatchEnd.NOT_ENDED, remark=line.remark, at=line.at)
    expected = f"an end of the match: {', '.join(MATCH_ENDS)}, or {GOES_ON}"
    end = MATCH_ENDS[cursor.one_of(MATCH_ENDS, expected).text]
    winners: list[int] = []
    if cursor.took(WORD, "wins"):
        winners.append(cursor.number("a side", 0, table.sides - 1))
        while cursor.has_number() and len(winners) < table.sides:
            winners.append(cursor.number("a side", 0, table.sides - 1))
    victory = _each_side(cursor, table, "victory points") if cursor.took(WORD, "victory") else ()
    return mt.ResultIs(end, tuple(winners), victory, remark=line.remark, at=line.at)


READERS: Final[dict[str, Callable[[Cursor, Table, Line], mt.AnyEntry]]] = {
    "deal": _deal,
    "refused": _refused,
    "event": _happened,
    "hand": _hand,
    "table": _meld,
    "pile": _pile,
    "stock": _stock,
    "ended": _ended,
    "score": _score,
    "points": _points,
    "result": _result,
}


# --- writing ---------------------------------------------------------------------------------------------------------


def print_entry(entry: mt.AnyEntry) -> str:
    """Write one line of the body."""
    if isinstance(entry, mt.Remark):
        return print_remark(entry.text)
    return _printed(entry) + (f"  {print_remark(entry.remark)}" if entry.remark else "")


def _printed(entry: mt.Turn | mt.Check) -> str:
    match entry:
        case mt.Turn(seat=seat, moves=moves):
            return _broken(f"{seat}:", [print_move(each.move, each.shows) for each in moves])
        case mt.RefusedMove(seat=seat, move=move, faults=faults):
            reasons = (each.reason.name + (f" [{each.rule_id}]" if each.rule_id else "") for each in faults)
            return f"refused {seat}: {print_move(move)} = {', '.join(reasons)}"
        case mt.DealMark(number=number, dealer=dealer, upcard=upcard):
            named_dealer = f" dealer {dealer}" if dealer != NOBODY else ""
            return f"deal {number}{named_dealer}" + (f" upcard {text(upcard)}" if upcard else "")
        case mt.Happened(name=name, seat=seat):
            return f"event {name}" + (f" {seat}" if seat != SPECTATOR else "")
        case mt.HandIs(seat=seat, cards=cards):
            return f"hand {seat}: {print_cards(cards)}"
        case mt.MeldIs(meld_id=meld_id, cards=cards):
            return f"table {meld_id}: {print_cards(cards)}"
        case mt.PileIs(cards=cards):
            return f"pile: {print_cards(cards)}"
        case mt.StockIs(count=count):
            return f"stock {count}"
        case mt.DealEnds(deal_end=end, closed_by=closed_by):
            return f"ended {end.name}" + (f" by {closed_by}" if closed_by != NOBODY else "")
        case mt.SideScore(side=side, lines=lines):
            return _broken(f"score {side}:", [print_score_line(each) for each in lines] or [NO_CARDS])
        case mt.Points(deal=deal, total=total):
            return " ".join(("points", *map(str, deal), *(("total", *map(str, total)) if total else ())))
        case mt.ResultIs():
            return " ".join(_print_result(entry))


def _broken(head: str, parts: Sequence[str]) -> str:
    """Write parts with semicolons between them, over several lines where one would be long."""
    lines = [f"{head} {parts[0]}"]
    for part in parts[1:]:
        if len(lines[-1]) + len(part) + 3 > WIDTH:
            lines[-1] += ";"
            lines.append(f"  {part}")
        else:
            lines[-1] += f"; {part}"
    return "\n".join(lines)


def print_score_line(line: ScoreLine) -> str:
    """Write a line of a score sheet."""
    meld = f" meld {line.meld_id}" if line.meld_id else ""
    return f"{line.item.name} {line.points}{meld}" + (f" seat {line.seat}" if line.seat != NOBODY else "")


def _print_result(entry: mt.ResultIs) -> Iterator[str]:
    yield "result"
    yield entry.match_end.name if entry.match_end is not MatchEnd.NOT_ENDED else GOES_ON
    if entry.winners:
        yield "wins"
        yield from map(str, entry.winners)
    if entry.victory_points:
        yield "victory"
        yield from map(str, entry.victory_points)
