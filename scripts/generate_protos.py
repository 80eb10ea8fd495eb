"""Generate what is made of the protos, Python code and Envoy's descriptors, or check that what is committed is that.

Run by `make protos` and `make protos-check`, in the environment that holds grpcio-tools and mypy-protobuf.
"""

import argparse
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from difflib import unified_diff
from importlib.resources import files
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROTOS = ROOT / "protos"
THIRD_PARTY = ROOT / "third_party"
WELL_KNOWN_TYPES = files("grpc_tools") / "_proto"
GENERATED = ("*_pb2.py", "*_pb2.pyi", "*_pb2_grpc.py", "*_pb2_grpc.pyi")
SERVICE = re.compile(r"^service \w+", re.MULTILINE)
LONGEST_DIFF = 40
DESCRIPTORS = Path("deploy/envoy/burraco.binpb")
"""What Envoy makes JSON with: the game's messages and the details of errors. The arbiter is not among them."""
DESCRIBED = ("burraco/v1/game_service.proto", "google/rpc/error_details.proto")


@dataclass(frozen=True)
class Package:
    """A folder of protos and where its Python code goes."""

    folder: str
    """Proto package as a path, under protos/ and under the output root alike."""
    out: str
    """Output root, relative to the repository."""
    outputs: tuple[str, ...]
    """protoc's generators."""


PACKAGES = (
    Package("burraco/v1", "clients/python", ("python", "grpc_python", "mypy", "mypy_grpc")),
    # What the service stores inside a sealed state: private, so it has no client and no RPC.
    Package("service/wire/storage/v1", ".", ("python", "mypy")),
    # How the server reads the messages of a stream: private too.
    Package("service/wire/streaming/v1", ".", ("python", "mypy")),
)


def plugin(name: str) -> str:
    """Name the protoc plugin of this interpreter's own environment, as protoc wants it."""
    found = shutil.which(name, path=sysconfig.get_path("scripts"))
    if found is None:
        sys.exit(f"{name} is not installed beside {sys.executable}; run this with `make protos`.")
    return f"--plugin={name}={found}"


def generate(package: Package, root: Path) -> list[Path]:
    """Write the package's code under `root`, and return the paths, relative to it."""
    sources = sorted((PROTOS / package.folder).glob("*.proto"))
    if not sources:
        return []
    out = root / package.out
    (out / package.folder).mkdir(parents=True, exist_ok=True)
    for old in generated_files(package, root):
        (root / old).unlink()
    arguments = [
        *(plugin(f"protoc-gen-{name}") for name in package.outputs if name.startswith("mypy")),
        *(f"--{name}_out={'quiet:' if name.startswith('mypy') else ''}{out}" for name in package.outputs),
        *(str(source) for source in sources),
    ]
    protoc(*arguments)
    for source in sources:
        if not SERVICE.search(source.read_text(encoding="utf-8")):
            # protoc writes an empty module for these.
            for suffix in (".py", ".pyi"):
                (out / package.folder / f"{source.stem}_pb2_grpc{suffix}").unlink(missing_ok=True)
    return generated_files(package, root)


def describe(out: Path) -> None:
    """Write the descriptor set, everything that it imports included."""
    out.parent.mkdir(parents=True, exist_ok=True)
    protoc("--include_imports", f"--descriptor_set_out={out}", *DESCRIBED)


def protoc(*arguments: str) -> None:
    """Run protoc on the protos; it says itself what is wrong with one."""
    includes = (f"-I{folder}" for folder in (PROTOS, THIRD_PARTY, WELL_KNOWN_TYPES))
    command = [sys.executable, "-m", "grpc_tools.protoc", *includes, *arguments]
    if subprocess.run(command, check=False).returncode:
        sys.exit("protoc failed.")


def generated_files(package: Package, root: Path) -> list[Path]:
    """List the generated files of the package under `root`, relative to it."""
    folder = root / package.out / package.folder
    return sorted(path.relative_to(root) for pattern in GENERATED for path in folder.glob(pattern))


def difference(name: Path, fresh: Path, committed: Path) -> str:
    """Say how a committed file differs from a fresh one; nothing if it doesn't."""
    if not fresh.exists():
        return f"{name}: no proto gives this file any more\n"
    if not committed.exists():
        return f"{name}: missing\n"
    new, old = (path.read_text(encoding="utf-8").splitlines(keepends=True) for path in (fresh, committed))
    lines = list(unified_diff(old, new, f"{name} (committed)", f"{name} (from the protos)", n=1))
    return "".join(lines[:LONGEST_DIFF])


def check(package: Package) -> list[str]:
    """Say what in the repository is not what the protos give."""
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch)
        names = sorted({*generate(package, fresh), *generated_files(package, ROOT)})
        return [text for name in names if (text := difference(name, fresh / name, ROOT / name))]


def check_descriptors() -> list[str]:
    """Say whether the committed descriptor set is not what the protos give."""
    with tempfile.TemporaryDirectory() as scratch:
        fresh, committed = Path(scratch) / DESCRIPTORS.name, ROOT / DESCRIPTORS
        describe(fresh)
        if committed.exists() and committed.read_bytes() == fresh.read_bytes():
            return []
    return [f"{DESCRIPTORS}: not what the protos give\n"]


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if the committed code is stale")
    parser.add_argument("--package", choices=[each.folder for each in PACKAGES], help="this one alone, no descriptors")
    arguments = parser.parse_args()
    packages = [each for each in PACKAGES if arguments.package in {None, each.folder}]
    if arguments.check:
        stale = [text for package in packages for text in check(package)]
        stale += [] if arguments.package else check_descriptors()
        if stale:
            sys.stdout.write("".join(stale))
            sys.exit(f"{len(stale)} generated file(s) are stale: run `make protos` and commit the result.")
        print("The generated code and descriptors are what the protos give.")
        return
    for package in packages:
        written = generate(package, ROOT)
        print(f"protos/{package.folder}: {len(written)} files under {package.out}")
    if arguments.package:
        return
    describe(ROOT / DESCRIPTORS)
    print(f"{DESCRIPTORS}: {(ROOT / DESCRIPTORS).stat().st_size} bytes")


if __name__ == "__main__":
    main()
