"""Run as a module: the server's process around a game whose GetRules is as slow as BURRACO_TEST_SECONDS says."""

import os
import sys
import time

from burraco.v1 import game_service_pb2 as pb
from service.api.call import Call
from service.server.main import run
from tests.server.stub import StubGame


def slow(_request: object, _call: Call) -> pb.GetRulesResponse:
    sys.stdout.write("working\n")
    sys.stdout.flush()
    time.sleep(float(os.environ["BURRACO_TEST_SECONDS"]))
    return pb.GetRulesResponse()


def refuse_children(event: str, _arguments: object) -> None:
    # A child made beside gRPC's threads can hang for ever, so a server never makes one.
    if event in {"os.fork", "os.forkpty", "os.posix_spawn", "os.system", "subprocess.Popen"}:
        sys.stderr.write(f"the server tried {event}\n")
        os._exit(99)


if __name__ == "__main__":
    sys.addaudithook(refuse_children)
    sys.exit(run(lambda _settings: StubGame(slow)))
