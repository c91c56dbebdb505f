"""What is proved only later is told where it was proved: in the record, and where somebody looks back."""

from pathlib import Path

from device.match.acts import taken_up
from device.match.match import Match
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.test_page_touch import begun

PROVED = (
    "see lot 3-4 / 5-6", "see deal hidden / hidden", "down 3-4", "1: draw", "see drawn unseen",
    "1: 3-6 by 3 at west", "2: 0-6 by 6 at west", "1: 2-4 by 4 at east",
)  # fmt: skip
"""A draw from a closed hand that held a tile that fitted, as the last move shows."""
_LATE = """return [...document.querySelectorAll(arguments[0])].map((one) => [
  one.innerText.replace(/\\s+/g, ' '), one.querySelector('button.rule').innerText]);"""


def test_a_late_ruling_is_told_in_the_record_and_in_the_past(tmp_path: Path, browser: Browser) -> None:
    """The move that proves illegal, why, with names, and the rule as a button; the move itself was legal."""
    history = begun("draw-game", *PROVED)
    (late,) = history.steps[-1].late
    reason = late.ruling.reason.replace("player 1", "Ann")
    wanted = [[f"Proves illegal: 1: draw {reason} DRW-9", "DRW-9"]]
    with ShownDesk(tmp_path, taken_up(Match(), history)) as shown:
        browser.viewport(390, 844, mobile=True)
        browser.open(shown.address)
        browser.until(lambda: browser.text("#log .entry"), 15)
        assert browser.run(_LATE, "#log .late") == wanted
        assert browser.run(_LATE, "#log ol:first-child li:first-child .late") == wanted
        browser.run("document.querySelector('#log .entry').click()")
        browser.until(lambda: browser.text("#past-title").startswith(f"{len(PROVED)}: "), 15)
        assert browser.run(_LATE, "#past-ruling .late") == wanted
        assert "Legal" in browser.text("#past-ruling")
        browser.run("document.querySelector('#past-ruling .late .rule').click()")
        browser.until(lambda: browser.text("#rule-id") == "DRW-9", 15)
