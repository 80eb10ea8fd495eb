"""client.toml: what it may say, and what is said of one that is wrong."""

from pathlib import Path
from typing import Any

import pytest

from scripts.clients.manifest import ManifestError, read_client, read_clients
from tests.clients.harness.folders import make_client, whole


def test_a_whole_one_is_read(tmp_path: Path) -> None:
    """Lists become commands, and one command may stand for a list of them."""
    folder = make_client(tmp_path, "some", whole(needs=["go"], test=["go", "test", "./..."]))
    client = read_client(folder)
    assert (client.language, client.name) == ("some", "Some")
    assert client.manifest.needs == ("go",)
    assert client.manifest.test == (("go", "test", "./..."),)
    assert client.manifest.prepare == ()


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"name": None}, "name: Field required"),
        ({"build": [["go", 1]]}, r"build\[0\]\[1\]: Input should be a valid string"),
        ({"build": [[]]}, r"build\[0\]: Tuple should have at least 1 item"),
        ({"generate": "./generate.sh"}, "generate: Input should be a valid tuple"),
        ({"generated": ["../other"]}, r"generated\[0\]: has to lie inside the client's folder"),
        ({"generated": ["/tmp"]}, r"generated\[0\]: has to lie inside"),
        ({"generated": []}, "'generate' and 'generated' go together"),
        ({"transports": ["http"]}, r"transports\[0\]: Input should be 'grpc' or 'grpc-web'"),
        ({"transports": ["grpc", "grpc"]}, "names one twice"),
        ({"transports": None}, "transports missing; a client that is not run here says why in 'unproved'"),
        ({"example": None, "conformance": None}, "example, conformance missing"),
        ({"transport_needs": {"grpc-web": ["chromium"]}}, "names grpc-web, which 'transports' has not"),
        ({"unproved": "no compiler"}, "there is build, test, example, conformance, transports"),
        ({"debian": ["--purge"]}, r"debian\[0\]: String should match pattern"),
        ({"tests": []}, "tests: Extra inputs are not permitted"),
    ],
)
def test_a_wrong_one_is_refused(tmp_path: Path, fields: dict[str, Any], told: str) -> None:
    """What is wrong is said, with the file and the place in it."""
    folder = make_client(tmp_path, "some", whole(**fields))
    with pytest.raises(ManifestError, match=told) as caught:
        read_client(folder)
    assert str(caught.value).startswith(f"{folder / 'client.toml'}: ")


def test_a_client_that_is_not_run_says_why(tmp_path: Path) -> None:
    """It may have generated code, and need have nothing else."""
    proved = dict.fromkeys(("build", "test", "example", "conformance", "transports"))
    for fields in ({}, {"generate": None, "generated": None}):
        folder = make_client(tmp_path, f"some{len(fields)}", whole(**proved, **fields, unproved="no compiler"))
        assert read_client(folder).manifest.unproved == "no compiler"


def test_no_toml_and_no_file(tmp_path: Path) -> None:
    """A file that is no TOML, and a client without a file, are said to be that; all of them at once."""
    make_client(tmp_path, "b", whole())
    (make_client(tmp_path, "a", whole()) / "client.toml").write_text("name =", "utf-8")
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "README.md").touch()
    (tmp_path / "left-over").mkdir()
    with pytest.raises(ManifestError) as caught:
        read_clients(clients=tmp_path)
    first, second = str(caught.value).splitlines()
    assert first.startswith(f"{tmp_path / 'a' / 'client.toml'}: no TOML: ")
    assert second == f"{tmp_path / 'c' / 'client.toml'}: missing; docs/clients.md says what it has to have"


def test_languages_are_chosen(tmp_path: Path) -> None:
    """Those that are named, in the order in which they are; one that is not there is an error that names the others."""
    for language in ("a", "b", "c"):
        make_client(tmp_path, language, whole())
    assert [client.language for client in read_clients(["c", "a", "c"], tmp_path)] == ["c", "a"]
    assert [client.language for client in read_clients([], tmp_path)] == ["a", "b", "c"]
    with pytest.raises(ManifestError, match=r"There is no client d; there are a, b, c\."):
        read_clients(["d"], tmp_path)


def test_the_clients_of_this_repository_are_whole() -> None:
    """Each has a file that can be read, a README, and generated code that is there."""
    clients = read_clients()
    assert "python" in [client.language for client in clients]
    for client in clients:
        assert (client.folder / "README.md").exists(), client.language
        for pattern in client.manifest.generated:
            assert any(client.folder.glob(pattern)), f"{client.language}: {pattern}"
