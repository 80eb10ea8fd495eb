"""The mutants of a source file: where each is, how it is named, chosen and made."""

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from scripts.mutation.operators import Change, changes

ROOT: Final = Path(__file__).resolve().parents[2]
RULES: Final = ROOT / "service" / "rules"

LEFT_OUT: Final = {
    "service/rules/book": "prose of the rule book: texts, ids and sources",
}
"""Files without mutants, and why."""

# Of the other files, these nodes have none:
# annotations and type aliases: nothing of them runs;
# decorators: `lru_cache` sizes and dataclass switches, which no caller can see;
# `strict=` of zip: a guard against slips of the programmer;
# formatted text, and what else is text (see `operators`).
SKIPPED_FIELDS: Final = frozenset(("annotation", "returns", "decorator_list", "type_params", "type_comment"))
SKIPPED_NODES: Final = (ast.JoinedStr, ast.Import, ast.ImportFrom)
SKIPPED_FUNCTIONS: Final = frozenset(("__repr__", "__str__"))


class Mutant(NamedTuple):
    """One fault in one file."""

    file: str
    """Path from the root of the repository."""
    line: int
    function: str
    """Qualified name of the function that it is in, "" for code of a module or a class."""
    operator: str
    before: str
    after: str
    number: int
    """Which of the mutants of the file it is, from 0."""
    nth: int
    """Which of those alike but for the line it is, from 0."""
    lines: tuple[int, int]
    """First and last line of what has to run for it to matter."""
    body: tuple[int, int]
    """First and last line of the function's body; zeros outside."""

    @property
    def key(self) -> str:
        """A name that other lines of the file do not change."""
        nth = f" #{self.nth + 1}" if self.nth else ""
        return f"{self.file}:{self.function or '-'}: {self.operator}: {self.before} => {self.after}{nth}"

    @property
    def package(self) -> str:
        """The package of the rules that it belongs to."""
        inside = Path(self.file).relative_to("service/rules").parts
        return inside[0] if len(inside) > 1 else "shared"


class Site(NamedTuple):
    """A node that a change may replace, and where it hangs."""

    parent: ast.AST
    field: str
    at: int | None
    """Place in the field's list; None if the field is no list."""
    node: ast.AST
    change: Change
    place: "_Place"
    line: int


def files() -> list[str]:
    """Every file that has mutants."""
    found = (str(path.relative_to(ROOT)) for path in sorted(RULES.rglob("*.py")))
    return [file for file in found if not any(file.startswith(out) for out in LEFT_OUT)]


def mutants_of(file: str) -> list[Mutant]:
    """All mutants of a file, in the order of its syntax tree."""
    found: list[Mutant] = []
    alike: dict[str, int] = {}
    for number, site in enumerate(sites(parse(file))):
        before, after = shown(site)
        place, operator = site.place, site.change.operator
        mutant = Mutant(file, site.line, place.function, operator, before, after, number, 0, place.lines, place.body)
        nth = alike.get(mutant.key, -1) + 1
        alike[mutant.key] = nth
        found.append(mutant._replace(nth=nth))
    return found


def parse(file: str) -> ast.Module:
    """Parse a file of the repository."""
    return ast.parse((ROOT / file).read_text("utf-8"))


UNCHANGED: Final = -1
"""The number of what stands for a file without a fault."""


def mutated(mutant: Mutant) -> ast.Module:
    """Parse the file with the fault in it."""
    tree = parse(mutant.file)
    if mutant.number == UNCHANGED:
        return tree
    site = next(site for number, site in enumerate(sites(tree)) if number == mutant.number)
    new = site.change.replacement
    if site.at is None:
        setattr(site.parent, site.field, new)
    else:
        getattr(site.parent, site.field)[site.at] = new
    ast.copy_location(new, site.node)
    return ast.fix_missing_locations(tree)


