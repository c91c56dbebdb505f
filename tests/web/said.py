"""What the referee can say, out of its source: each sentence of the rule books, the match and the eye.

``python -m tests.web.said [LANGUAGE]`` lists what a language has no words for yet, as entries of a catalogue
to be filled in. What stands in braces are the parts of a sentence, named after what the source puts there.
"""

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Final

from tests.web.speaking import BOX, BOX_INWARD, INWARD, OUTWARD, SPEAKING, UNHEARD
from web.words import PART, REFEREE, catalogue

ROOT: Final = Path(__file__).parents[2]
_NOTATION: Final = re.compile(
    r"see |(put|move|shoot|run|blow|spawn|face|bonus|extend|rewall|first|base|wall|stock|castle|draw|call"
    r"|down|eat|attack|birth|place|dice) [^ ]*( ?\w*)[\d{(]|\(\?:|.*\(\?P<|\w+-\{"
    r"|(soldier|die|map|wall|player) \{\w+\}|\{\w+\} (by|move|bud|shift|pass|at|end)\b|\{\w+\}: draw|r\{"
    r"|dice, eat|player \d"
)
"""Lines of notation and names of pieces, which are the same in every language."""
_COMPOSED: Final = frozenset(
    {
        "{article} {suit_name} coin",
        "{article} {suit_name} coin of value {value}",
        "{status} {rule}, stands",
        "{sentence} be, or touch an equal coat.",
        "There is no {told} from an earlier turn",
        "{who} {answer} a draw.",
        "The {words} is not connected: choose another camera, or by hand.",
        ", and for `run` marker_mm = {:g} under [table] in config.toml",
        "Pi's camera",
        "marker {odd} does",
        "player {side}'s {kind}",
        "the {seen_words} {where_words}",
    }
)
"""Templates that a catalogue holds written out, for each article, status and the like that can be there."""
_CODE: Final = re.compile(
    r"<\w|=\"|\\d|\[\\|\bPRAGMA\b|^\s*(SELECT|INSERT|CREATE|BEGIN)\b|^(device|plughw|webcam)[.:]|^/dev/"
    r"|mode=r[ow]|default-src"
)
"""Markup, patterns, questions to databases, names of modules and devices."""
_PLAIN_CALLS: Final = frozenset(
    {"str", "name", "title", "listed", "sorted", "list", "map", "len", "max", "min"}
)
_MOST: Final = 64
"""So many variants of one template are written out at most."""


def templates(game: str) -> Iterator[tuple[str, str]]:
    """Where a sentence stands, and the sentence with its parts in braces."""
    folder, modules = SPEAKING[game]
    for module in modules.split():
        path = ROOT / folder / f"{module}.py"
        for line, text in phrases(path, inward_of(game, f"{folder}/{module}")):
            if game not in BOX or text not in UNHEARD:
                yield f"{folder}/{module}.py:{line}", text


