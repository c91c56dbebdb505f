"""Reading a record that a user named."""

import sys
from pathlib import Path

from device.cli import UserError
from engine import BadProfile, BadRecord, BadSetup, UnknownGame
from engine.history import History
from engine.plain import BadData
from engine.record import Record, read


def record_of(path: str) -> Record:
    """The record in the file; a lost tail is told on stderr."""
    try:
        record = read(Path(path).read_text(encoding="utf-8", errors="replace"))
    except OSError as wrong:
        raise UserError(f"{path} cannot be read: {wrong.strerror or wrong}.") from None
    except BadRecord as wrong:
        raise UserError(f"{path}: {wrong}") from None
    if record.damage:
        print(f"pipwatch: {path}: {record.damage}", file=sys.stderr)
    return record


def history_of(path: str) -> History:
    """The game in the file, judged anew."""
    try:
        return History.of(record_of(path))
    except (UnknownGame, BadProfile, BadRecord, BadSetup, BadData) as wrong:
        raise UserError(f"{path}: {wrong}") from None
