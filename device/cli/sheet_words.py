"""How photographed sheets are told: as JSON, and as lines for a terminal."""

from pathlib import Path
from typing import TYPE_CHECKING

from device.sheet_powers import power_words
from device.sheet_reading import (
    PhotoMap,
    ReadPhoto,
    domains_json,
    open_words,
    outcome_of,
    winner_of,
    winner_words,
)
from engine.kingdomino_duel.edition import AS_PRINTED, COATS, coat_words
from engine.kingdomino_duel.kingdom import NAMES
from engine.plain import JsonObject

UNNAMED = "P5 may be this player's, as the spellbook shows: say with --named which coat was named"

if TYPE_CHECKING:
    from vision.sheet_decoder import ReadSquare
    from vision.spellbook_reader import ReadSpellbook


def photo_json(path: Path, photo: ReadPhoto) -> JsonObject:
    """A photo as JSON: the first map's keys at the top, as the contract has them, others under ``more``."""
    height, width = photo.image.shape[:2]
    first, *others = [_map_json(one) for one in photo.maps] or [{"map": None}]
    told: JsonObject = {"image": str(path), "size": [width, height], **first}
    if others:
        told["more"] = list(others)
        outcome, likely = outcome_of(photo.maps), winner_of(photo.maps)
        told["winner"] = None if outcome is None else outcome.winner
        if likely is not None:
            told["winner_confidence"] = round(likely.chance, 4)
            told["winner_open"] = bool(open_words(photo.maps))
    if photo.spellbooks:
        told["spellbooks"] = [_book_json(book) for book in photo.spellbooks]
    return told


def _book_json(book: "ReadSpellbook") -> JsonObject:
    """A spellbook as JSON, coat by coat; players are 1 (left) and 2."""
    return {
        COATS[line.coat]: {
            "power": f"P{AS_PRINTED.lines[line.coat].power}",
            "ticks": list(line.ticks),
            "struck": line.struck,
            "owner": line.owner,
            "used": line.used,
            "doubt": line.doubt,
        }
        for line in book.lines
    }


def _map_json(one: PhotoMap) -> JsonObject:
    read, score = one.read, one.score
    by_name = {square.name: _square_json(square) for square in read.squares}
    rows = [[by_name.get(f"r{row}c{column}") for column in range(1, 8)] for row in range(1, 6)]
    outline = one.corners[[0, 0, -1, -1], [0, -1, -1, 0]].round(1)
    return {
        "map": [list(row) for row in rows],
        "roof": read.roof,
        "domains": domains_json(score),
        "score": score.total,
        "named_points": score.named_points,
        "unnamed": one.unnamed,
        "doubts": list(read.doubts),
        "confidence": round(read.sure, 4),
        "largest": score.largest,
        "faults": [fault.sentence for fault in score.doubts],
        "player": one.name or None,
        "advice": one.advice or None,
        "corners_px": [[float(x), float(y)] for x, y in outline],
    }


def _square_json(square: "ReadSquare") -> JsonObject | None:
    """A square as JSON: null where nothing is drawn."""
    if square.coat is None:
        return None
    return {"coat": COATS[square.coat], "crosses": square.crosses, "confidence": square.confidence}


def photo_text(path: Path, photo: ReadPhoto) -> list[str]:
    """A photo in lines for a terminal."""
    return [f"{path}:", *maps_text(photo)]


def maps_text(photo: ReadPhoto) -> list[str]:
    """All that was read in a photo, in lines for a terminal."""
    lines: list[str] = []
    for number, one in enumerate(photo.maps):
        if len(photo.maps) > 1:
            lines.append(f" map {number + 1} from the left")
        lines += [f"  {line}" for line in _map_text(one)]
    for book in photo.spellbooks:
        lines += ["  spellbook:", *(f"    {told}" for told in power_words(book))]
    outcome = outcome_of(photo.maps)
    if outcome is None:
        return lines
    return [
        *lines,
        f"  {winner_words(photo.maps, outcome)}",
        *(f"  {told}" for told in [open_words(photo.maps)] if told),
    ]


def _map_text(one: PhotoMap) -> list[str]:
    read, score = one.read, one.score
    lines = [*([one.name] if one.name else []), *read.kingdom.rows]
    for domain in score.domains:
        first = NAMES[domain.squares[0]]
        told = f"{len(domain.squares)} × {domain.crosses} = {domain.points}"
        lines.append(f"{coat_words(domain.coat)} at {first}: {told}")
    if one.sheet.named is not None:
        lines.append(f"named coat {coat_words(one.sheet.named)}: {score.named_points}")
    roof = "coloured" if read.roof else "not coloured"
    lines.append(f"{score.total} points, largest domain {score.largest}; roof {roof}")
    if one.unnamed:
        lines.append(UNNAMED)
    if one.unlogged:
        lines.append(f"unlike the match's log: {', '.join(one.unlogged)}")
    if read.doubts:
        others = " or ".join(str(total + score.named_points) for total, _ in read.other_scores[:3])
        if read.paying:
            lines.append(f"look at {', '.join(read.paying)}: the score could be {others or 'another'}")
        if rest := [name for name in read.doubts if name not in read.paying]:
            lines.append(f"not clear, but the score hardly hangs on it: {', '.join(rest)}")
    if one.advice:
        lines.append(one.advice)
    return lines + [f"odd: {fault.sentence}" for fault in score.doubts]