def phrases(path: Path, inward: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Line and text of each phrase of a module that is not handed to one of the ``inward`` functions."""
    for node in _spoken(ast.parse(path.read_text(encoding="utf-8")), inward):
        for text in _variants(node):
            if _is_phrase(text):
                yield node.lineno, text


def inward_of(group: str, module: str) -> frozenset[str]:
    """The functions of a module to which nothing is said that people read."""
    inward = BOX_INWARD if group in BOX else INWARD
    return inward - {"print", "_say", "RuntimeError"} if module in OUTWARD else inward


def skeleton(text: str) -> str:
    """The sentence whatever its parts are called."""
    return re.sub(r"\{\w+\}", "{}", text)


def _is_phrase(text: str) -> bool:
    words = re.sub(r"\{\w+\}", "", text)
    if text in _COMPOSED or _CODE.search(text) or (_NOTATION.match(text) and not text.endswith(".")):
        return False
    return bool(re.search(r"[a-z]{2}", words) and re.search(r"\s|\{\w+\}$|\w\.$", text.strip()))


def _spoken(node: ast.AST, inward: frozenset[str]) -> Iterator[ast.expr]:
    """The strings of a module that may be said; docstrings, keys and names of data are not."""
    for child in _children(node, inward):
        if isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield child
        elif isinstance(child, ast.JoinedStr):
            yield child
            for value in child.values:
                if isinstance(value, ast.FormattedValue):
                    yield from _spoken(value, inward)
        elif isinstance(child, ast.BinOp) and _variants(child) != ["{}"]:
            yield child
        else:
            yield from _spoken(child, inward)


def _children(node: ast.AST, inward: frozenset[str]) -> Iterator[ast.AST]:
    if isinstance(node, ast.Call) and _name_of(node.func) in inward:
        return
    if isinstance(node, ast.Compare | ast.Assert | ast.MatchValue | ast.Import | ast.ImportFrom):
        return
    for field, value in ast.iter_fields(node):
        if isinstance(node, ast.Dict) and field == "keys":
            continue
        if (isinstance(node, ast.Subscript) and field == "slice") or field in ("annotation", "returns"):
            continue
        for one in value if isinstance(value, list) else [value]:
            quiet = isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
            if isinstance(one, ast.AST) and not quiet:
                yield one


def _variants(node: ast.expr) -> list[str]:
    """All that a string may read: words chosen between are written out, the rest are parts."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=values):
            return _joined([_variants(one) for one in values])
        case ast.FormattedValue(value=value):
            return _variants(value)
        case ast.IfExp(body=body, orelse=orelse):
            return list(dict.fromkeys([*_variants(body), *_variants(orelse)]))
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mult()):
            return [text, ""]
        case ast.BinOp(left=left, op=ast.Add(), right=right) if _is_text(left) or _is_text(right):
            return _joined([_variants(left), _variants(right)])
        case _:
            return [f"{{{_part(node)}}}"]


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _joined(pieces: Sequence[list[str]]) -> list[str]:
    """All ways of putting these together, in which no two parts have the same name."""
    made = []
    for combination in list(product(*pieces))[:_MOST]:
        seen: dict[str, int] = {}

        def numbered(found: re.Match[str], seen: dict[str, int] = seen) -> str:
            seen[found[1]] = seen.get(found[1], 0) + 1
            return f"{{{found[1]}{seen[found[1]] if seen[found[1]] > 1 else ''}}}"

        made.append(re.sub(r"\{([a-z_]+)\d*\}", numbered, "".join(combination)))
    return list(dict.fromkeys(made))


def _part(node: ast.expr) -> str:
    """What a part is called: after the variable or the function that it comes from."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            found = name
        case ast.Call(func=ast.Attribute(attr="join"), args=[first, *_]):
            found = _part(first)
        case ast.Call(func=ast.Attribute(value=value, attr="capitalize" | "format" | "removeprefix")):
            found = _part(value)
        case ast.Call(func=func, args=args):
            plain = _name_of(func) in _PLAIN_CALLS and args
            found = _part(args[0]) if plain else _name_of(func)
        case ast.Subscript(value=value) | ast.Starred(value=value):
            found = _part(value)
        case ast.GeneratorExp(elt=element):
            found = _part(element)
        case ast.BinOp(left=left, right=right):
            found = _part(right if isinstance(left, ast.Constant) else left)
        case ast.BoolOp(values=[first, *_]) | ast.IfExp(body=first):
            found = _part(first)
        case _:
            found = "part"
    return re.sub(r"[^a-z_]", "", found.lower()).strip("_") or "part"


def _name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def missing(language: str) -> Iterator[tuple[str, str, str]]:
    """Game, place and sentence of all that a language lacks; a fragment may be a part of a whole sentence."""
    known = [skeleton(source) for context, source in catalogue(language) if context in ("", REFEREE, PART)]
    parts = {skeleton(source) for context, source in catalogue(language) if context in (REFEREE, PART)}
    whole, all_ = set(known), "\n".join(known)
    told = set[str]()
    for game in SPEAKING:
        for place, text in templates(game):
            bare = skeleton(text.strip())
            loose = game not in BOX or not re.match(r"\w.*\w$", text)
            fragment = loose and not re.match(r"[A-Z].*\.$", text) and bare in all_
            # What pages say by themselves is known whole alone: it is no part of another sentence.
            found = bare in (parts if game in BOX and not text.endswith(".") else whole)
            if not found and not fragment and text not in told:
                told.add(text)
                yield game, place, text


if __name__ == "__main__":
    for game_, place_, text_ in missing(sys.argv[1] if len(sys.argv) > 1 else "de"):
        escaped = text_.replace('"', '\\"')
        sys.stdout.write(f'# {game_}, {place_}\nmsgctxt "referee"\nmsgid "{escaped}"\nmsgstr ""\n\n')
