"""The page on keeping the state quotes the example back end, and what it names is there."""

import re
from pathlib import Path
from typing import Final

import pytest

from back_end import postgres_store
from burraco.v1 import moves_pb2, reasons_pb2

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "clients/python/examples/back_end"
PAGE: Final = (ROOT / "docs/storing-state.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    """The page's code in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_sql_is_the_code_s() -> None:
    """Schema, comparison and deletion stand on the page as they run."""
    schema = (FOLDER / "schema.sql").read_text("utf-8")
    assert blocks("sql") == [schema, postgres_store.COMPARE_AND_SET.lstrip("\n"), f"{postgres_store.SWEEP}\n"]


def test_the_lua_is_the_code_s() -> None:
    """The script stands on the page as it runs."""
    assert blocks("lua") == [(FOLDER / "replace.lua").read_text("utf-8")]


def test_what_the_page_names_is_there() -> None:
    """Reasons, moves, answers and keys."""
    assert set(re.findall(r"REASON_\w+", PAGE)) <= set(reasons_pb2.Reason.keys())
    kinds = {field.message_type.name for field in moves_pb2.Move.DESCRIPTOR.fields if field.message_type}
    assert {"TimeOutTurn", "CallTime", "Resign"} <= kinds
    game, store = ((FOLDER / f"{name}.py").read_text("utf-8") for name in ("game", "redis_store"))
    assert "class Stale" in game
    for key in re.findall(r"`burraco:\{NAME\}:(\w+)`", PAGE):
        assert f'"{key}"' in store


@pytest.mark.parametrize("option", ["appendonly", "appendfsync", "maxmemory-policy"])
def test_redis_is_tested_as_the_page_has_it(option: str) -> None:
    """The server of the tests has the settings that the page asks for."""
    started = (ROOT / "tests/examples/databases.py").read_text("utf-8")
    (value,) = set(re.findall(rf"`{option} (\w+)`", PAGE))
    assert f'"{option}": "{value}"' in started


def test_links_lead_somewhere() -> None:
    """Every link to a file of the repository has one to lead to, and the page itself is linked."""
    for link in re.findall(r"\]\((?!https?:)([^)#]+)", PAGE):
        assert (ROOT / "docs" / link).exists()
    for page, link in (("README.md", "docs/"), ("docs/architecture.md", ""), ("docs/callers.md", "")):
        assert f"]({link}storing-state.md" in (ROOT / page).read_text("utf-8")
