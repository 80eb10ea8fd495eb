"""Runs the image as production should, asks it over the wire, ends it, and reports figures: `make image`.

Read-only root without a scratch space, a user that is not root, no capabilities, no new privileges, little memory.
"""

import json
import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from deploy.image.calls import SECONDS, check_stranger, first_moves, wait_serving
from deploy.image.keys import write_keys

USER: Final = "10001"
MEMORY: Final = 128 << 20  # bytes
KEYS: Final = "/etc/burraco/keys"

# Run inside, by the image's own Python: what the kernel says of the server, and what can be written.
LOOK: Final = """
import json, os, pathlib
lines = pathlib.Path("/proc/1/status").read_text().splitlines()
status = dict(line.split(":\\t", 1) for line in lines if ":\\t" in line)
def limit():
    for name in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        if os.path.exists(name):
            return pathlib.Path(name).read_text().strip()
def written(folder):
    try:
        pathlib.Path(folder, "trial").write_text("")
    except OSError:
        return False
    return True
names = ("Uid", "Gid", "CapEff", "CapPrm", "CapBnd", "NoNewPrivs", "VmRSS", "VmHWM")
found = {name: status[name].strip() for name in names}
found["limit"] = limit()
found["written"] = [folder for folder in ("/", "/tmp", "/var/tmp", "/opt/venv", "/home", "/run") if written(folder)]
print(json.dumps(found))
"""


class Engine:
    """docker or podman, by the options that they share."""

    def __init__(self, command: str) -> None:
        self.command = command

    def __call__(self, *arguments: str, check: bool = True) -> str:
        """Run it; what it wrote to standard output. CalledProcessError with what it said when it fails."""
        ran = subprocess.run([self.command, *arguments], capture_output=True, text=True, timeout=120, check=False)
        if check and ran.returncode:
            print(ran.stdout, ran.stderr, sep="\n")
            ran.check_returncode()
        return ran.stdout.strip()

    @contextmanager
    def running(self, image: str, port: int, keys: Path) -> Iterator[str]:
        """Run the image on a port of loopback; the container's name. It is gone when the block ends."""
        name = f"burraco-smoke-{os.getpid()}"
        scratch = ["--read-only-tmpfs=false"] if self.command == "podman" else []
        settings = {
            "HOST": "127.0.0.1",
            "PORT": str(port),
            "SEALING_KEY_FILE": f"{KEYS}/sealing",
            "OPENING_KEYS_FILE": f"{KEYS}/opening",
            "API_KEYS_FILE": f"{KEYS}/api",
        }
        self(
            *("run", "--detach", "--name", name, "--network", "host", "--read-only", *scratch),
            *("--cap-drop", "all", "--security-opt", "no-new-privileges", "--memory", str(MEMORY), "--cpus", "1"),
            *("--volume", f"{keys}:{KEYS}:ro"),
            *(part for key, value in settings.items() for part in ("--env", f"BURRACO_{key}={value}")),
            image,
        )
        try:
            yield name
        except BaseException:
            print(subprocess.run([self.command, "logs", name], capture_output=True, text=True, check=False).stderr)
            raise
        finally:
            self("rm", "--force", name, check=False)


def check_confinement(found: dict[str, Any], memory: int, scratch: Sequence[str] = ()) -> None:
    """The server runs as it was asked to; AssertionError says what differs.

    `memory` is its limit in bytes, `scratch` the folders that may be written.
    """
    wanted = {
        "Uid": "\t".join([USER] * 4),
        "Gid": "\t".join([USER] * 4),
        "CapEff": "0" * 16,
        "CapPrm": "0" * 16,
        "CapBnd": "0" * 16,
        "NoNewPrivs": "1",
        "limit": str(memory),
    }
    wrong: dict[str, object] = {name: (found[name], value) for name, value in wanted.items() if found[name] != value}
    written = set(found["written"]) - set(scratch)
    if written:
        wrong["written"] = written
    if wrong:
        raise AssertionError(f"found and wanted differ: {wrong}")


def free_port() -> int:
    """A port of loopback that nobody has."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def main() -> None:
    """Run, ask, end, report."""
    engine, image = Engine(os.environ["ENGINE"]), os.environ["TAG"]
    port = free_port()
    address = f"127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        keys = Path(folder) / "keys"
        api_key = write_keys(keys)
        with engine.running(image, port, keys) as name:
            ready = wait_serving(address)
            revision = first_moves(address, api_key)
            check_stranger(address)
            found = json.loads(engine("exec", name, "/opt/venv/bin/python", "-c", LOOK))
            check_confinement(found, MEMORY)
            began = time.monotonic()
            engine("kill", "--signal", "TERM", name)
            code = engine("wait", name)
            ended = time.monotonic() - began
            if code != "0" or ended > SECONDS:
                raise AssertionError(f"on SIGTERM the server ended with {code} after {ended:.1f} s")
    size = int(engine("image", "inspect", "--format", "{{.Size}}", image))
    print(f"{image}: {size / 1e6:.0f} MB unpacked")
    print(f"SERVING {ready:.1f} s after the container was made; a match's first moves to revision {revision}")
    print("read-only, user 10001, no capabilities, no new privileges, 128 MiB: as asked, said by the kernel")
    print(f"memory of the server: {found['VmRSS']}, at most {found['VmHWM']}")
    print(f"SIGTERM: exit code 0 after {ended:.1f} s, of which 1 s is BURRACO_DRAIN_SECONDS")


if __name__ == "__main__":
    main()
