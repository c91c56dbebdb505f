"""A game as other programs and people read it: JSON, a table, plain text, Portable Piecepack Notation."""

import csv
import io
import json
from typing import Final

from device.cli.terminal_words import ending, ruling_lines, score_pad, step_lines
from engine import State
from engine.history import History, Step

PPN_ONLY: Final = "dominoids"
"""The game whose moves that notation can tell."""
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""


def written(history: History, form: str) -> str:
    """The game in one of the forms ``json``, ``csv``, ``text`` and ``ppn``."""
    return {"json": _json, "csv": _csv, "text": _text, "ppn": _ppn}[form](history)


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
        writer.writerow({name: _cell(value) for name, value in _row(step).items()})
    return out.getvalue()


def _cell(value: str | int) -> str | int:
    """A cell that no spreadsheet computes: words of people stay words."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


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
