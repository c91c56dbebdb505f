"""What the lobby offers of a match that is kept: each link gives the file it names, corrected."""

import base64
import io
import json
import re
import zipfile
from csv import DictReader
from pathlib import Path
from typing import Any

import pytest

from device.folders import matches_folder
from device.journal.events import Draft, Picture
from device.journal.game import added, began
from device.journal.store import Journal
from device.service.box import Seating
from device.service.shelf import kept_at, seated
from engine.history import History
from engine.record import Happening
from tests.web.browser import Browser
from tests.web.gallery import random_game
from tests.web.lobbies import ShownLobby
from tests.web.test_page_touch import PLAYED, begun

NAME = "2026-11-28-with-a-correction"
AT = f"/api/matches/{NAME}"
PICTURE = Picture("after", b"\xff\xd8what was seen")
KINDS = {
    "json": "application/json", "csv": "text/csv; charset=utf-8", "txt": "text/plain; charset=utf-8",
    "ppn": "text/plain; charset=utf-8", "zip": "application/zip",
}  # fmt: skip
_LINKS = "return [...document.querySelectorAll('#kept .more a')].map((a) => a.getAttribute('href'))"
_FILES = """return Promise.all([...document.querySelectorAll('#kept .more a[download]')].map(async (a) => {
  const answer = await fetch(a.href), told = (name) => answer.headers.get(name);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return [a.textContent, answer.status, told('Content-Disposition'), told('Content-Type'),
    btoa(String.fromCharCode(...bytes))];
}))"""


def keep(history: History, corrected: History) -> dict[str, Any]:
    """Keep a match that was corrected, with a picture of its last entry; as the box tells of it."""
    path = matches_folder() / f"{NAME}.match"
    path.parent.mkdir(parents=True)
    *earlier, last = history.entries
    with Journal(path) as journal:
        journal.append([seated(Seating(history.header.game, ("Ann", "Bo")))])
        journal.append([*began(history)[: 1 + len(earlier)], Draft("entry", last.to_json(), (PICTURE,))])
        journal.append(added(history, corrected))
    told = kept_at(path)
    assert told is not None
    return dict(told.to_json())


def rolled() -> tuple[History, History, str, str]:
    """Dominoids whose last roll was misread: before and after, what was read, and what it was."""
    history, was, now = random_game("dominoids", 23), "see roll moons=2 arms=2", "see roll moons=3 arms=2"
    assert history.steps[-1].happened.text == was
    return history, history.correct(len(history.entries), Happening("fact", now)), was, now


def taken_back() -> tuple[History, History, str, str]:
    """A Draw Game whose last tile was not laid."""
    history = begun("draw-game", *PLAYED)
    return history, history.undo(), PLAYED[-1], ""


def words_in(form: str, data: bytes) -> list[str]:
    """What happened, as a file tells it: entries that counted, in their order."""
    if form == "json":
        return [one["text"] for one in json.loads(data)["steps"]]
    text = data.decode()
    if form == "csv":
        return [row["text"] for row in DictReader(io.StringIO(text))]
    if form == "txt":
        return re.findall(r"(?m)^ *\d+ [·>] (.+)$", text)
    return re.findall(r"\{((?:see|\d:|dice) ?[^}]*?)(?:: . LEGAL [^}]*)?\}", text)


@pytest.mark.parametrize("made", [rolled, taken_back])
def test_each_link_of_a_kept_match_gives_the_file_it_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser, made: Any
) -> None:
    """All forms that the game has, by names of their own, as it counts now; the cases with what was read."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    history, corrected, was, now = made()
    told = keep(history, corrected)
    ppn = ["ppn"] if history.header.game == "dominoids" else []
    with ShownLobby(matches=[told]) as lobby:
        browser.open(lobby.address)
        browser.until(lambda: browser.run(_LINKS))
        exports = [f"{AT}/export/{form}" for form in ("json", "csv", "text", *ppn)]
        assert browser.run(_LINKS) == [f"/matches/{NAME}", *exports, f"{AT}/case.zip", "/owner"]
        files = browser.run(_FILES)
        assert browser.complaints() == []
    assert [one[0] for one in files] == ["JSON", "CSV", "TEXT", *map(str.upper, ppn), "Cases"]
    counted = [step.happened.text for step in corrected.steps]
    assert was not in counted
    assert counted[-1] == now or not now
    for (_, status, disposition, kind, told_64), form in zip(
        files, ["json", "csv", "txt", *ppn, "zip"], strict=True
    ):
        stem = f"{NAME}-cases" if form == "zip" else NAME
        assert (status, disposition) == (200, f'attachment; filename="{stem}.{form}"')
        assert kind == KINDS[form]
        data = base64.b64decode(told_64)
        if form != "zip":
            assert words_in(form, data) == counted, form
            continue
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            assert file.namelist() == ["record.jsonl", "case-001/case.json", "case-001/after.jpg"]
            case = json.loads(file.read("case-001/case.json"))
            said = [*case["was"].values(), *(case["is"] or {"": ""}).values()]
            assert (case["kind"], said) == ("correction", [was, now])
            assert file.read("case-001/after.jpg") == PICTURE.jpeg
            lines = file.read("record.jsonl").decode().splitlines()
            assert len(lines) == 1 + len(corrected.entries)
