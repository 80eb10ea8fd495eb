"""Files with keys for a trial, laid out as the manifests mount them."""

import base64
import os
import secrets
from pathlib import Path


def write_keys(folder: Path) -> str:
    """Write the files sealing, opening and api; the API key in them.

    The user of the container is none of this machine, so the files are open to all, in a folder that is not.
    """
    folder.mkdir(parents=True, exist_ok=True)
    sealing = base64.b64encode(os.urandom(32)).decode("ascii")
    api = secrets.token_hex(32)
    for name, text in {"sealing": sealing, "opening": sealing, "api": api}.items():
        file = folder / name
        file.write_text(f"{text}\n", "ascii")
        file.chmod(0o444)
    folder.chmod(0o755)
    return api
