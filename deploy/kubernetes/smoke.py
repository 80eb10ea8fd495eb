"""Asks the pod that `podman play kube` runs, and ends it: `make kube-smoke`."""

import json
import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Final

from deploy.image.calls import check_stranger, first_moves, wait_serving
from deploy.image.smoke import LOOK, Engine, check_confinement

ADDRESS: Final = "127.0.0.1:50961"  # of overlays/smoke
METRICS: Final = "http://127.0.0.1:50962/metrics"
CONTAINER: Final = "burraco-pod-0-burraco"
MEMORY: Final = 256 << 20  # bytes, of the Deployment
SCRATCH: Final = ["/tmp", "/var/tmp", "/run"]  # noqa: S108 - what podman lays over a read-only root, and Kubernetes does not


def main() -> None:
    """Ask, look, end, report."""
    podman = Engine("podman")
    try:
        wait_serving(ADDRESS)
        revision = first_moves(ADDRESS, Path(sys.argv[1]).read_text("ascii").strip())
        check_stranger(ADDRESS)
        check_metrics()
        check_confinement(json.loads(podman("exec", CONTAINER, "/opt/venv/bin/python", "-c", LOOK)), MEMORY, SCRATCH)
        began = time.monotonic()
        podman("stop", "--time", "30", CONTAINER)  # as a kubelet does; after a bare signal podman would restart it
        code = podman("inspect", "--format", "{{.State.ExitCode}}", CONTAINER)
        ended = time.monotonic() - began
    except BaseException:
        print(subprocess.run(["podman", "logs", CONTAINER], capture_output=True, text=True, check=False).stderr)  # noqa: S607
        raise
    if code != "0":
        raise AssertionError(f"on SIGTERM the pod ended with {code} after {ended:.1f} s")
    print(f"The pod of overlays/smoke ran a match's first moves to revision {revision}, with keys from its secret.")
    print("read-only, user 10001, no capabilities, no new privileges, 256 MiB: as manifested, said by the kernel")
    print(f"SIGTERM: exit code 0 after {ended:.1f} s, of which 5 s are BURRACO_DRAIN_SECONDS")


def check_metrics() -> None:
    """The pod tells Prometheus of the calls that it has answered."""
    with urllib.request.urlopen(METRICS, timeout=10) as response:
        series = response.read().decode()
    if not re.search(r'^burraco_calls_total\{code="OK",method="ApplyMoves"\} [1-9]', series, re.MULTILINE):
        raise AssertionError(f"no call of ApplyMoves in {METRICS}: {series}")


if __name__ == "__main__":
    main()
