"""The page seen from the box: its port is taken, free again, and what counts as an answer."""

import math
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from device.service.front import Front, answers
from device.service.reception import Reception
from web.access import ROUTES, Access
from web.lobby import LobbyScreen

RECEPTION = Reception(lambda _said: None, lambda: {"place": "lobby"}, lambda: {"status": "ok"})


@pytest.fixture
def taken() -> Iterator[socket.socket]:
    """A port that somebody else has, who never answers."""
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        yield other


def test_a_port_that_is_taken_is_told_and_tried_again(taken: socket.socket) -> None:
    """The box goes on without a page, and has it as soon as the port is free."""
    port = taken.getsockname()[1]
    front = Front(lambda: LobbyScreen("127.0.0.1", port), port)
    for _ in range(2):
        front.open(RECEPTION)
        assert f"cannot listen at port {port} (Address already in use)" in front.problem
        assert "tried again" in front.problem
        assert front.answers() is None
        assert (front.address, front.viewers) == ("", 0)
    taken.close()
    front.open(RECEPTION)
    try:
        assert not front.problem
        assert (front.answers() or 0.0) < 5.0
    finally:
        front.end(1.0)
    assert front.answers() is None  # also while the box ends


def test_whether_the_page_answers_is_asked_as_everybody_may(taken: socket.socket) -> None:
    """At an address of the network the box is a stranger to its own page, to whom the owner's is refused."""

    def heard() -> bytes:
        line, _ = taken.accept()
        with closing(line):
            return line.recv(4096)

    with ThreadPoolExecutor() as beside:
        asked = beside.submit(heard)
        assert answers(f"http://127.0.0.1:{taken.getsockname()[1]}/", within_s=0.2) == math.inf
        method, path, _ = asked.result().split(b" ", 2)
    assert ROUTES[f"{method.decode()} {path.decode()}"] is Access.OPEN


def test_a_page_that_hears_and_does_not_answer(taken: socket.socket) -> None:
    """It is waited for no longer than it may take."""
    began = time.monotonic()
    assert answers(f"http://127.0.0.1:{taken.getsockname()[1]}/", within_s=0.2) == math.inf
    assert time.monotonic() - began < 1.0


def test_a_page_that_trickles_does_not_hold_us(taken: socket.socket) -> None:
    """One byte at a time, each in time, and never an end: its first piece says all that we want to know."""
    gone = threading.Event()

    def trickle() -> None:
        line, _ = taken.accept()
        with closing(line):
            line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n")
            for _ in range(60):
                if gone.wait(0.05):
                    return
                line.sendall(b"x")

    thread = threading.Thread(target=trickle)
    thread.start()
    began = time.monotonic()
    try:
        assert answers(f"http://127.0.0.1:{taken.getsockname()[1]}/", within_s=0.5) < 0.5
        assert time.monotonic() - began < 1.0
    finally:
        gone.set()
        thread.join()
