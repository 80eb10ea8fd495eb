"""docs/http.md: every example is run as it stands, against the real Envoy and server, and its answer is the page's.

None of them leaves a file where the reader stands.
"""

import base64
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from burraco.v1 import game_service_pb2 as pb
from service.server.settings import Settings
from tests.edge.proxies import ENVOY_FILE, Envoy, envoy_binary, missing
from tests.edge.replicas import API_KEY, ROOT, clean_environment
from tests.edge.web import post, send
from tests.fairness.page import NODE

PAGE: Final = (ROOT / "docs" / "http.md").read_text("utf-8")
ANY: Final = "…"
BLOCK: Final = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
FOLDER: Final = 'cd "$(mktemp -d)"\n'
ADDRESSES: Final = "BACK_END=http://localhost:8081 WEB=http://localhost:8080 API_KEY=a-long-secret-of-yours\n"


@dataclass(frozen=True)
class Example:
    """Lines to run, and what they have to print; None where they need not print anything."""

    language: str
    code: str
    expected: str | None
    form: str
    line: int


def examples(page: str) -> Iterator[Example]:
    """The page's examples in order: an answer is the block that comes right after the code."""
    blocks = list(BLOCK.finditer(page))
    for index, block in enumerate(blocks):
        if block["language"] not in {"sh", "js"}:
            continue
        after = blocks[index + 1] if index + 1 < len(blocks) else None
        answered = (
            after is not None
            and after["language"] in {"json", "text"}
            and not page[block.end() : after.start()].strip()
        )
        line = page.count("\n", 0, block.start()) + 1
        if answered and after is not None:
            yield Example(block["language"], block["text"], after["text"], after["language"], line)
        else:
            yield Example(block["language"], block["text"], None, "", line)


SETUP, FIRST, *EXAMPLES = examples(PAGE)


def wildcard(text: str) -> "re.Pattern[str]":
    """A text of the page in which … stands for anything."""
    return re.compile(".*".join(re.escape(part) for part in text.split(ANY)), re.DOTALL)


def differences(expected: Any, actual: Any, path: str = "$") -> Iterator[str]:  # noqa: ANN401 - any JSON
    """How an answer differs from the page's."""
    if type(expected) is not type(actual):
        yield f"{path}: the page has {expected!r}, the answer {actual!r}"
    elif isinstance(expected, dict):
        if expected.keys() != actual.keys():
            yield f"{path}: the page has {sorted(expected)}, the answer {sorted(actual)}"
        for key in expected.keys() & actual.keys():
            yield from differences(expected[key], actual[key], f"{path}.{key}")
    elif isinstance(expected, list):
        if len(expected) != len(actual):
            yield f"{path}: the page has {len(expected)} entries, the answer {len(actual)}"
        for index, (one, other) in enumerate(zip(expected, actual, strict=False)):
            yield from differences(one, other, f"{path}[{index}]")
    elif isinstance(expected, str):
        if not wildcard(expected).fullmatch(actual):
            yield f"{path}: the page has {expected!r}, the answer {actual!r}"
    elif expected != actual:
        yield f"{path}: the page has {expected!r}, the answer {actual!r}"


def documents(text: str) -> list[Any]:
    """JSON documents that stand one after another."""
    decoder, made, left = json.JSONDecoder(), [], text.strip()
    while left:
        value, end = decoder.raw_decode(left)
        made.append(value)
        left = left[end:].lstrip()
    return made


@pytest.fixture(scope="module")
def tools() -> str:
    """Bash; where a tool of the page is missing the test is skipped, and fails on the machine that decides."""
    for name in ("curl", "jq"):
        if shutil.which(name) is None:
            missing(f"{name} is not installed (Debian: apt-get install {name})")
    return shutil.which("bash") or missing("bash is not installed")


@dataclass(frozen=True)
class Ran:
    """What became of the page."""

    printed: Mapping[int, str]
    """What each example printed, by its line."""
    stood: Path
    """The folder in which the reader began, which was empty."""
    temporary: Path
    """The system's folder for temporary ones."""


