"""Playing a text again, entry by entry, and checking what it claims on the way."""

from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from service.notation import match_text as mt
from service.notation.body import event_name, print_score_line
from service.notation.faults import Position
from service.notation.moves import print_cards
from service.rules.cards import NO_CARD, text
from service.rules.citations import rule_of
from service.rules.events import Dealt, Event
from service.rules.games import Played, game_of
from service.rules.moves import Move, MoveKind
from service.rules.options import RULES_REVISION
from service.rules.reasons import Violation
from service.rules.record import Illegal, NoDeck, Step, begin, diverges, step
from service.rules.scores import Sheet
from service.rules.state import NOBODY, MatchEnd, State
from service.rules.stream import commitment


class Trouble(Enum):
    """In which way a text does not hold."""

    ILLEGAL = "illegal"
    """A move is illegal."""
    FALSE = "false"
    """A claim is not true."""
    NO_DECK = "no deck"
    """A deal has no deck."""
    DIVERGED = "diverged"
    """The text is of a revision of the rules that is not played here, so nothing can be said of it."""


class Problem(NamedTuple):
    """The first thing that does not hold."""

    trouble: Trouble
    at: Position
    text: str
    """What is wrong, in English, completing a sentence that begins with the place."""
    move_index: int = -1
    """Index of the illegal move among all moves."""
    seat: int = NOBODY
    move: Move | None = None
    violations: tuple[Violation, ...] = ()
    state: State | None = None
    """Where the illegal move was tried, or the claim made."""

    def __str__(self) -> str:
        return f"{self.at}: {self.text}"


class Began(NamedTuple):
    """The match began."""

    played: Played


class Passed(NamedTuple):
    """An entry holds."""

    entry: mt.AnyEntry
    steps: tuple[Step, ...]
    """What its moves did, if it is a turn."""
    state: State
    """After it."""


Followed: TypeAlias = Began | Passed | Problem


def verify(match: mt.MatchText) -> Problem | None:
    """Play a text again and check all that it claims; the first thing that does not hold, or None."""
    return next((found for found in follow(match) if isinstance(found, Problem)), None)


def follow(match: mt.MatchText) -> Iterator[Followed]:
    """Play a text again: the beginning, then each entry that holds; a problem is the last."""
    if diverges(match.rules):
        message = f"the rules are of revision {match.rules.revision}, but revision {RULES_REVISION} is played here"
        yield Problem(Trouble.DIVERGED, match.place("revision"), message)
        return
    began = begin(match.record()._replace(moves=()))
    if isinstance(began, NoDeck):
        yield Problem(Trouble.NO_DECK, match.place("preset"), "the match has no deck")
        return
    if problem := _identity(match, began.state):
        yield problem
        return
    yield Began(began)
    follower = _Follower(began)
    for entry in match.body:
        found = follower.enter(entry)
        yield found
        if isinstance(found, Problem):
            return


def _identity(match: mt.MatchText, state: State) -> Problem | None:
    """Check whether the text is of the match, and of the commitment, that it names."""
    fairness = match.fairness
    actual = commitment(fairness.salt, fairness.seed)
    if match.commitment not in {b"", actual}:
        message = f"seed and salt give another commitment: {actual.hex()}"
        return Problem(Trouble.FALSE, match.place("commitment"), message, state=state)
    if match.match_id not in {b"", state.match.match_id}:
        message = f"this is another match: {state.match.match_id.hex()}"
        return Problem(Trouble.FALSE, match.place("match"), message, state=state)
    return None


