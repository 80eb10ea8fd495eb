"""From a record to its text, with what came of it: deals, cards drawn, scores, the result."""

from collections.abc import Iterator, Sequence

from service.notation import match_text as mt
from service.rules.cards import NO_CARD, Card
from service.rules.events import DealEnded, DealScored, Dealt, Event, MatchEnded
from service.rules.moves import MoveKind
from service.rules.record import Record, Recorded, Replay, Step
from service.rules.state import State
from service.rules.stream import commitment


def transcribe(record: Record, names: Sequence[str] = ()) -> mt.MatchText:
    """Write a record out as a text that `verify` finds true, as far as its moves are legal; the others stand last."""
    again = Replay(record)
    if again.began is None:
        return _text(record, names, b"", tuple(_unplayed(record.moves)))
    began = [event for _, event in again.began.events]
    state = again.began.state
    body: list[mt.AnyEntry] = list(_claims(began, state))
    turn: list[mt.Written] = []
    played = 0
    for step in again:
        turn.append(mt.Written(step.move, _shown(step)))
        played += 1
        claims = tuple(_claims(step.events, step.after))
        another = any(seat != step.seat for seat, _ in record.moves[played : played + 1])
        if claims or another or step.after.seat != step.seat:
            body += (mt.Turn(step.seat, tuple(turn)), *claims)
            turn = []
    if turn:
        body.append(mt.Turn(record.moves[played - 1].seat, tuple(turn)))
    body += _unplayed(record.moves[played:])
    return _text(record, names, state.match.match_id, tuple(body))


def _text(record: Record, names: Sequence[str], match_id: bytes, body: tuple[mt.AnyEntry, ...]) -> mt.MatchText:
    fairness = record.fairness
    return mt.MatchText(
        record.rules,
        fairness,
        record.request_id,
        record.seats,
        tuple(names),
        commitment(fairness.salt, fairness.seed) if fairness.salt else b"",
        match_id,
        body=body,
    )


def _unplayed(moves: Sequence[Recorded]) -> Iterator[mt.Turn]:
    for seat, move in moves:
        yield mt.Turn(seat, (mt.Written(move),))


def _shown(step: Step) -> Card:
    """The card that came with a move."""
    match step.move.kind:
        case MoveKind.DRAW_STOCK:
            return step.before.stock[0]
        case MoveKind.TAKE_PILE:
            return step.before.discard[-1]
    return NO_CARD


def _claims(events: Sequence[Event], after: State) -> Iterator[mt.Check]:
    """What is worth saying of what a move brought about."""
    for event in events:
        match event:
            case Dealt(deal_number=number, dealer=dealer, upcard=upcard):
                yield mt.DealMark(number, dealer, upcard)
            case DealEnded(deal_end=end):
                yield mt.DealEnds(end, after.closed_by)
            case DealScored(sheet=sheet):
                for side, lines in enumerate(sheet.lines):
                    yield mt.SideScore(side, lines)
                yield mt.Points(sheet.deal_points, sheet.match_points)
            case MatchEnded(result=result):
                yield mt.ResultIs(result.match_end, result.winning_sides, result.victory_points)
