"""The two transports against each other: calls a second and CPU of the server a call, each in a process of its own."""

import base64
import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import grpc

from bench.rpc import requests
from bench.timing import ROUNDS
from service.wire.sealing import Sealer

CALLERS = 8
CALLS = 4000
KEY = bytes(32)
TRANSPORTS = ("grpcio", "native")


class Figures(NamedTuple):
    """What a transport came to, at its best."""

    calls_a_second: float
    cpu: float
    """Microseconds of the server, a call."""


@contextmanager
def server(transport: str) -> Iterator[tuple[int, int]]:
    """Start a server; its process and its port."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BURRACO_")}
    chosen = {
        "SEALING_KEY": base64.b64encode(KEY).decode(),
        "PORT": "0",
        "DRAIN_SECONDS": "0",
        "LOG_LEVEL": "error",
        "TRANSPORT": transport,
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "service"],
        env=kept | {f"BURRACO_{name}": value for name, value in chosen.items()},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield process.pid, json.loads(process.stdout.readline())["port"]
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def cpu_seconds(pid: int) -> float:
    """CPU time that a process has used, in user and system."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(method: str, payload: bytes, servers: dict[str, tuple[int, int]]) -> dict[str, Figures]:
    """Call one method of each server in turn, round after round, from connections of their own."""
    best = dict.fromkeys(servers, Figures(0.0, float("inf")))
    for _ in range(ROUNDS):
        for name, (pid, port) in servers.items():
            options = [("grpc.use_local_subchannel_pool", 1), ("grpc.enable_http_proxy", 0)]
            channels = [grpc.insecure_channel(f"127.0.0.1:{port}", options) for _ in range(CALLERS)]

            def work(channel: grpc.Channel) -> None:
                call: Any = channel.unary_unary(method)
                for _ in range(CALLS // CALLERS):
                    call(payload)

            with ThreadPoolExecutor(CALLERS) as threads:
                before, started = cpu_seconds(pid), time.perf_counter()
                list(threads.map(work, channels))
                seconds, cpu = time.perf_counter() - started, cpu_seconds(pid) - before
            best[name] = Figures(
                max(best[name].calls_a_second, CALLS / seconds), min(best[name].cpu, cpu / CALLS * 1e6)
            )
            for channel in channels:
                channel.close()
    return best


def main() -> None:
    """Print both transports' figures and their ratios, for a call that does next to nothing and for ApplyMoves."""
    if importlib.util.find_spec("pygrpc_native") is None:
        print("transports: not compared, as the package pygrpc-native is not installed (extra `native`)")
        return
    with server("grpcio") as one, server("native") as other:
        servers = dict(zip(TRANSPORTS, (one, other), strict=True))
        print(
            f"transports, {CALLERS} connections, {CALLS} calls a round; best of {ROUNDS} rounds; client beside server"
        )
        for method, payload in workload():
            figures = measure(method, payload, servers)
            for name, found in figures.items():
                print(f"{method:42} {name:7} {found.calls_a_second:7.0f} calls/s {found.cpu:6.0f} us CPU a call")
            grpcio, native = (figures[name] for name in TRANSPORTS)
            rate, cpu = native.calls_a_second / grpcio.calls_a_second, native.cpu / grpcio.cpu
            print(f"{method:42} native / grpcio: {rate:.2f} x the calls, {cpu:.2f} x the CPU")


def workload() -> Iterator[tuple[str, bytes]]:
    """Methods and requests: a call that does next to nothing, and a draw."""
    yield "/grpc.health.v1.Health/Check", b""
    yield "/burraco.v1.GameService/ApplyMoves", requests(Sealer(KEY))[0]


if __name__ == "__main__":
    main()
