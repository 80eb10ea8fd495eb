"""The command line on clients of a test's own: skips are seen, stale code is found, failures are failures."""

import shutil
from pathlib import Path

import pytest

from scripts.clients import __main__ as harness
from scripts.clients.report import parts_of
from scripts.clients.servers import read_manifest
from tests.clients.harness.folders import GENERATE, make_client, make_repository, printing, python, whole

COUNTS = "{part}: {passed} passed, {failed} failed, {skipped} skipped"


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
    assert lines[0] == "missing: SKIPPED: no-such-compiler not installed"
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
    parts = parts_of(read_manifest())
    lines = [COUNTS.format(part=part, passed=total, failed=0, skipped=0) for part, total in parts.items()]
    whole_line = COUNTS.format(part="", passed=sum(parts.values()), failed=0, skipped=0).removeprefix(": ")
    make_client(clients, "a", whole(name="A", conformance=printing(*lines, whole_line)))
    make_client(clients, "b", whole(name="B", conformance=printing(whole_line)))
    make_client(clients, "c", whole(name="C", needs=["no-such-compiler"]))
    proved = dict.fromkeys(("build", "test", "example", "conformance", "transports"))
    make_client(clients, "d", whole(name="D", **proved, unproved="no compiler"))
    web = {"transports": ["grpc-web"], "transport_needs": {"grpc-web": ["no-such-browser"]}}
    make_client(clients, "e", whole(name="E", **web))
    assert harness.main(["conformance"], clients) == 1
    said = told(capfd)
    rows = [line for line in said if line.startswith("| ")]
    numbers = " | ".join(str(total) for total in parts.values())
    nothing = " | ".join("–" for _ in parts)
    assert rows[2:] == [
        f"| A | gRPC | {numbers} | {sum(parts.values())} passed |",
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
    assert "Not written into README.md, since something failed." in told(capfd)


def test_what_cannot_be_built_is_not_run(clients: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Tests of a client that was not built would be of an older one."""
    make_client(clients, "a", whole(build=[printing(code=1)], test=[printing("tested")]))
    assert harness.main(["test"], clients) == 1
    assert not any(": test: " in line for line in told(capfd))
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


def test_the_check_wants_a_checkout(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """An unpacked archive has no list of what belongs to it; that is said."""
    make_client(tmp_path / "archive" / "clients", "a", whole())
    assert harness.main(["check"], tmp_path / "archive" / "clients") == 1
    assert "has to be a checkout of git" in told(capfd)[-1]


def test_what_is_fetched_already_is_not_fetched_again(clients: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Unless it is asked for, each command that generates or compiles fetches first."""
    make_client(clients, "a", whole(prepare=[printing("fetched")]))
    for command in ("generate", "check", "build", "test"):
        assert harness.main([command], clients) == 0
        assert sum(": prepare: " in line for line in told(capfd)) == 1
        assert harness.main([command, "--prepared"], clients) == 0
        assert sum(": prepare: " in line for line in told(capfd)) == 0
