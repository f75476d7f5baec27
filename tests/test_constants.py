"""A named number has a comment: where it was measured, or that it was not."""

import ast
from pathlib import Path

import pytest

LIBRARY = Path(__file__).parents[1] / "src" / "condprob"
# Numbers, and expressions of numbers alone.
NUMBERS = (
    *(ast.Constant, ast.UnaryOp, ast.BinOp, ast.operator, ast.unaryop, ast.Tuple, ast.List),
    *(ast.Call, ast.Attribute, ast.Name, ast.expr_context),
)


def is_number(value):
    """Whether an expression is made of numbers alone, with NumPy's help or without."""
    inside = list(ast.walk(value))
    constants = [node.value for node in inside if isinstance(node, ast.Constant)]
    named = {node.id for node in inside if isinstance(node, ast.Name)}
    if not all(isinstance(node, NUMBERS) for node in inside) or not named <= {"np", "math"}:
        return False
    numbers = [type(number) in (int, float) for number in constants]
    return all(numbers) and bool(numbers or named)


def bare_constants(code):
    """Yield the names of the numbers of a module that have no comment on or above their line."""
    lines = code.splitlines()
    for node in ast.parse(code).body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or not node.value:
            continue
        own, above = lines[node.lineno - 1 : node.end_lineno], lines[node.lineno - 2].strip()
        if is_number(node.value) and "#" not in "".join(own) and not above.startswith("#"):
            yield ast.unparse(node).partition(" =")[0]


@pytest.mark.parametrize("path", sorted(LIBRARY.rglob("*.py")), ids=lambda path: path.stem)
def test_every_number_that_has_a_name_has_a_comment(path):
    assert not list(bare_constants(path.read_text(encoding="utf-8")))
