"""A state as people read it: JSON made of the state's fields, cards as text, with no help of the code that stores it.

What is empty, false, nobody or not there is left out. A field keeps its name here when the service calls it something
else, and one that is new is left out where it says what held before, so that what was written of old states stays true.
"""

from dataclasses import fields
from enum import IntEnum
from typing import Any, Final

from service.rules.hand import Hand
from service.rules.melds import Meld
from service.rules.state import Fairness, Result, State, Turn

SUITS: Final = "SHDC"
RANKS: Final = ("", "A", *map(str, range(2, 11)), "J", "Q", "K")


def dump(state: State) -> dict[str, Any]:
    """Write a state down."""
    match = state.match
    said: dict[str, Any] = _said(
        {
            "match": {
                "match_id": match.match_id.hex(),
                "players": list(match.players),
                "fairness": _fairness(match.fairness),
            },
            "revision": state.revision,
            "chain": state.chain.hex(),
            "deal_number": state.deal_number,
            "dealer": state.dealer,
            "phase": state.phase.name,
            "seat": state.seat,
            "hands": [_hand(hand) for hand in state.hands],
            "unseen": list(state.unseen),
            "pozzetti": [cards(pozzetto) for pozzetto in state.pozzetti],
            "stock": cards(state.stock),
            "discard": cards(state.discard),
            "melds": [_meld(meld) for meld in state.melds],
            "next_meld_id": state.next_meld_id,
            "taken_by": list(state.taken_by),
            "unplayed": list(state.unplayed),
            "turn": _turn(state.turn),
            "stalemate_turns": state.stalemate_turns,
            "turns_left": state.turns_left,
            "points": list(state.points),
            "deals_scored": state.deals_scored,
            "deal_end": state.deal_end.name,
            "closed_by": state.closed_by,
            "result": _result(state.result),
            "token_epochs": list(state.token_epochs),
            "laid": list(state.laid),
            "out": list(state.out),
            "reentries": list(state.reentries),
            "turns_taken": state.turns_taken,
            "renewals": state.renewals,
            "passes": state.passes,
            "knocker": state.knocker,
            "deals_won": list(state.deals_won),
            "doubled": state.doubled,
            "alone": state.alone,
        }
    )
    return {"rules": dump_rules(match.rules), **said}


def _said(value: Any) -> Any:  # noqa: ANN401  # JSON
    """What of JSON says something."""
    if isinstance(value, dict):
        kept = {key: _said(each) for key, each in value.items()}
        return {key: each for key, each in kept.items() if each is not False and each not in ("", [], {}, None, -1)}
    return value


def dump_rules(rules: Any) -> dict[str, Any]:  # noqa: ANN401  # any game's rules
    """Write rules down: game, preset, revision and every option."""
    options = {field.name: _plain(getattr(rules, field.name)) for field in fields(rules)}
    return {"game": rules.game.name, **options}


def cards(of: bytes) -> str:
    """Write cards as text, in the order that they have."""
    return " ".join(map(card, of))


def card(number: int) -> str:
    """Write a card; nothing where there is none."""
    return "" if not number else "JK" if number == 64 else RANKS[number & 15] + SUITS[number >> 4]


def _plain(value: object) -> object:
    return value.name if isinstance(value, IntEnum) else value


def _hand(hand: Hand) -> str:
    held = [face for face in range(64) for plane in (hand.once, hand.twice) if plane >> face & 1]
    return cards(bytes(held) + bytes((64,)) * hand.jokers)


def _meld(meld: Meld) -> dict[str, Any]:
    return {
        "meld_id": meld.meld_id,
        "side": meld.side,
        "kind": meld.kind.name,
        "cards": cards(meld.cards),
        "wild_at": meld.wild_at,
        "low": meld.low,
    }


def _turn(turn: Turn) -> dict[str, Any]:
    return {
        "drawn": card(turn.drawn),
        "taken_single": card(turn.taken_single),
        "must_meld": card(turn.must_meld),
        "must_meld_something": turn.must_meld_something,
        "melded": turn.melded,
        "last": turn.last,
        "hand_before_pile": _hand(turn.hand_before_pile),
        "taken": card(turn.taken),
        "laid_off": turn.laid_off,
        "opening": turn.opening,
        "jokers_owed": turn.jokers_owed,
    }


def _fairness(fairness: Fairness) -> dict[str, Any]:
    return {
        "seed": fairness.seed.hex(),
        "salt": fairness.salt.hex(),
        "entropy": [entry.hex() for entry in fairness.entropy],
        "given": fairness.given,
    }


def _result(result: Result | None) -> dict[str, Any] | None:
    return result and {
        "match_end": result.match_end.name,
        "winning_sides": list(result.winning_sides),
        "victory_points": list(result.victory_points),
    }
