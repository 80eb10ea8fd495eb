"""Cards and melds as coloured text. The text alone says everything; colour only helps."""

from collections.abc import Iterable

from rich.text import Text

from burraco.cards import CardValue, pretty
from burraco.v1.melds_pb2 import BurracoKind, Meld, MeldKind
from service.demo.cards import JOKER, SUITS, natural_of, suit

SIGNS = "♠♥♦♣"
SUIT_STYLES = ("bold", "bold red", "bold bright_red", "bold green")
WILD_STYLE = "bold magenta"
BURRACO_NAMES = {
    BurracoKind.BURRACO_KIND_DIRTY: ("dirty", "bold yellow"),
    BurracoKind.BURRACO_KIND_SEMI_CLEAN: ("semi-clean", "bold cyan"),
    BurracoKind.BURRACO_KIND_CLEAN: ("clean", "bold green"),
}


def face(one: CardValue) -> Text:
    """Show a card: `7♠`."""
    return Text(pretty(one), style=WILD_STYLE if one == JOKER else SUIT_STYLES[suit(one)])


def faces(shown: Iterable[CardValue]) -> Text:
    """Show cards: `7♠ 8♠ JK`."""
    return Text(" ").join(map(face, shown))


def meld_text(meld: Meld, *, suits_once: bool = False) -> Text:
    """Show a meld, its suit or rank once, its wild in brackets: `♠ 3 4 [2♥=5] 6 7`, `K ♠ ♥ ♥ [2♦]`.

    Where a set has each suit once, the wild stands for any that it lacks: `K ♠ ♥ [JK=♦♣]`.
    """
    wild = meld.wild_index if meld.HasField("wild_index") else None
    _, natural = natural_of(meld)
    sequence = meld.kind == MeldKind.MELD_KIND_SEQUENCE
    common = SIGNS[suit(natural)] if sequence else pretty(natural)[:-1]
    shown = Text(common, style=SUIT_STYLES[suit(natural)] if sequence else "bold")
    for place, one in enumerate(meld.cards):
        shown.append(" ")
        if place == wild:
            stands_for = _within(meld.wild_as, sequence) if meld.wild_as else _lacking(meld) if suits_once else ""
            shown.append(f"[{pretty(one)}={stands_for}]" if stands_for else f"[{pretty(one)}]", style=WILD_STYLE)
        else:
            shown.append(_within(one, sequence), style="" if sequence else SUIT_STYLES[suit(one)])
    return shown


def _within(one: CardValue, sequence: bool) -> str:
    """Show what tells a card from the others of its meld: its rank in a sequence, its suit in a set."""
    return pretty(one)[:-1] if sequence else SIGNS[suit(one)]


def _lacking(meld: Meld) -> str:
    """Show the suits that a set lacks."""
    there = {suit(one) for place, one in enumerate(meld.cards) if place != meld.wild_index}
    return "".join(SIGNS[one_suit] for one_suit in SUITS if one_suit not in there)


def marked_meld(meld: Meld, *, suits_once: bool = False) -> Text:
    """Show a meld, and what kind of burraco it is, if it is one."""
    if meld.burraco not in BURRACO_NAMES:
        return meld_text(meld, suits_once=suits_once)
    name, style = BURRACO_NAMES[meld.burraco]
    return Text.assemble(meld_text(meld), "  ", (f"{name} burraco", style))


def suits_apart(hand: Iterable[CardValue]) -> Text:
    """Show a sorted hand, its suits set apart."""
    shown = list(hand)
    groups = [[one for one in shown if suit(one) == one_suit] for one_suit in (*SUITS, suit(JOKER))]
    return Text("   ").join(faces(group) for group in groups if group)
