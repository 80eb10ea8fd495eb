"""What grpc-gateway's generator makes of the protos: paths and schemas, with the comments."""

import json
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
PLUGIN: Final = "protoc-gen-openapiv3"
SOURCE: Final = "burraco/v1/game_service.proto"
Document = dict[str, Any]


def plugin_path() -> Path:
    """Where `make openapi` puts the generator."""
    return Path(sys.executable).with_name(PLUGIN)


def generate(root: Path = ROOT) -> Document:
    """Run the generator on the service's proto."""
    protos = root / "protos"
    # The generator is one for Go, and asks for the Go package of each file, which comes into nothing that it writes.
    names = [path.relative_to(protos).as_posix() for path in sorted((protos / "burraco/v1").glob("*.proto"))]
    packages = ",".join([*(f"M{name}=contract/v1" for name in names), "Mgoogle/rpc/status.proto=contract/status"])
    includes = (protos, root / "third_party", files("grpc_tools") / "_proto")
    with tempfile.TemporaryDirectory() as scratch:
        command = [
            *(sys.executable, "-m", "grpc_tools.protoc", *(f"-I{folder}" for folder in includes)),
            *(
                f"--plugin={PLUGIN}={plugin_path()}",
                f"--openapiv3_out={scratch}",
                f"--openapiv3_opt={packages}",
                SOURCE,
            ),
        ]
        if subprocess.run(command, check=False).returncode:
            sys.exit("The generator failed: it says above why.")
        (made,) = Path(scratch).rglob("*.json")
        document: Document = json.loads(made.read_text("utf-8"))
        return document
