"""A real browser for tests: Debian's Chromium, spoken to through its driver by the WebDriver protocol."""

import base64
import json
import shutil
import socket
import subprocess
import time
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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._ask("DELETE", "")
        self._driver.terminate()
        self._driver.wait(10)

    def size(self, wide: int, high: int) -> None:
        """Make the window so large."""
        self._ask("POST", "/window/rect", {"width": wide, "height": high})

    def open(self, address: str) -> None:
        """Go to a page."""
        self._ask("POST", "/url", {"url": address})

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

    def until(self, what: Callable[[], Any], seconds: float = 30.0) -> Any:
        """Wait until something is there."""
        end = time.monotonic() + seconds
        while not (found := what()):
            assert time.monotonic() < end, self.text("body")
            time.sleep(0.05)
        return found

    def picture(self) -> bytes:
        """A screenshot as PNG."""
        return base64.b64decode(self._ask("GET", "/screenshot"))

    def complaints(self) -> list[str]:
        """What the browser's console holds: errors, and what the page's policy forbade."""
        return [entry["message"] for entry in self._ask("POST", "/se/log", {"type": "browser"})]

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(
            self._at + path, data, {"Content-Type": "application/json"}, method=method
        )
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return json.loads(answer.read())["value"]
