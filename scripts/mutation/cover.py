"""Which tests run which lines of the rules, and how long each takes: what chooses the tests of a mutant."""

import ast
import functools
import gc
import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias, TypedDict

import coverage
import pytest

from scripts.mutation.mutants import ROOT, RULES, Mutant, files, parse

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

COLLECTION: Final = "collection"
"""The context of coverage where no test runs, once the rules are imported; before that it is ""."""
DURING_IMPORT: Final = -1
"""Stands for a test where the import of the rules runs a line."""
DURING_COLLECTION: Final = -2
"""Stands for a test where the tests run a line while they are imported and collected."""


class Map(NamedTuple):
    """What was recorded."""

    tests: list[str]
    """Their node ids."""
    seconds: list[float]
    lines: dict[str, dict[int, set[int]]]
    """File, line: indices of tests, DURING_IMPORT, DURING_COLLECTION."""

    def running(self, file: str, first: int, last: int) -> frozenset[int]:
        """Tests that run a line of a span."""
        lines = self.lines.get(file, {})
        return frozenset().union(*(lines.get(line, ()) for line in range(first, last + 1)))

    def within(self, file: str) -> frozenset[int]:
        """Tests that run a line of a file."""
        return frozenset().union(*self.lines.get(file, {}).values())

    def at_import(self, mutant: Mutant) -> bool:
        """Whether a mutant has to be there when the rules are imported, since what it changes runs then."""
        return not mutant.function or DURING_IMPORT in self.running(mutant.file, *mutant.body)

    def at_collection(self, mutant: Mutant) -> bool:
        """Whether tests ask what a mutant changes while they are collected."""
        return DURING_COLLECTION in self.running(mutant.file, *mutant.body)

    def choose(self, mutant: Mutant) -> list[int]:
        """Tests that may notice a mutant, the quickest first."""
        found = self.running(mutant.file, *mutant.lines)
        if not mutant.function or min(found, default=0) < 0:  # what was made early may be used anywhere
            found |= frozenset().union(*(self.within(file) for file in (mutant.file, *importers(mutant.file))))
        return self._quickest(test for test in found if test >= 0)

    def others(self, mutant: Mutant) -> list[int]:
        """Tests that may use a constant of a module though they run no line beside it, the quickest first."""
        return [] if mutant.function else self._quickest(set(range(len(self.tests))).difference(self.choose(mutant)))

    def _quickest(self, tests: Iterable[int]) -> list[int]:
        return sorted(tests, key=lambda test: (self.seconds[test], test))


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
        self.cover.switch_context(COLLECTION)
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
    imported: dict[str, list[int]] = {}  # noqa: RUF012 # never changed
    """File of the rules, lines that run while the rules are imported."""
    collected: dict[str, list[int]] = {}  # noqa: RUF012 # never changed
    """File of the rules, lines that run while the tests are collected."""


def to_record(path: Path) -> list[list[str]]:
    """Files of tests whose lines are not known, by folder."""
    old = _read(path)
    asked = [file for file in _test_files() if old.shared != _shared_digest() or not _is_known(file, old)]
    by_folder = ([file for file in asked if file.startswith(f"{folder}/")] for folder in TESTS)
    return [files for files in by_folder if files]


def record(path: Path, asked: list[str]) -> None:
    """Run these files of tests and put them into the record; to be called in a process of its own."""
    shared = _shared_digest()
    old = _read(path)
    if old.shared != shared:
        old = Recorded(shared)
    cover = _covering()
    for file in files():
        import_module(module_name(file))
    cover.switch_context(COLLECTION)
    recorder = Recorder(cover)
    pytest.main([*PYTEST, *asked], plugins=[recorder])
    cover.stop()
    if recorder.failed:
        _pass_in_full(recorder.failed)
    new: dict[str, OfFile] = {file: {"digest": _digest(file), "seconds": {}, "lines": {}} for file in asked}
    for test, seconds in recorder.seconds.items():
        new[_file_of(test)]["seconds"][test] = seconds
    early: dict[str, dict[str, set[int]]] = {"": {}, COLLECTION: {}}
    for context, lines_of in (("", old.imported), (COLLECTION, old.collected)):
        early[context] = {file: set(lines) for file, lines in lines_of.items()}
    data = cover.get_data()
    for measured in data.measured_files():
        file = os.path.relpath(measured, ROOT)
        for line, tests in data.contexts_by_lineno(measured).items():
            for test in tests:
                if test in early:
                    early[test].setdefault(file, set()).add(line)
                else:
                    new[_file_of(test)]["lines"].setdefault(file, {}).setdefault(str(line), []).append(test)
    imported, collected = ({file: sorted(lines) for file, lines in found.items()} for found in early.values())
    whole = Recorded(shared, old.files | new, imported, collected)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(whole._asdict()), encoding="utf-8")


def _covering() -> coverage.Coverage:
    """Begin to note which lines of the rules run."""
    cover = coverage.Coverage(data_file=None, source=[str(RULES)], config_file=False)
    cover.set_option("run:core", "ctrace")
    cover.start()
    return cover


def _pass_in_full(tests: list[str]) -> None:
    """See that tests pass which failed with so few examples: some laws ask that enough was tried."""
    environment = os.environ | {"BURRACO_TEST_PROFILE": "mutation"}
    done = subprocess.run([sys.executable, "-m", "pytest", *PYTEST, *tests], env=environment, check=False)
    if done.returncode:
        raise SystemExit("the tests have to pass before mutants are tried")


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
    for mark, early in ((DURING_IMPORT, recorded.imported), (DURING_COLLECTION, recorded.collected)):
        for file, numbers in early.items():
            for number in numbers:
                lines.setdefault(file, {}).setdefault(number, set()).add(mark)
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
