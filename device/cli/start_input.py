"""What a user says about the beginning of a game."""

import json
from pathlib import Path

from device.cli import UserError
from device.typed import is_text
from engine.plain import Json, obj


def players_of(text: str) -> tuple[str, str]:
    """The two players' names."""
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not all(names):
        raise UserError(f"--players takes two names with a comma between, not {text!r}.")
    if not is_text(text):
        raise UserError(f"--players should be text in UTF-8, not {text!r}.")
    return names[0], names[1]


def speed_of(given: float) -> float:
    """How many times as fast the virtual table plays."""
    if not given >= 0:  # "nan" is neither below nor above
        raise UserError(f"--speed is a factor such as 2, or 0 for no waiting, not {given:g}.")
    return given


def setup_of(path: str) -> dict[str, Json]:
    """The set-up in a file."""
    try:
        data: Json = json.loads(Path(path).read_text(encoding="utf-8"))
        return dict(obj(data, "the set-up"))
    except OSError as wrong:
        raise UserError(f"{path} cannot be read: {wrong.strerror}.") from None
    except ValueError as wrong:
        raise UserError(f"{path} is not a JSON object: {wrong}.") from None
    except RecursionError:
        raise UserError(f"{path} is no set-up: its brackets are nested too deep.") from None