class _Follower:
    """Where a text has been played to."""

    def __init__(self, began: Played) -> None:
        self._state = began.state
        self._events: tuple[Event, ...] = tuple(event for _, event in began.events)
        """Of the last turn."""
        self._dealt = self._newest_deal(None)
        self._moves = 0

    def enter(self, entry: mt.AnyEntry) -> Passed | Problem:
        """Play a turn, or check a claim."""
        if isinstance(entry, mt.Turn):
            return self._turn(entry)
        wrong = None if isinstance(entry, mt.Remark) else self._wrong(entry)
        if wrong:
            return Problem(Trouble.FALSE, entry.at, wrong, state=self._state)
        return Passed(entry, (), self._state)

    def _turn(self, turn: mt.Turn) -> Passed | Problem:
        steps: list[Step] = []
        for written in turn.moves:
            found = step(self._state, self._moves, turn.seat, written.move)
            if isinstance(found, Illegal):
                return self._illegal(turn.seat, written, found)
            if isinstance(found, NoDeck):
                message = f"deal {found.deal_number} has no deck: the head has {found.decks}"
                return Problem(Trouble.NO_DECK, written.at, message, found.move_index, turn.seat, written.move)
            if wrong := _shows_another(found, written):
                return Problem(Trouble.FALSE, written.at, wrong, state=self._state)
            steps.append(found)
            self._state, self._moves = found.after, self._moves + 1
        self._events = tuple(event for each in steps for event in each.events)
        self._dealt = self._newest_deal(self._dealt)
        return Passed(turn, tuple(steps), self._state)

    def _illegal(self, seat: int, written: mt.Written, found: Illegal) -> Problem:
        message = f"the move is illegal: {self._reasons(found.violations)}"
        return Problem(
            Trouble.ILLEGAL,
            written.at,
            message,
            found.move_index,
            seat,
            written.move,
            found.violations,
            self._state,
        )

    def _reasons(self, violations: tuple[Violation, ...]) -> str:
        game = self._state.match.rules.game
        return ", ".join(f"{fault.reason.name} [{rule_of(fault.reason, game)}]" for fault in violations)

    def _newest_deal(self, before: Dealt | None) -> Dealt | None:
        return next((event for event in reversed(self._events) if isinstance(event, Dealt)), before)

    # --- claims -------------------------------------------------------------------------------------------------------

    def _wrong(self, claim: mt.Check) -> str:  # the last case is the last claim there is
        """Say what is not true about a claim; nothing if it is true."""
        state = self._state
        match claim:
            case mt.RefusedMove():
                return self._not_refused_so(claim)
            case mt.DealMark():
                return self._another_deal(claim)
            case mt.Happened():
                return self._did_not_happen(claim)
            case mt.HandIs(seat=seat, cards=cards):
                return _differs(f"the hand of seat {seat}", state.hands[seat].cards(), bytes(sorted(cards)))
            case mt.MeldIs(meld_id=meld_id, cards=cards):
                meld = state.meld(meld_id)
                return _differs(f"meld {meld_id}", meld.cards if meld else b"", cards)
            case mt.PileIs(cards=cards):
                return _differs("the pile", state.discard, cards)
            case mt.StockIs(count=count):
                actual = len(state.stock)
                return "" if actual == count else f"the stock has {actual} cards"
            case mt.DealEnds(deal_end=end, closed_by=closed_by):
                if not state.over:
                    return "the deal goes on"
                by = "" if state.closed_by == NOBODY else f" by {state.closed_by}"
                same = end is state.deal_end and closed_by in {NOBODY, state.closed_by}
                return "" if same else f"the deal ended {state.deal_end.name}{by}"
            case mt.SideScore(side=side, lines=lines):
                sheet = self._sheet()
                if sheet is None:
                    return UNCOUNTED
                counted = "; ".join(map(print_score_line, sheet.lines[side])) or "no line"
                return "" if sheet.lines[side] == lines else f"the score of side {side} is: {counted}"
            case mt.Points():
                return self._other_points(claim)
            case mt.ResultIs():
                return self._other_result(claim)

    def _not_refused_so(self, claim: mt.RefusedMove) -> str:
        state = self._state
        faults = game_of(state).judge(state, claim.seat, claim.move).faults
        if not faults:
            return "the move is legal here, so nothing refuses it"
        game = state.match.rules.game
        same = len(faults) == len(claim.faults) and all(
            fault.reason is claimed.reason and claimed.rule_id in {"", rule_of(fault.reason, game)}
            for fault, claimed in zip(faults, claim.faults, strict=True)
        )
        return "" if same else f"the move is refused for: {self._reasons(faults)}"

    def _another_deal(self, claim: mt.DealMark) -> str:
        state, dealt = self._state, self._dealt
        if claim.number != state.deal_number:
            return f"this is deal {state.deal_number}"
        if claim.dealer not in {NOBODY, state.dealer}:
            return f"the dealer is seat {state.dealer}"
        if dealt and claim.upcard not in {NO_CARD, dealt.upcard}:
            return f"the up-card of the deal is {text(dealt.upcard)}"
        return ""

    def _did_not_happen(self, claim: mt.Happened) -> str:
        found = [event for event in self._events if event_name(type(event)) == claim.name]
        if (claim.seat == NOBODY and found) or any(event.seat == claim.seat for event in found):
            return ""
        happened = ", ".join(_shown_event(event) for event in self._events)
        return f"that did not happen; what happened is: {happened or 'nothing'}"

    def _sheet(self) -> Sheet | None:
        state = self._state
        return game_of(state).sheet(state) if state.over else None

    def _other_points(self, claim: mt.Points) -> str:
        sheet = self._sheet()
        if sheet is None:
            return UNCOUNTED
        if claim.deal != sheet.deal_points:
            return f"the points of the deal are {_numbers(sheet.deal_points)}"
        if claim.total and claim.total != sheet.match_points:
            return f"the points of the match are {_numbers(sheet.match_points)}"
        return ""

    def _other_result(self, claim: mt.ResultIs) -> str:
        result = self._state.result
        if result is None:
            return "" if claim.match_end is MatchEnd.NOT_ENDED else "the match goes on"
        victory = claim.victory_points in {(), result.victory_points}
        winners = claim.winners in {(), result.winning_sides}
        if claim.match_end is result.match_end and winners and victory:
            return ""
        points = f", victory points {_numbers(result.victory_points)}" if result.victory_points else ""
        winning = f"side {_numbers(result.winning_sides)}" if result.winning_sides else "nobody"
        return f"the match ended {result.match_end.name}, won by {winning}{points}"


UNCOUNTED: Final = "no deal has just been counted"


def _shows_another(found: Step, written: mt.Written) -> str:
    """Say which card a draw gave, if the text names another."""
    if not written.shows:
        return ""
    before = found.before
    drew = written.move.kind is MoveKind.DRAW_STOCK
    actual = before.stock[0] if drew else before.discard[-1]
    if actual == written.shows:
        return ""
    return f"the card drawn is {text(actual)}" if drew else f"the top card of the pile is {text(actual)}"


def _differs(what: str, actual: bytes, claimed: bytes) -> str:
    return "" if actual == claimed else f"{what} is {print_cards(actual)}"


def _shown_event(event: Event) -> str:
    return event_name(type(event)) + (f" {event.seat}" if event.seat != NOBODY else "")


def _numbers(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))
