"""Runs the conformance program of every client against the real server, over each transport that it has."""

import sys
from collections.abc import Iterator, Sequence

from scripts.clients.manifest import Client, Transport
from scripts.clients.matrix import SPOKEN, Row
from scripts.clients.report import Report, parts_of, read_report
from scripts.clients.running import environment, not_installed, run, show, tell
from scripts.clients.servers import VECTORS, read_manifest, server, skippable, targets, unavailable


def rows_of(client: Client, reason: str) -> Iterator[Row]:
    """The rows of a client that is not run, with the reason."""
    transports: Sequence[Transport | None] = client.manifest.transports or (None,)
    for transport in transports:
        yield Row(client.name, transport, not_run=reason)


def why_not(client: Client, transport: Transport) -> str:
    """Say why a client cannot be run over a transport here; nothing if it can."""
    return not_installed(client.manifest.transport_needs.get(transport, ())) or unavailable(transport)


def run_client(client: Client) -> Iterator[Row]:
    """Run a client over each of its transports, with a server of its own for each."""
    for transport in client.manifest.transports:
        if reason := why_not(client, transport):
            print(f"{client.language}: conformance over {SPOKEN[transport]}: SKIPPED: {reason}", flush=True)
            yield Row(client.name, transport, not_run=reason)
        else:
            report = _report(client, transport)
            yield Row(client.name, transport, report.counts, problems=report.problems)


def _report(client: Client, transport: Transport) -> Report:
    command = client.manifest.conformance
    assert command is not None  # noqa: S101 - a client that is run has one, see the manifest
    with server() as made, targets(transport, made) as where:
        variables = environment(**where, VECTORS=str(VECTORS), TRANSPORT=transport)
        ended = run(command, client.folder, variables)
    report = read_report(ended.output, ended.code, parts_of(read_manifest()), skippable())
    tell(client, f"conformance over {SPOKEN[transport]}", command, ended)
    if report.problems and not ended.code:
        show(ended.output)
    for problem in report.problems:
        print(f"{client.language}: the run does not count: {problem}")
    sys.stdout.flush()
    return report
