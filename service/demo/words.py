"""What happened, as sentences."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from rich.text import Text

from burraco.v1.events_pb2 import DealEnded, Dealt, Event, Knocked, LaidOff, MatchStarted, PozzettoWay, WildMoved
from burraco.v1.melds_pb2 import Meld
from burraco.v1.scores_pb2 import DealEnd
from service.demo.cards import SEVEN
from service.demo.faces import BURRACO_NAMES, face, faces, meld_text
from service.demo.look import Look, Names

DEAL_ENDS: Mapping[DealEnd.ValueType, str] = {
    DealEnd.DEAL_END_CLOSED: "The deal is over: the hand was closed.",
    DealEnd.DEAL_END_STOCK: "The deal is over: the stock has run out.",
    DealEnd.DEAL_END_STALEMATE_DECLARED: "The deal is over: a stalemate was declared.",
    DealEnd.DEAL_END_STALEMATE_AUTOMATIC: "The deal is over: a lone card went round and round, a stalemate.",
    DealEnd.DEAL_END_TIME: "The deal is over: time has run out.",
    DealEnd.DEAL_END_RESIGNED: "The deal is over: a side has resigned.",
    DealEnd.DEAL_END_VOID: "The deal is void: nothing is counted, and the same dealer deals again.",
    DealEnd.DEAL_END_KNOCK: "The deal is over: a player has knocked.",
    DealEnd.DEAL_END_GIN: "The deal is over: a player has gin.",
}


@dataclass(frozen=True)
class Narrator:
    """Tells of the events of a match."""

    players: Names
    """The players in their own order."""
    names: Names
    """A name for each seat."""
    sides: Names
    """A name for each side."""
    look: Look

    def tell(self, event: Event) -> Iterator[Text]:
        """Say an event in sentences; none where the table itself shows it."""
        who = self.names[event.seat] if event.HasField("seat") else ""
        match event.WhichOneof("what"):
            case "match_started":
                yield from self._match_started(event.match_started)
            case "dealt":
                yield from self._dealt(event.dealt)
            case "drew":
                yield Text.assemble(who, " draws ", face(event.drew.card) if event.drew.card else "a card", ".")
            case "took_pile":
                yield Text.assemble(who, " takes ", self._what_was_taken(event), ".")
            case "upcard_passed":
                yield Text(f"{who} passes the up-card.")
            case "melded":
                yield Text.assemble(who, " lays ", self._meld(event.melded.meld), _burraco(event.melded.meld, 0), ".")
            case "laid_off":
                yield self._laid_off(who, event.laid_off)
            case "wild_moved":
                yield _wild_moved(event.wild_moved)
            case "wild_replaced":
                replaced = event.wild_replaced
                owner = self._of_another(who, replaced.meld)
                yield Text.assemble(
                    *(
                        who,
                        " puts ",
                        face(replaced.card),
                        " in the joker's place",
                        f" in {owner} meld" if owner else "",
                    ),
                    *(" and takes the joker: ", self._meld(replaced.meld), "."),
                )
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
            case "knocked":
                yield _knocked(who, event.knocked)
            case "closed":
                yield Text(f"{who} closes!", style="bold")
            case "stock_renewed":
                yield self._stock_renewed(event.stock_renewed.stock_count)
            case "deal_ended":
                yield from self._deal_ended(event.deal_ended)
            case "player_out":
                yield Text(f"{who} is out, with {event.player_out.points} points.", style="bold")
            case "player_reentered":
                yield Text(f"{who} comes in again, with {event.player_reentered.points} points.", style="bold")
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

    def _match_started(self, started: MatchStarted) -> Iterator[Text]:
        for number, draws in groupby(started.draws, key=lambda draw: draw.round):
            drawn = [Text.assemble(self.players[draw.player], " ", face(draw.card)) for draw in draws]
            opening = "Drawing again: " if number else "Drawing for seats: "
            yield Text.assemble(opening, Text(", ").join(drawn), ".")
        yield Text(f"Round the table sit {', '.join(self.names[:-1])} and {self.names[-1]}.")

    def _dealt(self, dealt: Dealt) -> Iterator[Text]:
        cutter = f"; {self.names[dealt.dealer - 1]} cuts {dealt.cut} cards" if dealt.cut else ""
        yield Text.assemble(
            f"{self.names[dealt.dealer]} deals{cutter}. The first card of the pile is ", face(dealt.upcard), "."
        )

    def _what_was_taken(self, event: Event) -> Text:
        took = event.took_pile
        if not self.look.whole_pile:
            return Text.assemble(faces(took.cards), " from the pile")
        what = "the only card of the pile: " if took.count == 1 else f"the pile of {took.count} cards: "
        return Text.assemble(what, faces(took.cards))

    def _laid_off(self, who: str, laid_off: LaidOff) -> Text:
        meld, count = laid_off.meld, len(laid_off.cards)
        owner = self._of_another(who, meld)
        new = _burraco(meld, len(meld.cards) - count)
        return Text.assemble(
            *(who, " adds ", faces(laid_off.cards), f" to {owner} meld" if owner else ""),
            *(": ", self._meld(meld), new, "."),
        )

    def _meld(self, meld: Meld) -> Text:
        return meld_text(meld, suits_once=self.look.suits_once)

    def _of_another(self, who: str, meld: Meld) -> str:
        """Say whose a meld is, unless it is the mover's own; only where each plays for himself is there a question."""
        owner = self.sides[meld.side]
        return "" if owner == who or owner not in self.names else f"{owner}'s"

    def _stock_renewed(self, count: int) -> Text:
        source = "a pozzetto that nobody took" if self.look.pozzetti else "the pile, shuffled,"
        return Text(f"The stock has run out: {source} becomes a new one of {count} cards.")

    def _deal_ended(self, ended: DealEnded) -> Iterator[Text]:
        yield Text(DEAL_ENDS.get(ended.deal_end, "The deal is over."), style="bold")
        for hand in ended.hands:
            if self.look.penalties and not hand.cards:
                continue  # who has closed, or is out
            left = self.look.left(hand.cards) if hand.cards else "nothing"
            yield Text.assemble(self.names[hand.seat], " has left: ", left, ".")


def _knocked(who: str, knocked: Knocked) -> Text:
    melds = Text(" · ").join(faces(meld.cards) for meld in knocked.melds)
    if not knocked.deadwood:
        return Text.assemble((f"{who} has gin", "bold"), ": ", melds, ".")
    return Text.assemble(
        *((f"{who} knocks with {knocked.deadwood_points}", "bold"), ": ", melds, " · " if melds else ""),
        *("deadwood ", faces(knocked.deadwood), "."),
    )


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
