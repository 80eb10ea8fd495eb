"""Makes, checks, builds, tests and runs the clients: `python -m scripts.clients COMMAND [LANGUAGE...]`."""

import argparse
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from scripts.clients.conformance import rows_of, run_client, why_not
from scripts.clients.manifest import CLIENTS, Client, Command, ManifestError, read_clients
from scripts.clients.matrix import README, SPOKEN, Row, changes, table, write, written
from scripts.clients.report import added, parts_of
from scripts.clients.running import CommandError, Ended, carry_out, environment, not_installed, run, show, tell
from scripts.clients.servers import VECTORS, read_manifest, server, targets
from scripts.clients.stale import LONGEST_DIFF, clear, copy_of_the_repository, differences

REQUIRED: Final = "BURRACO_TEST_CLIENTS"
"""Set to `required`, it makes a client that cannot be run a failure, in place of a skip."""


@dataclass
class Tally:
    """How the clients ended."""

    passed: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    """With what is wrong."""
    skipped: dict[str, str] = field(default_factory=dict)
    """With why."""

    def code(self, *, is_required: bool) -> int:
        """Print the sum, and give the exit code."""
        if self.passed:
            print(f"{len(self.passed)} passed: {'; '.join(self.passed)}")
        for how, why in (("FAILED", self.failed), ("SKIPPED", self.skipped)):
            if why:
                print(f"{len(why)} {how}: {'; '.join(f'{name} ({reason})' for name, reason in why.items())}")
        if self.skipped and is_required:
            print(f"With {REQUIRED}=required a client that is skipped is a failure.")
        return int(bool(self.failed or (self.skipped and is_required)))


Work = Callable[[Client], str]
"""What is done with a client; it says what is wrong, or nothing."""


def for_each(clients: Sequence[Client], work: Work, *, is_generating: bool = False) -> Tally:
    """Do something with each client whose tools are there; with those that are not run here, if they are generated."""
    tally = Tally()
    for client in clients:
        if client.manifest.unproved and (not is_generating or client.manifest.generate is None):
            print(f"{client.language}: not run here: {client.manifest.unproved}", flush=True)
            continue
        if reason := not_installed(client.manifest.needs):
            tally.skipped[client.language] = reason
            print(f"{client.language}: SKIPPED: {reason}\n    {_remedy(client)}", flush=True)
            continue
        try:
            problem = work(client)
        except CommandError as error:
            problem = str(error)
        if problem:
            tally.failed[client.language] = problem
        else:
            tally.passed.append(client.language)
    return tally


def _remedy(client: Client) -> str:
    packages = (
        f"; of it on Debian: apt-get install {' '.join(client.manifest.debian)}" if client.manifest.debian else ""
    )
    return f"clients/{client.language}/README.md says what it takes{packages}"


# --- what is done with a client --------------------------------------------------------------------------------------


def prepared(work: Work) -> Work:
    """Let a client's commands find what they need: fetch it first."""

    def both(client: Client) -> str:
        carry_out(client, "prepare", client.manifest.prepare, environment())
        return work(client)

    return both


def generate(client: Client) -> str:
    """Write the generated code anew."""
    carry_out(client, "generate", _generate(client), environment())
    return ""


def _generate(client: Client) -> list[Command]:
    return [client.manifest.generate] if client.manifest.generate else []


def check(client: Client) -> str:
    """Compare the committed code with what is generated in a copy."""
    with copy_of_the_repository(client.folder.parents[1]) as copy:
        there = Client(copy / "clients" / client.language, client.manifest)
        clear(there, there.folder)
        carry_out(there, "generate in a copy", _generate(client), environment())
        found = differences(client, there.folder)
    for line in found[:LONGEST_DIFF]:
        print(f"    {line}")
    if found[LONGEST_DIFF:]:
        print(f"    ... {len(found) - LONGEST_DIFF} lines more")
    return f"the generated code is stale: make clients ARGS={client.language}, and commit it" if found else ""


def build(client: Client) -> str:
    """Compile."""
    carry_out(client, "build", client.manifest.build, environment())
    return ""


def test(client: Client) -> str:
    """Run its own tests, with a server for those that want one."""
    with server() as made, targets("grpc", made) as where:
        variables = environment(**where, VECTORS=str(VECTORS), TRANSPORT="grpc")
        carry_out(client, "test", client.manifest.test, variables)
    return ""


def example(client: Client) -> str:
    """Play the example's match, on a server that takes callers without a key for back ends."""
    command = client.manifest.example
    assert command is not None  # noqa: S101 - a client that is run has one, see the manifest
    with server(trusts_network=True) as made, targets("grpc", made) as where:
        ended = run(command, client.folder, environment(**where, TRANSPORT="grpc"))
    tell(client, "example", command, ended)
    if not ended.code:
        show(ended.output)
    return _failure_of(ended)


def _failure_of(ended: Ended) -> str:
    if ended.code:
        return f"exit code {ended.code}"
    return "" if ended.output.strip() else "it printed no result"


def missing_packages(clients: Sequence[Client]) -> list[str]:
    """Name the packages of Debian's that clients ask for and this system has not; none on another system."""
    names = sorted({name for client in clients for name in client.manifest.debian})
    asked = shutil.which("dpkg-query")
    if asked is None:
        return []
    return [name for name in names if not _is_installed(asked, name)]


def _is_installed(dpkg_query: str, name: str) -> bool:
    command = [dpkg_query, "--show", "--showformat=${db:Status-Status}", name]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout == "installed"


