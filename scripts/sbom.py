"""Writes what the image installs as a CycloneDX bill of materials, from the lock file alone: `make sbom`.

A package's hashes are those that the lock allows, one for each file that there is of it. The same lock gives the same
bytes. Neither an index nor a network is asked, so licences are not told.
"""

import argparse
import json
import re
import sys
import tomllib
import uuid
from pathlib import Path
from typing import Any, Final, NamedTuple

from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL
from packaging.requirements import Requirement

ROOT: Final = Path(__file__).parents[1]
LOCK: Final = ROOT / "requirements" / "runtime.txt"
OURS: Final = ("pyproject.toml", "clients/python/pyproject.toml")
_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})(?=\s|$)")


class Locked(NamedTuple):
    """A package of the lock file."""

    name: str
    version: str
    marker: str  # where it is installed; empty for everywhere
    hashes: tuple[str, ...]  # SHA-256 of each file that may be installed, in hexadecimal


def read_lock(text: str) -> tuple[Locked, ...]:
    """Read a lock file as `make lock` writes it; ValueError for a line that does not pin a version with its hashes."""
    joined = re.sub(r"\\\n", " ", text)
    lines = [line for line in joined.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return tuple(map(_read_line, lines))


def _read_line(line: str) -> Locked:
    words = line.split(" --", 1)[0]
    hashes = tuple(_HASH.findall(line))
    wanted = Requirement(words.strip())
    pins = list(wanted.specifier)
    if len(pins) != 1 or pins[0].operator != "==" or not hashes or line.count("--") != len(hashes):
        raise ValueError(f"the lock does not pin one version with its hashes in {words!r}: run `make lock`.")
    return Locked(wanted.name, pins[0].version, str(wanted.marker or ""), hashes)


def bill(lock: tuple[Locked, ...], projects: tuple[dict[str, Any], ...]) -> Bom:
    """Make the bill of the first project, which stands on the others and on all that is locked."""
    service, *others = (_ours(project) for project in projects)
    packages = [_package(locked) for locked in lock]
    bom = Bom(metadata=BomMetaData(component=service), components=[*others, *packages])
    bom.metadata.timestamp = None  # type: ignore[assignment] # the same lock gives the same bytes
    bom.register_dependency(service, [*others, *packages])
    content = "\n".join([str(service.purl), *map(str, lock)])
    bom.serial_number = uuid.uuid5(uuid.NAMESPACE_URL, content)
    return bom


def _ours(project: dict[str, Any]) -> Component:
    name, version = project["name"], project["version"]
    return Component(
        type=ComponentType.APPLICATION if name.endswith("-service") else ComponentType.LIBRARY,
        name=name,
        version=version,
        bom_ref=f"{name}@{version}",
        licenses=[LicenseExpression(project["license"])],
    )


def _package(locked: Locked) -> Component:
    purl = PackageURL("pypi", name=locked.name, version=locked.version)
    return Component(
        type=ComponentType.LIBRARY,
        name=locked.name,
        version=locked.version,
        bom_ref=str(purl),
        purl=purl,
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=content) for content in locked.hashes],
        properties=[Property(name="burraco:marker", value=locked.marker)] if locked.marker else [],
    )


def write() -> str:
    """Return the bill as JSON that the schema of CycloneDX 1.6 allows."""
    projects = tuple(tomllib.loads((ROOT / path).read_text("utf-8"))["project"] for path in OURS)
    text = JsonV1Dot6(bill(read_lock(LOCK.read_text("utf-8")), projects)).output_as_string(indent=2)
    error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if error is not None:
        raise ValueError(f"the bill is not what CycloneDX 1.6 allows: {error}")
    return f"{text}\n"


def main() -> None:
    """Write it to the file named, or to standard output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path)
    file = parser.parse_args().file
    text = write()
    if file is None:
        sys.stdout.write(text)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    print(f"{file}: {len(json.loads(text)['components'])} packages")


if __name__ == "__main__":
    main()
