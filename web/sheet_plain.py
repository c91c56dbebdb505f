"""Maps as the page for sheets has them: plain data in, plain data out."""

from typing import Any

from device.sheet_reading import FlatMap, domains_json
from engine.kingdomino_duel.edition import COATS, LETTERS
from engine.kingdomino_duel.kingdom import Kingdom
from engine.kingdomino_duel.map_score import Sheet, compare, score_sheet

MOST_MAPS = 8


class NoMaps(ValueError):
    """What was sent is no map; the message is the sentence that says why."""


def map_json(one: FlatMap) -> dict[str, Any]:
    """A map that was read: what stands on it, what is doubtful, whose it is, and what it is worth."""
    read, sheet = one.map.read, one.map.sheet
    return {
        "name": one.map.name,
        "rows": [row.split() for row in read.kingdom.rows],
        "roof": read.roof,
        "named": None if sheet.named is None else COATS[sheet.named],
        "used_p1": sheet.used_p1,
        "used_p6": sheet.used_p6,
        "used_p2": sheet.used_p2,
        "unnamed": one.map.unnamed,
        "doubts": list(read.doubts),
        "paying": list(read.paying),
        "others": {one.name: [_token(*value) for value in one.others] for one in read.squares if one.doubt},
        "named_doubts": dict(zip(COATS, map(list, read.named_doubts), strict=True)),
        "unlogged": list(one.map.unlogged),
        "advice": one.map.advice,
        "confidence": {square.name: square.confidence for square in read.squares},
        **score_json(sheet),
    }


def score_json(sheet: Sheet) -> dict[str, Any]:
    """What a map is worth."""
    score = score_sheet(sheet)
    return {
        "domains": domains_json(score),
        "named_points": score.named_points,
        "score": score.total,
        "largest": score.largest,
        "faults": [fault.sentence for fault in score.doubts],
    }


def outcome_json(sheets: list[Sheet]) -> str | None:
    """Who wins, where there are two maps."""
    return compare(sheets[0], sheets[1]).reason if len(sheets) == 2 else None


def sheets_of(told: Any) -> list[Sheet]:
    """The maps that the page sends, as corrected; raises NoMaps."""
    maps = told.get("maps") if isinstance(told, dict) else None
    if not isinstance(maps, list) or not 1 <= len(maps) <= MOST_MAPS:
        raise NoMaps("One to eight maps are needed.")
    try:
        return [_sheet(one) for one in maps]
    except (TypeError, ValueError, KeyError, AttributeError) as wrong:
        raise NoMaps(f"This is no map: {wrong}") from wrong


def unnamed_in(told: dict[str, Any]) -> bool:
    """Whether it is still to be told of a map which coat its player named with P5, as the page sends it."""
    return any(bool(one.get("unnamed")) for one in told["maps"])


def _token(coat: int, crosses: int) -> str:
    """A square as the page writes it."""
    return "." if coat < 0 else f"{LETTERS[coat]}{crosses}"


def doubts_of(told: dict[str, Any]) -> list[frozenset[str]]:
    """The squares of each map that nobody has settled yet, as the page sends them."""
    maps = [one.get("doubts") for one in told["maps"]]
    return [frozenset(map(str, some if isinstance(some, list) else ())) for some in maps]


def _sheet(told: dict[str, Any]) -> Sheet:
    rows = [" ".join(str(token) for token in row) for row in told["rows"]]
    named = told.get("named")
    return Sheet(
        Kingdom.from_rows(rows),
        roof=bool(told.get("roof")),
        named=None if named is None else COATS.index(named),
        used_p1=bool(told.get("used_p1")),
        used_p6=bool(told.get("used_p6")),
        used_p2=bool(told.get("used_p2")),
    )
