"""Traces every numbered rule and every reading to the tests that exercise it, and writes docs/rules.md.

A test names what it exercises by the mark ``@pytest.mark.rules("DMN-4.3", …)`` and golden cases by their own
name (``test_D_G09_…``). ``python -m tests.trace`` writes the table; tests/test_trace.py compares it.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from engine import GAMES, rulebook
from engine.profile import Setting

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "docs" / "rules.md"
GOLDEN = {
    "dominoids": ("D", 46),
    "kingdomino-duel": ("K", 23),
    "dominoes-of-war": ("W", 22),
    "draw-game": ("F", 22),
}
"""The letter of each game's golden cases, and how many there are."""


def marked() -> Mapping[str, Sequence[str]]:
    """Rule or reading id → the tests that name it, as ``file::test``."""
    found: dict[str, list[str]] = defaultdict(list)
    for path, test in _tests():
        for rule_id in _ids(test):
            found[rule_id].append(f"{path.relative_to(ROOT)}::{test.name}")
    return {rule_id: sorted(tests) for rule_id, tests in found.items()}


def golden() -> Mapping[str, Sequence[str]]:
    """Golden case id (``D-G09``) → the tests named by it."""
    found: dict[str, list[str]] = defaultdict(list)
    for path, test in _tests():
        for letter, number in re.findall(r"([DKWF])_G(\d\d)", test.name):
            found[f"{letter}-G{number}"].append(f"{path.relative_to(ROOT)}::{test.name}")
    return found


def document() -> str:
    """The text of docs/rules.md."""
    tests = marked()
    lines = [
        "# Every rule and the tests that exercise it",
        "",
        "Made by `make rules` from the rule books and the marks on the tests; a rule without a test fails",
        "the build. The rules themselves are printed, in our own words, by `pipwatch rules GAME`.",
    ]
    for game in GAMES:
        book = rulebook(game)
        lines += ["", f"## {book.title}", "", f"Original: {book.catalogue.source}", ""]
        lines += ["| rule | original | in our words | tests |", "|---|---|---|---|"]
        for rule in book.catalogue:
            lines.append(
                f"| {rule.id} | {_cell(rule.section)} | {_cell(rule.words)} | {_tested(tests, rule.id)} |"
            )
        lines += ["", "| reading | setting | question and default | tests |", "|---|---|---|---|"]
        for reading in book.readings.all:
            meaning = reading.choices.get(reading.default, str(reading.default))
            words = f"{reading.question} → {meaning}"
            setting = f"`{reading.key}` = {_plain(reading.default)}"
            cells = [reading.id, setting, _cell(words), _tested(tests, reading.id)]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


@cache
def _tests() -> Sequence[tuple[Path, ast.FunctionDef]]:
    return list(_each_test())


def _each_test() -> Iterator[tuple[Path, ast.FunctionDef]]:
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield path, node


def _ids(test: ast.FunctionDef) -> Iterator[str]:
    for mark in test.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rules":
            yield from (
                arg.value for arg in mark.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
            )


def _tested(tests: Mapping[str, Sequence[str]], rule_id: str) -> str:
    names = [name.split("::")[1].removeprefix("test_") for name in tests.get(rule_id, ())]
    if not names:
        return "**none**"
    shown = "<br>".join(names[:3])
    return shown + (f"<br>and {len(names) - 3} more" if len(names) > 3 else "")


def _cell(words: str) -> str:
    return words.replace("|", "\\|").replace("\n", " ")


def _plain(value: Setting) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


if __name__ == "__main__":
    TABLE.write_text(document(), encoding="utf-8")
    sys.stderr.write(f"wrote {TABLE.relative_to(ROOT)}\n")