def skips(clients: Sequence[Client]) -> Iterator[str]:
    """Say which clients and transports are skipped here, and why."""
    for client in clients:
        if client.manifest.unproved:
            continue
        if reason := not_installed(client.manifest.needs):
            yield f"{client.language}: {reason}"
            continue
        for transport in client.manifest.transports:
            if reason := why_not(client, transport):
                yield f"{client.language} over {SPOKEN[transport]}: {reason}"


GENERATING: Final = ("generate", "check")
FETCHING: Final[dict[str, Work]] = {"generate": generate, "check": check, "build": build}
"""What fetches first what it needs."""
BUILT: Final = ("test", "example", "conformance")
"""What takes a client that has been built."""

LISTING: Final[dict[str, Callable[[Sequence[Client]], Iterable[str]]]] = {"packages": missing_packages, "skips": skips}
"""What runs nothing, and prints a line each."""

COMMANDS: Final = (*FETCHING, *BUILT, *LISTING)


def conformance(clients: Sequence[Client]) -> tuple[Tally, list[Row]]:
    """Run the conformance program of each, and make the rows of the matrix."""
    rows: dict[str, list[Row]] = {}

    def work(client: Client) -> str:
        rows[client.language] = made = list(run_client(client))
        wrong = [problem for row in made for problem in row.problems]
        failed = added(count for row in made for count in row.counts.values()).failed
        return "; ".join(filter(None, (f"{failed} scenarios failed" if failed else "", *wrong)))

    tally = for_each(clients, work)
    for client in clients:
        language = client.language
        if language not in rows:
            rows[language] = list(rows_of(client, client.manifest.unproved or tally.skipped[language]))
        elif language in tally.passed:
            tally.skipped |= {f"{language} over {row.transport}": row.not_run for row in rows[language] if row.not_run}
    return tally, [row for client in clients for row in rows[client.language]]


def show_in(page: Path, rows: Sequence[Row], *, is_whole: bool, is_written: bool) -> str:
    """Write the matrix into a page, or hold the one that it has against that of a run; say what is wrong."""
    parts = parts_of(read_manifest())
    try:
        if is_written:
            write(table(rows, parts), page)
            print(f"Written into {page.name}.")
            return ""
        found = changes(written(page.read_text("utf-8")), rows, parts, is_whole=is_whole)
    except (OSError, ValueError) as error:
        return str(error)
    for line in found:
        print(line)
    return "its matrix is not what this run gives: make conformance ARGS=--write, and commit it" if found else ""


# --- the command line ------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None, folder: Path = CLIENTS) -> int:
    """Do what is asked for; the exit code is 1 where something failed, 2 where an argument or client.toml is wrong."""
    chosen = _parser().parse_intermixed_args(arguments)
    if problem := _contradiction(chosen):
        print(f"{problem}.", file=sys.stderr)
        return 2
    try:
        clients = read_clients(chosen.languages, folder)
    except ManifestError as error:
        print(error, file=sys.stderr)
        return 2
    is_required = os.environ.get(REQUIRED) == "required"
    if chosen.command in LISTING:
        print("\n".join(LISTING[chosen.command](clients)))
        return 0
    works: dict[str, Work] = {"test": test, "example": example}
    works |= {name: work if chosen.prepared else prepared(work) for name, work in FETCHING.items()}
    if chosen.command in BUILT and not chosen.built:
        built = for_each(clients, works["build"])
        if built.failed:
            print(f"No {chosen.command} of any client, since not all could be built.")
            return built.code(is_required=is_required)
    if chosen.command in works:
        tally = for_each(clients, works[chosen.command], is_generating=chosen.command in GENERATING)
        return tally.code(is_required=is_required)
    tally, rows = conformance(clients)
    print(f"\n{table(rows, parts_of(read_manifest()))}\n", flush=True)
    page = folder.parent / README.name
    if tally.failed:
        print(f"{page.name}: neither compared nor written, since something failed.")
    elif problem := show_in(page, rows, is_whole=not chosen.languages, is_written=chosen.write):
        tally.failed[page.name] = problem
    return tally.code(is_required=is_required)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m scripts.clients", description=__doc__)
    # Left out, it is asked for below: argparse would ask for a language too, and none is needed.
    parser.add_argument("command", nargs="?", choices=COMMANDS)
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help="folders of clients/; none: all of them")
    parser.add_argument("--prepared", action="store_true", help="do not fetch first what is generated with or compiled")
    parser.add_argument("--built", action="store_true", help="do not build first what is tested or run")
    parser.add_argument("--write", action="store_true", help="put the matrix of a conformance run into README.md")
    return parser


def _contradiction(chosen: argparse.Namespace) -> str:
    """Say which options do not go with the command, or that there is none, before anything is run."""
    if chosen.command is None:
        return f"Give a command: {', '.join(COMMANDS)}"
    if chosen.write and chosen.command != "conformance":
        return f"--write is for 'conformance', whose matrix it writes, and does nothing with '{chosen.command}'"
    if chosen.write and chosen.languages:
        return "--write takes the whole matrix: choose no languages with it"
    if chosen.built and chosen.command not in BUILT:
        return f"--built is for {', '.join(BUILT)}, which build first, and does nothing with '{chosen.command}'"
    if chosen.built and chosen.prepared:
        return "--prepared is about building, and --built leaves that out: give one of them"
    return ""


def _end_in_order(number: int, _frame: object) -> None:
    """End as after an error, so that what was started ends too: the commands are in sessions of their own."""
    sys.exit(128 + number)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _end_in_order)
    sys.exit(main())
