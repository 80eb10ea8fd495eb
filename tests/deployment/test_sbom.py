"""The bill of materials lists the lock and nothing else."""

import json
import re

import pytest

from scripts import sbom

LOCK = sbom.LOCK.read_text("utf-8")


def test_it_lists_exactly_the_lock() -> None:
    """Every package of the lock with its version and all its hashes, beside our own; read here without the script."""
    locked: dict[str, set[str]] = {}
    name = ""
    for line in LOCK.splitlines():
        if pin := re.match(r"([\w.-]+)==(\S+)", line):
            name = f"{pin[1]}@{pin[2]}"
            locked[name] = set()
        if found := re.search(r"--hash=sha256:(\w+)", line):
            locked[name].add(found[1])
    assert locked
    assert all(locked.values())
    bill = json.loads(sbom.write())
    listed = {f"{each['name']}@{each['version']}": each for each in bill["components"]}
    assert len(listed) == len(bill["components"])
    assert set(listed) - {"burraco@0.1.0"} == set(locked)
    for name, hashes in locked.items():
        assert {each["content"] for each in listed[name]["hashes"]} == hashes
        assert {each["alg"] for each in listed[name]["hashes"]} == {"SHA-256"}
        assert listed[name]["purl"] == f"pkg:pypi/{name}"
    assert bill["metadata"]["component"]["name"] == "burraco-service"
    stands_on = {each["ref"]: each.get("dependsOn", []) for each in bill["dependencies"]}
    assert len(stands_on[bill["metadata"]["component"]["bom-ref"]]) == len(listed)


def test_the_same_lock_gives_the_same_bytes() -> None:
    """Two bills of one lock do not differ, and name no place that packages come from."""
    assert sbom.write() == sbom.write()
    assert "://" not in sbom.write().replace("http://cyclonedx.org/schema/", "")


@pytest.mark.parametrize(
    "line",
    [
        "grpcio>=1.85 --hash=sha256:" + "0" * 64,
        "grpcio==1.85.3",
        "grpcio==1.85.3 --hash=md5:" + "0" * 32,
        "grpcio==1.85.3 --hash=sha256:" + "0" * 64 + " --hash=sha512:" + "0" * 128,
        "-r other.txt",
    ],
)
def test_a_line_that_pins_nothing_is_refused(line: str) -> None:
    """What the bill could only half tell stops it."""
    with pytest.raises(ValueError, match=r"lock|Expected"):
        sbom.read_lock(line)


def test_markers_are_kept() -> None:
    """Where a package is installed is told; a lock's line may go over several."""
    text = "# made\ncffi==2.1 ; platform_system != 'X' \\\n    --hash=sha256:" + "a" * 64 + "\n    # via cryptography\n"
    assert sbom.read_lock(text) == (sbom.Locked("cffi", "2.1", 'platform_system != "X"', ("a" * 64,)),)
