"""Trying mutants: each in a process forked for it, the tests that reach it one by one until one fails.

A mutant of a function that the import of the rules does not run is put into the loaded function, where the tests have
been collected already. Any other is there from the first import on: a process that has not seen the rules is forked,
imports them with the fault and collects the tests anew, so tables that are filled at import are filled by the mutant.
What survives the first way is tried in the second, too, if tests ask the function while they are collected.
"""

import gc
import os
import resource
import signal
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, NamedTuple

import pytest

from scripts.mutation.cover import PYTEST, TESTS, caches, module_name
from scripts.mutation.mutants import ROOT, UNCHANGED, Mutant, mutated

MEMORY: Final = 3 << 30
"""Bytes that a mutant may use."""
IMPORT_LIMIT: Final = 60.0
"""CPU seconds that importing and collecting may take."""
SURVIVED: Final = "survived"
IMPORTING: Final = "import"
FIRST: Final = 40
PRELOADED: Final = (
    "hypothesis.strategies",
    "hypothesis.stateful",
    "google.protobuf.message",
    "cryptography.exceptions",
)
"""Modules that the tests need, none of which imports the rules."""


class Planned(NamedTuple):
    """A mutant and the tests for it: node ids in their order, with the CPU seconds that each may take."""

    mutant: Mutant
    tests: Sequence[tuple[str, float]]
    cut: bool
    """Whether slower tests that reach it are left out."""


class Tried(NamedTuple):
    """How a mutant fared."""

    status: str
    """`killed`, `timeout` (killed too: the test ran out of CPU time) or `survived`."""
    by: str = ""
    """The last test that ran; IMPORTING if the mutant could not even be loaded."""


Told = Callable[[Planned, Tried], None]


class UnsoundError(Exception):
    """The tests fail without a mutant, so they say nothing about one."""


def try_loaded(plans: Iterable[Planned], told: Told) -> None:
    """Try mutants of functions that no import runs; the tests are collected once for all of them."""
    problem: Exception | None = None

    def loop(session: pytest.Session) -> None:
        items = {item.nodeid: item for item in session.items}

        def attempt(plan: Planned) -> Tried:
            return _forked(partial(_with_patch, plan, items))

        for cache in caches():  # what was remembered while the tests were collected hides mutants
            cache.cache_clear()
        gc.collect()
        gc.freeze()  # so that no child copies the parent's pages only to count references
        try:
            for plan in _sound_first(plans, attempt):
                told(plan, attempt(plan))
        except Exception as error:  # noqa: BLE001 # raised again outside of pytest
            nonlocal problem
            problem = error

    _pytest(TESTS, loop)
    if problem:
        raise problem


def try_imported(plans: Iterable[Planned], told: Told) -> None:
    """Try mutants that have to be there from the import on: a few tests first, whose files are quickly collected."""
    for module in PRELOADED:
        import_module(module)

    def attempt(plan: Planned) -> Tried:
        tried = Tried(SURVIVED)
        for tests in (plan.tests[:FIRST], plan.tests[FIRST:]):
            if tests and tried.status == SURVIVED:
                tried = _forked(partial(_from_import, plan._replace(tests=tests)))
        return tried

    for plan in _sound_first(plans, attempt):
        told(plan, attempt(plan))


def _sound_first(plans: Iterable[Planned], attempt: Callable[[Planned], Tried]) -> Iterator[Planned]:
    """Give the plans, once the tests of the first one have passed without its fault."""
    for number, plan in enumerate(plans):
        if not number:
            mutant = plan.mutant._replace(number=UNCHANGED)
            tried = attempt(plan._replace(mutant=mutant))
            if tried.status != SURVIVED:
                raise UnsoundError(f"the tests do not pass without a mutant: {tried.by}")
        yield plan


def fork_and_wait(work: Callable[[], object]) -> None:
    """Do something in a process of its own, so that this one imports nothing by it; raises if it fails."""
    child = os.fork()
    if not child:
        code = 1
        try:
            work()
            code = 0
        except BaseException as error:  # noqa: BLE001 # this process ends here whatever happens
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
        sys.stdout.flush()
        os._exit(code)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        raise SystemExit("stopped, for the reason above")


# --- one mutant in its process ----------------------------------------------------------------------------------------

Say = Callable[[str], None]


