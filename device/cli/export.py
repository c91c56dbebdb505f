"""`pipwatch export MATCH --as …`: a recorded game in a form that other programs and people read."""

import argparse
import sys

from device.cli import UserError
from device.cli.record_input import file_of, history_of
from device.export_forms import PPN_ONLY, written
from device.journal.journal_reader import is_journal
from device.journal.store import JournalError
from engine import BadRecord
from engine.plain import BadData

FORMS = ("json", "csv", "text", "ppn", "case")


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    words = "write a recorded game as JSON, CSV, plain text, Portable Piecepack Notation or test cases"
    p = commands.add_parser("export", help=words, description=words + ".")
    p.add_argument("file", metavar="MATCH", help="a journal, the name of a match, or a record (JSON lines)")
    told = "ppn is for Dominoids only; case is a zip file of a journal's questions and corrections"
    p.add_argument("--as", dest="form", choices=FORMS, required=True, help=told)
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the game to stdout."""
    if arguments.form == "case":
        return _write_cases(arguments.file)
    history = history_of(arguments.file)
    if arguments.form == "ppn" and history.header.game != PPN_ONLY:
        game = history.header.game
        raise UserError(f"PPN can tell games of dominoids only, and {arguments.file} is one of {game}.")
    sys.stdout.write(written(history, arguments.form))
    return 0


def _write_cases(match: str) -> int:
    from device.journal.case import archive  # zip files: only who asks for them loads that

    path = file_of(match)
    if not is_journal(path):
        history_of(match)  # says what is wrong with a file that is not even a record
        raise UserError(f"{match} is a record without pictures; test cases come from the journal of a match.")
    if sys.stdout.isatty():
        raise UserError("test cases are a zip file: add `> cases.zip`.")
    try:
        made = archive(path)
    except (JournalError, BadRecord, BadData) as wrong:
        raise UserError(f"{match}: {wrong}") from None
    sys.stdout.buffer.write(made)
    return 0
