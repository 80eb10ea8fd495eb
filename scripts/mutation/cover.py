"""Which tests run which lines of the rules, and how long each takes: what chooses the tests of a mutant."""

import ast
import functools
import gc
import hashlib
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias, TypedDict

import coverage
import pytest

from scripts.mutation.mutants import ROOT, RULES, Mutant, parse

TESTS: Final = (
    *("tests/rules", "tests/gin", "tests/rummy", "tests/variants", "tests/oracle", "tests/laws", "tests/games"),
    *("tests/fairness", "tests/wire", "tests/docs"),
)
"""Tests that ask the rules within one process, without a server or threads."""

PYTEST: Final = (
    *("-qq", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "timeout=0"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # what is loaded before pytest looks at its plugins
)
"""pytest's arguments: the time of a test is limited by who runs it (see `trial`)."""

Cache: TypeAlias = "functools._lru_cache_wrapper[object]"  # noqa: SLF001 # it has no other name

DURING_IMPORT: Final = -1
"""Stands for a test where the imports and the collection of the tests run a line."""


class Map(NamedTuple):
    """What was recorded."""

    tests: list[str]
    """Their node ids."""
    seconds: list[float]
    lines: dict[str, dict[int, set[int]]]
    """File, line: indices of tests, or DURING_IMPORT."""

    def running(self, file: str, first: int, last: int) -> frozenset[int]:
        """Tests that run a line of a span."""
        lines = self.lines.get(file, {})
        return frozenset().union(*(lines.get(line, ()) for line in range(first, last + 1)))

    def within(self, file: str) -> frozenset[int]:
        """Tests that run a line of a file."""
        return frozenset().union(*self.lines.get(file, {}).values())

    def at_import(self, mutant: Mutant) -> bool:
        """Whether a mutant has to be there when the modules are imported, since what it changes runs then."""
        return not mutant.function or DURING_IMPORT in self.running(mutant.file, *mutant.body)

    def choose(self, mutant: Mutant) -> list[int]:
        """Tests that may notice a mutant, the quickest first."""
        if mutant.function:
            found = self.running(mutant.file, *mutant.lines)
        else:
            found = frozenset().union(*(self.within(file) for file in (mutant.file, *importers(mutant.file))))
        if DURING_IMPORT in found and mutant.function:
            found |= frozenset().union(*(self.within(file) for file in (mutant.file, *importers(mutant.file))))
        return sorted(found - {DURING_IMPORT}, key=lambda test: (self.seconds[test], test))


@functools.cache
def importers(file: str) -> tuple[str, ...]:
    """Files of the rules that import a file."""
    name = module_name(file)
    found = []
    for path in sorted(RULES.rglob("*.py")):
        other = str(path.relative_to(ROOT))
        imports = (node.module for node in ast.walk(parse(other)) if isinstance(node, ast.ImportFrom))
        if name in imports:
            found.append(other)
    return tuple(found)


def module_name(file: str) -> str:
    """Name of the module of a file."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


# --- recording --------------------------------------------------------------------------------------------------------


class Recorder:
    """A plugin of pytest that tells coverage which test runs."""

    def __init__(self, cover: coverage.Coverage) -> None:
        self.cover = cover
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []
        self.caches: list[Cache] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Note the lines and the time of a test, which finds nothing remembered by those before it."""
        self.caches = self.caches or caches()
        for cache in self.caches:
            cache.cache_clear()
        self.cover.switch_context(item.nodeid)
        began = time.process_time()
        result = yield
        self.seconds[item.nodeid] = round(time.process_time() - began, 4)
        self.cover.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that fails without any mutant."""
        if report.failed:
            self.failed.append(report.nodeid)


def caches() -> list[Cache]:
    """Find every remembered function of the service and the tests."""
    kind = type(importers)
    wrappers = [found for found in gc.get_objects() if isinstance(found, kind)]
    return [found for found in wrappers if found.__module__.startswith(("service.", "tests."))]


class OfFile(TypedDict):
    """What was recorded of one file of tests."""

    digest: str
    seconds: dict[str, float]
    """By node id."""
    lines: dict[str, dict[str, list[str]]]
    """File of the rules, line: node ids."""


class Recorded(NamedTuple):
    """The record as it is stored. A changed file of tests is recorded anew alone; any other change asks for all."""

    shared: str = ""
    """Digest of the service and of what the tests share."""
    files: dict[str, OfFile] = {}  # noqa: RUF012 # never changed
    at_import: dict[str, list[int]] = {}  # noqa: RUF012 # never changed
    """File of the rules, lines that run while modules are imported and tests are collected."""


def record(path: Path) -> None:
    """Run the tests whose lines are not known, and write the record; to be called in a process of its own."""
    shared, files = _shared_digest(), _test_files()
    old = _read(path)
    if old.shared != shared:
        old = Recorded(shared)
    known = {file: old.files[file] for file in files if _is_known(file, old)}
    asked = [file for file in files if file not in known]
    cover = coverage.Coverage(data_file=None, source=[str(RULES)], config_file=False)
    cover.set_option("run:core", "ctrace")
    cover.start()
    recorder = Recorder(cover)
    code = pytest.main([*PYTEST, *asked], plugins=[recorder])
    cover.stop()
    if code or recorder.failed:
        raise SystemExit(f"the tests have to pass before mutants are tried: {recorder.failed}")
    new: dict[str, OfFile] = {file: {"digest": _digest(file), "seconds": {}, "lines": {}} for file in asked}
    for test, seconds in recorder.seconds.items():
        new[_file_of(test)]["seconds"][test] = seconds
    at_import = {file: set(lines) for file, lines in old.at_import.items()}
    data = cover.get_data()
    for measured in data.measured_files():
        file = os.path.relpath(measured, ROOT)
        for line, tests in data.contexts_by_lineno(measured).items():
            for test in tests:
                if test:
                    new[_file_of(test)]["lines"].setdefault(file, {}).setdefault(str(line), []).append(test)
                else:
                    at_import.setdefault(file, set()).add(line)
    whole = Recorded(shared, known | new, {file: sorted(lines) for file, lines in at_import.items()})
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(whole._asdict()), encoding="utf-8")


def load(path: Path) -> Map | None:
    """Read the map; None if it is not of these sources."""
    recorded = _read(path)
    if recorded.shared != _shared_digest() or not all(_is_known(file, recorded) for file in _test_files()):
        return None
    seconds = {test: time for file in _test_files() for test, time in recorded.files[file]["seconds"].items()}
    index = {test: at for at, test in enumerate(seconds)}
    lines: dict[str, dict[int, set[int]]] = {}
    for test_file in _test_files():
        for file, found in recorded.files[test_file]["lines"].items():
            for line, tests in found.items():
                lines.setdefault(file, {}).setdefault(int(line), set()).update(index[test] for test in tests)
    for file, numbers in recorded.at_import.items():
        for number in numbers:
            lines.setdefault(file, {}).setdefault(number, set()).add(DURING_IMPORT)
    return Map(list(seconds), list(seconds.values()), lines)


def _read(path: Path) -> Recorded:
    return Recorded(**json.loads(path.read_text("utf-8"))) if path.exists() else Recorded()


def _is_known(file: str, recorded: Recorded) -> bool:
    return file in recorded.files and recorded.files[file]["digest"] == _digest(file)


def _test_files() -> list[str]:
    return [str(path.relative_to(ROOT)) for folder in TESTS for path in sorted((ROOT / folder).rglob("test_*.py"))]


def _file_of(test: str) -> str:
    return test.partition("::")[0]


@functools.cache
def _digest(*files: str) -> str:
    total = hashlib.sha256()
    for file in files:
        total.update((ROOT / file).read_bytes())
    return total.hexdigest()


def _shared_digest() -> str:
    tests = set(_test_files())
    paths = [path for folder in ("service", "tests/support", *TESTS) for path in sorted((ROOT / folder).rglob("*.py"))]
    return _digest(*(file for file in (str(path.relative_to(ROOT)) for path in paths) if file not in tests))
