"""The files of the vectors: where they are, and reading them."""

import json
from pathlib import Path
from typing import Final

from burraco_conformance.values import Json

FOLDER: Final = Path(__file__).parent
MANIFEST: Final = FOLDER / "manifest.json"


def read_manifest() -> Json:
    """What a server has to be started with, and the list of scenarios."""
    return json.loads(MANIFEST.read_text("utf-8"))


def read_scenario(path: str) -> Json:
    """One scenario, by its path in the manifest."""
    return json.loads((FOLDER / path).read_text("utf-8"))
