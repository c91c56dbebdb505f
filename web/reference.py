"""What every application of the box can tell: the rules in our own words, and the words of a language."""

from functools import cache
from typing import Any, Final

from flask import Blueprint, Response, abort, jsonify, render_template, request

from device.notation_guide import GROUPS, example, grouped, parts_of
from engine import GAMES, rulebook
from web.words import READING, RULE, SOURCE, for_pages, language_of, languages, translated

_LONG_S: Final = 3600


@cache
def rules_of(game: str, language: str = SOURCE) -> dict[str, Any]:
    """The catalogue of one game as plain data; where the original says it, is told in its own language."""
    book = rulebook(game)
    rules = [
        {"id": rule.id, "section": rule.section, "words": translated(language, rule.words, RULE)}
        for rule in book.catalogue
    ]
    return {"game": game, "title": book.title, "source": book.catalogue.source, "rules": rules}


def reference_pages() -> Blueprint:
    """The pages of rules, and the catalogues of words."""
    pages = Blueprint("reference", __name__)
    pages.get("/api/rules/<game>")(_rules)
    pages.get("/api/readings/<game>")(_readings)
    pages.get("/rules/<game>")(_rules_page)
    pages.get("/notation/<game>")(_notation_page)
    pages.get("/words/<language>.json")(_words)
    pages.get("/api/openapi.json")(_openapi)
    return pages


def _rules(game: str) -> Response:
    return _in_words(jsonify(rules_of(_known(game), language_of(request))))


@cache
def readings_of(game: str, language: str = SOURCE) -> dict[str, Any]:
    """What a game's rules leave open, where more than one answer may be given, and its profiles."""
    readings = rulebook(game).readings

    def said(words: str) -> str:
        return translated(language, words, READING)

    return {
        "game": game,
        "profiles": {name: dict(values) for name, values in readings.profiles.items()},
        "readings": [
            {
                "key": one.key, "question": said(one.question), "default": one.default, "least": one.least,
                "choices": [{"value": value, "words": said(words)} for value, words in one.choices.items()],
            }
            for one in readings.all
            if len(one.choices) != 1
        ],
    }  # fmt: skip


def _readings(game: str) -> Response:
    return _in_words(jsonify(readings_of(_known(game), language_of(request))))


def _rules_page(game: str) -> str:
    return render_template("rules.html", token="", book=rules_of(_known(game), language_of(request)))


def _openapi() -> Response:
    from web.openapi import document  # it tells of the door, which has these pages

    return jsonify(document())


def _notation_page(game: str) -> str:
    book = rulebook(_known(game))
    groups = [
        (GROUPS[group], [(form.told, form.pattern, example(book, form)) for form in forms])
        for group, forms in grouped(book).items()
    ]
    parts = {word: meaning.replace("`", "") for word, meaning in parts_of(game).items()}
    return render_template("notation.html", token="", title=book.title, groups=groups, parts=parts)


def _words(language: str) -> Response:
    if language not in languages() or language == SOURCE:
        abort(404)
    return _kept(jsonify(for_pages(language, around="around" in request.args)))


def _known(game: str) -> str:
    if game not in GAMES:
        abort(404)
    return game


def _in_words(answer: Response) -> Response:
    """What a browser may keep for as long as it asks in the same language."""
    answer.vary.update(("Cookie", "Accept-Language"))
    return _kept(answer)


def _kept(answer: Response) -> Response:
    """What stays as it is until the box is started anew: a browser may keep it for a while."""
    answer.headers["Cache-Control"] = f"private, max-age={_LONG_S}"
    return answer
