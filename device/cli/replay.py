"""`pipwatch replay FILE`: a recorded game, judged anew from its first line."""

import argparse
import json
import sys

from device.cli.record_input import history_of
from device.cli.terminal_words import end_json, ending, score_line, score_pad, step_json, step_lines
from engine.history import History


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    words = "judge a recorded game anew and tell it move by move"
    p = commands.add_parser("replay", help=words, description=words.capitalize() + ".")
    p.add_argument("file", metavar="FILE", help="a record (JSON lines), a journal, or the name of a match")
    p.add_argument("--json", action="store_true", help="one JSON object a step, then one with the end")
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Tell the game."""
    history = history_of(arguments.file)
    if arguments.json:
        _print_json(history)
    else:
        _print_words(history)
    for change in history.disagreements():
        print(f"pipwatch: the record says otherwise: {change}", file=sys.stderr)
    return 0


def _print_words(history: History) -> None:
    header = history.header
    print(f"{history.book.title}, profile {header.profile}: {header.players[0]} and {header.players[1]}")
    shown = (0, 0)
    for step in history.steps:
        print("\n".join(step_lines(step)))
        if step.scores.totals != shown:
            shown = step.scores.totals
            print(f"     score: {score_line(step.scores, header.players)}")
    print("\n".join(score_pad(history.scores, header.players)))
    print(ending(history))


def _print_json(history: History) -> None:
    for step in history.steps:
        print(json.dumps(step_json(step), ensure_ascii=False))
    print(json.dumps(end_json(history), ensure_ascii=False))
