"""Replicas that are killed, stopped and started again under load; run as a module, it prints the table of docs/edge.md.

Each caller is a thread with a client of its own, the shipped one with its service config, and plays one match after
another. What they got is compared with what the service answers where nothing is ever lost.
"""

import argparse
import itertools
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from google.protobuf.message import Message

from burraco.channel import Client, connect
from burraco.errors import RulesError
from tests.edge.matches import Played, play, undisturbed
from tests.edge.proxies import envoy, nginx
from tests.edge.replicas import API_KEY, LOOPBACK, SECONDS, Replica, replicas, wait_until

REPLICAS: Final = 3
SEEDS: Final = 8
"""So many matches, which are played again and again."""
PAUSE_SECONDS: Final = 0.5
"""Load between two blows."""
DRAIN_SECONDS: Final = "1.0"
Door = Callable[[Sequence[int]], Any]


@contextmanager
def every_address(ports: Sequence[int]) -> Iterator[str]:
    """No proxy: the client itself goes round all replicas."""
    yield "ipv4:" + ",".join(f"{LOOPBACK}:{port}" for port in ports)


@contextmanager
def through_envoy(ports: Sequence[int]) -> Iterator[str]:
    """Envoy, as shipped."""
    with envoy(ports) as proxy:
        yield f"{LOOPBACK}:{proxy.back_end}"


@contextmanager
def through_nginx(ports: Sequence[int]) -> Iterator[str]:
    """Nginx, as shipped."""
    with nginx(ports) as port:
        yield f"{LOOPBACK}:{port}"


DOORS: Final[dict[str, Door]] = {
    "client-side round robin": every_address,
    "Envoy": through_envoy,
    "nginx": through_nginx,
}


@dataclass
class Load:
    """What the callers saw."""

    target: str
    timeout: float
    over: threading.Event = field(default_factory=threading.Event)
    played: list[Played] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    """How long each call took, retries included."""
    _seeds: Iterator[int] = field(default_factory=lambda: itertools.cycle(range(SEEDS)))

    def call(self) -> None:
        """Play matches until it is over; the one begun last is played to its end. Run by each caller's thread."""
        options = [("grpc.enable_http_proxy", 0), ("grpc.use_local_subchannel_pool", 1)]
        with connect(self.target, api_key=API_KEY, timeout=self.timeout, options=options) as client:
            while not self.over.is_set():
                seed = next(self._seeds)
                try:
                    self.played.append(play(self._asking(client), seed))
                except Exception as error:  # noqa: BLE001 - whatever it was, it is a call that failed
                    self.failures.append(f"match {seed}: {error} {getattr(error, '__notes__', '')}")

    def _asking(self, client: Client) -> Callable[[str, Message], Any]:
        def ask(rpc: str, request: Message) -> Any:  # noqa: ANN401 - the answer of any RPC
            began = time.perf_counter()
            try:
                return client.call(getattr(client.stub, rpc), request)
            except RulesError as error:
                error.add_note(f"{rpc} after {time.perf_counter() - began:.3f} s")
                raise
            finally:
                self.seconds.append(time.perf_counter() - began)

        return ask


@dataclass(frozen=True)
class Outcome:
    """How it went."""

    calls: int
    matches: int
    failures: list[str]
    wrong_answers: int
    other_results: int
    """Matches whose result or final state is not that of the same match where nothing is lost."""
    blows: Counter[str]
    median_ms: float
    slowest_ms: float
    shares: list[int]
    """Calls that each replica answered."""


def disturb(replica: Replica, number: signal.Signals) -> None:
    """End a replica under load, start it again, and wait until it answers calls again."""
    time.sleep(PAUSE_SECONDS)
    answered = replica.calls()
    wait_until("the replica has calls to lose", lambda: replica.calls() > answered)
    code = replica.stop(number)
    # One that is asked to stop answers what it has begun; one that is killed has no time to.
    assert code == (0 if number == signal.SIGTERM else -number), f"exit code {code}"
    time.sleep(PAUSE_SECONDS)
    answered = replica.calls()
    replica.start()
    wait_until("the replica is called again", lambda: replica.calls() > answered)


def run(door: str, *, callers: int, rounds: int = 1, timeout: float = 3.0) -> Outcome:
    """Let callers play while replicas are lost, one after the other."""
    blows: Counter[str] = Counter()
    with replicas(REPLICAS, DRAIN_SECONDS=DRAIN_SECONDS) as made, DOORS[door]([each.port for each in made]) as target:
        load = Load(target, timeout)
        threads = [threading.Thread(target=load.call, daemon=True) for _ in range(callers)]
        for thread in threads:
            thread.start()
        try:
            for number in range(rounds):
                for signal_, offset in ((signal.SIGKILL, 0), (signal.SIGTERM, 1)):
                    disturb(made[(number + offset) % REPLICAS], signal_)
                    blows[signal_.name] += 1
            time.sleep(PAUSE_SECONDS)
        finally:
            load.over.set()
            for thread in threads:
                thread.join(SECONDS)
        assert not any(thread.is_alive() for thread in threads), "a caller hangs"
        shares = [each.calls() for each in made]
    return _judge(load, blows, shares)


def _judge(load: Load, blows: Counter[str], shares: list[int]) -> Outcome:
    wrong = other = 0
    for match in load.played:
        right = undisturbed(match.seed)
        pairs = itertools.zip_longest(match.answers, right.answers)
        wrong += sum(got != expected for got, expected in pairs)
        other += (match.result, match.state) != (right.result, right.state)
    times = sorted(load.seconds)
    return Outcome(
        calls=len(times),
        matches=len(load.played),
        failures=load.failures,
        wrong_answers=wrong,
        other_results=other,
        blows=blows,
        median_ms=times[len(times) // 2] * 1000,
        slowest_ms=times[-1] * 1000,
        shares=shares,
    )


def main() -> int:
    """Run all of them at full size; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10, help="times that one is killed and one is stopped")
    parser.add_argument("--callers", type=int, default=12)
    arguments = parser.parse_args()
    print(
        "| way in | kill -9 | SIGTERM | calls | failed | wrong answers | matches | other results | median | slowest |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    bad = 0
    for door in DOORS:
        seen = run(door, callers=arguments.callers, rounds=arguments.rounds)
        print(
            f"| {door} | {seen.blows['SIGKILL']} | {seen.blows['SIGTERM']} | {seen.calls:,} | {len(seen.failures)} "
            f"| {seen.wrong_answers} | {seen.matches:,} | {seen.other_results} | {seen.median_ms:.0f} ms "
            f"| {seen.slowest_ms:.0f} ms |",
            flush=True,
        )
        for failure in seen.failures[:10]:
            print(f"  {failure}", file=sys.stderr)
        bad += len(seen.failures) + seen.wrong_answers + seen.other_results
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
