"""Reading a record or a journal that a user named."""

import sys
from pathlib import Path

from device.cli import UserError, for_the_box
from device.journal.game import read_record
from device.journal.journal_reader import is_journal
from device.journal.readable import readable_match
from device.journal.store import JournalError
from engine import BadProfile, BadRecord, BadSetup, UnknownGame
from engine.history import History
from engine.plain import BadData
from engine.record import Record, read


def record_of(path: str) -> Record:
    """The record in the file, or in the journal; a lost tail is told on stderr."""
    file = file_of(path)
    try:
        record = read_record(file) if is_journal(file) else read(file.read_text("utf-8", errors="replace"))
    except JournalError as wrong:
        raise UserError(str(wrong)) from None
    except OSError as wrong:
        raise UserError(f"{path} cannot be read: {wrong.strerror or wrong}.") from None
    except BadRecord as wrong:
        raise UserError(f"{path}: {wrong}") from None
    if record.damage:
        print(f"pipwatch: {path}: {record.damage}", file=sys.stderr)
    return record


def file_of(path: str) -> Path:
    """The file itself, or else the match of this name among those that are kept: with sudo the box's."""
    file = Path(path)
    try:
        if file.exists():
            return file
        with for_the_box.looked_into():
            kept = readable_match(path)
    except PermissionError:
        raise UserError(f"{path} may not be looked at by you: with sudo it may.") from None
    return file if kept is None else kept


def history_of(path: str) -> History:
    """The game in the file, judged anew."""
    try:
        return History.of(record_of(path))
    except (UnknownGame, BadProfile, BadRecord, BadSetup, BadData) as wrong:
        raise UserError(f"{path}: {wrong}") from None
