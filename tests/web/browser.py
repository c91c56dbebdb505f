"""A real browser for tests: Debian's Chromium, spoken to through its driver by the WebDriver protocol."""

import base64
import json
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

DRIVER, CHROMIUM = shutil.which("chromedriver"), shutil.which("chromium")
MISSING = "" if DRIVER and CHROMIUM else "Chromium and its driver are not installed (Debian: chromium-driver)"
_QUIET = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
    "--disable-dev-shm-usage",
    # Each new window would load two pages for its address bar, which take longer than one of ours and which
    # nobody sees.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
)  # fmt: skip
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """One window."""

    def __init__(self, profile: Path, *options: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._driver = subprocess.Popen(
            [str(DRIVER), f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._at = f"http://127.0.0.1:{port}"
        until = time.monotonic() + 30
        while True:
            with suppress(OSError):
                if self._ask("GET", "/status")["ready"]:
                    break
            assert time.monotonic() < until, "the driver does not start"
            time.sleep(0.05)
        wanted = {"args": [*_QUIET, f"--user-data-dir={profile}", *options], "binary": CHROMIUM}
        made = self._ask(
            "POST", "/session",
            {"capabilities": {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": wanted,
                                              "goog:loggingPrefs": {"browser": "ALL"}}}},
        )  # fmt: skip
        self._at += f"/session/{made['sessionId']}"
        self._first = self._ask("GET", "/window/rect")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.quit()

    def quit(self) -> None:
        """Close all windows and end."""
        with suppress(OSError):
            self._ask("DELETE", "")
        self._driver.terminate()
        self._driver.wait(10)

    def forget(self) -> None:
        """Be as if just started: one blank window of the first size, and nothing known of any page."""
        self._ask("DELETE", "/actions")  # no key or button stays pressed
        new = self._ask("POST", "/window/new", {"type": "window"})["handle"]
        for old in self._ask("GET", "/window/handles"):
            if old != new:
                self._ask("POST", "/window", {"handle": old})
                self._ask("DELETE", "/window")
        self._ask("POST", "/window", {"handle": new})
        self._ask("POST", "/window/rect", self._first)
        self.devtools("Page.bringToFront")
        self.devtools("Network.clearBrowserCookies")
        self.devtools("Network.clearBrowserCache")
        self.devtools("Storage.clearDataForOrigin", origin="*", storageTypes="all")
        self.complaints()

    def size(self, wide: int, high: int) -> None:
        """Make the window so large."""
        self._ask("POST", "/window/rect", {"width": wide, "height": high})

    def viewport(self, wide: int, high: int, *, mobile: bool = False) -> None:
        """Have the page itself exactly so large, whatever the window allows."""
        shown = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": mobile}
        self.devtools("Emulation.setDeviceMetricsOverride", **shown)

    def devtools(self, command: str, **how: Any) -> Any:
        """Tell the browser something that only its developers' tools can."""
        return self._ask("POST", "/goog/cdp/execute", {"cmd": command, "params": how})

    def open(self, address: str) -> None:
        """Go to a page, and wait for it: a busy driver answers before it is there."""
        since, page = self.run("return [performance.timeOrigin, location.href.split('#')[0]]")
        self._ask("POST", "/url", {"url": address})
        stays = "#" in address and address.split("#")[0] == page
        new = "(arguments[1] || performance.timeOrigin !== arguments[0])"
        there = f"return document.readyState === 'complete' && {new}"
        self.until(lambda: self.run(there, since, stays))

    def run(self, script: str, *arguments: Any) -> Any:
        """What a script returns."""
        return self._ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def text(self, selector: str) -> str:
        """The text of an element as it is shown."""
        return str(self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector))

    def click(self, selector: str) -> None:
        """Click on an element."""
        found = self._ask("POST", "/element", {"using": "css selector", "value": selector})
        self._ask("POST", f"/element/{found[_ELEMENT]}/click", {})

    def type(self, selector: str, text: str) -> None:
        """Type into an element."""
        found = self._ask("POST", "/element", {"using": "css selector", "value": selector})
        self._ask("POST", f"/element/{found[_ELEMENT]}/value", {"text": text})

    def press(self, selector: str, *, times: int = 1, held_ms: int = 250, rest_ms: int = 20) -> None:
        """Hold the mouse down on an element and let go, so many times: as a finger does, not as a script."""
        found = self._ask("POST", "/element", {"using": "css selector", "value": selector})
        once: list[dict[str, Any]] = [
            {"type": "pointerDown", "button": 0}, {"type": "pause", "duration": held_ms},
            {"type": "pointerUp", "button": 0}, {"type": "pause", "duration": rest_ms},
        ]  # fmt: skip
        there = {"type": "pointerMove", "duration": 0, "origin": found, "x": 0, "y": 0}
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}}
        self._ask("POST", "/actions", {"actions": [{**mouse, "actions": [there, *once * times]}]})

    def keys(self, *keys: str, held: str = "") -> None:
        """Press keys, wherever the focus is; one may be held meanwhile."""
        acts = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        if held:
            acts = [{"type": "keyDown", "value": held}, *acts, {"type": "keyUp", "value": held}]
        self._ask("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": acts}]})

    def reach(self, selector: str, *, most: int = 160) -> None:
        """Tab on until the focus is on what this names."""
        for _ in range(most):
            if self.run("return document.activeElement.matches(arguments[0])", selector):
                return
            self.keys("\ue004")
        raise AssertionError(f"no Tab leads to {selector}")

    def drag(self, start: list[float], end: list[float]) -> None:
        """Press the mouse at a point of the window, draw it to another one, and let go."""

        def to(point: list[float]) -> dict[str, Any]:
            x, y = (round(part) for part in point)
            return {"type": "pointerMove", "duration": 150, "x": x, "y": y}

        half = [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2]
        moves = [
            to(start),
            {"type": "pointerDown", "button": 0},
            to(half),
            to(end),
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": moves}
        self._ask("POST", "/actions", {"actions": [mouse]})

    def carry(self, start: list[float], end: Callable[[], list[float]]) -> None:
        """Put a finger on a point of the window, draw it on to another one, and lift it.

        Where it ends is asked while it is on its way: what is taken up may move what lies beside it.
        """

        def touch(kind: str, *at: float) -> None:
            points = [{"x": at[0], "y": at[1]}] if at else []
            self.devtools("Input.dispatchTouchEvent", type=kind, touchPoints=points)

        x, y = start
        touch("touchStart", x, y)
        touch("touchMove", x + 9, y + 3)
        touch("touchMove", x + 18, y + 6)
        touch("touchMove", *end())
        touch("touchEnd")

    def until(self, what: Callable[[], Any], seconds: float = 60.0) -> Any:
        """Wait until something is there."""
        end = time.monotonic() + seconds
        while not (found := what()):
            assert time.monotonic() < end, self.text("body")
            time.sleep(0.05)
        return found

    def picture(self) -> bytes:
        """A screenshot as PNG."""
        return base64.b64decode(self._ask("GET", "/screenshot"))

    def printed(self) -> bytes:
        """The page as it comes out of a printer on A4, as PDF."""
        a4 = {"width": 21.0, "height": 29.7}
        return base64.b64decode(self._ask("POST", "/print", {"page": a4, "shrinkToFit": False}))

    def complaints(self) -> list[str]:
        """What the browser's console holds: errors, and what the page's policy forbade."""
        return [entry["message"] for entry in self._ask("POST", "/se/log", {"type": "browser"})]

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(
            self._at + path, data, {"Content-Type": "application/json"}, method=method
        )
        try:
            with urllib.request.urlopen(asked, timeout=150) as answer:
                return json.loads(answer.read())["value"]
        except urllib.error.HTTPError as refused:
            # What went wrong in the page stands in the answer; its number alone tells nobody.
            refused.add_note(refused.read().decode(errors="replace")[:600])
            raise


if __name__ == "__main__":  # whoever asks for the pages in a browser is not told that they were skipped
    sys.exit(MISSING or 0)
