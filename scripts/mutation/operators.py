"""What a mutant changes: each operator gives the replacements of one node of a syntax tree.

Text is never changed: no rule lives in it.
"""

import ast
from collections.abc import Iterator
from copy import copy
from typing import Final, NamedTuple, TypeVar

T = TypeVar("T")


class Change(NamedTuple):
    """One change of one node."""

    operator: str
    replacement: ast.AST


COMPARISONS: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
"""The boundary first, then the opposite."""

ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.Pow: ast.Mult,
}

SWAPPED_CALLS: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}


def changes(node: ast.AST) -> Iterator[Change]:
    """Every change of this node alone, in a fixed order."""
    match node:
        case ast.Compare():
            yield from _compare(node)
        case ast.BoolOp():
            yield from _bool_op(node)
        case ast.UnaryOp(op=ast.Not() | ast.Invert() | ast.USub()):
            yield Change("drop the sign", node.operand)
        case ast.BinOp() | ast.AugAssign():
            yield from _arithmetic(node)
        case ast.Constant():
            yield from _constant(node)
        case ast.Call():
            yield from _call(node)
        case ast.Return(value=ast.expr() as value) if not _is_nothing(value):
            yield Change("return nothing", ast.Return(ast.Constant(None)))
    match node:
        case ast.If() | ast.While() | ast.IfExp():
            yield from _condition(node)
        case ast.comprehension():
            yield from _filters(node)
        case ast.match_case(guard=ast.expr()):
            yield Change("drop the guard", ast.match_case(node.pattern, None, node.body))
        case ast.Match() if len(node.cases) > 1:
            for at in range(len(node.cases)):
                yield Change("drop a case", ast.Match(node.subject, _without(node.cases, at)))
        case ast.Expr(value=ast.Call() | ast.YieldFrom() | ast.Yield()) | ast.AugAssign() | ast.Raise() | ast.Delete():
            yield Change("drop the statement", ast.Pass())
        case ast.Break() | ast.Continue():
            yield Change("drop the statement", ast.Pass())


def _is_nothing(node: ast.expr) -> bool:
    """Whether a value is like None for whoever asks, or has a mutant of its own."""
    return isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, bool))


def _without(items: list[T], at: int) -> list[T]:
    return [*items[:at], *items[at + 1 :]]


def _compare(node: ast.Compare) -> Iterator[Change]:
    for at, old in enumerate(node.ops):
        for new in COMPARISONS.get(type(old), ()):
            changed = copy(node)
            changed.ops = [*node.ops[:at], new(), *node.ops[at + 1 :]]
            yield Change("compare otherwise", changed)


def _bool_op(node: ast.BoolOp) -> Iterator[Change]:
    changed = copy(node)
    changed.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield Change("swap and, or", changed)
    for at in range(len(node.values)):
        rest = _without(node.values, at)
        if len(rest) == 1:
            yield Change("drop a condition", rest[0])
        else:
            changed = copy(node)
            changed.values = rest
            yield Change("drop a condition", changed)


def _arithmetic(node: ast.BinOp | ast.AugAssign) -> Iterator[Change]:
    new = ARITHMETIC.get(type(node.op))
    if new:
        changed = copy(node)
        changed.op = new()
        yield Change("calculate otherwise", changed)


def _constant(node: ast.Constant) -> Iterator[Change]:
    value = node.value
    if isinstance(value, bool):
        yield Change("swap true, false", ast.Constant(not value))
    elif isinstance(value, int):
        yield Change("one more", ast.Constant(value + 1))
        yield Change("one less", ast.Constant(value - 1))


def _call(node: ast.Call) -> Iterator[Change]:
    match node.func:
        case ast.Name(name) if name in SWAPPED_CALLS:
            changed = copy(node)
            changed.func = ast.Name(SWAPPED_CALLS[name], ast.Load())
            yield Change("call the opposite", changed)
        case ast.Attribute(attr="_replace"):
            for at in range(len(node.keywords)):
                changed = copy(node)
                changed.keywords = _without(node.keywords, at)
                yield Change("leave a field as it was", changed)


def _condition(node: ast.If | ast.While | ast.IfExp) -> Iterator[Change]:
    for value in (True, False):
        if not (isinstance(node, ast.While) and value):  # it would only loop for ever
            changed = copy(node)
            changed.test = ast.Constant(value)
            yield Change("condition always holds" if value else "condition never holds", changed)


def _filters(node: ast.comprehension) -> Iterator[Change]:
    for at in range(len(node.ifs)):
        changed = copy(node)
        changed.ifs = _without(node.ifs, at)
        yield Change("drop a filter", changed)
