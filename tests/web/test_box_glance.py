"""How the box is, on the page of a match: a quiet dot, a line where the game feels it, figures on wish."""

import re
from pathlib import Path
from typing import Any

import pytest

from device.match.acts import taken_up
from device.match.match import Match
from device.service import owner as owner_module
from device.service.pairing import Pairing
from tests.device.home.well import ILL, NO_PI, WELL
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import DESK, PHONE, random_game
from tests.web.lobbies import ShownLobby
from tests.web.test_axe import broken
from tests.web.test_page_layout import wrong
from web import box_glance as glance_module
from web.box_glance import glance
from web.guard import OWNER_COOKIE
from web.words import translated

AWAY = {**WELL, "status": "degraded", "camera": {"state": "away", "age_s": 12.3, "restarts": 1, "fps": 0.0}}
STALE = {**WELL, "camera": {"state": "stale", "age_s": 4.2, "restarts": 0, "fps": 2.0}}
OWN = {"Free on the card", "Waits to be kept", "Version", "Camera started anew", "Warmth"}
"""Figures that concern the owner alone."""


def told(health: dict[str, Any], language: str = "en", *, owner: bool = False) -> dict[str, Any]:
    """What the page is told."""
    return glance(health, lambda words: translated(language, words), owner=owner)


def sentences(health: dict[str, Any], *, owner: bool = False) -> list[str]:
    """What is wrong, without what helps."""
    return [one["words"] for one in told(health, owner=owner)["wrong"]]


def test_a_well_box_says_nothing_but_that() -> None:
    """Nor does one without a camera in use, or whose camera paused for a moment."""
    for health in (WELL, NO_PI, STALE):
        assert told(health)["wrong"] == []
        assert told(health)["line"] == "All is well with the box."
    figures = {one["of"]: one["is"] for one in told(WELL)["figures"]}
    assert figures == {
        "Camera": "10 pictures a second, the last one 0.1 s ago", "A look at the table": "0.6 s",
        "Screens that follow": "3",
    }  # fmt: skip
    assert {one["is"] for one in told(NO_PI)["figures"]} >= {"not in use"}
    assert {one["is"] for one in told(STALE)["figures"]} >= {"no picture for 4 s"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (AWAY, "The camera has not answered for 12 s."),
        ({"status": "failing"}, "The box is slow to answer."),
        ({"reading_ms": 5200.0}, "A look at the table takes 5 s."),
        ({"temperature_c": 84.0}, "The box is hot and slows down."),
        ({"throttled": ["under-voltage"]}, "The box gets too little power."),
    ],
)
def test_what_the_game_feels_is_told_to_everybody(change: dict[str, Any], words: str) -> None:
    """Each with what helps; and no more than that is wrong."""
    assert sentences({**WELL, **change}) == [words]
    assert told({**WELL, **change})["line"] == words
    assert all(one["remedy"] for one in told({**WELL, **change})["wrong"])


def test_the_worst_comes_first_and_the_past_is_over() -> None:
    """A camera that is away before the heat; too little power before, and enough now, is no matter."""
    assert sentences(ILL)[0] == "The camera has not answered for 40 s."
    assert sentences({**WELL, "throttled": ["under-voltage before"]}) == []


def test_what_concerns_the_owner_is_told_to_the_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over the network, with the owner's cookie and without one."""
    monkeypatch.setitem(owner_module._COST, "n", 2)
    full = {**WELL, "disk_free_mb": 120}
    with ShownLobby(Pairing(say=lambda _: None)).but(health=lambda: full) as lobby:
        owner, client = lobby.screen._door.owner, lobby.client()

        def asked() -> dict[str, Any]:
            answer = client.get("/api/health/glance", environ_overrides={"REMOTE_ADDR": "192.168.1.7"})
            assert answer.status_code == 200
            seen: dict[str, Any] = answer.get_json()
            return seen

        assert asked()["wrong"] == []
        assert OWN.isdisjoint(one["of"] for one in asked()["figures"])
        assert "120" not in str(asked())
        owner.set_password("correct horse battery")
        client.set_cookie(OWNER_COOKIE, owner.enter("127.0.0.1", "correct horse battery")[2])
        assert [one["words"] for one in asked()["wrong"]] == ["Only 120 MB are free."]
        assert {one["of"] for one in asked()["figures"]} >= OWN


def test_every_sentence_has_its_german() -> None:
    """What the module says, and what comes of it: no word stays English, tenths stand behind a comma."""
    said = re.findall(r'say\("([^"]+)"', Path(glance_module.__file__).read_text())
    assert len(said) > 25
    assert [one for one in said if translated("de", one) == one and one != "Version"] == []
    figures = {one["of"]: one["is"] for one in told(WELL, "de", owner=True)["figures"]}
    assert figures["Ein Blick auf den Tisch"] == "0,6 s"
    assert figures["Frei auf der Karte"] == "12,0 GB"
    assert told(AWAY, "de")["line"] == "Die Kamera antwortet seit 12 s nicht."


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_match_shows_a_dot_and_what_is_wrong(
    tmp_path: Path, browser: Browser, engine: str, language: str
) -> None:
    """On a phone and on a desk: nothing while all is well, a line when it is not, more behind a press."""
    now = dict(WELL)
    match = taken_up(Match(), random_game("kingdomino-duel", 50))
    line = {"en": "The camera has not answered for 12 s.", "de": "Die Kamera antwortet seit 12 s nicht."}
    with ShownDesk(tmp_path, match) as shown, ShownLobby().but(health=lambda: now) as lobby:
        lobby.screen.start(shown.desk)
        browser.open(lobby.address)
        browser.run("document.cookie = `language=${arguments[0]}; path=/`", language)
        for size in (PHONE, DESK):
            now.update(WELL)
            browser.viewport(*size, mobile=size is PHONE)
            browser.open(lobby.address)
            browser.until(lambda: browser.run("return document.querySelector('#glance')?.title"))
            assert browser.text("#glance-line") == ""
            assert wrong(browser) == []
            now.update(AWAY)
            browser.until(lambda: browser.text("#glance-line") == line[language])
            assert browser.run("return document.querySelector('#glance-heard').textContent") == line[language]
            assert wrong(browser) == []
            browser.click("#glance")
            browser.until(lambda: "12" in browser.text("#glance-more li"))
            assert len(browser.text("#glance-more dl").splitlines()) == 6
            parts = ("#glance-more", "header", "aside")
            assert [one for part in parts for one in broken(browser, engine, part)] == []
            browser.click("#glance-more button")
            assert browser.run("return document.activeElement.id") == "glance"
            now.update(WELL)
            browser.until(lambda: browser.text("#glance-line") == "")
        assert browser.complaints() == []
