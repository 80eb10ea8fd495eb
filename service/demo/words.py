"""What happened, as sentences."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from rich.text import Text

from burraco.v1.events_pb2 import Dealt, Event, MatchStarted, PozzettoWay, TookPile, WildMoved
from burraco.v1.melds_pb2 import Meld
from burraco.v1.scores_pb2 import DealEnd
from service.demo.faces import BURRACO_NAMES, face, faces, meld_text
from service.demo.hand import SEVEN

Names = Sequence[str]
"""A name for each seat."""

DEAL_ENDS: Mapping[DealEnd.ValueType, str] = {
    DealEnd.DEAL_END_CLOSED: "The deal is over: the hand was closed.",
    DealEnd.DEAL_END_STOCK: "The deal is over: the stock has run out.",
    DealEnd.DEAL_END_STALEMATE_DECLARED: "The deal is over: a stalemate was declared.",
    DealEnd.DEAL_END_STALEMATE_AUTOMATIC: "The deal is over: a lone card went round and round, a stalemate.",
    DealEnd.DEAL_END_TIME: "The deal is over: time has run out.",
    DealEnd.DEAL_END_RESIGNED: "The deal is over: a side has resigned.",
    DealEnd.DEAL_END_VOID: "The deal is void.",
}


def tell(event: Event, names: Names, players: Names) -> Iterator[Text]:
    """Say an event in sentences; none where the table itself shows it. `players` are named in their own order."""
    who = names[event.seat] if event.HasField("seat") else ""
    match event.WhichOneof("what"):
        case "match_started":
            yield from _match_started(event.match_started, names, players)
        case "dealt":
            yield from _dealt(event.dealt, names)
        case "drew":
            yield _draw(who, event)
        case "took_pile":
            yield _took_pile(who, event.took_pile)
        case "melded":
            yield Text.assemble(who, " lays ", meld_text(event.melded.meld), _burraco(event.melded.meld, 0), ".")
        case "laid_off":
            meld, count = event.laid_off.meld, len(event.laid_off.cards)
            new = _burraco(meld, len(meld.cards) - count)
            yield Text.assemble(who, " adds ", faces(event.laid_off.cards), ": ", meld_text(meld), new, ".")
        case "wild_moved":
            yield _wild_moved(event.wild_moved)
        case "discarded":
            yield Text.assemble(who, " discards ", face(event.discarded.card), ".")
        case "took_pozzetto":
            pozzetto = event.took_pozzetto
            direct = pozzetto.way == PozzettoWay.POZZETTO_WAY_DIRECT
            how = " and plays on" if direct else ", and leaves it face down for now"
            seen = Text.assemble(": ", faces(pozzetto.cards)) if pozzetto.cards else ""
            yield Text.assemble(who, f" takes a pozzetto of {pozzetto.count} cards{how}", seen, ".")
        case "pozzetto_seen":
            yield Text(f"{who} may look at the pozzetto now.")
        case "closed":
            yield Text(f"{who} closes!", style="bold")
        case "deal_ended":
            yield Text(DEAL_ENDS.get(event.deal_ended.deal_end, "The deal is over."), style="bold")
            for hand in event.deal_ended.hands:
                left = faces(hand.cards) if hand.cards else "nothing"
                yield Text.assemble(names[hand.seat], " has left: ", left, ".")
        case "time_called":
            yield Text(f"Time is called: {event.time_called.turns_left} more turns.")
        case "stalemate_declared":
            yield Text(f"{who} declares a stalemate.")
        case "resigned":
            yield Text(f"{who} resigns.")
        case "turn_timed_out":
            yield Text(f"{who} is away; the turn is completed.")
        case _:
            return


def _match_started(started: MatchStarted, names: Names, players: Names) -> Iterator[Text]:
    for number, draws in groupby(started.draws, key=lambda draw: draw.round):
        drawn = [Text.assemble(players[draw.player], " ", face(draw.card)) for draw in draws]
        opening = "Drawing again: " if number else "Drawing for seats: "
        yield Text.assemble(opening, Text(", ").join(drawn), ".")
    yield Text(f"Round the table sit {', '.join(names[:-1])} and {names[-1]}.")


def _dealt(dealt: Dealt, names: Names) -> Iterator[Text]:
    cutter = f"; {names[dealt.dealer - 1]} cuts {dealt.cut} cards" if dealt.cut else ""
    yield Text.assemble(f"{names[dealt.dealer]} deals{cutter}. The first card of the pile is ", face(dealt.upcard), ".")


def _draw(who: str, event: Event) -> Text:
    shown = face(event.drew.card) if event.drew.card else "a card"
    return Text.assemble(who, " draws ", shown, ".")


def _took_pile(who: str, took: TookPile) -> Text:
    what = "the only card of the pile: " if took.count == 1 else f"the pile of {took.count} cards: "
    return Text.assemble(who, " takes ", what, faces(took.cards), ".")


def _wild_moved(moved: WildMoved) -> Text:
    if moved.now_as == moved.card:
        return Text.assemble("The ", face(moved.card), " is in its own place now.")
    return Text.assemble(
        "The ", face(moved.card), " stands for ", face(moved.now_as), " now, no longer for ", face(moved.was_as), "."
    )


def _burraco(meld: Meld, before: int) -> Text | str:
    """Say that a meld has just become a burraco."""
    if len(meld.cards) < SEVEN or before >= SEVEN or meld.burraco not in BURRACO_NAMES:
        return ""
    name, style = BURRACO_NAMES[meld.burraco]
    return Text.assemble(" – a ", (f"{name} burraco", style))
