"""Runs the commands of a client: what one that fails has said is shown, one that passes is a line with its seconds."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scripts.clients.manifest import Client, Command

PREFIX: Final = "BURRACO_"
LOOPBACK: Final = ("127.0.0.1", "localhost")
LIMIT: Final = 1200.0
"""Seconds that one command may take: the first build of a large tree of dependencies, on a slow machine."""
SHOWN: Final = 200
"""So many of the last lines of a command that failed are shown."""
SKIPPED: Final = re.compile(r"\bskip(ped|s)?\b|without the race", re.IGNORECASE)
LONGEST_SKIPS: Final = 100
"""Lines that are shown of what a command that passed has skipped: more than there are scenarios to skip."""
LONGEST_LINE: Final = 200
COLOURS: Final = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Ended:
    """A command that has run."""

    code: int
    output: str
    seconds: float


class CommandError(Exception):
    """A command failed; what it said has been shown."""


def lacking(needs: Sequence[str]) -> tuple[str, ...]:
    """Name the commands that are not there."""
    return tuple(name for name in needs if shutil.which(name) is None)


def not_installed(needs: Sequence[str]) -> str:
    """Say which commands are not there; nothing if all are."""
    missing = lacking(needs)
    return f"{', '.join(missing)} not installed" if missing else ""


def environment(**settings: str) -> dict[str, str]:
    """This process's environment for a client's command, with these variables of ours and no others.

    Nothing that goes to this machine itself goes by a proxy.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    direct = ",".join(filter(None, (kept.get("no_proxy") or kept.get("NO_PROXY"), *LOOPBACK)))
    kept |= {"no_proxy": direct, "NO_PROXY": direct}
    return kept | {PREFIX + name: value for name, value in settings.items()} | {PREFIX + "PYTHON": sys.executable}


def filled(command: Command, variables: Mapping[str, str]) -> list[str]:
    """Put the value of a variable of ours in the place of a word such as `$BURRACO_PYTHON`: no shell does it."""
    return [variables.get(word[1:], word) if word.startswith(f"${PREFIX}") else word for word in command]


def run(command: Command, folder: Path, variables: Mapping[str, str], limit: float = LIMIT) -> Ended:
    """Run a command to its end, or end it with all that it started when its time is over."""
    words, began = filled(command, variables), time.monotonic()
    with tempfile.TemporaryFile() as log:
        try:
            process = subprocess.Popen(
                words,
                cwd=folder,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        except OSError as error:
            return Ended(127, f"{words[0]}: {error.strerror}\n", 0.0)
        try:
            code = process.wait(limit)
            said = ""
        except subprocess.TimeoutExpired:
            code, said = 124, f"\n(ended after {limit:g} s, the most that a command may take)\n"
        finally:
            _end(process)
        log.seek(0)
        output = log.read().decode("utf-8", "replace") + said
    return Ended(code, output, time.monotonic() - began)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End what the command left running, the command itself included."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    finally:
        process.wait()


def carry_out(client: Client, what: str, commands: Sequence[Command], variables: Mapping[str, str]) -> None:
    """Run commands one after the other, a line each. :raises CommandError: at the first that fails."""
    for command in commands:
        ended = run(command, client.folder, variables)
        tell(client, what, command, ended)
        if ended.code:
            raise CommandError(f"{' '.join(command)}: exit code {ended.code}")


def tell(client: Client, what: str, command: Command, ended: Ended) -> None:
    """Print the line of a command; what it said when it failed, and otherwise what it skipped and its last line."""
    how = f"FAILED, exit code {ended.code}," if ended.code else "passed"
    print(f"{client.language}: {what}: {' '.join(command)}: {how} in {ended.seconds:.1f} s", flush=True)
    if ended.code:
        show(ended.output)
        return
    lines = [line for line in COLOURS.sub("", ended.output).splitlines() if line.strip()]
    skipped = [line for line in lines[:-1] if SKIPPED.search(line)]
    for line in [*skipped[:LONGEST_SKIPS], *lines[-1:]]:
        print(f"    {line[:LONGEST_LINE]}", flush=True)


def show(output: str) -> None:
    """Print the end of what a command said."""
    lines = output.splitlines()
    if len(lines) > SHOWN:
        print(f"    ... {len(lines) - SHOWN} lines before")
    for line in lines[-SHOWN:]:
        print(f"    {line}")
    sys.stdout.flush()
