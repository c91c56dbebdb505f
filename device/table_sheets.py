"""The sheets under the camera of a match: read with its log, scored, and remembered in its journal."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from device.cli.sheet_words import maps_text
from device.journal.events import Picture
from device.journal.game import game_in
from device.journal.journal_reader import read_chain
from device.journal.ruling_pictures import MOST_BYTES, compressed
from device.journal.store import JournalError
from device.live.desk import Desk
from device.live.messages import Heard
from device.match.signals import Scored
from device.sheet_reading import (
    FlatMap,
    LoggedSide,
    NoSheet,
    flat_maps,
    logged_sides,
    name_of,
    outcome_of,
    read_photo,
    winner_words,
)
from engine import BadRecord, BadSetup
from engine.kingdomino_duel.edition import COATS
from engine.plain import Json
from vision.sheet_cells import Picture as Pixels
from vision.sheet_picture import overlaid
from vision.view import FrameState


def table_picture(desk: Desk) -> Pixels:
    """The newest picture of the table; raises NoSheet where it cannot show whole sheets."""
    _, glimpse = desk.frames.get()
    if glimpse is None:
        raise NoSheet("There is no picture of the table: photograph the sheets instead.")
    if glimpse.look is not None and glimpse.look.state in (FrameState.HAND, FrameState.RESTING):
        raise NoSheet("A hand is over the table: take it away and try again.")
    return glimpse.shot.picture


def log_of(journal: Path) -> tuple[LoggedSide, ...]:
    """Both sheets as the match in this journal has them; nothing where there are none."""
    try:
        game = game_in(read_chain(journal).events)
        return () if game is None else logged_sides(game)
    except (JournalError, BadRecord, BadSetup, NoSheet):
        return ()


def enter(desk: Desk, flats: Sequence[FlatMap]) -> str:
    """Have the match remember what these sheets are worth; the sentence that tells it."""
    maps = [one.map for one in flats]
    outcome = outcome_of(maps)
    points = ", ".join(f"{name_of(maps, k).capitalize()} {one.score.total}" for k, one in enumerate(maps))
    words = f"Sheets scored: {points}." + ("" if outcome is None else f" {winner_words(maps, outcome)}")
    told: list[Json] = [
        {
            "player": one.name,
            "rows": list(one.sheet.kingdom.rows),
            "roof": one.sheet.roof,
            "named": None if one.sheet.named is None else COATS[one.sheet.named],
            "score": one.score.total,
            "doubts": list(one.read.doubts),
        }
        for one in maps
    ]
    reason = None if outcome is None else outcome.reason
    desk.say(Heard(Scored(words, {"maps": told, "outcome": reason}, (_evidence(flats),))))
    return words


def _evidence(flats: Sequence[FlatMap]) -> Picture:
    """Both maps from straight above, one above the other, with what counts drawn in."""
    both = np.vstack([overlaid(one.flat, one.map.read) for one in flats])
    return Picture("after", compressed(both, MOST_BYTES))


def score_table(desk: Desk) -> list[str]:
    """Read and score the sheets on the table, for a terminal; what is doubtful is not entered."""
    try:
        photo = read_photo(table_picture(desk), logged=log_of(desk.journal))
    except NoSheet as wrong:
        return [str(wrong)]
    lines = maps_text(photo)
    if not photo.maps:
        return lines
    if any(one.read.doubts for one in photo.maps):
        return [
            *lines,
            "Nothing is entered before these squares are settled, on the dashboard's page for sheets.",
        ]
    return [*lines, enter(desk, flat_maps([photo]))]
