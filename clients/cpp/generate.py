# ruff: noqa: INP001, S603 - a script that stands alone, and runs the buf beside its Python
"""Write protos.binpb, from which a build makes its C++ code: the contract with its comments, without the HTTP options.

C++ code of protobuf fits the one version of the library that it was made for, so none is committed: each build makes
its own with the protoc beside its library, from this one file.
"""

import subprocess
import sys
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
OUT = HERE / "protos.binpb"
LEFT_OUT = "google/api/"
"""How RPCs look as JSON over HTTP, which is nothing to a client."""


def main() -> None:
    """Run from the command line, with the Python that has buf beside it."""
    command = [str(Path(sys.executable).with_name("buf")), "build", "--as-file-descriptor-set", "--output", "-"]
    paths = ["--path", "protos/burraco", "--path", "third_party/google/rpc"]
    made = subprocess.run([*command, *paths], cwd=REPOSITORY, check=True, stdout=subprocess.PIPE)
    protos = FileDescriptorSet.FromString(made.stdout)
    files = [file for file in protos.file if not file.name.startswith(LEFT_OUT)]
    for file in files:
        file.dependency[:] = [name for name in file.dependency if not name.startswith(LEFT_OUT)]
        for method in (method for service in file.service for method in service.method):
            method.ClearField("options")
    OUT.write_bytes(FileDescriptorSet(file=files).SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
