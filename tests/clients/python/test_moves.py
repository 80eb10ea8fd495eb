"""Move constructors, and the expansion of the list of legal moves."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from burraco import moves
from burraco.cards import card, cards
from burraco.v1.cards_pb2 import Card, CardCount
from burraco.v1.melds_pb2 import MeldKind
from burraco.v1.moves_pb2 import Discard, LegalMoves, Move, MoveGroup, MoveKind, ReplaceWild

FACES = cards("7S 8S 9S 10S KH KD KC")
WILDS = cards("2S 2H JK")


def test_constructors_name_their_kind() -> None:
    """Every kind of move has a constructor that sets it."""
    made = [
        moves.draw(),
        moves.take_pile(),
        moves.meld("7S 8S 9S"),
        moves.lay_off(2, "10S"),
        moves.discard("KD"),
        moves.replace_wild(1, "7H"),
        moves.knock("KD"),
        moves.pass_upcard(),
        moves.declare_stalemate(),
        moves.next_deal(),
        moves.resign(),
        moves.time_out_turn(),
        moves.call_time(),
    ]
    assert [move.WhichOneof("kind") for move in made] == [field.name for field in Move.DESCRIPTOR.oneofs[0].fields]


def test_constructors_read_cards() -> None:
    """Cards come as text or as values, and a reading is sent only when one is named."""
    assert moves.meld("7S 8S 9S") == moves.meld(cards("7S 8S 9S"))
    assert not moves.meld("7S 8S 9S").meld.HasField("reading")
    named = moves.meld("7S 8S JK", kind=MeldKind.MELD_KIND_SEQUENCE, wild_as="9S").meld
    assert (named.reading.kind, named.reading.wild_as) == (MeldKind.MELD_KIND_SEQUENCE, card("9S"))
    assert list(moves.lay_off(2, "10S JS").lay_off.cards) == cards("10S JS")
    assert moves.discard("KD") == moves.discard(card("KD"))


@pytest.mark.parametrize(
    ("move", "said"),
    [
        (moves.draw(), "draw stock"),
        (moves.meld("7S 8S JK"), "meld 7S 8S JK"),
        (moves.lay_off(2, "10S"), "lay off 10S on meld 2"),
        (moves.discard("KD"), "discard KD"),
        (moves.replace_wild(3, "7H"), "replace the wild of meld 3 by 7H"),
        (moves.knock(), "knock"),
        (Move(), "no move"),
        (Move(discard=Discard()), "discard card 0"),
        (moves.meld([card("7S"), 99]), "meld 7S card 99"),  # type: ignore[list-item]  # of a newer service
        (Move(replace_wild=ReplaceWild(meld_id=3)), "replace the wild of meld 3 by card 0"),
    ],
)
def test_describe(move: Move, said: str) -> None:
    """A move is said in a few words."""
    assert moves.describe(move) == said


def test_expand_goes_through_all_three_parts() -> None:
    """Simple moves, discards and groups all come, in that order."""
    legal = LegalMoves(
        simple=[MoveKind.MOVE_KIND_DRAW_STOCK, MoveKind.MOVE_KIND_RESIGN],
        discards=cards("7S KD"),
        groups=[
            MoveGroup(
                kind=MoveKind.MOVE_KIND_MELD,
                required=cards("7S 8S"),
                wild_choices=cards("2H JK"),
                count=2,
            ),
            MoveGroup(
                kind=MoveKind.MOVE_KIND_LAY_OFF,
                meld_id=4,
                optional=[CardCount(card=card("KD"), count=2)],
                min_optional=1,
                max_optional=2,
                count=2,
            ),
        ],
        count=8,
    )
    assert list(moves.expand(legal)) == [
        moves.draw(),
        moves.resign(),
        moves.discard("7S"),
        moves.discard("KD"),
        moves.meld("7S 8S 2H"),
        moves.meld("7S 8S JK"),
        moves.lay_off(4, "KD"),
        moves.lay_off(4, "KD KD"),
    ]


def test_expand_other_games() -> None:
    """Recoveries and knocks expand too."""
    recover = MoveGroup(kind=MoveKind.MOVE_KIND_REPLACE_WILD, meld_id=1, required=cards("7H"), count=1)
    knock = MoveGroup(
        kind=MoveKind.MOVE_KIND_KNOCK,
        optional=[CardCount(card=one, count=1) for one in cards("KD QD")],
        min_optional=1,
        max_optional=1,
        count=2,
    )
    assert list(moves.expand_group(recover)) == [moves.replace_wild(1, "7H")]
    assert list(moves.expand_group(knock)) == [moves.knock("KD"), moves.knock("QD")]
    assert list(moves.expand_group(MoveGroup(kind=MoveKind.MOVE_KIND_KNOCK, count=1))) == [moves.knock()]


NEW_KIND = 99
DRAW = MoveKind.MOVE_KIND_DRAW_STOCK


@pytest.mark.parametrize(
    "group",
    [
        MoveGroup(kind=NEW_KIND, count=1),  # type: ignore[arg-type]
        MoveGroup(kind=DRAW, count=1),
        MoveGroup(kind=MoveKind.MOVE_KIND_REPLACE_WILD, meld_id=1, count=1),
        MoveGroup(kind=MoveKind.MOVE_KIND_REPLACE_WILD, meld_id=1, required=cards("7H 7S"), count=1),
        MoveGroup(kind=MoveKind.MOVE_KIND_KNOCK, required=cards("7H"), wild_choices=cards("JK"), count=1),
        MoveGroup(kind=MoveKind.MOVE_KIND_MELD, required=cards("7S 8S 9S"), count=2),
    ],
    ids=["new kind", "kind without cards", "no card", "two cards", "knock with two", "more than are known"],
)
def test_expand_refuses_an_unknown_group(group: MoveGroup) -> None:
    """A group that this client does not know is said so when it is asked for, not skipped and not half gone through."""
    with pytest.raises(ValueError, match="this client is older than the service"):
        moves.expand_group(group)
    with pytest.raises(ValueError, match="this client is older than the service"):
        moves.expand(LegalMoves(simple=[DRAW], groups=[group], count=1 + group.count))


@pytest.mark.parametrize(
    "legal",
    [
        LegalMoves(simple=[DRAW, NEW_KIND], count=2),  # type: ignore[list-item]
        LegalMoves(simple=[MoveKind.MOVE_KIND_MELD], count=1),
        LegalMoves(simple=[DRAW], count=2),
    ],
    ids=["new kind", "kind with cards", "more than are known"],
)
def test_expand_refuses_an_unknown_list(legal: LegalMoves) -> None:
    """So with a move without arguments, and with moves in a place where this client does not look."""
    with pytest.raises(ValueError, match="this client is older than the service"):
        moves.expand(legal)


@pytest.mark.parametrize(
    ("kind", "selection", "told"),
    [
        (MoveKind.MOVE_KIND_REPLACE_WILD, "", "has 1 to 1 cards, not 0"),
        (MoveKind.MOVE_KIND_REPLACE_WILD, "7H 7S", "has 1 to 1 cards, not 2"),
        (MoveKind.MOVE_KIND_KNOCK, "7H 7S", "has 0 to 1 cards, not 2"),
    ],
)
def test_a_move_of_a_group_has_as_many_cards_as_its_kind(kind: MoveKind.ValueType, selection: str, told: str) -> None:
    """None is left out, and none is missed."""
    with pytest.raises(ValueError, match=told):
        moves.of_group(MoveGroup(kind=kind, meld_id=1), cards(selection))


def brute_force(group: MoveGroup) -> set[tuple[int, ...]]:
    """Try every subset of the cards laid out one by one; equal faces collapse in the set."""
    copies = [one.card for one in group.optional for _ in range(one.count)]
    wilds = [[wild] for wild in group.wild_choices] or [[]]
    return {
        tuple(sorted([*group.required, *chosen, *wild]))
        for size in range(group.min_optional, group.max_optional + 1)
        for chosen in combinations(copies, size)
        for wild in wilds
    }


@some.composite
def groups(draw: some.DrawFn) -> MoveGroup:
    """Groups as the service may send them: optional faces differ, and wilds are apart from them."""
    counts = draw(some.dictionaries(some.sampled_from(FACES), some.integers(1, 3), max_size=5))
    greatest = draw(some.integers(0, sum(counts.values())))
    group = MoveGroup(
        kind=draw(some.sampled_from([MoveKind.MOVE_KIND_MELD, MoveKind.MOVE_KIND_LAY_OFF])),
        meld_id=draw(some.integers(0, 3)),
        required=draw(some.lists(some.sampled_from(FACES), max_size=3)),
        optional=[CardCount(card=face, count=count) for face, count in counts.items()],
        min_optional=draw(some.integers(0, greatest)),
        max_optional=greatest,
        wild_choices=draw(some.lists(some.sampled_from(WILDS), unique=True)),
    )
    group.count = len(brute_force(group))
    return group


def selections(group: MoveGroup) -> Iterator[tuple[int, ...]]:
    """Give the cards of every expanded move."""
    for move in moves.expand_group(group):
        yield tuple(sorted((move.meld if move.HasField("meld") else move.lay_off).cards))


@given(groups())
def test_expand_equals_brute_force(group: MoveGroup) -> None:
    """The expansion has every selection that the group stands for, and none twice."""
    found = Counter(selections(group))
    assert set(found) == brute_force(group)
    assert set(found.values()) <= {1}


def test_more_than_there_is_cannot_be_chosen() -> None:
    """A group may let more cards be chosen than it has; the sizes that nothing has are not gone through."""
    optional = [CardCount(card=Card.CARD_7S, count=1)]
    group = MoveGroup(kind=MoveKind.MOVE_KIND_MELD, optional=optional, max_optional=2**32 - 1, count=2)
    assert [moves.describe(move) for move in moves.expand_group(group)] == ["meld ", "meld 7S"]
