"""Overload: what callers see of a server that is offered three times what it can take. `make overload`.

One server process, clients in processes of their own, all on this machine: the clients take CPU from the server, so the
figures are ratios within one run. Each call is an ApplyMoves that shows the move to every viewer and lists the moves
that come next, which is dear enough for two client processes to offer far more than the server takes.
"""

import argparse
import itertools
import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from threading import Event, Semaphore, Thread
from typing import Any, Final, NamedTuple, Self

import grpc
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from bench.rpc import requests
from bench.serving import KEY, SERVICE, milliseconds, pin, quantile, server, status
from burraco.v1 import cards_pb2
from burraco.v1 import game_service_pb2 as pb
from service.wire.sealing import Sealer

CLIENTS: Final = 2
OVERLOAD: Final = 3
ORDINARY: Final = 0.6
"""Of what a server takes, what it is offered after the overload, at random."""
WARM_SECONDS: Final = 2.0
ALONE_CALLS: Final = 1500
IN_FLIGHT: Final = 4
"""Calls that each client keeps in flight to find what the server takes."""
PAUSE: Final = 0.005
DEADLINE: Final = 10.0
NOISE: Final = 3.0
"""How much slower than alone calls may still be in the second after the load, other work of the machine included."""


class Seen(NamedTuple):
    """What one client, or all of them, saw; times in seconds."""

    accepted: list[float]
    refused: list[float]
    others: list[str]
    seconds: float

    @property
    def rate(self) -> float:
        """Accepted calls a second."""
        return len(self.accepted) / self.seconds


def together(parts: Sequence[Seen]) -> Seen:
    """Add up what several clients saw."""
    return Seen(
        [each for part in parts for each in part.accepted],
        [each for part in parts for each in part.refused],
        [each for part in parts for each in part.others],
        max(part.seconds for part in parts),
    )


def payloads() -> list[bytes]:
    """The calls: everybody looks on, and the next moves are listed."""
    viewers = [*(cards_pb2.Viewer(seat=seat) for seat in range(4)), cards_pb2.Viewer(spectator=cards_pb2.Spectator())]
    made = []
    for payload in requests(Sealer(KEY)):
        request = pb.ApplyMovesRequest.FromString(payload)
        request.viewers.extend(viewers)
        request.list_legal_moves = True
        made.append(request.SerializeToString())
    return made


# --- the clients -----------------------------------------------------------------------------------------------------


