"""Soak: a million mixed calls against one server process, and what is left of it after them. `make soak`.

Legal, illegal and malformed calls of every RPC and preset, calls that are cancelled, calls whose deadline is too short,
and streams. Every answer is compared with what the same call was answered before. It exits with 1 when an answer
differs, a call ends as none may, the server counts a fault, or memory, threads or open files have grown.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import Any, Final

import grpc

from bench.serving import SERVICE, pin, quantile, server, status
from bench.soak_calls import ILLEGAL, LEGAL, MALFORMED, REFUSED, Asked, record
from burraco.v1 import game_service_pb2 as pb

CLIENTS: Final = 2
THREADS: Final = 2
CANCELLED, EXPIRED, STREAMED = "cancelled", "expired deadline", "streamed"
SHARES: Final = {LEGAL: 60, ILLEGAL: 15, MALFORMED: 12, CANCELLED: 4, EXPIRED: 4, STREAMED: 5}
"""Of a hundred calls. A message of a stream is a call."""
MESSAGES: Final = 25
DEADLINE: Final = 20.0
OK: Final = grpc.StatusCode.OK
ALLOWED: Final = {
    LEGAL: frozenset((OK,)),
    ILLEGAL: frozenset((OK,)),
    MALFORMED: REFUSED | {OK},
    CANCELLED: frozenset((OK, grpc.StatusCode.CANCELLED)),
    EXPIRED: frozenset((OK, grpc.StatusCode.DEADLINE_EXCEEDED)),
    STREAMED: frozenset((OK, grpc.StatusCode.CANCELLED)),
}
GROWTH_MEGABYTES: Final = 4.0
"""In the second half of the calls. In the first the caches of the rules fill, which have an end."""


class Tally:
    """How calls ended."""

    def __init__(self) -> None:
        self.codes: dict[str, Counter[str]] = defaultdict(Counter)
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.wrong: list[str] = []

    def note(self, kind: str, code: grpc.StatusCode, seconds: float, *, details: str = "", wrong: str = "") -> None:
        """Take note of a call: how it ended, and what is wrong with an answer."""
        self.codes[kind][code.name] += 1
        self.seconds[kind].append(seconds)
        if code not in ALLOWED[kind]:
            wrong = f"{code.name} {details}"
        if wrong:
            self.wrong.append(f"{kind}: {wrong}"[:300])

    def add(self, codes: dict[str, dict[str, int]], seconds: dict[str, list[float]], wrong: list[str]) -> None:
        """Add what a client saw."""
        for kind, counts in codes.items():
            self.codes[kind].update(counts)
        for kind, values in seconds.items():
            self.seconds[kind].extend(values)
        self.wrong.extend(wrong)

    @property
    def calls(self) -> int:
        """All of them."""
        return sum(counts.total() for counts in self.codes.values())


# --- the clients -----------------------------------------------------------------------------------------------------


class Caller:
    """Makes one call after the other."""

    def __init__(self, address: str, asked: Sequence[Asked], seed: int) -> None:
        options = [("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0)]
        self._channel = grpc.insecure_channel(address, options)
        methods = {each.rpc for each in asked}
        self._methods: dict[str, Any] = {rpc: self._channel.unary_unary(SERVICE + rpc) for rpc in methods}
        self._stream: Any = self._channel.stream_stream(SERVICE + "StreamApplyMoves")
        self._asked = {kind: [each for each in asked if each.kind == kind] for kind in (LEGAL, ILLEGAL, MALFORMED)}
        self._valid = [*self._asked[LEGAL], *self._asked[ILLEGAL]]
        self._applied = [each for each in self._valid if each.rpc == "ApplyMoves"]
        self._chance = random.Random(seed)
        self.tally = Tally()

    def run(self, calls: int) -> None:
        """Make so many calls."""
        # A stream is MESSAGES calls, so it comes up as much more seldom.
        weights = {kind: share / (MESSAGES if kind == STREAMED else 1) for kind, share in SHARES.items()}
        kinds, chances = list(weights), list(weights.values())
        while self.tally.calls < calls:
            (kind,) = self._chance.choices(kinds, chances)
            if kind == STREAMED:
                self._send_stream()
            elif kind == CANCELLED:
                self._cancel()
            elif kind == EXPIRED:
                self._call(kind, self._chance.choice(self._valid), self._chance.random() * 0.002)
            else:
                self._call(kind, self._chance.choice(self._asked[kind]), DEADLINE)
        self._channel.close()

    def _call(self, kind: str, asked: Asked, timeout: float) -> None:
        began = time.perf_counter()
        try:
            answer = self._methods[asked.rpc](asked.payload, timeout=timeout)
        except grpc.RpcError as error:
            failed: Any = error
            self.tally.note(kind, failed.code(), time.perf_counter() - began, details=failed.details())
        else:
            self.tally.note(kind, OK, time.perf_counter() - began, wrong=_difference(asked, answer))

    def _cancel(self) -> None:
        asked, began = self._chance.choice(self._valid), time.perf_counter()
        future = self._methods[asked.rpc].future(asked.payload, timeout=DEADLINE)
        time.sleep(self._chance.random() * 0.002)
        future.cancel()
        self.tally.note(CANCELLED, future.code(), time.perf_counter() - began)

    def _send_stream(self) -> None:
        sent = self._chance.choices(self._applied, k=MESSAGES)
        breaks_off = self._chance.random() < 0.2
        began, answered = time.perf_counter(), 0
        call = self._stream(map(_message, sent), timeout=DEADLINE)
        try:
            for asked, answer in zip(sent, call, strict=not breaks_off):
                response = pb.StreamApplyMovesResponse.FromString(answer).response
                wrong = _difference(asked, response.SerializeToString())
                self.tally.note(STREAMED, OK, time.perf_counter() - began, wrong=wrong)
                began, answered = time.perf_counter(), answered + 1
                if breaks_off and answered > MESSAGES // 2:
                    call.cancel()
        except grpc.RpcError as error:
            failed: Any = error
            for _ in range(MESSAGES - answered):
                self.tally.note(STREAMED, failed.code(), time.perf_counter() - began, details=failed.details())


def _message(asked: Asked) -> bytes:
    return pb.StreamApplyMovesRequest(request=pb.ApplyMovesRequest.FromString(asked.payload)).SerializeToString()


def _difference(asked: Asked, answer: bytes) -> str:
    if asked.answer is None or asked.answer == answer:
        return ""
    return f"{asked.rpc} was answered otherwise than before: {asked.payload.hex()}"


def client(address: str, calls: int, number: int) -> None:
    """Be a client; print what was seen."""
    asked = record(address, number)
    callers = [Caller(address, asked, number * THREADS + at) for at in range(THREADS)]
    threads = [Thread(target=each.run, args=(calls // THREADS,)) for each in callers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tally = Tally()
    for each in callers:
        tally.add(dict(each.tally.codes), each.tally.seconds, each.tally.wrong)
    sys.stdout.write(json.dumps([tally.codes, tally.seconds, tally.wrong]))


# --- the server, from outside ----------------------------------------------------------------------------------------


class Watched:
    """What the system and the metrics tell of the server."""

    def __init__(self, pid: int, metrics_port: int) -> None:
        self._pid = pid
        self._process = Path(f"/proc/{pid}")
        self._metrics_port = metrics_port

    def megabytes(self) -> float:
        """Memory that is resident."""
        return status(self._pid, "VmRSS") / 1024

    def threads(self) -> int:
        """Threads of the process."""
        return status(self._pid, "Threads")

    def files(self) -> int:
        """Files and sockets that are open."""
        return len(list((self._process / "fd").iterdir()))

    def cpu_seconds(self) -> float:
        """Time on a processor so far."""
        fields = (self._process / "stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def faults(self) -> float:
        """Calls that failed by a fault of the service, as it counts them itself."""
        connection = HTTPConnection("127.0.0.1", self._metrics_port, timeout=DEADLINE)
        connection.request("GET", "/metrics")
        lines = connection.getresponse().read().decode().splitlines()
        connection.close()
        series = 'burraco_failures_total{reason="REASON_INTERNAL"} '
        return next(float(line.removeprefix(series)) for line in lines if line.startswith(series))


# --- the measurement -------------------------------------------------------------------------------------------------


def measure(calls: int) -> list[str]:
    """Measure and print; what is not as it has to be."""
    with server(BURRACO_METRICS_PORT="0") as (address, pid, announced):
        watched = Watched(pid, announced["metrics_port"])
        started, tally, marks = watched.megabytes(), Tally(), []
        began, cpu = time.perf_counter(), watched.cpu_seconds()
        for at in range(10):
            for part in _clients(address, calls // 10, seed=at * CLIENTS):
                tally.add(*part)
            marks.append((watched.megabytes(), watched.threads(), watched.files()))
            print(f"{tally.calls:>9} calls: {marks[-1][0]:.1f} MB, {marks[-1][1]} threads, {marks[-1][2]} files")
        seconds, cpu = time.perf_counter() - began, watched.cpu_seconds() - cpu
        faults = watched.faults()
    print(f"\n{tally.calls} calls in {seconds:.0f} s; CPU of the server {cpu / tally.calls * 1e6:.0f} us a call")
    print(f"memory: {started:.1f} MB after the start, {marks[4][0]:.1f} at half time, {marks[-1][0]:.1f} at the end\n")
    _print_table(tally)
    grown, threads, files = (last - first for first, last in zip(marks[4], marks[-1], strict=True))
    return [
        text
        for wrong, text in (
            (bool(tally.wrong), f"{len(tally.wrong)} calls ended as none may, first {tally.wrong[:3]}"),
            (tally.calls < calls * 0.99, f"only {tally.calls} calls were made"),
            (faults > 0, f"the server counted {faults:.0f} faults of its own"),
            (grown > GROWTH_MEGABYTES, f"memory grew by {grown:.1f} MB"),
            (threads > 0, f"{threads:.0f} more threads"),
            (files > 1, f"{files:.0f} more open files"),
        )
        if wrong
    ]


def _clients(address: str, calls: int, seed: int) -> Iterable[tuple[Any, Any, Any]]:
    command = [sys.executable, "-m", "bench.soak", "--client", address, str(calls // CLIENTS)]
    started = [subprocess.Popen([*command, str(seed + at)], stdout=subprocess.PIPE) for at in range(CLIENTS)]
    for each in started:
        pin(each.pid, server=False)
    for each in started:
        yield json.loads(each.communicate()[0])
        if each.returncode:
            sys.exit(f"a client ended with {each.returncode}")


def _print_table(tally: Tally) -> None:
    print("| calls | number | ended as | p50, ms | p99, ms |")
    print("| --- | --- | --- | --- | --- |")
    for kind in SHARES:
        counts, seconds = tally.codes[kind], tally.seconds[kind]
        codes = ", ".join(f"{name} {count:,}" for name, count in counts.most_common())
        middle, slow = quantile(seconds, 0.5) * 1e3, quantile(seconds, 0.99) * 1e3
        print(f"| {kind} | {counts.total():,} | {codes} | {middle:.2f} | {slow:.2f} |")


def main() -> None:
    """Run from the command line; the exit code is 1 when something is not as it has to be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1_000_000, help="how many, in all")
    parser.add_argument("--client", nargs=3, metavar=("ADDRESS", "CALLS", "NUMBER"), help="for itself")
    arguments = parser.parse_args()
    if arguments.client:
        address, calls, number = arguments.client
        client(address, int(calls), int(number))
        return
    problems = measure(arguments.calls)
    for problem in problems:
        print(f"MISSED: {problem}")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