def _forked(work: Callable[[Say], bool]) -> Tried:
    """Let a child try a mutant: it says which test it begins, and whether all passed."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        _in_child(write, work)
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as pipe:
        begun = pipe.read().splitlines()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    last = begun[-1] if begun else IMPORTING
    if code == 0:
        return Tried(SURVIVED)
    return Tried("timeout" if code == -signal.SIGPROF else "killed", last)


def _in_child(write: int, work: Callable[[Say], bool]) -> None:
    """Work and leave: 0 if all tests passed. Whatever else happens is a mutant that was noticed."""
    code = 1
    try:
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silence, stream)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        warnings.simplefilter("ignore")
        passed = work(lambda line: (os.write(write, f"{line}\n".encode()), None)[1])
        code = 0 if passed else 1
    finally:
        os._exit(code)


def _limit(seconds: float) -> None:
    """End this process once it has used so much more CPU time. Nothing that Python code does can hold that up."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)


def _with_patch(plan: Planned, items: dict[str, pytest.Item], say: Say) -> bool:
    patch(plan.mutant)
    return _run(plan, items, say)


def _from_import(plan: Planned, say: Say) -> bool:
    _limit(IMPORT_LIMIT)
    sys.meta_path.insert(0, MutantFinder(plan.mutant))
    passed = False

    def loop(session: pytest.Session) -> None:
        nonlocal passed
        if not session.testsfailed:
            passed = _run(plan, {item.nodeid: item for item in session.items}, say)

    _pytest(sorted({test.partition("::")[0] for test, _ in plan.tests}), loop)
    return passed


def _run(plan: Planned, items: dict[str, pytest.Item], say: Say) -> bool:
    """Run the tests of a plan until one fails. Those that a mutant's own options no longer give are passed over."""
    for test, seconds in plan.tests:
        item = items.get(test)
        if item:
            say(test)
            _limit(seconds)
            session = item.session
            item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
            if session.testsfailed:
                return False
    return True


class _Loop:
    """A plugin of pytest that does something else with the tests collected than to run them all."""

    def __init__(self, loop: Callable[[pytest.Session], None]) -> None:
        self.loop = loop

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Stand in for pytest's own loop."""
        self.loop(session)
        return True


def _pytest(files: Sequence[str], loop: Callable[[pytest.Session], None]) -> None:
    pytest.main([*PYTEST, "--tb=native", *files], plugins=[_Loop(loop)])


# --- putting a mutant in ----------------------------------------------------------------------------------------------


class MutantFinder(MetaPathFinder):
    """Finds the module of a mutant and nothing else."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self.name = module_name(mutant.file)

    def find_spec(self, fullname: str, _path: object, _target: ModuleType | None = None) -> ModuleSpec | None:
        """Give the mutant where its module is asked for."""
        if fullname != self.name:
            return None
        file = str(ROOT / self.mutant.file)
        return spec_from_file_location(fullname, file, loader=_Loader(fullname, file, self.mutant))


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, mutant: Mutant) -> None:
        super().__init__(name, path)
        self.mutant = mutant

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 # it loads one module only
        return compiled(self.mutant)


def compiled(mutant: Mutant) -> CodeType:
    """Compile the file with the fault in it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of comparisons that no author would write
        return compile(mutated(mutant), str(ROOT / mutant.file), "exec")


def patch(mutant: Mutant) -> None:
    """Put a mutant into the loaded function, wherever that has been imported to, and however it is wrapped."""
    code = _code_of(compiled(mutant), mutant.function.split("."))
    live = live_function(mutant)
    if code.co_freevars != live.__code__.co_freevars:
        code = code.replace(co_freevars=live.__code__.co_freevars)
    live.__code__ = code


def live_function(mutant: Mutant) -> FunctionType:
    """The loaded function of a mutant, without what wraps it."""
    found: Any = sys.modules[module_name(mutant.file)]
    for name in mutant.function.split("."):
        found = vars(found)[name]
        found = getattr(found, "fget", None) or getattr(found, "__func__", found)
        found = getattr(found, "__wrapped__", found)
    if not isinstance(found, FunctionType):
        raise TypeError(f"{mutant.file}: {mutant.function} is wrapped in something unknown, a {type(found).__name__}")
    return found


def _code_of(code: CodeType, names: list[str]) -> CodeType:
    for name in names:
        code = next(inner for inner in _codes(code) if inner.co_name == name)
    return code


def _codes(code: CodeType) -> Iterator[CodeType]:
    return (constant for constant in code.co_consts if isinstance(constant, CodeType))
