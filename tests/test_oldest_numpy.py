"""What Debian 12's numpy (1.24) does not know is called nowhere; all else under it: `-m long -k oldest`."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHIPPED = ("calibration", "device", "engine", "simulation", "vision", "web")
NEWER = {"spawn": "Generator.spawn (1.25)", "average": "average over several axes with weights (2.0)"}


def newer(source: str) -> Iterator[str]:
    """Calls of what came later."""
    for call in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        given = {word.arg for word in call.keywords}
        own = isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value).endswith("seeds")
        if (name == "spawn" and not own) or (name == "average" and {"axis", "weights"} <= given):
            yield f"line {call.lineno}: {NEWER[name]}"


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("one = rng.spawn(1)", 1), ("seeds.spawn(2)", 0),
        ("np.average(a, axis=(1, 2), weights=b)", 1), ("np.average(a, weights=b)", 0),
    ],
)  # fmt: skip
def test_a_newer_call_is_found(source: str, count: int) -> None:
    """By its name, and where that alone says nothing by how it is called."""
    assert len([*newer(source)]) == count


def test_nothing_that_is_shipped_calls_what_the_oldest_numpy_lacks() -> None:
    """Every module of every package."""
    files = [path for name in SHIPPED for path in (ROOT / name).rglob("*.py")]
    assert len(files) > 300
    found = {str(path.relative_to(ROOT)): [*newer(path.read_text())] for path in files}
    assert {path: lines for path, lines in found.items() if lines} == {}
