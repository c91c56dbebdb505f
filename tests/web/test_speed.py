"""What a page costs: bytes of a first load and of an update, and the main thread of a slow phone.

pytest -s tests/web/test_speed.py
"""

import json
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from device.live.thread_channels import Latest
from device.match.acts import taken_up
from device.match.match import Match
from device.match.match_view import view
from engine import GAMES
from engine.history import History
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import random_steps
from web.changes import changes
from web.compressed import packed_stream
from web.following import MatchViews

UPDATE_BYTES, UPDATE_MS = 2048, 16.0
SLOWER = 6
"""So many times slower than this machine a phone is taken to be."""
WARM, SHOWN = 4, 12
"""Updates before anything is measured, and those that are."""
EACH_S = 0.3
"""Between two updates."""
TIMES = 3
"""So often each is shown; the least counts, for other programs cost the page's thread time, too."""
WHOLE_MS = 75.0
"""What no game takes with all that the browser does for it, on a quiet machine."""
OWN_MS = 32.0
"""What no game takes for its script, styles and layout alone."""
WORD_MS = 40.0
"""What a view takes in which one word has changed, with all that the browser does for it."""
_PARTS = ("TaskDuration", "ScriptDuration", "RecalcStyleDuration", "LayoutDuration")
"""All work of the main thread, and those parts of it that a page decides about."""


def views(game: str, steps: int, seed: int = 4) -> Iterator[dict[str, Any]]:
    """A random game, as it is shown step by step."""
    for history in random_steps(game, steps, seed):
        yield dict(view(taken_up(Match(), history)))


@pytest.mark.parametrize("game", GAMES)
def test_an_update_is_small(game: str) -> None:
    """Each step of three random games, as a browser gets it: at most 2 kB, in most of them far less."""
    sizes = []
    for seed in (1, 2, 3):
        shown: Latest[Any] = Latest()
        shown.put({})
        unpacking = zlib.decompressobj(31)
        stream = packed_stream(MatchViews(shown).events("", lambda: True))
        read = unpacking.decompress(next(stream) + next(stream)).decode()
        assert "data: {}" in read
        for number, one in enumerate(views(game, 120, seed)):
            shown.put(one)
            sent = next(stream)
            told = unpacking.decompress(sent).decode()
            assert told.endswith("\n\n")  # nothing of it waits for the next one
            if number:
                sizes.append(len(sent))
    print(f"{game}: an update has {median(sizes):.0f} bytes, at most {max(sizes)} (n = {len(sizes)})")
    assert max(sizes) <= UPDATE_BYTES


@dataclass(frozen=True)
class Work:
    """What the main thread did, in its own time: all of it, and script, styles and layout alone."""

    whole_ms: float
    own_ms: float

    def less(self, other: "Work", times: float = 1.0) -> "Work":
        """What is left without something, or so many times of it."""
        return Work(self.whole_ms - times * other.whole_ms, self.own_ms - times * other.own_ms)


def worked(browser: Browser) -> Work:
    """What the main thread has done so far."""
    told = {one["name"]: one["value"] for one in browser.devtools("Performance.getMetrics")["metrics"]}
    whole, *own = (1000.0 * float(told[part]) for part in _PARTS)
    return Work(whole, sum(own))


def each_part(several: Sequence[Work], of: Callable[[Iterable[float]], float]) -> Work:
    """The median, or the least, of each part."""
    return Work(of(one.whole_ms for one in several), of(one.own_ms for one in several))


@pytest.mark.long
@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
@pytest.mark.parametrize("game", GAMES)
def test_an_update_is_shown_at_once(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch, game: str, size: tuple[int, int]
) -> None:
    """On a browser slowed down six times an update takes the main thread a frame or two.

    Told twice: script, styles and layout; and with all else that the browser does to show it, which is
    painting, handing over to the screen, and reading. It wants a machine that does nothing else.
    """
    told = list(views(game, 70))[-(WARM + SHOWN) :]
    sent: list[int] = []

    def counted(before: Any, after: Any) -> list[Any]:
        sent.append(1)
        return changes(before, after)

    monkeypatch.setattr("web.following.changes", counted)
    with ShownDesk(tmp_path, taken_up(Match(), History.begin(game, seed=4, players=("Ann", "Bo")))) as shown:
        browser.viewport(*size, mobile=size[0] < 600)
        browser.devtools("Performance.enable", timeDomain="threadTicks")
        browser.open(shown.address)
        browser.until(lambda: browser.text("#scores"))

        def cost(one: dict[str, Any] | None) -> tuple[Work, float]:
            """What the main thread did for an update, or for none, and in which time."""
            began, before, many = time.monotonic(), worked(browser), len(sent)
            if one is not None:
                shown.desk.views.put(one)
                browser.until(lambda: len(sent) > many)
            time.sleep(EACH_S)
            return worked(browser).less(before), time.monotonic() - began

        for one in told[:WARM]:
            cost(one)
        browser.devtools("Emulation.setCPUThrottlingRate", rate=SLOWER)
        time.sleep(1.0)
        still = [(did, 1.0 / seconds) for did, seconds in (cost(None) for _ in range(SHOWN))]
        calm = [Work(did.whole_ms * per_s, did.own_ms * per_s) for did, per_s in still]
        idle = each_part([each_part(calm[k::TIMES], min) for k in range(TIMES)], median)

        def costs(several: Sequence[dict[str, Any]]) -> Work:
            turns = []
            for _ in range(TIMES):
                cost(told[WARM - 1])
                turns.append([did.less(idle, seconds) for did, seconds in map(cost, several)])
            return each_part([each_part(same, min) for same in zip(*turns, strict=True)], median)

        word = costs([{**told[WARM - 1], "words": f"word {number}"} for number in range(SHOWN)])
        each = costs(told[WARM:])
        browser.devtools("Emulation.setCPUThrottlingRate", rate=1)
        rows = len(told[-1]["log"])
        browser.until(lambda: browser.run("return document.querySelectorAll('#log li').length") >= rows)
        said = f"script, styles and layout {each.own_ms:.1f} ms an update, {UPDATE_MS:.0f} wanted"
        beside = f"with all else {each.whole_ms:.1f}; one word {word.own_ms:.1f} and {word.whole_ms:.1f}"
        print(f"{game} {size[0]}: {said}; {beside} (n = {SHOWN}, the least of {TIMES})")
        assert each.own_ms <= OWN_MS
        assert each.whole_ms <= WHOLE_MS
        assert word.whole_ms <= WORD_MS


def test_a_first_view_comes_packed(tmp_path: Path, browser: Browser) -> None:
    """The browser's own line brings the whole view of a long game in a fraction of its length."""
    whole = list(views("draw-game", 120))[-1]
    with ShownDesk(tmp_path, taken_up(Match(), History.begin("draw-game", seed=4))) as shown:
        shown.desk.views.put(whole)
        browser.devtools("Network.enable")
        browser.open(shown.address)
        browser.until(lambda: browser.text("#scores"))
        rows = "return document.querySelectorAll('#log li').length"
        browser.until(lambda: browser.run(rows) == len(whole["log"]))
        packed = next(iter(packed_stream([json.dumps(whole, separators=(",", ":"))])))
        assert len(packed) < len(json.dumps(whole)) / 5
