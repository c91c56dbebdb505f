"""`pipwatch export MATCH --as …`: a recorded game in a form that other programs and people read."""

import argparse
import csv
import io
import json
import sys

from device.cli import UserError
from device.cli.record_input import file_of, history_of
from device.cli.words import ending, ruling_lines, score_pad, step_lines
from device.journal.reading import is_journal
from device.journal.store import JournalError
from engine import BadRecord, State
from engine.history import History, Step
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
    if arguments.form == "ppn" and history.header.game != "dominoids":
        game = history.header.game
        raise UserError(f"PPN can tell games of dominoids only, and {arguments.file} is one of {game}.")
    sys.stdout.write({"json": _json, "csv": _csv, "text": _text, "ppn": _ppn}[arguments.form](history))
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


def _json(history: History) -> str:
    data = {
        "header": history.header.to_json(),
        "entries": [entry.to_json() for entry in history.entries],
        "steps": [_row(step) for step in history.steps],
        "state": history.state.to_json(),
        "scores": history.scores.to_json(),
        "outcome": None if history.outcome is None else history.outcome.to_json(),
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _csv(history: History) -> str:
    out = io.StringIO()
    columns = ["entry", "kind", "text", "status", "rule", "reason", "stands", "problem", "score1", "score2"]
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    for step in history.steps:
        writer.writerow(_row(step))
    return out.getvalue()


def _row(step: Step) -> dict[str, str | int]:
    ruling = step.ruling
    return {
        "entry": step.entry,
        "kind": step.happened.kind,
        "text": step.happened.text,
        "status": str(ruling.status) if ruling else "",
        "rule": ruling.rule if ruling else "",
        "reason": ruling.reason if ruling else "",
        "stands": "yes" if step.stands else "",
        "problem": step.problem,
        "score1": step.scores.totals[0],
        "score2": step.scores.totals[1],
    }


def _text(history: History) -> str:
    header = history.header
    lines = [
        f"{history.book.title}, profile {header.profile}",
        f"{header.players[0]} and {header.players[1]}",
    ]
    for step in history.steps:
        lines.extend(step_lines(step))
    lines.extend(score_pad(history.scores, header.players))
    lines.append(ending(history))
    return "\n".join(lines) + "\n"


def _ppn(history: History) -> str:
    from engine.dominoids import ppn  # one game's form: only who asks for it loads it

    told: list[tuple[str | State, str]] = [
        (step.state, step.happened.text)
        if step.happened.kind == "set"
        else (step.happened.text, " ".join(ruling_lines(step.ruling)) if step.ruling else "")
        for step in history.steps
        if not step.problem and (step.ruling is None or step.ruling.allowed or step.stands)
    ]
    return ppn.write(history.book, history.first, told, players=history.header.players)
