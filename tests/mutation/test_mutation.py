"""Mutation testing: which mutants there are, that each is a program of its own, and that trying one tells."""

import ast

import pytest

from scripts.mutation import mutants as mutants_module
from scripts.mutation.mutants import files, mutants_of, parse, sample, shown, sites
from scripts.mutation.report import Accepted, Result, read_accepted, report
from scripts.mutation.trial import compiled, live_function


def changed(source: str) -> list[str]:
    """Each node that a source has, and what is tried instead."""
    return [" => ".join(shown(site)) for site in sites(ast.parse(source))]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x < y", ["x < y => x <= y", "x < y => x >= y"]),
        ("x in y", ["x in y => x not in y"]),
        ("x is None", ["x is None => x is not None"]),
        ("x and y", ["x and y => x or y", "x and y => y", "x and y => x"]),
        ("not x", ["not x => x"]),
        ("x & ~y", ["x & ~y => x | ~y", "~y => y"]),
        ("x << 3", ["x << 3 => x >> 3", "3 => 4", "3 => 2"]),
        ("x = True", ["True => False"]),
        ("max(x, y)", ["max(x, y) => pass", "max(x, y) => min(x, y)"]),
        ("x -= y", ["x -= y => x += y", "x -= y => pass"]),
        ("x if y else z", ["x if y else z => x if True else z", "x if y else z => x if False else z"]),
        ("[x for x in y if x]", ["if x => -"]),
        ("s._replace(x=y, z=a)", ["s._replace(x=y, z=a) => pass"]),
        (
            "t = s._replace(x=y, z=a)",
            ["s._replace(x=y, z=a) => s._replace(z=a)", "s._replace(x=y, z=a) => s._replace(x=y)"],
        ),
        ("while x:\n    continue", ["if x => if False", "continue => pass"]),
        ("def f():\n    return x", ["return x => return None"]),
        ("def f():\n    return None", []),
        (
            "match x:\n    case 'a' if y:\n        z\n    case 'b':\n        z",
            ["case 'a' => -", "case 'b' => -", "case 'a' if y => no guard"],
        ),
    ],
)
def test_what_is_changed(source: str, expected: list[str]) -> None:
    assert changed(source)[: len(expected)] == expected
    assert bool(changed(source)) == bool(expected)


@pytest.mark.parametrize(
    "source",
    [
        '"""Prose: 1 and 2."""',
        "x: int | None",
        "X: TypeAlias = A | B",
        "Cards = Hand | Meld",
        "import x",
        "f'{x + 1}'",
        "def f(x: int | None) -> int | str:\n    pass",
        "@cache(maxsize=1)\ndef f():\n    pass",
        "zip(x, y, strict=True)\n".replace("zip", "z = zip"),
        "class A:\n    def __repr__(self):\n        return x + 1",
    ],
)
def test_what_is_left_alone(source: str) -> None:
    assert changed(source) == []


@pytest.mark.parametrize("file", files())
def test_each_mutant_compiles_to_another_program(file: str) -> None:
    """One in forty is looked at, since all would take minutes."""
    original = ast.unparse(parse(file))

    for mutant in mutants_of(file)[::40]:
        compiled(mutant)
        assert ast.unparse(mutants_module.mutated(mutant)) != original, mutant.key


def test_names_are_one_to_one() -> None:
    keys = [mutant.key for file in files() for mutant in mutants_of(file)]

    assert len(set(keys)) == len(keys) > 5000


def test_a_sample_is_the_same_each_time_and_part_of_a_larger_one() -> None:
    every = mutants_of("service/rules/gin/judge.py")

    assert sample(every, 10, 1) == sample(every, 10, 1)
    assert set(sample(every, 10, 1)) < set(sample(every, 20, 1))
    assert sample(every, 10, 1) != sample(every, 10, 2)
    assert sample(every, 0, 1) == every


@pytest.mark.parametrize("file", files())
def test_every_function_is_found_where_it_lives(file: str) -> None:
    """Properties, remembered functions and methods of named tuples too."""
    by_function = {mutant.function: mutant for mutant in mutants_of(file) if mutant.function}
    __import__(file.removesuffix(".py").replace("/", "."))

    for function, mutant in by_function.items():
        assert live_function(mutant).__qualname__ == function


def test_accepted_survivors_are_mutants_that_there_are() -> None:
    """A survivor whose line has changed has to be looked at again."""
    keys = {mutant.key for file in files() for mutant in mutants_of(file)}

    assert set(read_accepted()) <= keys


def test_the_report_counts_by_package_and_names_new_survivors() -> None:
    accepted = {"d": Accepted("equivalent", "it is"), "e": Accepted("unimportant", "it is")}
    rows = {"a": "killed", "b": "timeout", "c": "survived", "d": "survived", "e": "survived"}
    results = [Result(key, "service/rules/gin/judge.py", "gin", 7, rows[key], "", 3, False) for key in rows]

    told = report(results, accepted)

    assert "| gin | 5 | 2 | 3 | 1 | 40.0 % | 50.0 % |" in told
    assert told.splitlines()[-1] == "service/rules/gin/judge.py:7: c"
