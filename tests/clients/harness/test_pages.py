"""The matrix in the README and the tables of docs/clients.md are those of the clients that there are."""

import re
from typing import Final

import pytest

from scripts.clients import __main__ as harness
from scripts.clients.manifest import ROOT, Client, Manifest, read_clients
from scripts.clients.matrix import BEGIN, END, README, SPOKEN, Row, replaced, table, written
from scripts.clients.report import MATCH, Count, parts_of
from scripts.clients.running import environment
from scripts.clients.servers import read_manifest

PAGE: Final = (ROOT / "docs" / "clients.md").read_text("utf-8")
CLIENTS: Final = read_clients()
PARTS: Final = parts_of(read_manifest())


def rows_of(text: str) -> list[list[str]]:
    """The cells of a table's rows, without its head."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()[2:]]


def section(heading: str) -> str:
    """What stands under a heading of the page."""
    return PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]


def expected(client: Client) -> list[tuple[str, str]]:
    """Names and transports of a client's rows."""
    if client.manifest.unproved:
        return [(client.name, "–")]
    return [(client.name, SPOKEN[transport]) for transport in client.manifest.transports]


def test_the_readme_has_a_row_for_each_client_and_transport() -> None:
    """After a client, a transport or a scenario is added: make conformance ARGS=--write."""
    shown = written(README.read_text("utf-8"))
    rows = rows_of(shown)
    assert [(row[0], row[1]) for row in rows] == [pair for client in CLIENTS for pair in expected(client)]
    assert shown.splitlines()[:2] == table([], PARTS).splitlines()


@pytest.mark.parametrize("row", rows_of(written(README.read_text("utf-8"))), ids=lambda row: f"{row[0]} {row[1]}")
def test_the_numbers_of_a_row_add_up(row: list[str]) -> None:
    """What was run passed or was skipped, all of it; what was not has no number, and says why."""
    _, _, *cells, result = row
    if result.startswith("not run: "):
        assert set(cells) == {"–"}
        return
    counted = []
    for cell, total in zip(cells, PARTS.values(), strict=True):
        match = re.fullmatch(r"(\d+)(?:, (\d+) skipped)?", cell)
        assert match is not None, cell
        counted.append(Count(int(match[1]), 0, int(match[2] or 0)))
        assert counted[-1].total == total
    assert counted[list(PARTS).index(MATCH)] == Count(1, 0, 0)
    assert result.startswith(f"{sum(count.passed for count in counted)}")


def test_what_is_not_run_says_why_in_the_readme() -> None:
    """The reason is the client's own."""
    shown = written(README.read_text("utf-8"))
    for client in CLIENTS:
        if client.manifest.unproved:
            assert f"| not run: {client.manifest.unproved} |" in shown


def test_the_page_has_every_client() -> None:
    """The table at the top says of each whether it was compiled and run, and over what."""
    found = re.search(r"\| language .*?\n\n", PAGE, re.DOTALL)
    assert found is not None
    told = rows_of(found[0].strip())
    assert [row[0] for row in told] == [client.name for client in sorted(CLIENTS, key=lambda client: client.language)]
    for (_, folder, done), client in zip(told, CLIENTS, strict=True):
        assert folder == f"[clients/{client.language}](../clients/{client.language}/README.md)"
        if client.manifest.unproved:
            assert done == "not compiled, not run: a recipe"
        else:
            over = " and ".join(SPOKEN[transport] for transport in client.manifest.transports)
            assert done == f"built, tested, run over {over}"


def test_the_page_has_every_field_and_variable() -> None:
    """In the order in which they are declared; and every variable that a command is given."""
    fields, variables = section("client.toml").split("What a command finds")
    assert re.findall(r"^\| `(\w+)` \|", fields, re.MULTILINE) == list(Manifest.model_fields)
    given = {"PYTHON", "TARGET", "ARBITER_TARGET", "VECTORS", "TRANSPORT", "WEB_TARGET"}
    assert set(re.findall(r"^\| `BURRACO_(\w+)` \|", variables, re.MULTILINE)) == given
    sources = "".join(path.read_text("utf-8") for path in sorted((ROOT / "scripts" / "clients").glob("*.py")))
    for name in given - {"PYTHON"}:
        assert re.search(rf'\b{name}=|"{name}"', sources), name
    assert "BURRACO_PYTHON" in environment()


def test_the_page_has_every_target() -> None:
    """Each target of the Makefile that is about the clients, and no other."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = re.findall(r"^((?:clients[\w-]*|conformance)):", makefile, re.MULTILINE)
    assert set(re.findall(r"^\| `make ([\w-]+)` \|", section("How they are made"), re.MULTILINE)) == set(targets)
    assert f"`{harness.REQUIRED}=required`" in PAGE
    run = (ROOT / ".ci" / "run").read_text("utf-8")
    for target in set(targets) - {"clients"}:
        assert f"make {target}" in run
    assert "scripts.clients skips" in run.split("make conformance")[1], "the end of CI's log tells of what was skipped"


def test_links_lead_somewhere() -> None:
    """Every file that the pages of the clients name is there, and every heading of the page."""
    for page in (ROOT / "docs" / "clients.md", *(client.folder / "README.md" for client in CLIENTS)):
        prose = re.sub(r"```.*?^```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        for link in re.findall(r"\]\((?!https?:)([^)]+)", prose):
            path, _, heading = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), f"{page}: {link}"
            if heading:
                titles = re.findall(r"^#+ (.*)$", target.read_text("utf-8"), re.MULTILINE)
                assert heading in {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}, link


# --- the matrix itself -----------------------------------------------------------------------------------------------


def test_a_matrix_says_what_failed_and_what_was_skipped() -> None:
    """Both stand out from what passed."""
    rows = [
        Row("A", "grpc", {"burraco": Count(3, 0, 0), MATCH: Count(1, 0, 0)}),
        Row("B", "grpc-web", {"burraco": Count(1, 1, 1), MATCH: Count(1, 0, 0)}),
        Row("C", not_run="no compiler"),
        Row("D", "grpc", problems=("the sum is wrong",)),
    ]
    assert table(rows, {"burraco": 3, MATCH: 1}).splitlines() == [
        "| client | over | burraco (3) | match (1) | result |",
        "| --- | --- | --- | --- | --- |",
        "| A | gRPC | 3 | 1 | 4 passed |",
        "| B | gRPC-Web | 1, **1 failed**, 1 skipped | 1 | 2, **1 failed**, 1 skipped of 4 |",
        "| C | – | – | – | not run: no compiler |",
        "| D | gRPC | – | – | **does not count** |",
    ]


def test_the_matrix_is_put_between_its_marks() -> None:
    """The rest of the page stays; a page without marks is refused."""
    page = f"before\n\n{BEGIN}\n\n| old |\n\n{END}\n\nafter\n"
    assert written(page) == "| old |"
    assert replaced(page, "| new |\n| --- |") == f"before\n\n{BEGIN}\n\n| new |\n| --- |\n\n{END}\n\nafter\n"
    for wrong in ("nothing", page + page, page.replace(END, "")):
        with pytest.raises(ValueError, match="has to have these two lines once"):
            written(wrong)
