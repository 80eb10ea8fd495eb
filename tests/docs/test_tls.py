"""The page on TLS: its commands work, and what it names exists."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import grpc
import pytest

from burraco import connect
from burraco.v1 import game_service_pb2 as pb
from service.server import tls_reload
from service.server.settings import PREFIX, Settings
from tests.server.processes import REAL, Process

DOCS: Final = Path(__file__).parents[2] / "docs"
PAGE: Final = (DOCS / "tls.md").read_text("utf-8")
MAKING, SERVING, CALLING = re.findall(r"```(?:sh|python)\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="this machine has no openssl to make the page's files with")
def test_the_commands_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files made as the page says start a server as it says, which knows the page's client for a back end."""
    subprocess.run(["bash", "-euc", MAKING], cwd=tmp_path, check=True, capture_output=True)
    given = dict(re.findall(r"BURRACO_(\w+)=(\S+)", SERVING))
    settings = {
        name.lower(): str(tmp_path / value) if name.endswith("_FILE") else value for name, value in given.items()
    }
    with Process(REAL, {**settings, "port": "0"}) as process:
        monkeypatch.chdir(tmp_path)
        made: dict[str, Any] = {}
        exec(CALLING.replace("50051", str(process.port)), made)
        with made["client"] as client:
            assert client.call(client.stub.CommitSeed, pb.CommitSeedRequest()).sealed_seed
        credentials = grpc.ssl_channel_credentials((tmp_path / "ca.crt").read_bytes())
        with connect(f"localhost:{process.port}", credentials=credentials) as nobody, pytest.raises(TimeoutError):
            nobody.wait_ready(0.5)


def test_settings_and_events_exist() -> None:
    """What the page names is there, and every event of the reload is named."""
    for variable in re.findall(r"BURRACO_\w+", PAGE):
        assert variable.removeprefix(PREFIX).lower() in Settings.model_fields
    events = set(re.findall(r'log\.(?:info|warning)\(\s*"([^"]+)"', Path(tls_reload.__file__).read_text("utf-8")))
    assert events == set(re.findall(r"^\| `(tls [a-z ]+)` \|", PAGE, re.MULTILINE))


@pytest.mark.parametrize("page", ["tls.md", "upgrading.md", "arbiter.md", "settings.md"])
def test_links_lead_somewhere(page: str) -> None:
    """Every link to a page has one to lead to, and a heading where it names one."""
    for link, heading in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)", (DOCS / page).read_text("utf-8")):
        target = DOCS / (link or page)
        assert target.is_file(), link
        titles = re.findall(r"^#+ (.+)$", target.read_text("utf-8"), re.MULTILINE)
        assert not heading or heading in {title.lower().replace(" ", "-").replace("`", "") for title in titles}
