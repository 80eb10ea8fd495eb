"""Run as a module: the server's process around a game whose GetRules is as slow as BURRACO_TEST_SECONDS says.

Nothing of gRPC's server is loaded here before a process that serves loads it: a parent of several does not.
"""

import os
import sys
import time

from service.server.launch import launch
from service.server.worker import CHANNEL_VARIABLE

IS_WORKER = CHANNEL_VARIABLE in os.environ
IS_PARENT = not IS_WORKER and os.environ.get("BURRACO_PROCESSES", "1") != "1"


def slow(_request: object, _call: object) -> object:
    from burraco.v1 import game_service_pb2 as pb

    # With several processes, the standard output is the parent's alone.
    (sys.stderr if IS_WORKER else sys.stdout).write("working\n")
    sys.stdout.flush()
    time.sleep(float(os.environ["BURRACO_TEST_SECONDS"]))
    return pb.GetRulesResponse()


def compose(_settings: object) -> object:
    from tests.server.stub import StubGame

    return StubGame(slow)


def refuse_children(event: str, _arguments: object) -> None:
    # A child made beside gRPC's threads can hang for ever, so a server never makes one.
    if event in {"os.fork", "os.forkpty", "os.posix_spawn", "os.system", "subprocess.Popen"}:
        sys.stderr.write(f"the server tried {event}\n")
        os._exit(99)


def refuse_grpc_server(event: str, arguments: object) -> None:
    if event == "import" and isinstance(arguments, tuple) and arguments[0] == "service.server.server":
        sys.stderr.write("the parent loaded gRPC's server\n")
        os._exit(99)


if __name__ == "__main__":
    sys.addaudithook(refuse_grpc_server if IS_PARENT else refuse_children)
    sys.exit(launch(compose))  # type: ignore[arg-type]  # loaded late
