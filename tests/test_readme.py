"""The README is true: its example says what the program says, and its commands and files are there."""

import io
import re
import sys
from pathlib import Path

import pytest

from device.cli import COMMANDS, main, parser

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_example_of_refereeing_by_hand_is_what_happens(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Typing the README's moves gives the README's rulings, letter by letter."""
    block = next(part for part in README.split("```") if part.startswith("\n$ .venv/bin/pipwatch referee"))
    command, *shown = block.strip().splitlines()
    typed = [line.removeprefix("move> ") for line in shown if line.startswith("move> ")]
    answers = [line for line in shown if not line.startswith("move> ")]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(typed) + "\n"))
    assert main(command.split()[2:]) == 0
    assert capsys.readouterr().out.splitlines() == answers
    assert (tmp_path / "game.jsonl").exists()


def test_every_command_and_file_that_the_readme_names_is_there() -> None:
    """No command and no document exists only in the README."""
    words = parser().format_help()
    named = set(re.findall(r"`pipwatch ([a-z]+)", README))
    assert len(named) >= 7
    assert all(name in words for name in named)
    assert all((ROOT / path).exists() for path in re.findall(r"docs/[\w.-]+\.\w+", README))
    assert len(COMMANDS) >= len(named)
