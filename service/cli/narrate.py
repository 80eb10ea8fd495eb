"""A match told move by move: all of it for an arbiter, or what one viewer may know."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from service.cli.words import Words
from service.notation import match_text as mt
from service.notation.body import print_entry
from service.notation.follow import Began, Passed, Problem, follow
from service.rules.cards import texts
from service.rules.events import SPECTATOR, DealScored, Dealt, Event, MatchEnded, redact
from service.rules.games import game_with
from service.rules.options import RULES_REVISION, Preset
from service.rules.state import State
from service.rules.view import View, view
from service.text.catalogue import ENGLISH

MARGIN: Final = "      "


class Options(NamedTuple):
    """What is told."""

    viewer: int | None = None
    """A seat or SPECTATOR; None sees everything."""
    hands: bool = False
    """Whether hands, melds and pile are shown after each turn."""


def narrate(match: mt.MatchText, options: Options) -> Iterator[list[str] | Problem]:
    """Tell a match; a problem, after it has been told, is the last."""
    narrator: _Narrator | None = None
    for found in follow(match):
        match found:
            case Began(played):
                narrator = _Narrator(match, played.state, options)
                yield narrator.head(played.state)
                yield narrator.happened([event for _, event in played.events], played.state)
            case Passed() if narrator:
                yield narrator.passed(found)
            case Problem():
                yield ["", *told(found, options.viewer)]
                yield found
                return
    if narrator:
        yield ["", narrator.end()]


def told(problem: Problem, viewer: int | None) -> list[str]:
    """Tell a problem; to one viewer no more than where it is, since the rest may be of hidden cards."""
    if viewer is None:
        reasons = [f"    {ENGLISH.violation(fault)}" for fault in problem.violations]
        more = [f"`burraco explain` says more of line {problem.at.line}."] if reasons else []
        return [f"{str(problem.at).capitalize()}: {problem.text}.", *reasons, *more]
    return [f"{str(problem.at).capitalize()}: the text does not hold here ({problem.trouble.value})."]


class _Narrator:
    def __init__(self, match: mt.MatchText, state: State, options: Options) -> None:
        self._match = match
        self._options = options
        self._words = Words(state, match.names)
        self._state = state

    def head(self, state: State) -> list[str]:
        """What is being played, by whom, and how the deck was chosen."""
        rules, words = self._match.rules, self._words
        game = game_with(rules).name.name.replace("_", " ").capitalize()
        preset = f", preset {rules.preset.name}" if rules.preset is not Preset.UNSPECIFIED else ""
        seats = ", ".join(
            f"{words.players[player]} (seat {seat})" if self._match.names else f"{words.players[player]} at seat {seat}"
            for seat, player in enumerate(state.match.players)
        )
        fairness = state.match.fairness
        if fairness.decks:
            deck = "the decks are given"
        elif fairness.verifiable:
            deck = "the seed was committed to before the players added theirs"
        elif fairness.given:
            deck = "the seed is given"
        elif fairness.salt:
            deck = "the seed was committed to, but no player added to it"
        else:
            deck = "nobody committed to the seed"
        return [
            f"{game}{preset}, rules revision {RULES_REVISION}.",
            f"Round the table: {seats}.",
            f"{self._named(state)}; {deck}.",
            *self._remarks(*self._match.remarks),
        ]

    def _named(self, state: State) -> str:
        # The id of a match of given decks is a hash of them, with which a viewer could try what he cannot see.
        hidden = self._options.viewer is not None and state.match.fairness.decks
        return "A match" if hidden else f"Match {state.match.match_id.hex()}"

    def passed(self, found: Passed) -> list[str]:
        """An entry that holds."""
        entry, self._state = found.entry, found.state
        if isinstance(entry, mt.Turn):
            dealt = any(isinstance(event, Dealt) for step in found.steps for event in step.events)
            return [*self._turn(entry, found), *([] if dealt else self._table(found.state))]
        if isinstance(entry, mt.Remark):
            return self._remarks(entry.text)
        # Deals, ends and scores have been told when they came about; a claim may be of hidden cards.
        if self._options.viewer is not None or isinstance(entry, TOLD):
            return []
        return [f"{MARGIN}✓ {print_entry(entry).replace(chr(10), '')}"]

    def _turn(self, turn: mt.Turn, found: Passed) -> list[str]:
        events = [event for step in found.steps for event in step.events]
        deeds = [deed for event in events if event.seat == turn.seat and (deed := self._words.deed(self._seen(event)))]
        lines = []
        if deeds:
            remark = f"  # {turn.remark}" if turn.remark and self._options.viewer is None else ""
            lines.append(f"{turn.at.line:>4}  {self._words.seats[turn.seat]} {'; '.join(deeds)}.{remark}")
        others = [event for event in events if event.seat != turn.seat or not self._words.deed(event)]
        return lines + self.happened(others, found.state)

    def happened(self, events: Sequence[Event], state: State) -> list[str]:
        """What events brought about that are no deed of the seat to move."""
        lines: list[str] = []
        for event in map(self._seen, events):
            deed = self._words.deed(event)
            match event:
                case Dealt():
                    lines += ["", self._words.sentence(event), *self._hands(state, pozzetti=True)]
                case DealScored(sheet=sheet):
                    lines += [MARGIN + line for line in self._words.sheet(state, sheet)]
                case MatchEnded(result=result):
                    lines += [MARGIN + self._words.result(state, result)]
                case _ if deed:
                    lines.append(f"{MARGIN}{self._words.seats[event.seat]} {deed}.")
                case _ if sentence := self._words.sentence(event):
                    lines.append(MARGIN + sentence)
        return lines

    def end(self) -> str:
        """What came of it all."""
        state = self._state
        over = "The match is over" if state.result else f"The match goes on, with deal {state.deal_number}"
        claims = sum(not isinstance(entry, mt.Remark | mt.Turn) for entry in self._match.body)
        checked = f", and every claim is true, {claims} in all" if claims else ""
        return f"{over}. Every move is legal, {state.revision} in all{checked}."

    def _seen(self, event: Event) -> Event:
        viewer = self._options.viewer
        return event if viewer is None else redact(event, viewer, self._match.rules)

    def _remarks(self, *remarks: str) -> list[str]:
        return [] if self._options.viewer is not None else [f"{MARGIN}# {remark}".rstrip() for remark in remarks]

    def _table(self, state: State) -> list[str]:
        """What lies on the table and is held, after a turn."""
        if not self._options.hands or state.over:
            return []
        shown = self._view(state)
        lines = self._hands(state)
        lines += [f"{MARGIN}  {self._words.side(state, meld.side)}: {self._words.meld(meld)}" for meld in shown.melds]
        pile = texts(shown.discard) or "empty"
        return [*lines, f"{MARGIN}  {shown.stock_count} in the stock; the pile: {pile}"]

    def _hands(self, state: State, *, pozzetti: bool = False) -> list[str]:
        everything = self._options.viewer is None
        width = max(map(len, self._words.seats))
        lines = []
        for seat in self._view(state).seats:
            hand = state.hands[seat.seat] if everything else seat.hand
            held = f"{seat.hand_count} cards" if hand is None else texts(hand.cards()) or "no cards"
            if not seat.out:
                lines.append(f"{MARGIN}  {self._words.seats[seat.seat]:<{width}}  {held}")
        if pozzetti and everything:
            lines += [f"{MARGIN}  {'pozzetto':<{width}}  {texts(sorted(cards))}" for cards in state.pozzetti]
        return lines

    def _view(self, state: State) -> View:
        viewer = self._options.viewer
        return view(state, SPECTATOR if viewer is None else viewer)


TOLD: Final = (mt.DealMark, mt.DealEnds, mt.SideScore, mt.Points, mt.ResultIs)