def shown(site: Site) -> tuple[str, str]:
    """The node before and after, on one line each."""
    new = site.change.replacement
    before = site.node
    if isinstance(before, ast.If | ast.While):  # their bodies do not change
        return f"if {ast.unparse(before.test)}", f"if {ast.unparse(getattr(new, 'test', before))}"
    if isinstance(before, ast.Match) and isinstance(new, ast.Match):
        gone = next(case for case in before.cases if case not in new.cases)
        return f"case {ast.unparse(gone.pattern)}", "-"
    if isinstance(before, ast.match_case) and isinstance(new, ast.match_case):
        return f"case {ast.unparse(before.pattern)} if {ast.unparse(before.guard or before)}", "no guard"
    if isinstance(before, ast.comprehension) and isinstance(new, ast.comprehension):
        gone_if = next(test for test in before.ifs if test not in new.ifs)
        return f"if {ast.unparse(gone_if)}", "-"
    return _one_line(before), _one_line(new)


def _one_line(node: ast.AST) -> str:
    return " ".join(ast.unparse(ast.fix_missing_locations(node)).split())


def sample(mutants: list[Mutant], size: int, seed: int) -> list[Mutant]:
    """Choose some mutants by chance, the same for the same seed; a larger sample holds the smaller one."""
    if not size or size >= len(mutants):
        return mutants

    def place(mutant: Mutant) -> bytes:
        return hashlib.sha256(f"{seed} {mutant.key}".encode()).digest()

    return sorted(sorted(mutants, key=place)[:size], key=lambda mutant: (mutant.file, mutant.number))


# --- the walk ---------------------------------------------------------------------------------------------------------


class _Place(NamedTuple):
    """Where the walk is."""

    names: tuple[str, ...] = ()
    function: str = ""
    lines: tuple[int, int] = (0, 0)
    body: tuple[int, int] = (0, 0)


def sites(tree: ast.Module) -> Iterator[Site]:
    """Every change of a module, in the order of its tree."""
    yield from _inside(tree, _Place())


def _inside(parent: ast.AST, place: _Place) -> Iterator[Site]:
    for field, value in ast.iter_fields(parent):
        if field in SKIPPED_FIELDS:
            continue
        if isinstance(value, list):
            for at, node in enumerate(value):
                if isinstance(node, ast.AST):
                    yield from _node(parent, field, at, node, place)
        elif isinstance(value, ast.AST):
            yield from _node(parent, field, None, value, place)


def _node(parent: ast.AST, field: str, at: int | None, node: ast.AST, place: _Place) -> Iterator[Site]:
    if _skipped(parent, node):
        return
    if isinstance(node, ast.stmt):
        place = place._replace(lines=_header(node))
    line = getattr(node, "lineno", place.lines[0])
    for change in changes(node):
        yield Site(parent, field, at, node, change, place, line)
    match node:
        case ast.FunctionDef(name=name):
            inner = (*place.names, name)
            yield from _inside(node.args, place)
            body = place
            if not place.function:
                span = (node.body[0].lineno, node.end_lineno or node.lineno)
                body = place._replace(function=".".join(inner), body=span)
            for index, statement in enumerate(node.body):
                yield from _node(node, "body", index, statement, body)
        case ast.ClassDef(name=name):
            yield from _inside(node, place._replace(names=(*place.names, name)))
        case _:
            yield from _inside(node, place)


def _header(node: ast.stmt) -> tuple[int, int]:
    """Lines of a statement without those of the statements in it."""
    last = node.end_lineno or node.lineno
    match node:
        case ast.Match(subject=subject):
            last = subject.end_lineno or subject.lineno
        case ast.If() | ast.While():
            last = node.test.end_lineno or node.lineno
        case ast.For():
            last = node.iter.end_lineno or node.lineno
        case ast.FunctionDef() | ast.ClassDef() | ast.With() | ast.Try():
            last = node.lineno
    return node.lineno, last


def _skipped(parent: ast.AST, node: ast.AST) -> bool:
    match node:
        case ast.AnnAssign(annotation=ast.Name("TypeAlias")):
            return True
        case ast.Assign(value=ast.BinOp(left=ast.Name(left), op=ast.BitOr())) if isinstance(parent, ast.Module):
            return not left.isupper()  # a union of types
        case ast.FunctionDef(name=name):
            return name in SKIPPED_FUNCTIONS
        case ast.keyword(arg="strict"):
            return True
        case ast.Expr(value=ast.Constant()):
            return True
    return isinstance(node, SKIPPED_NODES)
