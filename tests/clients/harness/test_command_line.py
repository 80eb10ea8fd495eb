"""The command line on clients of a test's own: skips are seen, stale code is found, failures are failures."""

import shutil
from pathlib import Path

import pytest

from scripts.clients import __main__ as harness
from scripts.clients.matrix import BEGIN, END, Row, table, written
from scripts.clients.report import Count, parts_of
from scripts.clients.servers import read_manifest
from tests.clients.harness.folders import GENERATE, make_client, make_repository, printing, python, whole

PARTS = parts_of(read_manifest())
PASSED = [
    *(f"{part}: {total} passed, 0 failed, 0 skipped" for part, total in PARTS.items()),
    f"{sum(PARTS.values())} passed, 0 failed, 0 skipped",
]
"""What a conformance program prints with which nothing is wrong."""


@pytest.fixture
def clients(tmp_path: Path) -> Path:
    """The clients of a repository."""
    return make_repository(tmp_path / "repository")


def told(capfd: pytest.CaptureFixture[str]) -> list[str]:
    """The lines that were printed since."""
    return capfd.readouterr().out.splitlines()


def test_a_client_without_its_tools_is_skipped_aloud(
    clients: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are built; with BURRACO_TEST_CLIENTS=required the skip is a failure."""
    make_client(clients, "missing", whole(needs=["git", "no-such-compiler"]))
    make_client(clients, "there", whole(needs=["git"]))
    assert harness.main(["build"], clients) == 0
    lines = told(capfd)
    assert lines[:2] == [
        "missing: SKIPPED: no-such-compiler not installed",
        "    clients/missing/README.md says what it takes",
    ]
    assert lines[-2:] == ["1 passed: there", "1 SKIPPED: missing (no-such-compiler not installed)"]
    monkeypatch.setenv("BURRACO_TEST_CLIENTS", "required")
    assert harness.main(["build"], clients) == 1
    assert told(capfd)[-1] == "With BURRACO_TEST_CLIENTS=required a client that is skipped is a failure."
    assert harness.main(["build", "there"], clients) == 0


def test_one_that_fails_does_not_keep_the_others_from_being_tried(
    clients: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each is tried, and the exit code is that of a failure."""
    make_client(clients, "a", whole(prepare=[printing("no dependencies", code=4)], build=[printing("never")]))
    make_client(clients, "b", whole())
    assert harness.main(["build"], clients) == 1
    lines = told(capfd)
    assert "    no dependencies" in lines
    assert not any("never" in line for line in lines)
    assert lines[-2] == "1 passed: b"
    assert lines[-1].startswith("1 FAILED: a ($BURRACO_PYTHON")


def test_fresh_code_passes_and_nothing_is_written(clients: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The check generates in a copy: what is committed stays as it is, dependencies are those of the folder."""
    folder = make_client(clients, "a", whole(generate=python(f"open('dependencies/one'); {GENERATE.format('fresh')}")))
    (folder / "dependencies").mkdir()
    (folder / "dependencies" / "one").touch()
    before = (folder / "made" / "code.txt").stat().st_mtime_ns
    assert harness.main(["check"], clients) == 0, told(capfd)
    assert (folder / "made" / "code.txt").stat().st_mtime_ns == before


def test_stale_code_is_shown(clients: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What differs, what nothing generates any more and what is missing; `generate` then puts it right but for that."""
    folder = make_client(clients, "a", whole(), committed="old")
    (folder / "made" / "left.txt").touch()
    assert harness.main(["check"], clients) == 1
    lines = told(capfd)
    assert "    -old" in lines
    assert "    +fresh" in lines
    assert "    made/left.txt: is not generated any more" in lines
    assert lines[-1] == "1 FAILED: a (the generated code is stale: make clients ARGS=a, and commit it)"
    (folder / "made" / "left.txt").unlink()
    (folder / "made" / "code.txt").unlink()
    assert harness.main(["check"], clients) == 1
    assert "    made/code.txt: missing" in told(capfd)
    assert harness.main(["generate"], clients) == 0
    assert (folder / "made" / "code.txt").read_text("utf-8") == "fresh\n"
    assert harness.main(["check"], clients) == 0


def test_a_generator_that_writes_nothing_is_stale(clients: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A check that compares nothing with nothing does not pass."""
    folder = make_client(clients, "a", whole(generate=printing("nothing")))
    (folder / "made" / "code.txt").unlink()
    assert harness.main(["check"], clients) == 1
    assert "    made: nothing is generated there" in told(capfd)


def test_unproved_clients_are_generated_and_not_run(clients: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Their code is checked all the same; the rest is said not to be run, which is no skip."""
    proved = dict.fromkeys(("build", "test", "example", "conformance", "transports"))
    make_client(clients, "a", whole(**proved, unproved="no compiler"), committed="old")
    assert harness.main(["check"], clients) == 1
    told(capfd)
    assert harness.main(["build"], clients) == 0
    assert told(capfd) == ["a: not run here: no compiler"]
    make_client(clients, "b", whole(**proved, generate=None, generated=None, unproved="a recipe"))
    assert harness.main(["check", "b"], clients) == 0
    assert told(capfd) == ["b: not run here: a recipe"]


def test_an_example_has_to_print_its_result(clients: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It is run with the address of a server that takes it for a back end, and what it prints is shown."""
    created = "from burraco import Table, connect; Table.create(connect(os.environ['BURRACO_TARGET']))"
    code = f"import os; {created}; print('won')"
    make_client(clients, "a", whole(example=python(code)))
    make_client(clients, "b", whole(example=printing()))
    assert harness.main(["example"], clients) == 1
    lines = told(capfd)
    assert "    won" in lines
    assert lines[-2:] == ["1 passed: a", "1 FAILED: b (it printed no result)"]


def test_conformance_makes_rows(clients: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A client that is run, one that lies, one without its tools, one that is not run: each has its row."""
    make_client(clients, "a", whole(name="A", conformance=printing(*PASSED)))
    make_client(clients, "b", whole(name="B", conformance=printing(PASSED[-1])))
    make_client(clients, "c", whole(name="C", needs=["no-such-compiler"]))
    proved = dict.fromkeys(("build", "test", "example", "conformance", "transports"))
    make_client(clients, "d", whole(name="D", **proved, unproved="no compiler"))
    web = {"transports": ["grpc-web"], "transport_needs": {"grpc-web": ["no-such-browser"]}}
    make_client(clients, "e", whole(name="E", **web))
    assert harness.main(["conformance"], clients) == 1
    said = told(capfd)
    rows = [line for line in said if line.startswith("| ")]
    numbers = " | ".join(str(total) for total in PARTS.values())
    nothing = " | ".join("–" for _ in PARTS)
    assert rows[2:] == [
        f"| A | gRPC | {numbers} | {sum(PARTS.values())} passed |",
        f"| B | gRPC | {nothing} | **does not count** |",
        f"| C | gRPC | {nothing} | not run: no-such-compiler not installed |",
        f"| D | – | {nothing} | not run: no compiler |",
        f"| E | gRPC-Web | {nothing} | not run: no-such-browser not installed |",
    ]
    assert "b: the run does not count: there is no line of burraco" in said
    assert "e: conformance over gRPC-Web: SKIPPED: no-such-browser not installed" in said


def test_the_matrix_is_written_whole_or_not_at_all(clients: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Neither for some of the languages, nor where something failed."""
    make_client(clients, "a", whole())
    assert harness.main(["conformance", "--write", "a"], clients) == 2
    assert harness.main(["conformance", "--write"], clients) == 1
    assert "README.md: neither compared nor written, since something failed." in told(capfd)


COUNTED = {part: Count(total, 0, 0) for part, total in PARTS.items()}
A, OLDER = Row("A", "grpc", COUNTED), Row("A", "grpc", COUNTED | {"gin": Count(1, 0, 0)})
B, C = Row("B", "grpc", COUNTED), Row("C", not_run="a recipe")
STALE = "1 FAILED: README.md (its matrix is not what this run gives: make conformance ARGS=--write, and commit it)"


def page_of(clients: Path, *rows: Row) -> Path:
    """Write a README whose matrix has these rows."""
    page = clients.parent / "README.md"
    page.write_text(f"{BEGIN}\n\n{table(rows, PARTS)}\n\n{END}\n", "utf-8")
    return page


@pytest.fixture
def three(clients: Path) -> Path:
    """A client that passes, one whose tools are not here, and one that is not run anywhere."""
    make_client(clients, "a", whole(name="A", conformance=printing(*PASSED)))
    make_client(clients, "b", whole(name="B", needs=["no-such-compiler"]))
    proved = dict.fromkeys(("build", "test", "example", "conformance", "transports"))
    make_client(clients, "c", whole(name="C", **proved, unproved="a recipe"))
    return clients


@pytest.mark.parametrize(
    ("rows", "languages", "code"),
    [
        ([A, B, C], [], 0),
        ([OLDER, B, C], [], 1),
        ([B, C], [], 1),
        ([A, C], [], 1),
        ([A, B], [], 1),
        ([A, B, Row("C", not_run="another recipe")], [], 1),
        ([A, B, C, Row("D", "grpc", COUNTED)], [], 1),
        ([B, A, C], [], 1),
        ([B, A], ["b", "a"], 0),
        ([OLDER, C], ["c"], 0),
        ([OLDER, C], ["a"], 1),
    ],
)
def test_the_matrix_of_the_readme_has_to_be_that_of_the_run(
    three: Path, capfd: pytest.CaptureFixture[str], rows: list[Row], languages: list[str], code: int
) -> None:
    """Of the languages that ran: one that lacks its tools here is left out, one that nobody can run is not."""
    page_of(three, *rows)
    assert harness.main(["conformance", "--built", *languages], three) == code
    assert (STALE in told(capfd)) == bool(code)


def test_the_lines_of_the_matrix_that_differ_are_shown(three: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Those of the page and those of the run; the rest of the table is not in the way."""
    page_of(three, OLDER, B, C)
    assert harness.main(["conformance", "--built"], three) == 1
    shown = [line for line in told(capfd) if line.startswith(("- ", "+ "))]
    old, new = (table([row], PARTS).splitlines()[2] for row in (OLDER, A))
    assert shown == [f"- {old}", f"+ {new}"]


def test_the_matrix_is_written_into_the_readme(three: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Of the clients' own repository; a page without marks or none at all is a failure that says so."""
    page = page_of(three, OLDER, B)
    assert harness.main(["conformance", "--built", "--write"], three) == 0
    missing = Row("B", "grpc", not_run="no-such-compiler not installed")
    assert written(page.read_text("utf-8")) == table([A, missing, C], PARTS)
    for text, told_then in (("no matrix", "(the page has to have these two lines once"), (None, "No such file")):
        page.unlink()
        if text is not None:
            page.write_text(text)
        for options in ([], ["--write"]):
            assert harness.main(["conformance", "--built", *options], three) == 1
            assert any(line.startswith("1 FAILED: README.md") and told_then in line for line in told(capfd))


def test_options_that_do_nothing_and_no_command_are_refused(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is built or run."""
    make_client(clients, "a", whole())
    for arguments in ([], ["--built"], ["build", "--write"], ["check", "--built"], ["test", "--built", "--prepared"]):
        assert harness.main(arguments, clients) == 2
        out, err = capsys.readouterr()
        assert not out
        assert err.endswith(".\n")


def test_what_is_missing_of_debian_s_is_named(clients: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Where a toolchain is made of packages, what to type stands below the skip."""
    make_client(clients, "a", whole(needs=["no-such-compiler"], debian=["some-compiler", "its-library"]))
    assert harness.main(["build"], clients) == 0
    assert told(capfd)[1].endswith("says what it takes; of it on Debian: apt-get install some-compiler its-library")


def test_what_cannot_be_built_is_not_run(clients: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Tests of a client that was not built would be of an older one; that none are run is said."""
    make_client(clients, "a", whole(build=[printing(code=1)], test=[printing("tested")]))
    assert harness.main(["test"], clients) == 1
    lines = told(capfd)
    assert not any(": test: " in line for line in lines)
    assert "No test of any client, since not all could be built." in lines
    assert harness.main(["test", "--built", "a"], clients) == 0


def test_a_wrong_manifest_ends_it(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is run; the exit code is 2."""
    make_client(clients, "a", whole(name=None))
    assert harness.main(["build"], clients) == 2
    assert "client.toml: name: Field required" in capsys.readouterr().err


def test_packages_are_named_once_and_if_missing(clients: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What CI brings: no package that is there, and each but once."""
    if shutil.which("dpkg-query") is None:
        pytest.skip("this is no Debian")
    make_client(clients, "a", whole(debian=["dpkg", "no-such-package"]))
    make_client(clients, "b", whole(debian=["no-such-package", "another-such"]))
    make_client(clients, "c", whole())
    assert harness.main(["packages"], clients) == 0
    assert told(capfd) == ["another-such", "no-such-package"]


def test_what_is_skipped_here_is_listed(clients: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What CI says in its last lines: clients and transports whose tools are missing; nothing where none is."""
    web = {"transports": ["grpc", "grpc-web"], "transport_needs": {"grpc-web": ["no-such-browser"]}}
    make_client(clients, "a", whole(needs=["git", "no-such-compiler"]))
    make_client(clients, "b", whole(**web))
    make_client(clients, "c", whole())
    proved = dict.fromkeys(("build", "test", "example", "conformance", "transports"))
    make_client(clients, "d", whole(**proved, unproved="a recipe"))
    assert harness.main(["skips"], clients) == 0
    assert told(capfd) == ["a: no-such-compiler not installed", "b over gRPC-Web: no-such-browser not installed"]
    assert harness.main(["skips", "c", "d"], clients) == 0
    assert told(capfd) == [""]


def test_the_check_wants_a_checkout(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """An unpacked archive has no list of what belongs to it; that is said."""
    make_client(tmp_path / "archive" / "clients", "a", whole())
    assert harness.main(["check"], tmp_path / "archive" / "clients") == 1
    said = told(capfd)[-1]
    assert "has to be a checkout of git, which says what belongs to it: fatal: " in said
    assert "exit status" not in said


def test_what_is_fetched_already_is_not_fetched_again(clients: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Unless it is asked for, each command that generates or compiles fetches first."""
    make_client(clients, "a", whole(prepare=[printing("fetched")]))
    for command in ("generate", "check", "build", "test"):
        assert harness.main([command], clients) == 0
        assert sum(": prepare: " in line for line in told(capfd)) == 1
        assert harness.main([command, "--prepared"], clients) == 0
        assert sum(": prepare: " in line for line in told(capfd)) == 0
