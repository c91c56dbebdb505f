"""What a bug report needs, in one file, without names and faces.

versions, settings with their secrets masked, what `doctor` finds, what the box that runs says of its health,
the last lines of a log, the errors of the eye that were kept, and the events of the last matches with players
called by number. Pictures only where somebody wants them in it, and of those only what lies between the
markers.
"""

import io
import json
import platform
import sqlite3
import sys
import tomllib
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import metadata
from itertools import islice
from pathlib import Path
from typing import Any, Final

from device.folders import ENDING, SettingsFiles
from device.health.field_checks import Probe, figure_of
from device.health.field_machine import ThisMachine, module_version
from device.health.finding import Finding
from device.journal.events import Event
from device.journal.journal_reader import read_chain
from device.journal.readable import readable
from device.journal.store import JournalError
from device.keeping.masking import (
    MASKED,
    Mask,
    logging_machines,
    of_this_machine,
    secrets_in,
    without_secrets,
)
from engine.plain import Json

MOST_MATCHES: Final = 3
MOST_LINES: Final = 2_000
"""Of a log: a day of an ordinary one."""
MOST_BYTES: Final = 2_000_000
"""Of any one text: a bug report has to go through a mail."""
_TIME: Final = (1980, 1, 1, 0, 0, 0)
_PACKAGES: Final = ("flask", "waitress", "onnxruntime", "gpiozero", "lgpio")


@dataclass(frozen=True, slots=True)
class BundleParts:
    """What is to be in it."""

    state: Path
    settings: SettingsFiles
    findings: Sequence[Finding] = ()
    health: Mapping[str, Any] = field(default_factory=dict)
    """What the box of this machine tells at `/api/health`; empty where none answers."""
    log: str = ""
    pictures: bool = False


def bundle(wanted: BundleParts) -> bytes:
    """The file."""
    folder = wanted.state / "matches"
    matches = sorted(map(readable, folder.glob(f"*{ENDING}")), key=_age, reverse=True)
    chains = {path: _events(path) for path in matches}
    shown = [path.with_suffix(".errors") for path in islice(chains, MOST_MATCHES)]
    players = {*players_in(events for events, _ in chains.values()), *_recorded(shown)}
    mask = Mask(sorted(players), _others(wanted))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in _texts(wanted, mask):
            _put(file, name, data)
        for number, (path, (events, damage)) in enumerate(islice(chains.items(), MOST_MATCHES), 1):
            _put(file, f"match-{number}/events.jsonl", _told(path, events, damage, mask))
            for name, part in _errors(path.with_suffix(".errors"), mask, pictures=wanted.pictures):
                _put(file, f"match-{number}/{name}", part)
    return made.getvalue()


def players_in(chains: "Iterator[Sequence[Event]]") -> Iterator[tuple[str, str]]:
    """Everybody who has played, or has only sat down."""
    for events in chains:
        for event in events:
            yield from _named(event.body)


def _named(told: Any) -> Iterator[tuple[str, str]]:
    """The players that plain data names, wherever in it."""
    if isinstance(told, Mapping):
        names = told.get("players")
        if isinstance(names, list) and len(names) == 2 and all(isinstance(one, str) for one in names):
            yield names[0], names[1]
    for part in told.values() if isinstance(told, Mapping) else told if isinstance(told, list) else ():
        yield from _named(part)


