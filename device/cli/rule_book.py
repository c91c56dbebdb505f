"""`pipwatch rules GAME`: the rules in our own words, with their ids, and the readings in force."""

import argparse
import json
import textwrap
from collections.abc import Iterator

from device.cli import UserError
from engine import GAMES, AnyRuleBook, BadProfile, UnknownGame, rulebook


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    words = "print a game's rules in our own words, with their ids and the readings in force"
    p = commands.add_parser("rules", help=words, description=words.capitalize() + ".")
    p.add_argument("game", metavar="GAME", help=f"one of {', '.join(GAMES)}")
    p.add_argument("--profile", default="default", help="a profile, such as 2016 or default+reveal=chosen")
    p.add_argument("--json", action="store_true", help="as one JSON object")
    p.set_defaults(run=run)


def book_for(game: str, profile: str) -> AnyRuleBook:
    """The rule book a user asked for."""
    try:
        return rulebook(game, profile)
    except (UnknownGame, BadProfile) as wrong:
        raise UserError(str(wrong)) from None


def run(arguments: argparse.Namespace) -> int:
    """Print the rules."""
    book = book_for(arguments.game, arguments.profile)
    if arguments.json:
        print(json.dumps(_data(book), ensure_ascii=False, indent=1))
    else:
        print("\n".join(_lines(book)))
    return 0


def _lines(book: AnyRuleBook) -> Iterator[str]:
    yield f"{book.title}: rules in our own words"
    yield f"Original: {book.catalogue.source}"
    yield f"Profile: {book.profile}"
    section = ""
    for rule in book.catalogue:
        if rule.section != section:
            section = rule.section
            yield f"\n{section}"
        yield from _wrapped(rule.id, rule.words)
    yield "\nReadings in force (where the original leaves something open)"
    for reading in book.readings.all:
        value = book.settings[reading.key]
        meaning = reading.choices.get(value, str(value))
        yield from _wrapped(reading.id, f"{reading.question} → {meaning} [{reading.key}={_plain(value)}]")


def _wrapped(head: str, words: str) -> Iterator[str]:
    yield from textwrap.wrap(words, 100, initial_indent=f"  {head:<12} ", subsequent_indent=" " * 15)


def _plain(value: str | int | bool) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _data(book: AnyRuleBook) -> dict[str, object]:
    return {
        "game": book.game,
        "source": book.catalogue.source,
        "profile": str(book.profile),
        "rules": [{"id": rule.id, "section": rule.section, "words": rule.words} for rule in book.catalogue],
        "readings": [
            {
                "id": reading.id,
                "key": reading.key,
                "question": reading.question,
                "value": book.settings[reading.key],
            }
            for reading in book.readings.all
        ],
    }
