"""`pipwatch sheet --serve`: the pages of sheets without a match, by the server and the door of all pages."""

import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.device.service.boxes import ROOT, free_port

STARTS_S = 60
SERVE = "import sys; from device.cli import main; sys.exit(main())"


@contextmanager
def served(folder: Path) -> Iterator[int]:
    """The command as somebody types it, at a port that nobody has."""
    port = free_port()
    home = {"HOME": str(folder), "STATE_DIRECTORY": str(folder), "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", SERVE, "sheet", "--serve", str(port)], cwd=ROOT, env=os.environ | home,
        stdout=subprocess.PIPE, text=True,
    ) as made:  # fmt: skip
        assert made.stdout is not None
        try:
            assert made.stdout.readline() == f"http://127.0.0.1:{port}/sheets (Ctrl-C ends it)\n"
            yield port
        finally:
            made.kill()


def ask(port: int, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    """Ask for a page: status, head and text; a server that is just starting is waited for."""
    until = time.monotonic() + STARTS_S
    while True:
        asked = http.client.HTTPConnection("127.0.0.1", port, timeout=STARTS_S)
        with suppress(ConnectionRefusedError):
            asked.request("GET", path, headers={"Host": "localhost", **headers})
            answer = asked.getresponse()
            told = answer.status, dict(answer.getheaders()), answer.read().decode()
            asked.close()
            return told
        assert time.monotonic() < until
        time.sleep(0.05)


def test_sheets_alone_are_served_as_every_page_is(tmp_path: Path) -> None:
    """By waitress, with its limits and without the name that a server for trials tells; behind the door."""
    with served(tmp_path) as port:
        status, head, page = ask(port, "/sheets")
        assert status == 200
        assert '<input id="file" type="file"' in page
        assert "To the match" not in page
        assert "Server" not in head
        assert "frame-ancestors 'none'" in head["Content-Security-Policy"]
        status, _, words = ask(port, "/sheets", Cookie="x" * 17_000)
        assert (status, json.loads(words)["error"]) == (431, "The head of this request is too long.")
        status, head, _ = ask(port, "/")
        assert (status, head["Location"]) == (302, "/sheets")
        assert ask(port, "/sheets", Host="evil.example")[0] == 421