def _recorded(folders: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """The players of the records of errors: their match may be damaged, and name nobody."""
    for path in (path for folder in folders for path in sorted(folder.glob("error-*/*.jsonl"))):
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            with suppress(ValueError, RecursionError):
                yield from _named(json.loads(line))


def _others(wanted: BundleParts) -> Mapping[str, str]:
    """What else is masked wherever it stands: this machine, those that a log tells of, secrets."""
    known = dict.fromkeys(logging_machines(wanted.log), "a-machine")
    for path in (wanted.settings.by_hand, wanted.settings.by_page):
        with suppress(OSError, ValueError, RecursionError):
            known |= dict.fromkeys(secrets_in(tomllib.loads(path.read_text(encoding="utf-8"))), MASKED)
    return known | of_this_machine()


def _texts(wanted: BundleParts, mask: Mask) -> Iterator[tuple[str, str]]:
    yield "versions.json", json.dumps(versions(), indent=1)
    files = wanted.settings
    told = {"by hand": _settings(files.by_hand), "by the page": _settings(files.by_page)}
    yield "settings.json", json.dumps(mask.data(told), ensure_ascii=False, indent=1)
    yield "doctor.txt", mask.text("".join(f"{one.line()}\n" for one in wanted.findings))
    if wanted.health:
        yield "health.json", json.dumps(mask.data(wanted.health), ensure_ascii=False, indent=1)
    if wanted.log:
        yield "log.txt", mask.text("\n".join(wanted.log.splitlines()[-MOST_LINES:]) + "\n")


def versions(this: ThisMachine | None = None) -> dict[str, Json]:
    """What runs here; of what camera and eye rest on also that it is missing, or cannot be loaded."""
    told: dict[str, Json] = {
        "pipwatch": metadata.version("pipwatch"), "python": sys.version, "sqlite": sqlite3.sqlite_version,
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
    }  # fmt: skip
    for name in _PACKAGES:
        with suppress(metadata.PackageNotFoundError):
            told[name] = metadata.version(name)
    this = this or ThisMachine()
    loaded = {
        name: partial(module_version, module) for name, module in (("numpy", "numpy"), ("opencv", "cv2"))
    }
    probes: Mapping[str, Probe] = {**loaded, "picamera2": this.picamera2, "libcamera": this.libcamera}
    told |= {name: figure_of(probe) for name, probe in probes.items()}
    with suppress(OSError):
        told["distribution"] = platform.freedesktop_os_release().get("PRETTY_NAME", "")
    with suppress(OSError):
        told["model"] = Path("/proc/device-tree/model").read_text(errors="replace").strip("\0")
    return told


def _settings(path: Path) -> Any:
    try:
        return without_secrets(tomllib.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as wrong:
        return f"cannot be read: {wrong}"


def _events(path: Path) -> tuple[Sequence[Event], str]:
    try:
        chain = read_chain(path)
    except (JournalError, OSError) as wrong:
        return (), str(wrong)
    return chain.events, chain.damage


def _told(path: Path, events: Sequence[Event], damage: str, mask: Mask) -> str:
    head: dict[str, Json] = {"events": len(events), "damage": damage, "size": path.stat().st_size}
    lines = [mask.data(head)]
    for one in events:
        pictures = dict(one.pictures)
        lines.append(
            mask.data(
                {"seq": one.seq, "kind": one.kind, "at": one.at, "body": one.body, "pictures": pictures}
            )
        )
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def _errors(folder: Path, mask: Mask, *, pictures: bool) -> Iterator[tuple[str, str | bytes]]:
    for case in sorted(folder.glob("error-*")):
        for path in sorted(case.iterdir()):
            name = f"errors/{case.name}/{path.name}"
            if path.suffix in (".txt", ".jsonl"):
                told = path.read_text(encoding="utf-8", errors="replace")
                yield name, _masked(told, mask) if path.suffix == ".jsonl" else mask.text(told)
            elif pictures and path.suffix in (".png", ".jpg") and (cut := _mat(path)) is not None:
                yield f"{name.rpartition('.')[0]}.jpg", cut


def _masked(lines: str, mask: Mask) -> str:
    """A record without names; its check sums go with them."""
    out = []
    for line in lines.splitlines():
        try:
            out.append(json.dumps(mask.data(json.loads(line)), ensure_ascii=False))
        except (ValueError, RecursionError):
            out.append(mask.text(line))
    return "\n".join(out) + "\n"


def _mat(path: Path) -> bytes | None:
    """What lies between the corner markers; None where these cannot be seen: then there may be faces."""
    import cv2
    import numpy as np

    from calibration.camera_errors import CalibrationError
    from calibration.mats import CORNER_IDS
    from calibration.table_finder import find_markers
    from device.journal.ruling_pictures import jpeg_of

    picture = cv2.imread(str(path))
    if picture is None:
        return None
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    try:
        found = find_markers(grey)
        corners = [found[number] for number in CORNER_IDS]
    except (CalibrationError, KeyError):
        return None
    outline = cv2.convexHull(np.array(corners, np.float32).reshape(-1, 1, 2)).astype(np.int32)
    inside = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, outline, 255)
    left, upper, wide, high = cv2.boundingRect(outline)
    shown = cv2.bitwise_and(picture, picture, mask=inside)
    return jpeg_of(np.ascontiguousarray(shown[upper : upper + high, left : left + wide], dtype=np.uint8))


def _age(path: Path) -> int:
    return path.stat().st_mtime_ns


def _put(file: zipfile.ZipFile, name: str, data: str | bytes) -> None:
    raw = data.encode(errors="replace") if isinstance(data, str) else data
    if isinstance(data, str) and len(raw) > MOST_BYTES:
        raw = b"(the beginning is left out)\n" + raw[-MOST_BYTES:]
    file.writestr(zipfile.ZipInfo(name, _TIME), raw, zipfile.ZIP_DEFLATED)
