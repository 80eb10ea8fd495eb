"""A player's own check, as docs/fairness.md prints it, against the vectors and the service's decks."""

import json
from pathlib import Path
from typing import Any

import pytest

from scripts import shuffle_vectors
from service.rules.burraco.dealing import deck_of as burraco_deck
from service.rules.cards import PACK, texts
from service.rules.games import PRESETS, game_with
from service.rules.gin.dealing import renewed
from service.rules.state import Fairness
from service.rules.stream import PURPOSE_SEATS, Stream, stream_key
from tests.fairness.page import PAGE, answers, ask, games, lines

VECTORS: list[dict[str, Any]] = json.loads(shuffle_vectors.VECTORS.read_text(encoding="utf-8"))["vectors"]


def question(vector: dict[str, Any], **changed: object) -> tuple[str, dict[str, Any]]:
    """What the page's `check` is asked about a vector."""
    asked = {
        **{name: vector[name] for name in ("seed", "salt", "commitment", "entropy")},
        "requestId": vector["request_id"],
        "matchId": vector["match_id"],
        "deal": vector["deal_number"],
        "seats": [(vector["dealer"] + 1 + at) % 4 for at in range(4)],
        "game": games()["ITALIAN"],
    }
    return "check", asked | changed


def test_the_lines_are_about_forty() -> None:
    """The page promises a short program without any dependency."""
    code = lines().splitlines()
    assert len(code) < 50
    assert max(map(len, code)) <= 120
    assert "import" not in lines()


def test_the_lines_give_the_vectors(tmp_path: Path) -> None:
    """Commitment, key, match id, deck, cut, hands, pozzetti, up-card and stock of every vector."""
    for vector, found in zip(VECTORS, answers(tmp_path, [question(vector) for vector in VECTORS]), strict=True):
        assert found == {
            "key": vector["key"],
            "deck": vector["deck"],
            "cut": 22 + vector["cut_below_42"],
            "hands": {str(seat): hand for seat, hand in enumerate(vector["hands"])},
            "pozzetti": vector["pozzetti"],
            "upcard": vector["upcard"],
            "stock": vector["stock"],
        }


def test_the_lines_draw_the_numbers_of_the_vectors(tmp_path: Path) -> None:
    """The stream and its numbers below a bound."""
    asked = [
        ("below", {"key": vector["key"], "purpose": 3, "deal": vector["deal_number"], "bound": 108, "count": 8})
        for vector in VECTORS
    ]
    assert answers(tmp_path, asked) == [vector["first_numbers_below_108"] for vector in VECTORS]


def test_the_lines_skip_words_as_the_service_does(tmp_path: Path) -> None:
    """A bound for which nearly every second word is skipped."""
    key, bound = stream_key(bytes(32), ()), (1 << 31) + 1
    stream = Stream(key, 3, 1)
    expected = [stream.below(bound) for _ in range(100)]
    assert answers(
        tmp_path, [("below", {"key": key.hex(), "purpose": 3, "deal": 1, "bound": bound, "count": 100})]
    ) == [expected]


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("seed", "01" * 32, "another seed was committed to"),
        ("salt", "01" * 32, "another seed was committed to"),
        ("commitment", "01" * 32, "another seed was committed to"),
        ("entropy", ["616263"], "the match is of another seed, entropy or request id"),
        ("entropy", ["6162", "63"], "the match is of another seed, entropy or request id"),
        ("requestId", "table-2", "the match is of another seed, entropy or request id"),
        ("matchId", "01" * 16, "the match is of another seed, entropy or request id"),
    ],
)
def test_the_lines_refuse_what_is_not_so(tmp_path: Path, field: str, value: object, told: str) -> None:
    """A seed, salt, entropy, request id or match id that is not that of the match is told."""
    assert ask(tmp_path, [question(VECTORS[2], **{field: value})]) == [{"error": told}]


def test_the_page_knows_the_deck_of_every_preset(tmp_path: Path) -> None:
    """The table has all presets, and the decks that they make are the service's."""
    table = games()
    assert set(table) == {preset.name for preset in PRESETS}
    asked = [("deck", {"game": table[preset.name]}) for preset in PRESETS]
    decks = [texts(game_with(rules).deck(rules)) for rules in PRESETS.values()]
    assert answers(tmp_path, asked) == decks


def test_the_smaller_draws_are_those_of_the_page(tmp_path: Path) -> None:
    """Cards drawn for seats and a stock made anew, by the calls that the page names."""
    fairness = Fairness(bytes(range(32)), (b"a",))
    key = stream_key(fairness.seed, fairness.entropy)
    rules: Any = next(iter(PRESETS.values()))
    deck, pile = burraco_deck(rules), PACK[7:30]
    asked = [
        ("shuffled", {"key": key.hex(), "purpose": 1, "deal": 0, "cards": texts(deck).split()}),
        ("shuffled", {"key": key.hex(), "purpose": 5, "deal": 3 + 65536 * 2, "cards": texts(pile).split()}),
    ]
    assert answers(tmp_path, asked) == [
        texts(Stream(key, PURPOSE_SEATS, 0).shuffle(deck)),
        texts(renewed(fairness, 3, 2, pile)),
    ]
    page = PAGE.read_text(encoding="utf-8")
    assert "shuffled(key, 1, 0, deckOf(game))" in page
    assert "shuffled(key, 5, deal + 65536 * renewals, pile)" in page
