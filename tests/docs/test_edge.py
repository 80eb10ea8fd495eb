"""The page on proxies says what the contract and the shipped files say."""

import re
from pathlib import Path
from typing import Any, Final

import yaml

from service.api.authority import EDGE_METADATA
from service.server.settings import PREFIX, Settings
from tests.edge.proxies import ENVOY_FILE, NGINX_FILE
from tests.edge.test_json import UNARY, path_of
from tests.edge.web import rule_of

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "edge.md").read_text("utf-8")
SHIPPED: Final[dict[str, Any]] = yaml.safe_load(ENVOY_FILE.read_text("utf-8"))


def test_the_paths_are_those_of_the_contract() -> None:
    """The table has every unary RPC, with its method and its path."""
    told = dict(re.findall(r"^\| `(\w+)` \| `((?:GET|POST) /v1/[\w:/]+)` \|$", PAGE, re.MULTILINE))
    assert told == {rpc.name: f"{rule_of(rpc).WhichOneof('pattern').upper()} {path_of(rpc)}" for rpc in UNARY}


def test_the_ports_are_those_of_the_shipped_files() -> None:
    """Each way in is where the page says."""
    ports = [each["address"]["socket_address"]["port_value"] for each in SHIPPED["static_resources"]["listeners"]]
    assert set(re.findall(r"\| (?:Envoy|nginx), `:(\d+)` \|", PAGE)) == {*map(str, ports), "8082"}
    assert "listen 8082 http2;" in NGINX_FILE.read_text("utf-8")


def test_settings_metadata_and_links_exist() -> None:
    """What the page names is there."""
    for variable in re.findall(r"BURRACO_\w+", PAGE):
        assert variable.removeprefix(PREFIX).lower() in Settings.model_fields
    assert f"`{EDGE_METADATA}: web`" in PAGE
    for file in re.findall(r"`((?:deploy|clients)/[\w./-]+)`", PAGE):
        assert (ROOT / file).exists()
