"""Commands: what they are given, what is shown of them, and that none is left."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from scripts.clients.manifest import ROOT, read_client
from scripts.clients.running import CommandError, carry_out, environment, lacking, run
from tests.clients.harness.folders import PYTHON, make_client, printing, whole
from tests.edge.replicas import wait_until
from tests.support.aliveness import is_there


def test_the_environment_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server's settings of the caller's stay behind; what goes to this machine goes by no proxy."""
    monkeypatch.setenv("BURRACO_SEALING_KEY", "a-key-of-the-caller")
    monkeypatch.setenv("BURRACO_PYTHON", "other")
    monkeypatch.setenv("no_proxy", "example.org")
    made = environment(TARGET="127.0.0.1:1")
    ours = {name: value for name, value in made.items() if name.startswith("BURRACO_")}
    assert ours == {"BURRACO_TARGET": "127.0.0.1:1", "BURRACO_PYTHON": PYTHON}
    assert made["no_proxy"] == made["NO_PROXY"] == "example.org,127.0.0.1,localhost"
    assert made["PATH"] == os.environ["PATH"]


def test_words_that_name_a_variable_are_replaced(tmp_path: Path) -> None:
    """No shell is needed for the project's own Python; any other word is as it stands."""
    words = ("$BURRACO_PYTHON", "-c", "import sys; print(sys.argv[1:])", "$BURRACO_NONE", "$HOME")
    ended = run(words, tmp_path, environment())
    assert (ended.code, ended.output) == (0, "['$BURRACO_NONE', '$HOME']\n")


def test_a_command_that_is_not_there_is_a_failure(tmp_path: Path) -> None:
    """It has an exit code and a text, as a shell would give them."""
    ended = run(("./no-such-command",), tmp_path, environment())
    assert (ended.code, ended.output) == (127, "./no-such-command: No such file or directory\n")
    assert lacking(["no-such-command", "git"]) == ("no-such-command",)


def test_a_command_that_takes_too_long_is_ended_with_what_it_started(tmp_path: Path) -> None:
    """Its children too, whose output it does not keep waiting for."""
    command = ("sh", "-c", "echo begun; (sleep 3; touch alive) & sleep 60")
    ended = run(command, tmp_path, environment(), limit=1.0)
    assert ended.code == 124
    assert ended.output == "begun\n\n(ended after 1 s, the most that a command may take)\n"
    time.sleep(3.5)
    assert not (tmp_path / "alive").exists()


def test_what_a_command_leaves_running_is_ended(tmp_path: Path) -> None:
    """A server that a test forgot does not outlive it."""
    assert run(("sh", "-c", "(sleep 1; touch alive) &"), tmp_path, environment()).code == 0
    time.sleep(1.5)
    assert not (tmp_path / "alive").exists()


def test_of_what_passes_the_skips_and_the_last_line_are_shown(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A test that a client skipped is seen, and so is the closing line of its runner."""
    client = read_client(make_client(tmp_path, "some", whole()))
    said = ("fine", "SKIPPED: no server", "  ", "without the race detector", "fine too", "9 passed", "\x1b[0m\x1b[1m")
    carry_out(client, "test", [tuple(printing(*said))], environment())
    _, *shown = capfd.readouterr().out.splitlines()
    assert shown == ["    SKIPPED: no server", "    without the race detector", "    9 passed"]


def test_what_passes_is_a_line_and_what_fails_is_shown(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Commands after one that failed are not run; of much output the end is shown."""
    client = read_client(make_client(tmp_path, "some", whole()))
    commands = [tuple(printing("fine")), tuple(printing(*map(str, range(300)), code=3)), tuple(printing("never"))]
    with pytest.raises(CommandError, match="exit code 3"):
        carry_out(client, "build", commands, environment())
    out, _ = capfd.readouterr()
    first, last, second, *shown = out.splitlines()
    assert last == "    fine"
    assert first.startswith("some: build: $BURRACO_PYTHON")
    assert "passed in" in first
    assert "FAILED, exit code 3, in" in second
    assert shown == ["    ... 100 lines before", *(f"    {number}" for number in range(100, 300))]


def test_who_ends_the_harness_ends_what_it_runs(tmp_path: Path) -> None:
    """A time limit of CI's leaves no compiler behind, though each command has a session of its own."""
    (tmp_path / "clients").mkdir()
    make_client(tmp_path / "clients", "a", whole(build=[["sh", "-c", "echo $$ >pid; exec sleep 60"]]))
    code = (
        "import signal, sys; from pathlib import Path; from scripts.clients import __main__ as harness; "
        "signal.signal(signal.SIGTERM, harness._end_in_order); "
        f"sys.exit(harness.main(['build'], Path({str(tmp_path / 'clients')!r})))"
    )
    process = subprocess.Popen([PYTHON, "-c", code], cwd=ROOT)
    file = tmp_path / "clients" / "a" / "pid"
    wait_until("the command runs", lambda: file.exists() and file.read_text().endswith("\n"))
    process.terminate()
    assert process.wait(30) == 128 + signal.SIGTERM
    wait_until("the command is gone", lambda: not is_there(int(file.read_text())))
