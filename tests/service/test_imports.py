"""Imports go one way: `rules` <- `wire` <- `api` <- `server`; the demo sees the client alone."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

ROOT: Final = Path(__file__).parents[2]
SERVICE: Final = ROOT / "service"
LAYERS: Final = ("rules", "notation", "text", "cli", "wire", "api", "server", "demo")

PURE: Final = frozenset(
    ("collections", "dataclasses", "enum", "functools", "hashlib", "itertools", "math", "operator", "typing")
)
"""Of the standard library: what has no clock, no file, no network, no environment and no chance."""
OF_TEXTS: Final = frozenset(("re", "unicodedata"))
"""What reading a text needs beside it, as pure."""
OF_CATALOGUES: Final = frozenset(("gettext", "importlib", "re"))
"""What the texts need beside it: their compiled catalogues are files of the package, read once and never changed."""

_BELOW_API = ("service.rules", "service.text", "service.wire")
ALLOWED: Final[dict[str, tuple[str, ...]]] = {
    "rules": ("service.rules",),
    "notation": ("service.rules", "service.notation"),
    "text": ("service.rules", "service.text"),
    "cli": ("service.rules", "service.notation", "service.text", "service.cli"),
    "wire": (*_BELOW_API, "burraco.v1", "google.protobuf", "cryptography"),
    "api": (*_BELOW_API, "service.api", "burraco.v1", "google.protobuf", "google.rpc", "grpc"),
    "server": (
        *("service.wire", "service.api", "service.server", "burraco.v1"),
        *("google.protobuf", "google.rpc", "grpc", "grpc_health", "grpc_reflection", "grpc_status"),
        *("cryptography", "pydantic", "pydantic_settings", "pygrpc_native", "structlog"),
        *("grpc_channelz", "opentelemetry", "prometheus_client"),
    ),
    "demo": ("service.demo", "burraco", "grpc", "rich"),
}
"""What each layer may import beside the standard library. Neither of them lists `tests`."""

IMPURE: Final = frozenset(
    ("asyncio", "datetime", "logging", "multiprocessing", "os", "pathlib", "random", "secrets", "socket", "subprocess")
) | {"sys", "threading", "time", "urllib", "uuid"}
"""Of the standard library: what a translation needs no more than the rules do."""


class Import(NamedTuple):
    """One import of a file."""

    file: Path
    line: int
    module: str

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line} imports {self.module}"


def imports_of(file: Path) -> Iterator[Import]:
    """Every import of a file, those inside functions included; dynamic ones are refused."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        match node:
            case ast.Import(names=names):
                for name in names:
                    yield Import(file, node.lineno, name.name)
            case ast.ImportFrom(module=module, names=names, level=level):
                assert level == 0, f"{file}:{node.lineno} imports relatively"
                assert module is not None
                for name in names:
                    yield Import(file, node.lineno, f"{module}.{name.name}")
            case ast.Name(id="__import__" | "import_module") | ast.Attribute(attr="import_module"):
                raise AssertionError(f"{file}:{node.lineno} imports what only its running tells")


def files_of(layer: str) -> list[Path]:
    return sorted(path for path in (SERVICE / layer).rglob("*.py") if not path.stem.endswith(("_pb2", "_pb2_grpc")))


def imports_of_layer(layer: str) -> list[Import]:
    return [found for file in files_of(layer) for found in imports_of(file)]


def is_below(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def is_of_standard_library(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def test_the_layers_are_all_there_is() -> None:
    """No package of the service escapes the tests below."""
    packages = {path.name for path in SERVICE.iterdir() if (path / "__init__.py").exists()}
    assert packages == set(LAYERS) == set(ALLOWED)
    assert {path.name for path in SERVICE.glob("*.py")} == {"__init__.py", "__main__.py"}
    assert all(files_of(layer) for layer in LAYERS)


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_imports_what_lies_below_it(layer: str) -> None:
    """Beside the standard library a layer imports its own list and nothing else."""
    wrong = [
        str(found)
        for found in imports_of_layer(layer)
        if not is_of_standard_library(found.module)
        and not any(is_below(found.module, package) for package in ALLOWED[layer])
    ]
    assert not wrong


@pytest.mark.parametrize("layer", ["rules", "notation", "text"])
def test_the_rules_are_pure(layer: str) -> None:
    """No clock, chance, file, environment, log or network: the same arguments always give the same answer."""
    pure = PURE | {"notation": OF_TEXTS, "text": OF_CATALOGUES}.get(layer, frozenset())
    wrong = [
        str(found)
        for found in imports_of_layer(layer)
        if is_of_standard_library(found.module) and found.module.partition(".")[0] not in pure
    ]
    assert not wrong


def test_the_wire_reads_no_clock_and_throws_no_dice() -> None:
    """Translating and sealing are functions of their arguments too."""
    wrong = [str(found) for found in imports_of_layer("wire") if found.module.partition(".")[0] in IMPURE]
    assert not wrong


def test_the_api_keeps_to_status_codes() -> None:
    """Of gRPC the servicers use the status codes; the transport is the server's."""
    for file in files_of("api"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "grpc":
                assert node.attr == "StatusCode", f"{file}:{node.lineno} uses grpc.{node.attr}"


@pytest.mark.parametrize("name", ["open", "input", "eval", "exec", "compile", "globals", "print"])
def test_the_rules_call_nothing_of_the_world(name: str) -> None:
    """Nor do the rules reach the world through what needs no import."""
    for file in files_of("rules"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id
            assert called != name, f"{file}:{getattr(node, 'lineno', 0)} calls {name}"


def test_the_client_knows_nothing_of_the_service() -> None:
    """The client package stands alone, and so do its examples and its conformance runner."""
    files = sorted(
        path for path in (ROOT / "clients/python").rglob("*.py") if not path.stem.endswith(("_pb2", "_pb2_grpc"))
    )
    assert {path.parent.name for path in files} >= {"burraco", "aio", "burraco_conformance", "examples", "back_end"}
    wrong = [
        str(found)
        for file in files
        for found in imports_of(file)
        if any(is_below(found.module, name) for name in ("service", "tests"))
    ]
    assert not wrong


def test_a_wrong_import_is_found(tmp_path: Path) -> None:
    """The measure itself: imports at every place are seen."""
    file = tmp_path / "wrong.py"
    file.write_text("import os.path\ndef f():\n    from service.wire import sealing\n", "utf-8")
    assert [(found.line, found.module) for found in imports_of(file)] == [(1, "os.path"), (3, "service.wire.sealing")]
    file.write_text("import importlib\nimportlib.import_module('os')\n", "utf-8")
    with pytest.raises(AssertionError, match="only its running tells"):
        list(imports_of(file))
