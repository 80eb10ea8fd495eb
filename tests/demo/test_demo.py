"""The demo as people run it, on the real server."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from service.demo import server
from service.demo.games import GAMES
from service.demo.server import ServerError, serving

ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("BURRACO_")}
GOALS = {"burraco": 2000, "burraco2": 2005, "ramino": 101, "gin": 100, "scala40": 101}
DEMO = [sys.executable, "-m", "service.demo"]


def run(**settings: str) -> subprocess.CompletedProcess[bytes]:
    """Run the demo to its end, without a terminal."""
    return subprocess.run(DEMO, env=ENVIRONMENT | settings, capture_output=True, timeout=120, check=False)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match(game: str) -> None:
    """A match goes from its first deal to a winner, as text that a log can bear; its seed repeats it exactly."""
    played = run(BURRACO_DEMO_GAME=game, BURRACO_DEMO_SEED="6", PYTHONHASHSEED="1")
    assert (played.returncode, played.stderr) == (0, b"")
    text = played.stdout.decode()
    assert all(one.isprintable() or one == "\n" for one in text)
    assert max(map(len, text.splitlines())) <= 100
    check_match(game, text)

    other = {"BURRACO_DEMO_FAST": "1", "PYTHONHASHSEED": "2", "BURRACO_PORT": "1", "COLUMNS": "20"}
    assert run(BURRACO_DEMO_GAME=game.upper(), BURRACO_DEMO_SEED="6", **other).stdout == played.stdout


def check_match(game: str, text: str) -> None:
    """Check that each deal has a sheet, and that the totals are those that end a match."""
    lines = text.splitlines()
    assert ("Drawing for seats: " in text) is (game == "burraco")
    deals, void = text.count("Score of deal "), text.count("The deal is void: ")
    assert deals == text.count("The deal is over: ") == text.count("The first card of the pile is ") - void >= 1
    assert " the match" in lines[-1]
    totals = [int(total) for total in lines[-4].replace("│", " ").split()[1:]]
    goal = GOALS[game]
    assert str(goal) in lines[0]
    if GAMES[game].look.penalties:
        assert sum(total < goal for total in totals) == 1
        assert text.count(" is out, with ") == len(totals) - 1
    else:
        assert max(totals) >= goal
    assert all(str(total) in lines[-1] for total in totals)


def test_without_a_seed_it_says_how_to_repeat_the_match() -> None:
    """A match without a seed names one, and that one repeats it."""
    first = run(BURRACO_DEMO_GAME="gin")
    said = first.stdout.splitlines()[0].decode().partition("make demo ")[2]
    settings = {f"BURRACO_DEMO_{name}": value for name, _, value in (word.partition("=") for word in said.split())}
    assert set(settings) == {"BURRACO_DEMO_GAME", "BURRACO_DEMO_SEED"}
    assert run(**settings).stdout == first.stdout


def test_another_game_is_refused() -> None:
    """A game that the demo does not know is refused in a sentence that names those that it does."""
    done = run(BURRACO_DEMO_GAME="canasta")
    assert done.returncode == 2
    assert done.stderr.decode() == (
        "The demo does not know the game 'canasta': say GAME=burraco, burraco2, ramino, gin or scala40.\n"
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
