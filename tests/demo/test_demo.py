"""The demo as people run it, on the real server."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from service.demo import server
from service.demo.server import ServerError, serving

ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("BURRACO_")}
DEMO = [sys.executable, "-m", "service.demo"]


def run(**settings: str) -> subprocess.CompletedProcess[bytes]:
    """Run the demo to its end, without a terminal."""
    return subprocess.run(DEMO, env=ENVIRONMENT | settings, capture_output=True, timeout=120, check=False)


@pytest.fixture(scope="module")
def played() -> bytes:
    """What one match writes."""
    done = run(BURRACO_DEMO_SEED="7", PYTHONHASHSEED="1")
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def test_a_seed_repeats_a_match_exactly(played: bytes) -> None:
    """The same seed writes the same bytes, whatever else differs between two runs."""
    again = run(BURRACO_DEMO_SEED="7", BURRACO_DEMO_FAST="1", PYTHONHASHSEED="2", BURRACO_PORT="1", COLUMNS="20")
    assert again.stdout == played


def test_without_a_seed_it_says_how_to_repeat_the_match() -> None:
    """A match without a seed names one, and that one repeats it."""
    first = run()
    seed = first.stdout.splitlines()[0].decode().rpartition("SEED=")[2]
    assert run(BURRACO_DEMO_SEED=seed).stdout == first.stdout


def test_no_control_codes(played: bytes) -> None:
    """Without a terminal the match is text and line ends, of a width that a log can bear."""
    text = played.decode()
    assert all(one.isprintable() or one == "\n" for one in text)
    assert max(map(len, text.splitlines())) <= 100


def test_a_whole_match(played: bytes) -> None:
    """The match goes from the draw for seats to a winner who reached the target, with a sheet for each deal."""
    text = played.decode()
    lines = text.splitlines()
    assert "Drawing for seats: " in text
    deals = text.count("Score of deal ")
    assert deals == text.count("The deal is over: ") == text.count(" deals; ") > 1
    assert "The match" in text
    totals = lines[-1].partition(" win the match, ")[2].rstrip(".").split(" to ")
    assert max(map(int, totals)) >= 2000
    assert all(total in lines[-4] for total in totals)


def test_another_game_is_refused() -> None:
    """A game that is not built is refused in a sentence that says what to do."""
    done = run(BURRACO_DEMO_GAME="gin")
    assert done.returncode == 2
    assert done.stderr.decode() == (
        "The demo plays burraco; gin is not built yet. Leave GAME out, or say GAME=burraco.\n"
    )
    assert not done.stdout


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_demo_ends_its_server(number: signal.Signals, code: int) -> None:
    """Ctrl-C ends the demo without a traceback, and the server with it."""
    with subprocess.Popen(DEMO, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as demo:
        assert demo.stdout is not None
        demo.stdout.readline()
        children = Path(f"/proc/{demo.pid}/task/{demo.pid}/children")
        servers = children.read_text().split() if children.exists() else []
        demo.send_signal(number)
        _, errors = demo.communicate(timeout=30)
    assert demo.returncode == code
    assert b"Traceback" not in errors
    assert not [pid for pid in servers if Path(f"/proc/{pid}").exists()]


def test_output_that_nobody_reads() -> None:
    """When the reader of the output goes, as `head` does, the demo ends without a traceback."""
    with subprocess.Popen(DEMO, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as demo:
        assert demo.stdout is not None
        demo.stdout.readline()
        demo.stdout.close()
        demo.wait(timeout=60)
        assert demo.stderr is not None
        assert demo.stderr.read() == b""


def test_a_server_that_does_not_start_shows_its_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the server does not start, its own words say why."""
    monkeypatch.setitem(server.SETTINGS, "BURRACO_PORT", "no number")
    with pytest.raises(ServerError, match="exit code") as caught, serving():
        pass
    assert "BURRACO_PORT" in str(caught.value)
