"""From the message of an open state to a state, or to everything that is wrong with it.

What the message has room for and a state has not – a number that is no card, a third copy in a hand – is found here.
What could be made out of the rest is judged by the one audit of the rules.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, Final, NamedTuple, TypeVar

from burraco.v1 import melds_pb2, scores_pb2, state_pb2
from service.rules.audit import IMPORTED, WHOLE, audit, players_defect
from service.rules.cards import HIGH_ACE, IS_CARD, JOKER, NO_CARD, card_at, rank_of, suit_of
from service.rules.defects import DefectReason, StateDefect, defect, out_of_range, wrong_length
from service.rules.game import Game
from service.rules.games import game_with
from service.rules.hand import Hand
from service.rules.melds import NO_WILD, Meld, MeldKind
from service.rules.options import RULES_REVISION, RuleSet
from service.rules.state import NOBODY, DealEnd, Fairness, Match, MatchEnd, Phase, Result, State, Turn
from service.rules.stream import SHUFFLE_VERSION
from service.wire.answers import meld_message
from service.wire.open_state import fairness_message, in_order
from service.wire.rules_codec import REVISIONS, Revisions, read_rules

MOST_CARDS: Final = 108
MOST_MELDS: Final = 36
MOST_ENTRIES: Final = 16
"""Of lists by seat, side or pozzetto, which have six at most."""
E = TypeVar("E", bound=IntEnum)


class Opened(NamedTuple):
    """An open state that was read."""

    state: State | None
    """None where there are defects."""
    defects: list[StateDefect]
    """In the order of the fields."""


def read_open(message: state_pb2.GameState, revisions: Revisions = REVISIONS) -> Opened:
    """Read an open state, and find every defect."""
    reader = _Reader(message, revisions)
    state = reader.read()
    if state is not None:
        reader.defects += [
            found
            for found in audit(state, frozenset(reader.unclear), bytes(reader.extra), IMPORTED)
            if not found.field.startswith(tuple(reader.unread_melds))
        ]
        reader.compare(state)
    defects = in_order(reader.defects)
    return Opened(None if defects else state, defects)


class _Reader:
    """Reads one message, and keeps what is wrong with it."""

    def __init__(self, message: state_pb2.GameState, revisions: Revisions) -> None:
        self.message = message
        self.revisions = revisions
        self.defects: list[StateDefect] = []
        self.unclear: set[str] = set()
        """Fields that could not be read, and are judged no further."""
        self.unread_melds: list[str] = []
        self.extra = bytearray()
        """Cards that a state has no room for; they count among the cards of the deck."""

    def wrong(self, field: str, reason: DefectReason, text: str, **arguments: object) -> None:
        """Keep a defect of a field that is then unclear."""
        self.found(defect(field, reason, text, **arguments))

    def found(self, found: StateDefect) -> None:
        """Keep a defect of a field that is then unclear."""
        self.defects.append(found)
        self.unclear.add(found.top)

    # --- the whole --------------------------------------------------------------------------------------------------

    def read(self) -> State | None:
        """Read the state; None without rules, by which alone the rest could be judged."""
        message = self.message
        rules = self.rules()
        phase = self.number(Phase, message.phase, "phase", Phase.DRAW)
        deal_end = self.number(DealEnd, message.deal_end, "deal_end", DealEnd.NOT_ENDED, none=True)
        result = self.result()
        hands = self.groups(message.hands, "hands")
        pozzetti = self.groups(message.pozzetti, "pozzetti")
        stock, discard = self.cards(message.stock, "stock"), self.cards(message.discard, "discard")
        melds = self.melds()
        turn = self.turn()
        fairness = self.fairness()
        self.lists()
        if rules is None:
            return None
        game = game_with(rules)
        players: int = getattr(rules, "players")  # noqa: B009  # every game's rules have it
        seated = tuple(message.players[:MOST_ENTRIES])
        if wrong := players_defect(seated, players):
            self.found(wrong)
            # The unclear players are replaced, so that all the rest can be judged.
            self.unclear.discard("players")
            seated = tuple(range(players))
        return State(
            match=Match(message.match_id, rules, seated, fairness),
            revision=message.revision,
            chain=message.chain,
            deal_number=message.deal_number,
            dealer=message.dealer,
            phase=phase,
            seat=message.turn,
            hands=tuple(self.hand(cards, f"hands[{at}]") for at, cards in enumerate(hands)),
            unseen=self.flags(message.unseen_seats, players, "unseen_seats"),
            pozzetti=pozzetti,
            stock=stock,
            discard=discard,
            melds=melds,
            next_meld_id=message.next_meld_id,
            turn=turn,
            stalemate_turns=message.stalemate_turns,
            turns_left=_optional(message, "turns_left"),
            deals_scored=message.deals_scored,
            deal_end=deal_end,
            closed_by=_optional(message, "closed_by"),
            result=result,
            token_epochs=tuple(message.token_epochs[:MOST_ENTRIES]),
            turns_taken=message.turns_taken,
            renewals=message.renewals,
            passes=message.passes,
            knocker=_optional(message, "knocker"),
            doubled=message.closed_in_hand,
            alone=_optional(message, "alone"),
            **self.by_seat_and_side(game, players),
        )

    def by_seat_and_side(self, game: Game, players: int) -> dict[str, Any]:
        """Read the lists that not every game has: one that it does not keep stays as the game leaves it, if empty."""
        message = self.message
        sides = message.sides[:MOST_ENTRIES]
        read: dict[str, tuple[Any, ...]] = {
            "taken_by": tuple(_optional(side, "pozzetto_taken_by") for side in sides),
            "unplayed": tuple(side.pozzetto_unplayed for side in sides),
            "laid": self.flags(message.laid_seats, players, "laid_seats"),
            "out": self.flags(message.out_seats, players, "out_seats"),
            "reentries": tuple(message.reentries[:MOST_ENTRIES]),
            "deals_won": tuple(message.deals_won[:MOST_ENTRIES]),
        }
        for name, values in read.items():
            is_set = len(values) if name in {"reentries", "deals_won"} else set(values) - {NOBODY, False}
            if name not in game.keeps and not is_set:
                read[name] = ()
        for name in ("taken_by", "unplayed"):
            blank = game.blank.get(name)
            if blank is not None and not set(read[name]) - {NOBODY, False}:
                read[name] = blank  # type: ignore[assignment]  # a tuple
        return {**read, "points": tuple(side.match_points for side in sides)}

    # --- pieces -----------------------------------------------------------------------------------------------------

    def rules(self) -> RuleSet | None:
        """Read the rules."""
        if not self.message.HasField("rules"):
            self.wrong("rules", DefectReason.DEFECT_MISSING, "are missing: a state has its full rules.")
            return None
        rules, wrong = read_rules(self.message.rules, self.revisions)
        for found in wrong:
            self.found(found)
        if rules and rules.revision > RULES_REVISION:
            text = f"is {rules.revision}, but this server knows up to {RULES_REVISION}."
            self.wrong("rules.revision", DefectReason.DEFECT_RULES, text)
            return None
        return rules

    def number(self, kind: type[E], value: int, field: str, instead: E, *, none: bool = False) -> E:
        """Read a value of an enum; 0 is one of it only where there may be none."""
        if value == 0 and not none:
            self.wrong(field, DefectReason.DEFECT_MISSING, "is missing.")
        elif value not in [member.value for member in kind]:
            text = f"is {value}, which is none of its enum."
            self.wrong(field, DefectReason.DEFECT_UNKNOWN_VALUE, text, value=value)
        else:
            return kind(value)
        return instead

    def cards(self, values: Sequence[int], field: str, most: int = MOST_CARDS) -> bytes:
        """Read cards; those that are none are left out."""
        if len(values) > most:
            self.found(wrong_length(field, len(values), f"at most {most}"))
            self.unclear.add(WHOLE)
            return b""
        numbers = list(values)
        if not IS_CARD.issuperset(numbers):
            for at, card in enumerate(numbers):
                if card not in IS_CARD:
                    text = f"is {card}, which is no card."
                    self.wrong(f"{field}[{at}]", DefectReason.DEFECT_UNKNOWN_VALUE, text, value=card)
        return bytes(card for card in numbers if card in IS_CARD)

    def groups(self, values: Sequence[Any], field: str) -> tuple[bytes, ...]:
        """Read a list of groups of cards."""
        if len(values) > MOST_ENTRIES:
            self.found(wrong_length(field, len(values), f"at most {MOST_ENTRIES}"))
            self.unclear.add(WHOLE)
            return ()
        return tuple(self.cards(group.cards, f"{field}[{at}].cards") for at, group in enumerate(values))

    def hand(self, cards: bytes, field: str, *, counts: bool = True) -> Hand:
        """Gather a hand. What it has no room for counts among the cards of the deck, unless the hand does not."""
        once = twice = jokers = 0
        beyond = bytearray()
        for card in cards:
            bit = 1 << card
            if card == JOKER:
                jokers += jokers < 4
                if cards.count(JOKER) > 4:
                    beyond[:] = bytes((JOKER,)) * (cards.count(JOKER) - 4)
            elif not once & bit:
                once |= bit
            elif not twice & bit:
                twice |= bit
            else:
                beyond.append(card)
        if beyond and counts:
            self.extra += beyond
            self.unclear.add(field.partition("[")[0])
        elif beyond:
            text = "holds more copies of a card than there can be."
            self.wrong(field, DefectReason.DEFECT_CARDS, text, count=len(cards))
        return Hand(once, twice, jokers)

    def flags(self, seats: Sequence[int], players: int, field: str) -> tuple[bool, ...]:
        """Read a list of seats."""
        if len(seats) > players:
            self.found(wrong_length(field, len(seats), f"at most {players}"))
            return (False,) * players
        for at, seat in enumerate(seats):
            if seat >= players:
                self.found(out_of_range(f"{field}[{at}]", seat, 0, players - 1))
            elif seat in seats[:at]:
                self.wrong(f"{field}[{at}]", DefectReason.DEFECT_SEATS, f"is {seat}, which is named already.")
        return tuple(seat in seats for seat in range(players))

    def lists(self) -> None:
        """Look for lists that are longer than any state's, which are not read to their end."""
        message = self.message
        for field in ("players", "sides", "token_epochs", "reentries", "deals_won"):
            count = len(getattr(message, field))
            if count > MOST_ENTRIES:
                self.found(wrong_length(field, count, f"at most {MOST_ENTRIES}"))

    def turn(self) -> Turn:
        """Read the turn; numbers that are no card are found by the audit."""
        turn: Any = self.message.turn_state
        before = self.cards(turn.hand_before_pile, "turn_state.hand_before_pile")
        if len(turn.hand_before_pile) > MOST_CARDS:
            self.unclear.discard(WHOLE)
        return Turn(
            drawn=turn.drawn,
            taken_single=turn.taken_single,
            must_meld=turn.must_meld,
            must_meld_something=turn.must_meld_something,
            melded=turn.melded,
            last=turn.last_turn,
            hand_before_pile=self.hand(before, "turn_state.hand_before_pile", counts=False),
            taken=turn.taken,
            laid_off=turn.laid_off,
            opening=turn.opening_points,
            jokers_owed=turn.jokers_owed,
        )

    def result(self) -> Result | None:
        """Read the result."""
        if not self.message.HasField("result"):
            return None
        result: scores_pb2.MatchResult = self.message.result
        for field in ("winning_sides", "match_points", "victory_points"):
            count = len(getattr(result, field))
            if count > MOST_ENTRIES:
                self.found(wrong_length(f"result.{field}", count, f"at most {MOST_ENTRIES}"))
        return Result(
            self.number(MatchEnd, result.match_end, "result.match_end", MatchEnd.NOT_ENDED, none=True),
            tuple(result.winning_sides[:MOST_ENTRIES]),
            tuple(result.victory_points[:MOST_ENTRIES]),
        )

    def fairness(self) -> Fairness:
        """Read where the deck comes from."""
        fairness = self.message.fairness
        if not self.message.HasField("fairness"):
            self.wrong("fairness", DefectReason.DEFECT_MISSING, "is missing: a state has its seed.")
        if len(fairness.entropy) > MOST_ENTRIES:
            self.found(wrong_length("fairness.entropy", len(fairness.entropy), f"at most {MOST_ENTRIES}"))
        return Fairness(fairness.seed, tuple(fairness.entropy[:MOST_ENTRIES]), fairness.salt, self.message.seed_given)

    # --- melds ------------------------------------------------------------------------------------------------------

    def melds(self) -> tuple[Meld, ...]:
        """Read the melds. One that cannot be read keeps its place, and its cards count."""
        melds = self.message.melds
        if len(melds) > MOST_MELDS:
            self.found(wrong_length("melds", len(melds), f"at most {MOST_MELDS}"))
            self.unclear.add(WHOLE)
            return ()
        return tuple(self.meld(meld, f"melds[{at}]") for at, meld in enumerate(melds))

    def meld(self, message: melds_pb2.Meld, field: str) -> Meld:
        """Read a meld, and find where it begins: the message tells that by its cards alone."""
        before = len(self.defects)
        cards = self.cards(message.cards, f"{field}.cards")
        kind = self.number(MeldKind, message.kind, f"{field}.kind", MeldKind.SET)
        wild_at = message.wild_index if message.HasField("wild_index") else NO_WILD
        low = 0
        if kind is MeldKind.SEQUENCE:
            low = first_slot(cards, wild_at)
        elif message.wild_as:
            low = self.declared(message, cards, wild_at, field)
        if len(self.defects) > before:
            self.unread_melds.append(field)
        return Meld(kind, cards, wild_at, low, message.meld_id, message.side)

    def declared(self, message: melds_pb2.Meld, cards: bytes, wild_at: int, field: str) -> int:
        """Suit + 1 that the joker of a set was declared to be (SC-14)."""
        card: int = message.wild_as
        ranks = {rank_of(each) for at, each in enumerate(cards) if at != wild_at}
        if card in IS_CARD and card != JOKER and ranks == {rank_of(card)}:
            return suit_of(card) + 1
        text = f"is {card}, which is no card that the wild of this set can stand for."
        self.wrong(f"{field}.wild_as", DefectReason.DEFECT_WILD, text)
        return 0

    # --- what the message says of what it holds -----------------------------------------------------------------------

    def compare(self, state: State) -> None:
        """Compare with the state what the message says of it beside."""
        game = game_with(state.match.rules)
        for at, meld in enumerate(state.melds):
            if f"melds[{at}]" not in self.unread_melds and game.meld_fault(meld, state.match.rules) is None:
                self.meld_facts(self.message.melds[at], meld_message(meld, state.match.rules), f"melds[{at}]")
        if state.result and "result" not in self.unclear:
            self.result_points(state)
        if self.message.HasField("fairness"):
            self.derived(state.match.fairness)

    def meld_facts(self, said: melds_pb2.Meld, right: melds_pb2.Meld, field: str) -> None:
        """Compare what a meld says of itself."""
        if said.wild_as != right.wild_as:
            text = f"is {said.wild_as}, but where it stands the wild is {right.wild_as}."
            self.wrong(f"{field}.wild_as", DefectReason.DEFECT_WILD, text)
        for name in ("burraco", "card_points", "bonus_points"):
            value, expected = int(getattr(said, name)), int(getattr(right, name))
            if value != expected:
                text = f"is {value}, but by its cards it is {expected}."
                reason = DefectReason.DEFECT_MELD_FACTS
                self.wrong(f"{field}.{name}", reason, text, value=value, expected=expected)

    def result_points(self, state: State) -> None:
        """Compare the points of the result, which are those of the sides."""
        points = list(self.message.result.match_points)
        if len(points) != len(state.points):
            self.found(wrong_length("result.match_points", len(points), len(state.points)))
        elif points != list(state.points):
            text = f"are {points}, but those of the sides are {list(state.points)}."
            self.wrong("result.match_points", DefectReason.DEFECT_SCORES, text)

    def derived(self, fairness: Fairness) -> None:
        """Compare what follows from seed, salt and entropy."""
        said = self.message.fairness
        verifiable, committed = fairness_message(fairness)
        if said.verifiable != verifiable:
            right = "true" if verifiable else "false"
            text = f"is not what salt, entropy and seed_given make it: {right}."
            self.wrong("fairness.verifiable", DefectReason.DEFECT_IDENTITY, text)
        if said.commitment != committed:
            text = "is not the hash of salt and seed." if committed else "is set, but there is no salt."
            self.wrong("fairness.commitment", DefectReason.DEFECT_IDENTITY, text)
        if said.shuffle_version != SHUFFLE_VERSION:
            text = f"is {said.shuffle_version}, but this server shuffles by version {SHUFFLE_VERSION}."
            self.wrong("fairness.shuffle_version", DefectReason.DEFECT_IDENTITY, text)


def _optional(message: Any, field: str) -> int:  # noqa: ANN401  # any message
    return int(getattr(message, field)) if message.HasField(field) else NOBODY


def first_slot(cards: bytes, wild_at: int) -> int:
    """Slot of a sequence's first card, from those of its naturals; 0 where there is none."""
    naturals = [(at, card) for at, card in enumerate(cards) if at != wild_at]
    if not naturals:
        return 0
    suit = suit_of(naturals[0][1])
    for low in range(1, HIGH_ACE + 2 - len(cards)):
        if all(card not in (JOKER, NO_CARD) and card == card_at(suit, low + at) for at, card in naturals):
            return low
    return 0
