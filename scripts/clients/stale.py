"""Whether committed code is what the protos give: it is generated in a copy of the repository, and compared."""

import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import unified_diff
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final

from scripts.clients.manifest import Client
from scripts.clients.running import CommandError

LONGEST_DIFF: Final = 40
"""Lines of the differences that are shown of a client."""
LEFT_OUT: Final = ("tests/", "docs/", "bench/")
"""What no generator reads."""
USELESS: Final = "__pycache__"


@contextmanager
def copy_of_the_repository(root: Path) -> Iterator[Path]:
    """Copy all that git knows or would take, with the ignored folders of clients (dependencies, caches) as links."""
    with TemporaryDirectory(prefix="burraco-clients-") as scratch:
        copy = Path(scratch) / "repository"
        for name in _git_lists(root, "--cached", "--others", "--exclude-standard"):
            source, target = root / name, copy / name
            if name.startswith(LEFT_OUT) or not source.is_file():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
        for name in _git_lists(root, "--others", "--ignored", "--exclude-standard", "--directory", "--", "clients"):
            target = copy / name
            if USELESS not in PurePosixPath(name).parts and not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.symlink_to(root / name)
        yield copy


def _git_lists(root: Path, *options: str) -> list[str]:
    command = ["git", "ls-files", "-z", *options]
    wanted = f"{root} has to be a checkout of git, which says what belongs to it"
    try:
        listed = subprocess.run(command, cwd=root, capture_output=True, check=False)
    except OSError as error:
        raise CommandError(f"{wanted}: git: {error.strerror}") from None
    if listed.returncode:
        raise CommandError(f"{wanted}: {' '.join(listed.stderr.decode(errors='replace').split())}")
    return sorted({name.rstrip("/") for name in listed.stdout.decode().split("\0") if name})


def clear(client: Client, folder: Path) -> None:
    """Remove what is generated from a copied folder, so that what nothing generates any more is found."""
    for name in _files(folder, client.manifest.generated):
        (folder / name).unlink()


def differences(client: Client, fresh: Path) -> list[str]:
    """Say how the committed code of a client differs from that of its copied folder, in lines."""
    patterns, found = client.manifest.generated, list[str]()
    committed, made = _files(client.folder, patterns), _files(fresh, patterns)
    for pattern in patterns:
        if not _files(fresh, [pattern]):
            found.append(f"{pattern}: nothing is generated there")
    for name in sorted(committed | made):
        if name not in made:
            found.append(f"{name}: is not generated any more")
        elif name not in committed:
            found.append(f"{name}: missing")
        else:
            found += _difference(name, client.folder / name, fresh / name)
    return found


def _files(folder: Path, patterns: Iterable[str]) -> set[str]:
    """Every file that a pattern names, or that lies below a folder that it names, relative to the client's folder."""
    named = (path for pattern in patterns for path in folder.glob(pattern))
    files = (file for path in named for file in ([path] if path.is_file() else path.rglob("*")))
    return {file.relative_to(folder).as_posix() for file in files if file.is_file() and USELESS not in file.parts}


def _difference(name: str, committed: Path, fresh: Path) -> list[str]:
    old, new = committed.read_bytes(), fresh.read_bytes()
    if old == new:
        return []
    try:
        before, after = old.decode("utf-8").splitlines(), new.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        return [f"{name}: differs"]
    diff = unified_diff(before, after, f"{name} (committed)", f"{name} (from the protos)", lineterm="", n=1)
    return list(diff) or [f"{name}: differs in its ends of lines"]
