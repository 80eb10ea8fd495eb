"""Stands in for kubectl where a page's lines are run: it keeps one Secret in a file and notes what the pods would have.

It knows the subcommands of docs/kubernetes.md with the options that stand there, and refuses any other.
"""

import base64
import json
import os
import sys
from pathlib import Path
from typing import Final

STORE: Final = Path(os.environ["STAND_IN_STORE"])
GET: Final = ["-n", "burraco", "get", "secret", "burraco-keys", "-o"]
CREATE: Final = ["-n", "burraco", "create", "secret", "generic", "burraco-keys", "--from-file=keys"]
DRY: Final = ["--dry-run=client", "-o", "yaml"]
REPLACE: Final = ["-n", "burraco", "replace", "-f", "-"]
RESTART: Final = ["-n", "burraco", "rollout", "restart", "deployment/burraco"]
STATUS: Final = ["-n", "burraco", "rollout", "status", "deployment/burraco", "--timeout=10m"]


def main(words: list[str]) -> None:
    """Do what one line asks for."""
    secret = STORE / "secret.json"
    if words[:-1] == GET:
        key = words[-1].removeprefix("jsonpath={.data.").removesuffix("}")
        sys.stdout.write(json.loads(secret.read_text("utf-8"))[key])
    elif words == CREATE and not secret.exists():
        secret.write_text(encoded(), "utf-8")
    elif words == CREATE + DRY:
        sys.stdout.write(encoded())
    elif words == REPLACE and secret.exists():
        secret.write_text(sys.stdin.read(), "utf-8")
    elif words == RESTART:
        rollouts = len(list(STORE.glob("rollout-*.json")))
        (STORE / f"rollout-{rollouts}.json").write_text(secret.read_text("utf-8"), "utf-8")
    elif words != STATUS:
        raise SystemExit(f"the stand-in for kubectl does not know: {words}")


def encoded() -> str:
    """The folder of keys as the data of a Secret."""
    files = {file.name: base64.b64encode(file.read_bytes()).decode("ascii") for file in Path("keys").iterdir()}
    return json.dumps(files)


if __name__ == "__main__":
    main(sys.argv[1:])
