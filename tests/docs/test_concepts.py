"""The pages on concepts name what is there: reasons, settings, RPCs, moves, fields."""

import re
from pathlib import Path
from typing import Final

import pytest

from burraco.v1 import moves_pb2, reasons_pb2, views_pb2
from scripts.docs_site.contract import read_contract
from service.api.authority import API_KEY_METADATA, SEAT_TOKEN_METADATA
from service.server.adapter import ARBITER_SERVICE, GAME_SERVICE
from service.wire import sealing

FOLDER: Final = Path(__file__).parents[2] / "docs" / "concepts"
PAGES: Final = sorted(FOLDER.glob("*.md"))
CONTRACT: Final = read_contract()
NAMES: Final = {
    *(field.name for file in CONTRACT for message in file.messages for field in message.fields),
    *(method.name for service in (GAME_SERVICE, ARBITER_SERVICE) for method in service.methods),
    *(field.message_type.name for field in moves_pb2.Move.DESCRIPTOR.fields if field.message_type),
    *reasons_pb2.Reason.keys(),
    *views_pb2.Phase.keys(),
    *(API_KEY_METADATA, SEAT_TOKEN_METADATA, "moves.expand", "make run", "make demo", "bytes"),
    *("ABORTED", "FAILED_PRECONDITION", "PERMISSION_DENIED"),
}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_what_stands_as_code_is_a_name_of_the_contract(path: Path) -> None:
    prose = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    cards = re.compile(r"(?:(?:[2-9AJQK]|10)[SHDC]|JK)(?: (?:(?:[2-9AJQK]|10)[SHDC]|JK))*")
    rules = re.compile(r"[A-Z]\w*-\d+")
    for name in re.findall(r"`([^`]+)`", prose):
        assert name in NAMES or cards.fullmatch(name) or rules.fullmatch(name), name


def test_every_phase_of_the_table_is_there_and_every_phase_is_in_it() -> None:
    told = set(re.findall(r"^\| `(PHASE_\w+)` \|", (FOLDER / "state.md").read_text("utf-8"), re.MULTILINE))
    assert told == set(views_pb2.Phase.keys()) - {"PHASE_UNSPECIFIED", "PHASE_LAY_OFF"}


def test_the_sealed_form_is_the_code_s() -> None:
    page = (FOLDER / "seals.md").read_text("utf-8")
    assert f"key id, {sealing.KEY_ID_BYTES} bytes │ nonce, {sealing.NONCE_BYTES} bytes" in page


def test_every_page_is_named_by_the_overview() -> None:
    overview = (FOLDER / "index.md").read_text("utf-8")
    assert {path.name for path in PAGES} - {"index.md"} <= set(re.findall(r"\]\(([\w-]+\.md)\)", overview))
