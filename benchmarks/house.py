"""How large and how tangled the path from a frame to a ruling is, a line a room.

    python -m benchmarks.house [ROOT]

Counted are lines, numbers in the values that modules give to their own names, functions of more than twelve
branches (each ``if``, loop, ``except`` and further operand of ``and`` or ``or`` is one), and the attributes
that methods of a class assign after it was made. ``tests/test_rooms.py`` holds budgets that may only fall.
"""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOMS = ("vision/view", "vision/pieces", "device/live", "engine/matching")
"""The folders of that path."""
ASKED = {"Guide": "engine/matching/guide.py", "Adopter": "engine/matching/adopted.py"}
"""What each game is asked: what happened on its table, and what a table is as it lies."""
MOST_BRANCHES = 12
_SPLITS = (ast.If, ast.For, ast.While, ast.IfExp, ast.ExceptHandler, ast.comprehension)


@dataclass(frozen=True)
class RoomFigures:
    """The figures of one folder."""

    lines: int
    numbers: int
    """In the values that modules give to their own names."""
    tangled: tuple[str, ...]
    """The functions of more than twelve branches."""
    changing: int
    """The attributes that change of the class with the most of them."""
    changes: str
    """Which class that is."""


def house(root: Path, room: str) -> RoomFigures:
    """The figures of a folder with all that lies in it."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted((root / room).rglob("*.py"))}
    trees = {path: ast.parse(text) for path, text in texts.items()}
    nodes = [(path, node) for path, tree in trees.items() for node in ast.walk(tree)]
    classes = [(len(changing(node)), node.name) for _, node in nodes if isinstance(node, ast.ClassDef)]
    return RoomFigures(
        sum(text.count("\n") for text in texts.values()),
        sum(map(numbers, trees.values())),
        tuple(
            f"{path.relative_to(root)}: {node.name}"
            for path, node in nodes
            if isinstance(node, ast.FunctionDef) and branches(node) > MOST_BRANCHES
        ),
        *max(classes, default=(0, "")),
    )


def numbers(module: ast.Module) -> int:
    """How many numbers stand in the values of a module's own names."""
    values = (one.value for one in module.body if isinstance(one, ast.Assign | ast.AnnAssign))
    return sum(_is_number(node) for value in values if value is not None for node in ast.walk(value))


def branches(function: ast.FunctionDef) -> int:
    """How many ways lead through a function, those of functions in it included."""
    nodes = list(ast.walk(function))
    joined = sum(len(node.values) - 1 for node in nodes if isinstance(node, ast.BoolOp))
    return 1 + joined + sum(isinstance(node, _SPLITS) for node in nodes)


def changing(one: ast.ClassDef) -> set[str]:
    """The attributes that methods of a class assign after it was made."""
    methods = [node for node in one.body if isinstance(node, ast.FunctionDef)]
    later = [method for method in methods if method.name not in ("__init__", "__post_init__")]
    nodes = (node for method in later for node in ast.walk(method) if isinstance(node, ast.Attribute))
    return {node.attr for node in nodes if isinstance(node.ctx, ast.Store) and _is_own(node)}


def hooks(root: Path, asked: str) -> list[str]:
    """What a game can tell of itself: the public methods of ``Guide``, or of ``Adopter``."""
    tree = ast.parse((root / ASKED[asked]).read_text(encoding="utf-8"))
    (one,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == asked)
    methods = (node.name for node in one.body if isinstance(node, ast.FunctionDef))
    return [name for name in methods if not name.startswith("_")]


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _is_own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def _told(root: Path) -> Iterator[str]:
    each = {room: house(root, room) for room in ROOMS}
    for room, one in each.items():
        yield (
            f"{room}: {one.lines} lines, {one.numbers} numbers, {len(one.tangled)} tangled functions, "
            f"at most {one.changing} attributes that change ({one.changes})"
        )
    counts = zip(*((one.lines, one.numbers, len(one.tangled)) for one in each.values()), strict=True)
    lines, count, tangled = map(sum, counts)
    yield f"all: {lines} lines, {count} numbers, {tangled} tangled functions"
    yield from (f"{path}: {asked} has {len(hooks(root, asked))} hooks" for asked, path in ASKED.items())
    yield from (f"tangled: {name}" for one in each.values() for name in one.tangled)


def main() -> int:
    """Print the figures of this project, or of another tree."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1]
    print("\n".join(_told(root)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
