"""The languages of the pages: gettext catalogues, read once; English is the source.

``web/words/de.po`` has the words of scripts, ``web/words/de/pages.po`` those that stand on the pages, and the
other files there those of the games and of the box. Besides plain sentences a catalogue holds, each with a
context of its own: ``referee``, what rule books, matches and the box say, in which ``{tile}`` stands for a
part; ``part``, what such a part may be; ``rule``, the rules by what they say in English; ``reading``, what
they leave open. How sentences are put together tells ``web/static/sentences.js``.
"""

import re
from collections.abc import Container, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from flask import Request

_FOLDER: Final = Path(__file__).parent / "words"
SOURCE: Final = "en"
COOKIE: Final = "language"
REFEREE: Final = "referee"
PART: Final = "part"
RULE: Final = "rule"
READING: Final = "reading"
AROUND: Final = frozenset({"doctor", "lobby", "mount", "owner", "settings"})
"""The files whose sentences no page of a match shows: such a page need not load them."""
PLACED: Final = frozenset({"glance", "pages"})
"""The files whose sentences the box itself puts into words before they are sent: no page loads them."""
_NAMES: Final = {"en": "English", "de": "Deutsch"}


@cache
def languages() -> tuple[str, ...]:
    """The languages that pages can be shown in, the source first."""
    return (SOURCE, *sorted(path.stem for path in _FOLDER.glob("*.po")))


def name_of(language: str) -> str:
    """What a language calls itself."""
    return _NAMES.get(language, language)


def language_of(request: Request) -> str:
    """The language that this browser has chosen, or that it asks for."""
    chosen = request.cookies.get(COOKIE, "")
    if chosen in languages():
        return chosen
    return request.accept_languages.best_match(languages()) or SOURCE


@cache
def catalogue(language: str) -> dict[tuple[str, str], str]:
    """What a language says for each sentence, by its context (mostly none) and the sentence in English."""
    return told_in(language, around=False) | told_in(language, around=True) | _held(language, PLACED)


@cache
def told_in(language: str, *, around: bool) -> dict[tuple[str, str], str]:
    """The same of a page's or a match's words alone, or of what is told around a match alone."""
    stems = {path.stem for path in files(language)} - PLACED
    return _held(language, stems & AROUND if around else stems - AROUND)


def _held(language: str, stems: Container[str]) -> dict[tuple[str, str], str]:
    """What some files of a language hold."""
    if language == SOURCE or language not in languages():
        return {}
    found = {}
    for path in files(language):
        if path.stem in stems:
            told = entries(path.read_text(encoding="utf-8"))
            found.update({(context, source): said for context, source, said in told if source and said})
    return found


def files(language: str) -> list[Path]:
    """The files that hold the words of a language, those of the pages first."""
    return [_FOLDER / f"{language}.po", *sorted((_FOLDER / language).glob("*.po"))]


def translated(language: str, sentence: str, context: str = "") -> str:
    """A sentence of a page in a language; where that has none, as it is."""
    return catalogue(language).get((context, sentence), sentence)


def for_pages(language: str, *, around: bool = False) -> dict[str, object]:
    """The catalogue as pages load it: sentences, and patterns of what the referee says.

    What stands on a page of its own, the rules and what they leave open, is put into words before it is sent.
    """
    known = told_in(language, around=around).items()
    return {
        "words": {source: said for (context, source), said in known if not context},
        "patterns": [
            [context, source, said]
            for (context, source), said in known
            if context.split("|")[0] in (REFEREE, PART)
        ],
    }


def entries(text: str) -> Iterator[tuple[str, str, str]]:
    """Context, source and translation of each entry of a .po file."""
    for block in re.split(r"\n\s*\n", text):
        found = {"msgctxt": "", "msgid": "", "msgstr": ""}
        word = ""
        for line in block.splitlines():
            head, _, rest = line.partition(" ")
            if head in found:
                word, line = head, rest
            if word and line.startswith('"'):
                found[word] += _unquoted(line)
        yield found["msgctxt"], found["msgid"], found["msgstr"]


def _unquoted(line: str) -> str:
    return re.sub(r"\\(.)", lambda sign: {"n": "\n", "t": "\t"}.get(sign[1], sign[1]), line.strip()[1:-1])
