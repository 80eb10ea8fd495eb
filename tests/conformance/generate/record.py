"""Plays every scenario on a server and lays out the files."""

from collections.abc import Iterable, Mapping
from typing import Final

from service.wire.sealing import Sealer
from tests.conformance.generate.keys import ENVIRONMENT, METADATA, SEALING_KEY
from tests.conformance.generate.layout import pretty
from tests.conformance.generate.scenarios import SCENARIOS
from tests.conformance.generate.script import Script
from tests.conformance.server import fresh_server

VERSION: Final = "1.3.0"
"""Of the vectors: see README.md for what a change of each number means."""

FORMAT: Final = 1
"""Of the files: a runner refuses one that it does not know."""


def record_all(names: Iterable[str] = ()) -> Mapping[str, str]:
    """Play scenarios (none named: all) and give the text of each file, by path."""
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "contract": "burraco.v1",
        "warning": "These keys are public. Never start a server for real matches with any of them.",
        "environment": ENVIRONMENT,
        "metadata": METADATA,
    }
    texts, files = {}, []
    with fresh_server(manifest) as channels:
        for name in list(names) or sorted(SCENARIOS):
            chosen = SCENARIOS[name]
            script = Script(chosen.about, chosen.needs, channels, METADATA, Sealer(SEALING_KEY))
            chosen.play(script)
            path = f"vectors/{name}.json"
            texts[path] = pretty(script.scenario())
            files.append({"path": path, "steps": len(script.steps)})
    if not names:
        texts["manifest.json"] = pretty(manifest | {"files": files})
    return texts
