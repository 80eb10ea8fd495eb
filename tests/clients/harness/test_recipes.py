"""The recipes for languages that are not compiled here: buf takes them, and generators would get the whole contract."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
import yaml

from scripts.clients.manifest import ROOT, Client, read_clients
from scripts.clients.running import environment

RECIPES: Final = [client for client in read_clients() if client.manifest.unproved]
CONTRACT: Final = {path.relative_to(ROOT / "protos").as_posix() for path in ROOT.glob("protos/burraco/v1/*.proto")}
DETAILS: Final = {"google/rpc/status.proto", "google/rpc/error_details.proto"}


def stand_in(folder: Path, name: str) -> None:
    """Put a program of that name into a folder, which notes what it is asked for."""
    plugin = Path(__file__).with_name("plugin.py")
    program = folder / name
    program.write_text(f'#!/bin/sh\nSTAND_IN={name} exec "{sys.executable}" "{plugin}" "$@"\n', "utf-8")
    program.chmod(0o755)


@pytest.mark.parametrize("client", RECIPES, ids=lambda client: client.language)
def test_each_generator_gets_the_contract_and_nothing_else(client: Client, tmp_path: Path) -> None:
    """Both services, all messages and the details of errors; no options of JSON over HTTP, which no client needs."""
    recipe = yaml.safe_load((client.folder / "buf.gen.yaml").read_text("utf-8"))
    programs = ["protoc" if "protoc_builtin" in each else each["local"] for each in recipe["plugins"]]
    (tools := tmp_path / "tools").mkdir()
    for program in programs:
        stand_in(tools, program)
    buf = Path(sys.executable).with_name("buf")
    made = environment() | {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    command = [str(buf), "generate", "--output", str(tmp_path)]
    ran = subprocess.run(command, cwd=client.folder, env=made, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    for program, plugin in zip(programs, recipe["plugins"], strict=True):
        out = tmp_path / plugin["out"] / program
        written = {path.relative_to(out).as_posix().removesuffix(".txt"): path for path in out.rglob("*.txt")}
        assert written.keys() == CONTRACT | DETAILS
        given = {name for path in written.values() for name in path.read_text("utf-8").splitlines()}
        assert given >= CONTRACT | DETAILS
        assert not any(name.startswith("google/api/") for name in given)


def test_protoc_writes_the_messages_of_the_recipe_for_csharp(tmp_path: Path) -> None:
    """The half of it whose generator is protoc itself. That of grpcio-tools has none for C#: it takes a whole one."""
    if shutil.which("protoc") is None:
        pytest.skip("protoc is not installed (Debian: apt-get install protobuf-compiler)")
    (client,) = (each for each in RECIPES if each.language == "csharp")
    (tools := tmp_path / "tools").mkdir()
    stand_in(tools, "grpc_csharp_plugin")
    made = environment() | {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    command = [str(Path(sys.executable).with_name("buf")), "generate", "--output", str(tmp_path)]
    ran = subprocess.run(command, cwd=client.folder, env=made, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    written = {path.stem: path.read_text("utf-8") for path in (tmp_path / "Generated").glob("*.cs")}
    stems = (Path(name).stem for name in CONTRACT | DETAILS)
    assert written.keys() == {"".join(word.capitalize() for word in stem.split("_")) for stem in stems}
    assert "public sealed partial class ApplyMovesRequest" in written["GameService"]


@pytest.mark.parametrize("client", RECIPES, ids=lambda client: client.language)
def test_a_recipe_says_that_it_is_one(client: Client) -> None:
    """Nobody takes it for a client that was run; nothing generated lies in its folder."""
    text = (client.folder / "README.md").read_text("utf-8")
    assert "**This is a recipe. It was not compiled or run**" in text
    assert {path.name for path in client.folder.iterdir()} == {"README.md", "buf.gen.yaml", "client.toml"}
    assert "keeps no state" in text.replace("\n", " ")
