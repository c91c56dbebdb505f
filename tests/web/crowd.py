"""A crowd in a process of its own: `python -m tests.web.crowd PORT TOKEN STALLED`.

48 screens that follow as the page does (live, or once a second where there is no place), phones that follow
and read nothing, as many as it is told, 200 lines that say nothing, 200 slow heads and 6 slow photos. It says
"there" when all have come, and for each line that comes in what its screens show; it goes when there are no
more lines.
"""

import http.client
import json
import re
import socket
import sys
import threading
import time
import zlib
from contextlib import suppress
from typing import Final

SCREENS, SILENT, SLOW, PHOTOS = 48, 200, 200, 6
HEAD: Final = "Host: localhost\r\nAccept-Encoding: gzip\r\n"
FOLLOW: Final = f"GET /api/events HTTP/1.1\r\n{HEAD}\r\n".encode()
UPLOAD: Final = (
    "POST /sheets/read HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n"
    "X-Pipwatch-Token: {token}\r\nContent-Length: 20000000\r\n\r\n"
)
PIECE: Final = bytes(100_000)
"""What comes of a photo at a time: soon more than waitress would keep in memory by itself."""
SLOW_S: Final = 0.2
ASK_S: Final = 1.0
_LOOK: Final = re.compile(rb"Look (\d+)\.")


class Viewer(threading.Thread):
    """A screen that follows: live where there is a place for it, else by asking once a second."""

    def __init__(self, port: int, address: str) -> None:
        super().__init__(daemon=True)
        self.port, self.address = port, address
        self.live, self.look = False, 0

    def run(self) -> None:
        """Follow, until the process ends."""
        with line(self.port, self.address, FOLLOW) as stream:
            head = stream.recv(4096)
            self.live = b" 200 " in head.split(b"\r\n", 1)[0]
            if self.live:
                self.read(stream, head)
        while not self.live:
            self.ask()
            time.sleep(ASK_S)

    def read(self, stream: socket.socket, head: bytes) -> None:
        """What comes on a stream, chunk by chunk and packed, as a browser reads it."""
        unpacked, waiting = zlib.decompressobj(31), head.partition(b"\r\n\r\n")[2]
        while True:
            size, found, rest = waiting.partition(b"\r\n")
            if found and len(rest) >= int(size, 16) + 2:
                self.shows(unpacked.decompress(rest[: int(size, 16)]))
                waiting = rest[int(size, 16) + 2 :]
                continue
            data = stream.recv(65536)
            if not data:
                return
            waiting += data

    def ask(self) -> None:
        """The match as it is now."""
        asked = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=20, source_address=(self.address, 0)
        )
        with suppress(OSError, http.client.HTTPException):
            asked.request("GET", "/api/view", headers={"Host": "localhost"})
            self.shows(asked.getresponse().read())
        asked.close()

    def shows(self, text: bytes) -> None:
        """Remember how far the match has come on this screen."""
        self.look = max([self.look, *(int(found) for found in _LOOK.findall(text))])


def line(port: int, address: str, data: bytes = b"", *, small: bool = False) -> socket.socket:
    """A line from an address of this machine; a small one holds little that is not read."""
    made = socket.socket()
    if small:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.settimeout(20)
    made.bind((address, 0))
    made.connect(("127.0.0.1", port))
    if data:
        made.sendall(data)
    return made


def dribble(lines: list[tuple[socket.socket, bytes]]) -> None:
    """A little on each line, again and again, for as long as it is taken."""
    for one, _ in lines:
        one.setblocking(False)
    while True:
        for one, piece in lines:
            with suppress(OSError):
                one.send(piece)
        time.sleep(SLOW_S)


def main() -> None:
    """Come, stay, and go when the input ends."""
    port, token, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    stalled = [line(port, f"127.0.2.{k + 1}", FOLLOW, small=True) for k in range(count)]
    viewers = [Viewer(port, f"127.0.1.{k + 1}") for k in range(SCREENS)]
    for viewer in viewers:
        viewer.start()
    silent = [line(port, f"127.0.3.{k % 10 + 1}") for k in range(SILENT)]
    photos = [(line(port, "127.0.0.1", UPLOAD.format(token=token).encode()), PIECE) for _ in range(PHOTOS)]
    heads = [(line(port, f"127.0.4.{k + 1}", b"GET / HTTP/1.1\r\nHost: loc"), b"x") for k in range(SLOW)]
    threading.Thread(target=dribble, args=([*photos, *heads],), daemon=True).start()
    print("there", flush=True)
    for _ in sys.stdin:
        told = {"live": sum(one.live for one in viewers), "looks": [one.look for one in viewers]}
        print(json.dumps(told), flush=True)
    del stalled, silent


if __name__ == "__main__":
    main()
