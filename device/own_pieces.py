"""The sets of pieces that people have taught: a file of looks each, kept beside the matches."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from calibration import toml
from calibration.camera_errors import BadProfileFile
from device.folders import sets_folder
from engine.plain import JsonObject
from vision.photos import picture_reading
from vision.pieces.looks import LearnedLook, Looks, cut_out, light_of, line_by_line, load
from vision.pieces.patches import Picture

ENDING: Final = ".toml"
GAMES_WITH: Final[Mapping[str, tuple[str, ...]]] = {
    "coin": ("dominoids",), "pawn": ("dominoids",), "soldier": ("dominoes-of-war",),
}  # fmt: skip
"""In which games pieces of a kind are looked for."""
MISSING: Final = "The pieces “{title}” are not kept here any more: choose others, or ordinary ones."
BROKEN: Final = "The pieces “{title}” cannot be used: {why}. Learn them anew, or choose ordinary ones."
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_MOST: Final = 40
"""Sets that are shown; nobody owns as many."""


@dataclass(frozen=True, slots=True)
class OwnSet:
    """One set, as a page shows it."""

    name: str
    title: str
    kinds: Mapping[str, int]
    """How many looks were learned of each kind."""

    def to_json(self) -> JsonObject:
        """What a page needs of it."""
        games = sorted({game for kind in self.kinds for game in GAMES_WITH[kind]})
        return {"name": self.name, "title": self.title, "kinds": dict(self.kinds), "games": [*games]}


def set_file(name: str) -> Path | None:
    """Where a set of this name is, or would be; a name is never a way to another folder."""
    return sets_folder() / f"{name}{ENDING}" if _NAME.fullmatch(name) else None


def name_of(title: str) -> str:
    """The name of the file of a set that people call so; empty where nothing is left of it."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40].strip("-")


def own_set(name: str) -> Looks:
    """The looks of a set; raises BadProfileFile in a sentence for the players."""
    path = set_file(name)
    if path is None or not path.exists():
        raise BadProfileFile(MISSING.format(title=name))
    try:
        return load(path)
    except BadProfileFile as wrong:
        raise BadProfileFile(BROKEN.format(title=name, why=wrong)) from wrong


def add_looks(title: str, fresh: tuple[LearnedLook, ...]) -> OwnSet:
    """Keep these looks in the set that is called so, beside those that it has; raises OSError."""
    name = name_of(title)
    path = set_file(name)
    if path is None:
        raise BadProfileFile("A set of pieces needs a name with a letter or a digit in it.")
    known = own_set(name).looks if path.exists() else ()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = path.with_name(f".{path.name}.part")
    part.write_text(toml.dump(Looks(title, (*known, *fresh))), encoding="utf-8")
    part.replace(path)
    return _told(name, Looks(title, (*known, *fresh)))


def pieces_in(picture: Picture, kind: str) -> list[Picture]:
    """The pieces of a kind in a picture, cut out, in the order in which one reads."""
    light = light_of(picture)
    mine = [one for one in picture_reading.read_picture(picture).pieces if one.kind == kind]
    return [cut_out(picture, one.corners, light) for one in line_by_line(mine)]


@dataclass
class OwnPieces:
    """All sets that are kept. One is read again only when its file has changed."""

    _known: dict[Path, tuple[int, OwnSet | str]] = field(default_factory=dict)

    def look(self) -> tuple[OwnSet, ...]:
        """The sets that can be used, by their names."""
        return tuple(one for one in self._all() if isinstance(one, OwnSet))

    @property
    def problems(self) -> tuple[str, ...]:
        """Which sets cannot be used, and why."""
        return tuple(one for one in self._all() if isinstance(one, str))

    def _all(self) -> Iterator[OwnSet | str]:
        for path in sorted(sets_folder().glob(f"*{ENDING}"))[:_MOST]:
            if set_file(path.stem) is None:
                continue  # a name that nobody could ask for
            try:
                at = path.stat().st_mtime_ns
            except OSError:
                continue
            known = self._known.get(path)
            if known is None or known[0] != at:
                known = self._known[path] = (at, _read(path.stem))
            yield known[1]


def _read(name: str) -> OwnSet | str:
    try:
        return _told(name, own_set(name))
    except BadProfileFile as wrong:
        return str(wrong)


def _told(name: str, looks: Looks) -> OwnSet:
    kinds = {kind: len(looks.of(kind)) for kind in GAMES_WITH if looks.of(kind)}
    return OwnSet(name, looks.title, kinds)
