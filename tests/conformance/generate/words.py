"""Short words for requests: cards as `7S 10H JK`, moves as `meld 9S JK 7S as 8S` or `on 1 10S`."""

from typing import Final

from burraco_conformance.values import Json

PLAIN: Final = {
    "draw": "drawStock",
    "take": "takePile",
    "pass": "passUpcard",
    "stalemate": "declareStalemate",
    "next": "nextDeal",
    "resign": "resign",
    "timeout": "timeOutTurn",
    "time": "callTime",
}
SUIT_NAMES: Final = "SHDC"


def card(word: str) -> str:
    """Name a card as the contract does."""
    return "CARD_JOKER" if word == "JK" else f"CARD_{word}"


def cards(words: str) -> list[str]:
    """Name cards."""
    return [card(word) for word in words.split()]


def moves(line: str) -> list[Json]:
    """Read moves that are separated by commas."""
    return [move(words.strip()) for words in line.split(",")]


def move(words: str) -> Json:
    """Read one move.

    `draw`, `take`, `pass`, `stalemate`, `next`, `resign`, `timeout`, `time`; `meld 7S 8S JK`, `meld 7S JK 9S as 8S`,
    `meld set 7S 7H JK`; `on 2 10S`, `on 2 JK as 10S`; `drop 9S`; `swap 2 6H`; `knock KS`, `knock`,
    `knock KS: 4S 5S 6S / 7H 7D 7C`.
    """
    if words in PLAIN:
        return {PLAIN[words]: {}}
    kind, _, rest = words.partition(" ")
    rest, _, wild_as = rest.partition(" as ")
    stands = {"wildAs": card(wild_as)} if wild_as else {}
    match kind:
        case "meld":
            return {"meld": _meld(rest, stands)}
        case "on":
            number, _, added = rest.partition(" ")
            return {"layOff": {"meldId": int(number), "cards": cards(added), **stands}}
        case "drop":
            return {"discard": {"card": card(rest)}}
        case "swap":
            number, _, natural = rest.partition(" ")
            return {"replaceWild": {"meldId": int(number), "card": card(natural)}}
        case "knock":
            discard, _, melds = rest.partition(":")
            groups = [{"cards": cards(group)} for group in melds.split("/") if group.strip()]
            return {
                "knock": ({"discard": card(discard)} if discard else {}) | ({"melds": groups} if groups else {}),
            }
    raise ValueError(f"{words!r} is no move")


def _meld(words: str, stands: Json) -> Json:
    first, _, rest = words.partition(" ")
    reading = dict(stands)
    if first in {"set", "sequence"}:
        words, reading = rest, {"kind": f"MELD_KIND_{first.upper()}"} | reading
    return {"cards": cards(words)} | ({"reading": reading} if reading else {})


def viewers(words: str) -> list[Json]:
    """Read viewers: seats, and `s` for a spectator."""
    return [{"spectator": {}} if word == "s" else {"seat": int(word)} for word in words.split()]


def reasons(words: str) -> list[str]:
    """Name reasons as the contract does."""
    return [f"REASON_{word}" for word in words.split()]