@pytest.fixture(scope="module")
def ran(proxy: Envoy, tools: str, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """The whole page: all examples are run by one shell, in their order."""
    notes, stood, temporary = (tmp_path_factory.mktemp(name) for name in ("notes", "stood", "temporary"))
    assert FIRST.code.startswith(FOLDER + ADDRESSES)
    addresses = f"BACK_END=http://localhost:{proxy.back_end} WEB=http://localhost:{proxy.web} API_KEY={API_KEY}\n"
    lines = ["set -euo pipefail", FOLDER, addresses, FIRST.code.removeprefix(FOLDER + ADDRESSES)]
    for example in EXAMPLES:
        code = example.code
        if example.language == "js":
            script = notes / f"{example.line}.mjs"
            script.write_text(f"const {{ WEB, STATE: state, TOKEN: token }} = process.env;\n{code}", "utf-8")
            code = f'WEB="$WEB" STATE="$STATE" TOKEN="$TOKEN" "{NODE}" "{script}"\n'
        lines.append(f'echo {example.line} > "{notes}/reached"\n{{\n{code}}} > "{notes}/{example.line}.out"')
    process = subprocess.run(
        [tools, "-c", "\n".join(lines)],
        cwd=stood,
        env=clean_environment() | {"TMPDIR": str(temporary)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    reached = (notes / "reached").read_text().strip() if (notes / "reached").exists() else "none"
    assert process.returncode == 0, f"the example at line {reached} of docs/http.md failed: {process.stderr}"
    printed = {each.line: (notes / f"{each.line}.out").read_text("utf-8") for each in EXAMPLES}
    return Ran(printed, stood, temporary)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"line {example.line}")
def test_an_example_prints_what_the_page_says(ran: Ran, example: Example) -> None:
    """JSON is compared as JSON, whatever its spaces; text line by line."""
    assert example.expected is not None, "say what the example prints, or the page proves nothing"
    actual = ran.printed[example.line]
    if example.form == "json":
        expected_documents, actual_documents = documents(example.expected), documents(actual)
        assert not list(differences(expected_documents, actual_documents)), actual
        return
    expected_lines, actual_lines = example.expected.splitlines(), actual.splitlines()
    assert len(expected_lines) == len(actual_lines), actual
    for expected, got in zip(expected_lines, actual_lines, strict=True):
        assert wildcard(expected).fullmatch(got), actual


def files_below(folder: Path) -> set[str]:
    """Every file, as a path in the folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


def test_the_examples_leave_the_reader_s_folder_as_it_is(ran: Ran) -> None:
    """Their files are in one new folder of the system's for temporary ones."""
    assert files_below(ran.stood) == set()
    (made,) = ran.temporary.iterdir()
    assert {"match.json", "view.json"} <= files_below(made)


@pytest.fixture(scope="module")
def set_up(tools: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The configuration that the page makes for Envoy, in a checkout that has stand-ins for the two programs."""
    checkout, temporary = tmp_path_factory.mktemp("checkout"), tmp_path_factory.mktemp("temporary")
    shutil.copytree(ROOT / "deploy" / "envoy", checkout / "deploy" / "envoy")
    programs = checkout / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name in ("python", "envoy"):
        (programs / name).write_text("#!/bin/sh\n", "utf-8")
        (programs / name).chmod(0o755)
    before = files_below(checkout)
    subprocess.run(
        [tools, "-euc", f"{SETUP.code}wait"],
        cwd=checkout,
        env=clean_environment() | {"TMPDIR": str(temporary)},
        check=True,
        timeout=60,
    )
    assert files_below(checkout) == before, "the page writes into the reader's checkout"
    (made,) = (temporary / name for name in files_below(temporary))
    return made


def test_the_setup_is_the_shipped_configuration_on_one_machine(set_up: Path) -> None:
    """What `sed` makes of the shipped file differs in addresses alone, and Envoy takes it."""
    assert '/envoy -c "$CONFIG" ' in SETUP.code
    local = set_up.read_text("utf-8")
    for there, here in (("0.0.0.0", "127.0.0.1"), ("address: burraco,", "address: 127.0.0.1,")):
        assert there not in local
        assert here in local
    shipped = ENVOY_FILE.read_text("utf-8")
    changed = [(old, new) for old, new in zip(shipped.splitlines(), local.splitlines(), strict=True) if old != new]
    assert len(changed) == 4, changed  # two listeners, the descriptors, the replicas
    assert yaml.safe_load(local)["static_resources"]["clusters"][0]["name"] == "burraco"
    binary = envoy_binary()
    subprocess.run([binary, "--mode", "validate", "-c", str(set_up), "--log-level", "error"], cwd=ROOT, check=True)


def test_the_ports_of_the_page_are_those_that_are_taken(set_up: Path) -> None:
    """The server's, and every listener of Envoy's, its own for administration included."""
    envoys = {int(port) for port in re.findall(r"port_value: (\d+)", set_up.read_text("utf-8"))}
    told = re.search(r"They have the ports ([\d,\s and]+) of this machine", PAGE)
    assert told is not None
    assert {int(port) for port in re.findall(r"\d+", told[1])} == envoys
    assert Settings.model_fields["port"].default in envoys


def test_the_server_starts_with_the_page_s_settings() -> None:
    """It listens, and asks every caller for credentials."""
    (exported,) = re.findall(r"^export (.+)$", SETUP.code, re.MULTILINE)
    settings = dict(each.removeprefix("BURRACO_").split("=") for each in exported.split())
    command = [sys.executable, "-m", "service"]
    environment = clean_environment(**settings, PORT="0")
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as server:
        try:
            assert server.stdout is not None
            assert json.loads(server.stdout.readline())["event"] == "listening"
        finally:
            server.terminate()
    assert settings["API_KEYS"] in ADDRESSES


def test_requests_may_look_otherwise_too(proxy: Envoy, match: pb.CreateMatchResponse) -> None:
    """What the page says of requests: other names of fields, numbers for names and for texts, base64 of addresses."""
    state = base64.urlsafe_b64encode(match.state).decode().rstrip("=")
    body = {"state": state, "seat": 0, "moves": [{"draw_stock": {}}], "expected_revision": 0, "hand_order": 2}
    answer = post(proxy.back_end, "/v1/matches:applyMoves", body, {"burraco-api-key": API_KEY})
    assert answer.json["accepted"]["revision"] == "1"


def test_a_deadline_counts_in_json(proxy: Envoy) -> None:
    """The header of the page's table, a deadline that is over at once; an answer may still be faster than a timer."""
    headers = {"burraco-api-key": API_KEY, "grpc-timeout": "1n"}
    answers = [send(proxy.back_end, "GET", "/v1/presets", None, headers) for _ in range(50)]
    late = [answer for answer in answers if answer.status != 200]
    assert late
    assert {(answer.status, answer.json["code"]) for answer in late} == {(504, 4)}
    assert send(proxy.back_end, "GET", "/v1/presets", None, headers | {"grpc-timeout": "20S"}).status == 200


def test_differences_are_found() -> None:
    """The comparison is one: another value, a key more or fewer, a shorter list, another type."""
    page = {"a": "x…z", "b": [1, {"c": True}]}
    assert not list(differences(page, {"a": "xyz", "b": [1, {"c": True}]}))
    for other in (
        {"a": "xy", "b": [1, {"c": True}]},
        {"a": "xyz", "b": [1]},
        {"a": "xyz", "b": [1, {"c": 1}]},
        {"a": "xyz", "b": [2, {"c": True}]},
        {"a": "xyz"},
        {"a": "xyz", "b": [1, {"c": True}], "d": None},
    ):
        assert list(differences(page, other)), other
