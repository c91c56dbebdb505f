"""The command line: all commands are known, and each is there without the others being loaded."""

import subprocess
import sys

import pytest

from device.cli import COMMANDS, main, parser

HEAVY = ("numpy", "cv2", "flask", "onnxruntime", "simulation.film")
SMALL = ("status", "join", "backup", "restore", "diagnose", "serve", "referee", "doctor")


def known(words: str) -> set[str]:
    """The commands that a help names."""
    return {line.split()[0] for line in words.splitlines() if line.startswith("    ") and line[4] != " "}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_there_without_the_others(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Its own help is the one that the whole command line has; alone it knows no other."""
    helps = []
    for made in (parser(), parser(command)):
        with pytest.raises(SystemExit) as ended:
            made.parse_args([command, "--help"])
        assert ended.value.code == 0
        helps.append(capsys.readouterr().out)
    assert helps[0] == helps[1]
    assert known(parser(command).format_help()) == {command}


def test_the_help_names_all_commands() -> None:
    """In the order in which they are thought of."""
    assert known(parser().format_help()) == set(COMMANDS)


@pytest.mark.parametrize("typed", [["biscuit"], ["--nonsense", "status"], []])
def test_what_is_no_command_is_told_all_commands(
    typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A word that nobody knows, an option that is none, and nothing at all."""
    with pytest.raises(SystemExit) as ended:
        main(typed)
    assert ended.value.code == 2
    assert "COMMAND" in capsys.readouterr().err


def test_a_small_command_loads_nothing_heavy() -> None:
    """On a small board numpy alone takes seconds, and a box that starts waits for it."""
    script = f"""
import sys
from device.cli import parser
for command in {SMALL}:
    parser(command)
    print(*(name for name in {HEAVY} if name in sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
    assert done.stdout.count("\n") == len(SMALL)
