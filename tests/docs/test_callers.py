"""The page on callers says what the code does."""

import re
from pathlib import Path
from typing import Final

from burraco.v1 import reasons_pb2
from service.api.authority import API_KEY_METADATA, OPEN_TO_SEATS, SEAT_TOKEN_METADATA
from service.server.adapter import GAME_SERVICE
from service.server.settings import PREFIX, Settings
from service.wire import tokens

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "callers.md").read_text("utf-8")


def section(title: str) -> str:
    """The text under a heading."""
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_the_rpcs_of_a_seat_are_those_of_the_code() -> None:
    """The table names each RPC that is open to seats, and no other RPC is said to be."""
    rows = [row.split("|")[1:3] for row in section("What a seat may do").splitlines() if row.startswith("| `")]
    named = {rpc for rpcs, may in rows if may.strip() != "no" for rpc in re.findall(r"`([A-Z]\w+)`", rpcs)}
    assert named == OPEN_TO_SEATS
    assert named < {method.name for method in GAME_SERVICE.methods}


def test_reasons_settings_and_metadata_exist() -> None:
    """What the page names is there, and every reason of a seat token is named."""
    reasons = set(re.findall(r"REASON_\w+", PAGE))
    assert reasons <= set(reasons_pb2.Reason.keys())
    assert {name for name in reasons_pb2.Reason.keys() if "_SEAT_TOKEN_" in name} - reasons == {  # noqa: SIM118 - no mapping
        "REASON_SEAT_TOKEN_UNSUPPORTED"
    }
    for variable in re.findall(r"BURRACO_\w+", PAGE):
        assert variable.removeprefix(PREFIX).lower() in Settings.model_fields
    assert {API_KEY_METADATA, SEAT_TOKEN_METADATA} <= set(re.findall(r"`(burraco-[a-z-]+)`", PAGE))


def test_the_format_adds_up() -> None:
    """The table's sizes are those of a token."""
    sizes = [int(size) for size in re.findall(r"^\| (\d+) \|", section("The format"), re.MULTILINE)]
    assert sum(sizes) == tokens._TOKEN_BYTES
    assert f"of {sum(sizes)} bytes" in section("The format")
    assert f"`{tokens.PREFIX}`" in section("The format")


def test_links_lead_somewhere() -> None:
    """Every link to a file of the repository has one to lead to."""
    for link in re.findall(r"\]\((?!https?:)([^)#]+)", PAGE):
        assert (ROOT / "docs" / link).exists()
