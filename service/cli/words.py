"""What happened, in words. Cards are written as in the text."""

from collections.abc import Mapping
from typing import Final

from service.rules import events as ev
from service.rules.cards import text, texts
from service.rules.games import game_with
from service.rules.melds import Meld
from service.rules.scores import Sheet
from service.rules.state import NOBODY, DealEnd, MatchEnd, Result, State
from service.text.catalogue import ENGLISH

DEAL_ENDS: Final[Mapping[DealEnd, str]] = {
    DealEnd.CLOSED: "the hand was closed",
    DealEnd.STOCK: "the stock has run out",
    DealEnd.STALEMATE_DECLARED: "a stalemate was declared",
    DealEnd.STALEMATE_AUTOMATIC: "a card went round and round, a stalemate",
    DealEnd.TIME: "time has run out",
    DealEnd.VOID: "it is void and not counted, and the same dealer deals again",
    DealEnd.RESIGNED: "somebody has resigned, so it is not counted",
    DealEnd.KNOCK: "a player has knocked",
    DealEnd.GIN: "a player has gin",
}
MATCH_ENDS: Final[Mapping[MatchEnd, str]] = {
    MatchEnd.TARGET: "the target is reached",
    MatchEnd.DEALS_PLAYED: "all its deals are played",
    MatchEnd.RESIGNED: "the others have resigned",
    MatchEnd.LAST_PLAYER: "one player is left",
}
BURRACOS: Final = {0: "", 1: "dirty burraco", 2: "semi-clean burraco", 3: "clean burraco"}


class Words:
    """Tells of a match in which seats and sides have names."""

    def __init__(self, state: State, names: tuple[str, ...]) -> None:
        self.rules: Final = state.match.rules
        self.players: Final = names or tuple(f"player {player}" for player in range(len(state.match.players)))
        self.seats: Final = tuple(
            names[player] if names else f"seat {seat}" for seat, player in enumerate(state.match.players)
        )

    def side(self, state: State, side: int) -> str:
        """Name a side by its players."""
        seats = [seat for seat in range(len(self.seats)) if state.side_of(seat) == side]
        return " and ".join(self.seats[seat] for seat in seats) or f"side {side}"

    def deed(self, event: ev.Event) -> str:
        """What a seat did itself, without its name; nothing if the event is no deed."""
        match event:
            case ev.Drew(card=card, stock_count=count):
                return f"draws {text(card) if card else 'a card'} ({count} left in the stock)"
            case ev.TookPile(cards=cards, size=size):
                taken = texts(cards) if len(cards) == size else f"{size} cards, {texts(cards)} on top"
                return f"takes {taken} from the pile"
            case ev.Melded(meld=meld):
                return f"lays {self.meld(meld)}"
            case ev.LaidOff(cards=cards, meld=meld):
                return f"adds {texts(cards)} to {self.meld(meld)}"
            case ev.WildReplaced(meld=meld, card=card):
                return f"puts {text(card)} in the joker's place and takes the joker: {self.meld(meld)}"
            case ev.Discarded(card=card):
                return f"discards {text(card)}"
            case ev.TookPozzetto(direct=direct, size=size, cards=cards):
                seen = f": {texts(cards)}" if cards else ""
                return f"takes a pozzetto of {size} cards {'directly' if direct else 'on the discard'}{seen}"
            case ev.Closed():
                return "closes"
            case ev.Knocked(melds=melds, deadwood=deadwood, deadwood_points=points):
                arranged = " / ".join(map(texts, melds)) or "no melds"
                if not deadwood:
                    return f"has gin: {arranged}"
                return f"knocks with {points}: {arranged}, deadwood {texts(deadwood)}"
            case ev.UpcardPassed():
                return "passes the up-card"
            case ev.StalemateDeclared():
                return "declares a stalemate"
            case ev.Resigned():
                return "resigns"
            case ev.TurnTimedOut():
                return "is away, and the turn is completed"
            case ev.TimeCalled(turns_left=turns):
                return f"calls time, {turns} more turns"
        return ""

    def sentence(self, event: ev.Event) -> str:
        """What else happened; nothing where that goes without saying."""
        match event:
            case ev.Dealt(deal_number=number, dealer=dealer, cut=cut, upcard=upcard):
                lifted = f", {cut} cards are cut" if cut else ""
                return f"Deal {number}: {self.seats[dealer]} deals{lifted}, and {text(upcard)} is turned up."
            case ev.PozzettoSeen(seat=seat, cards=cards):
                seen = f": {texts(cards)}" if cards else ""
                return f"{self.seats[seat]} may look at the pozzetto now{seen}."
            case ev.WildMoved(meld_id=meld_id, card=card, was_as=was, now_as=now):
                place = "is in its own place" if card == now else f"stands for {text(now)}"
                return f"The {text(card)} of meld {meld_id} {place} now, no longer for {text(was)}."
            case ev.StockRenewed(stock_count=count):
                return f"There is a new stock of {count} cards."
            case ev.DealEnded(deal_end=end):
                return f"The deal is over: {DEAL_ENDS[end]}."
            case ev.PlayerOut(seat=seat, points=points):
                return f"{self.seats[seat]} is out, with {points} points."
            case ev.PlayerReentered(seat=seat, points=points):
                return f"{self.seats[seat]} comes in again, with {points} points."
        return ""

    def meld(self, meld: Meld) -> str:
        """A meld, with its number and what it is."""
        value = game_with(self.rules).meld_value(meld, self.rules)
        meant = f", {text(meld.wild)} as {text(meld.wild_as)}" if meld.wild_as and meld.wild != meld.wild_as else ""
        burraco = f", a {BURRACOS[value.burraco]}" if BURRACOS.get(value.burraco) else ""
        return f"meld {meld.meld_id} ({texts(meld.cards)}{meant}{burraco})"

    def result(self, state: State, result: Result) -> str:
        """Who has won the match."""
        winners = " and ".join(self.side(state, side) for side in result.winning_sides) or "nobody"
        victory = f" Victory points: {' to '.join(map(str, result.victory_points))}." if result.victory_points else ""
        return f"The match is over: {MATCH_ENDS[result.match_end]}. It is won by {winners}.{victory}"

    def sheet(self, state: State, sheet: Sheet) -> list[str]:
        """A score sheet, side by side under each other."""
        lines = []
        for side, items in enumerate(sheet.lines):
            total = f", {sheet.match_points[side]} in the match" if sheet.match_points else ""
            lines.append(f"{self.side(state, side)}: {sheet.deal_points[side]:+d}{total}")
            for item in items:
                seat = f" ({self.seats[item.seat]})" if item.seat != NOBODY else ""
                what = ENGLISH.score_line(item._replace(seat=NOBODY))
                meld = state.meld(item.meld_id)
                cards = f": {texts(meld.cards)}" if meld else ""
                lines.append(f"  {item.points:+5d}  {what}{seat}{cards}")
        return lines
