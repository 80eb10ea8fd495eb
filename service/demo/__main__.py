"""Play a match: `python -m service.demo`, which is what `make demo` runs."""

import os
import secrets
import signal
import sys

import burraco
from service.demo.games import GAMES
from service.demo.match import Match
from service.demo.output import display_for
from service.demo.server import ServerError, serving

DEFAULT = "burraco"
FAILED, MISUSED = 1, 2
READY_SECONDS = 20
CALL_SECONDS = 10
DIRECT = ("grpc.enable_http_proxy", 0)  # the server is on this machine, whatever proxy the environment names


def main() -> int:
    """Play, and return the exit code."""
    game = (os.environ.get("BURRACO_DEMO_GAME") or DEFAULT).lower()
    seed = os.environ.get("BURRACO_DEMO_SEED") or secrets.token_hex(4)
    fast = bool(os.environ.get("BURRACO_DEMO_FAST"))
    if game not in GAMES:
        *others, last = GAMES
        print(f"The demo does not know the game {game!r}: say GAME={', '.join(others)} or {last}.", file=sys.stderr)
        return MISUSED
    for ending in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, lambda number, _: sys.exit(128 + number))
    try:
        play(game, seed, fast=fast)
    except ServerError as error:
        print(error, file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return 128 + signal.SIGINT
    except BrokenPipeError:  # whoever read the output has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    return 0


def play(game: str, seed: str, *, fast: bool) -> None:
    """Start the server, play a match on it, and end it."""
    with (
        serving() as address,
        burraco.connect(address, timeout=CALL_SECONDS, options=[DIRECT]) as client,
        display_for(sys.stdout, fast=fast) as display,
    ):
        client.wait_ready(READY_SECONDS)
        match = Match(GAMES[game], client, display, seed)
        again = f"make demo SEED={seed}" if game == DEFAULT else f"make demo GAME={game} SEED={seed}"
        display.say(f"{match.title}. To see this match again: {again}", "")
        match.play()


if __name__ == "__main__":
    sys.exit(main())