class Caller:
    """Makes calls and notes how each ended, and after how long."""

    def __init__(self, address: str) -> None:
        self.channel = grpc.insecure_channel(
            address, [("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0)]
        )
        self._method: Any = self.channel.unary_unary(f"{SERVICE}ApplyMoves")
        self.seen = Seen([], [], [], 0.0)

    def call(self, payload: bytes) -> None:
        """Make a call and wait for it."""
        started = time.perf_counter()
        try:
            self._method(payload, timeout=DEADLINE)
        except grpc.RpcError as error:
            self._note(error, time.perf_counter() - started)
        else:
            self.seen.accepted.append(time.perf_counter() - started)

    def start(self, payload: bytes, room: Semaphore) -> None:
        """Make a call without waiting; it gives back its room when it ends."""
        started = time.perf_counter()
        future = self._method.future(payload, timeout=DEADLINE)

        def done(future: Any) -> None:  # noqa: ANN401 - grpc's future
            seconds = time.perf_counter() - started
            code = future.code()
            if code is grpc.StatusCode.OK:
                self.seen.accepted.append(seconds)
            elif code is grpc.StatusCode.RESOURCE_EXHAUSTED and random.random() < 0.98:
                self.seen.refused.append(seconds)  # a client that reads every status is too slow to offer enough
            else:
                self._note(future, seconds)
            room.release()

        future.add_done_callback(done)

    def _note(self, error: Any, seconds: float) -> None:  # noqa: ANN401 - a call that failed
        status = rpc_status.from_call(error)
        retry = error_details_pb2.RetryInfo()
        has_advice = status is not None and any(each.Unpack(retry) for each in status.details)
        if error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED and has_advice:
            self.seen.refused.append(seconds)
        else:
            self.seen.others.append(f"{error.code().name} {error.details()}")


def client(address: str, seconds: float, rate: float, in_flight: int) -> None:
    """Be a client: at random at a rate, or as fast as so many calls in flight allow; print what was seen."""
    caller, calls, room = Caller(address), payloads(), Semaphore(in_flight)
    caller.call(calls[0])
    caller.seen.accepted.clear()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    began, at, due = time.perf_counter(), 0, 0.0
    while (now := time.perf_counter() - began) < seconds:
        if due > now:
            time.sleep(min(due - now, 0.01))
            continue
        due += random.expovariate(rate) if rate else 0.0
        room.acquire()
        caller.start(calls[at % len(calls)], room)
        at += 1
    for _ in range(in_flight):
        room.acquire()
    seen = caller.seen._replace(seconds=time.perf_counter() - began)
    sys.stdout.write(json.dumps(seen) + "\n")


def load(address: str, seconds: float, rate: float, in_flight: int, clients: int = CLIENTS) -> Iterator[Seen]:
    """Let clients make calls; yields once when they have begun, and what they saw when they are done."""
    command = [sys.executable, "-m", "bench.overload", "--client", address, str(seconds), str(rate / clients)]
    started = [
        subprocess.Popen([*command, str(in_flight)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(clients)
    ]
    for each in started:
        assert each.stdout
        assert each.stdout.readline() == "ready\n"
    for each in started:
        assert each.stdin
        each.stdin.write("go\n")
        each.stdin.flush()
    yield Seen([], [], [], 0.0)
    yield together([Seen(*json.loads(each.communicate()[0])) for each in started])


# --- the server ------------------------------------------------------------------------------------------------------


def alone(address: str, calls: int = ALONE_CALLS, seconds: float = 1e9) -> Seen:
    """One call after the other, from this process."""
    caller, made = Caller(address), payloads()
    for payload in made[:100] if calls == ALONE_CALLS else ():
        caller.call(payload)
    caller.seen.accepted.clear()
    began = time.perf_counter()
    for at in range(calls):
        if time.perf_counter() - began > seconds:
            break
        caller.call(made[at % len(made)])
    caller.channel.close()
    return caller.seen._replace(seconds=time.perf_counter() - began)


class Witness:
    """Asks for health, and makes calls, again and again on a connection of its own, as somebody else's client would.

    What it sees of the server is not blurred by the load that a client makes on itself.
    """

    def __init__(self, address: str) -> None:
        self.health: list[float] = []
        self.health_failures: list[str] = []
        self.caller = Caller(address)
        self._payloads = payloads()
        self._stop = Event()
        self._thread = Thread(target=self._ask, args=(address,))

    def _ask(self, address: str) -> None:
        with grpc.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
            stub: Any = health_pb2_grpc.HealthStub(channel)
            for payload in itertools.cycle(self._payloads):
                if self._stop.wait(PAUSE):
                    return
                self.caller.call(payload)
                began = time.perf_counter()
                try:
                    stub.Check(health_pb2.HealthCheckRequest(), timeout=1.0)
                    self.health.append(time.perf_counter() - began)
                except grpc.RpcError as error:
                    self.health_failures.append(str(error))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


# --- the measurement -------------------------------------------------------------------------------------------------


def measure(seconds: float) -> list[str]:
    """Measure and print; what is not as it has to be."""
    with server() as (address, pid, _):
        pin(0, server=False)
        before = alone(address)
        print(f"alone, one call at a time      {before.rate:7.0f}/s   {milliseconds(before.accepted)}")
        *_, full = load(address, seconds, 0, IN_FLIGHT)
        print(f"full, {CLIENTS * IN_FLIGHT} calls in flight         {full.rate:7.0f}/s   {milliseconds(full.accepted)}")
        memory = status(pid, "VmRSS")
        offered = OVERLOAD * full.rate
        with Witness(address) as witness:
            *_, over = load(address, seconds, offered, 4000)
        ended = time.perf_counter()
        after = alone(address, seconds=1.0)
        *_, later = load(address, seconds / 2, ORDINARY * full.rate, 4000)
        grown = status(pid, "VmRSS") - memory
        made = (len(over.accepted) + len(over.refused) + len(over.others)) / over.seconds
        print(f"{OVERLOAD} x full, offered {offered:.0f}/s, made {made:.0f}/s")
        others, seen = over.others + witness.caller.seen.others, witness.caller.seen
        print(f"  accepted                     {over.rate:7.0f}/s   {milliseconds(over.accepted)}")
        print(
            f"  refused with RetryInfo       {len(over.refused) / over.seconds:7.0f}/s   {milliseconds(over.refused)}"
        )
        print(f"  other failures               {len(others):7}     {sorted(set(others))[:3]}")
        print(f"  a witness: accepted          {len(seen.accepted):7}     {milliseconds(seen.accepted)}")
        print(f"  a witness: refused           {len(seen.refused):7}     {milliseconds(seen.refused)}")
        print(f"  a witness: health            {len(witness.health):7}     {milliseconds(witness.health)}")
        print(f"the second after               {after.rate:7.0f}/s   {milliseconds(after.accepted)}")
        print(f"then at {ORDINARY:.0%} of full            {later.rate:7.0f}/s   {milliseconds(later.accepted)}")
        print(f"memory: {memory // 1024} MB before, {grown / 1024:+.1f} MB after; {time.perf_counter() - ended:.1f} s")
    p99 = quantile(before.accepted, 0.99)
    return [
        text
        for wrong, text in (
            (made < 0.9 * offered, f"the clients made {made:.0f} of {offered:.0f} calls a second"),
            (not over.refused, "nothing was refused: the server was not overloaded"),
            (bool(others or full.others), "calls failed otherwise than by a refusal with RetryInfo"),
            (quantile(seen.accepted, 0.99) > 5 * p99, "accepted calls: p99 is above 5 x that of a call alone"),
            (quantile(seen.refused, 0.99) > 5 * p99, "refusals: p99 is above 5 x that of a call alone"),
            (over.rate < 0.5 * full.rate, "less than half of what the server takes was accepted"),
            (bool(witness.health_failures), f"health failed: {witness.health_failures[:1]}"),
            (grown > 16 * 1024, "memory grew by more than 16 MB"),
            (bool(after.refused or after.others), "calls failed in the second after the load"),
            (bool(later.refused or later.others), f"{len(later.refused)} calls were refused at {ORDINARY:.0%} of full"),
            (quantile(after.accepted, 0.5) > NOISE * quantile(before.accepted, 0.5), "slow in the second after"),
        )
        if wrong
    ]


def main() -> None:
    """Run from the command line; the exit code is 1 when a ratio is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each load lasts")
    parser.add_argument("--client", nargs=4, metavar=("ADDRESS", "SECONDS", "RATE", "IN_FLIGHT"), help="for itself")
    arguments = parser.parse_args()
    if arguments.client:
        address, seconds, rate, in_flight = arguments.client
        client(address, float(seconds), float(rate), int(in_flight))
        return
    problems = measure(arguments.seconds)
    for problem in problems:
        print(f"MISSED: {problem}")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
