"""docs/appliance.md is proof only while each command and each test that it names is there."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.cli import COMMANDS
from web.access import ROUTES

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/appliance.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|\n").split(" | ")] for line in PAGE.splitlines()
        if line.startswith("| ")]  # fmt: skip
QUOTED = re.compile(r"`([^`]+)`")


def names_in(path: str) -> str:
    """The names of all tests in a file or a folder."""
    place = ROOT / path
    files = sorted(place.rglob("test_*.py")) if place.is_dir() else [place]
    return "\n".join(name for one in files for name in re.findall(r"def (test_\w+)", one.read_text()))


def problems(command: str) -> Iterator[str]:
    """What a command names and is not there."""
    words = command.replace('"', "").split()
    for path in (word for word in words if word.startswith(("tests/", "benchmarks/"))):
        if not (ROOT / path).exists():
            yield path
            return
    if words[0].startswith("tests/") and not (ROOT / words[0]).name.startswith("test_"):
        yield f"{words[0]}: it is no test"
    if words[0] == "pytest":
        paths = [word for word in words if word.startswith("tests/")]
        names = "\n".join(names_in(path) for path in paths)
        wanted = re.search(r"-k ([\w ]+)", command.replace('"', ""))
        parts = re.split(r" (?:or|and) ", wanted[1].strip()) if wanted else []
        yield from (f"a test {part}" for part in parts if part not in names)
        if not paths:
            yield "a path"
    if words[:2] == ["python", "-m"]:
        file = (ROOT / words[2].replace(".", "/")).with_suffix(".py")
        runs = file.exists() and 'if __name__ == "__main__":' in file.read_text(encoding="utf-8")
        if not runs and not (file.with_suffix("") / "__main__.py").exists():
            yield words[2]
    if words[0] == "make" and f"\n{words[1]}:" not in (ROOT / "Makefile").read_text():
        yield f"the target {words[1]}"
    if words[0] == "pipwatch" and words[1] not in COMMANDS:
        yield f"the command {words[1]}"


@pytest.mark.parametrize("command", sorted({one for row in ROWS for one in QUOTED.findall(" ".join(row))}))
def test_what_a_row_is_proved_by_is_there(command: str) -> None:
    """A file, a test of that name, a module, a target of make, a command of ours."""
    assert [*problems(command)] == []


def test_what_a_row_counts_is_as_many() -> None:
    """Routes, those that change something, and the browser's tests that hear what a page's policy forbids."""
    unsafe = [row for row in ROUTES if row.startswith("POST")]
    files = [path.read_text(encoding="utf-8") for path in (ROOT / "tests/web").glob("test_*.py")]
    assert f"| {len(ROUTES)} routes × 5 × 4 |" in PAGE
    assert f"| 10 × {len(unsafe)} |" in PAGE
    hear, look = (sum(word in text for text in files) for word in ("complaints()", "engine: str"))
    assert f"| {hear} files, {look} of them with axe |" in PAGE


def test_each_named_sentence_has_a_test_of_that_name() -> None:
    """Each row of what is wrong names a file and a part of a test's name."""
    begin = next(k for k, row in enumerate(ROWS) if "32-bit system" in row[0]) - 1
    end = next(k for k, row in enumerate(ROWS) if "broken settings" in row[0]) + 1
    at, found = "", 0
    for row in ROWS[begin:end]:
        for part in row[-1].split(", "):
            if path := re.search(r"`([\w/]+\.py)`", part):
                name = path[1] if "/" in path[1] else f"{at.rpartition('/')[0]}/{path[1]}"
                at = name
            for word in re.findall(r"\w+", QUOTED.sub("", part)):
                if word not in ("same", "make", "trial"):
                    found += 1
                    assert word in names_in(at), (row[0], at, word)
    assert found >= 8


def test_all_tests_of_the_notes_have_a_row() -> None:
    """From 1 to 25, none left out."""
    begin = next(k for k, row in enumerate(ROWS) if row[0] == "no.")
    told = {int(word) for row in ROWS[begin:] for word in row[0].split(", ") if word.isdigit()}
    assert told == set(range(1, 26))
