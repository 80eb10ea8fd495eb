"""Which text an event has, and what it is filled with.

A text is filled from its event alone. Where an event does not tell its viewer all, as with a card that another drew,
there is a text that does without.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from service.rules import events as ev
from service.rules.cards import Card
from service.rules.state import DealEnd, MatchEnd

_DEAL_ENDS: Final = {end: f"deal_ended.{end.name.lower()}" for end in DealEnd if end}
_MATCH_ENDS: Final = {end: f"match_ended.{end.name.lower()}" for end in MatchEnd if end}


class Value(NamedTuple):
    """What a name in braces stands for, before it is written in a language."""

    kind: str
    """`number`, `seat`, `sides`, `card` or `cards`."""
    number: int = 0
    numbers: tuple[int, ...] = ()


Told = tuple[str, tuple[tuple[str, Value], ...]]
"""A key of `english.EVENTS`, and values by name."""


def number(value: int) -> Value:
    """A plain number."""
    return Value("number", value)


def card(value: Card) -> Value:
    """A card."""
    return Value("card", value)


def cards(values: Iterable[Card]) -> Value:
    """Cards in a row."""
    return Value("cards", numbers=tuple(values))


def who(seat: int) -> tuple[str, Value]:
    """Whoever acted."""
    return "who", Value("seat", seat)


def told(event: ev.Event) -> Told:
    """Find the text of an event, and what goes into it."""
    match event:
        case ev.Drew(seat, drawn):
            return ("drew", (who(seat), ("card", card(drawn)))) if drawn else ("drew.hidden", (who(seat),))
        case ev.TookPile(seat, taken, size):
            if len(taken) < size:
                return "took_pile.top", (who(seat), ("count", number(size)), ("card", card(taken[-1])))
            return "took_pile", (who(seat), ("count", number(size)), ("cards", cards(taken)))
        case ev.Melded(seat, meld):
            return "melded", (who(seat), ("meld", number(meld.meld_id)), ("cards", cards(meld.cards)))
        case ev.LaidOff(seat, added, meld):
            return "laid_off", (who(seat), ("meld", number(meld.meld_id)), ("cards", cards(added)))
        case ev.WildMoved(_, meld_id, wild, was_as, now_as):
            return _wild_moved(meld_id, wild, was_as, now_as)
        case ev.Discarded(seat, discarded):
            return "discarded", (who(seat), ("card", card(discarded)))
        case ev.TookPozzetto(seat, direct, size):
            way = "direct" if direct else "on_discard"
            return f"took_pozzetto.{way}", (who(seat), ("count", number(size)))
        case ev.PozzettoSeen(seat):
            return "pozzetto_seen", (who(seat),)
        case ev.Closed(seat):
            return "closed", (who(seat),)
        case ev.TurnStarted(seat):
            return "turn_started", (who(seat),)
        case ev.DealEnded(deal_end):
            return _DEAL_ENDS[deal_end], ()
        case ev.DealScored():
            return "deal_scored", ()
        case ev.MatchEnded(result):
            sides = Value("sides", numbers=result.winning_sides)
            return _MATCH_ENDS[result.match_end], (("winners", sides), ("count", number(len(result.winning_sides))))
        case _:
            return _rare(event)


def _wild_moved(meld_id: int, wild: Card, was_as: Card, now_as: Card) -> Told:
    values = (("meld", number(meld_id)), ("card", card(wild)), ("now", card(now_as)))
    if now_as == wild:
        return "wild_moved.natural", values[:2]
    if was_as == wild:
        return "wild_moved.wild", values
    return "wild_moved", (*values, ("was", card(was_as)))


def _rare(event: ev.Event) -> Told:
    match event:
        case ev.MatchStarted():
            return "match_started", ()
        case ev.Dealt():
            values = (("deal", number(event.deal_number)), who(event.dealer), ("card", card(event.upcard)))
            return "dealt", values
        case ev.TimeCalled(_, turns_left):
            return "time_called", (("count", number(turns_left)),)
        case ev.StalemateDeclared(seat):
            return "stalemate_declared", (who(seat),)
        case ev.Resigned(seat):
            return "resigned", (who(seat),)
        case ev.TurnTimedOut(seat):
            return "turn_timed_out", (who(seat),)
        case ev.StockRenewed(stock_count):
            return "stock_renewed", (("count", number(stock_count)),)
        case ev.WildReplaced(seat, meld, put):
            return "wild_replaced", (who(seat), ("card", card(put)), ("meld", number(meld.meld_id)))
        case ev.Knocked(seat, _, _, points):
            return ("knocked", (who(seat), ("points", number(points)))) if points else ("knocked.gin", (who(seat),))
        case ev.UpcardPassed(seat):
            return "upcard_passed", (who(seat),)
        case ev.PlayerOut(seat, points):
            return "player_out", (who(seat), ("points", number(points)))
        case ev.PlayerReentered(seat, points):
            return "player_reentered", (who(seat), ("points", number(points)))
    raise AssertionError(f"no text for {type(event).__name__}")
