"""Bad pictures, one after the other: each is answered for what it is, soon, and leaves the box as it was."""

import http.client
import io
import itertools
import json
import os
import signal
import threading
import time
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.web.test_load import MEGA, Serving
from web.sheet_pages import MOST_BYTES

SOON, CUT_S = 2.0, 0.05
"""What one may take of a processor, in good photos; one that breaks off, in seconds: nobody decodes it."""
CUTS = 200


@pytest.fixture(scope="module")
def serving() -> Iterator[Serving]:
    """One box for all of them, in its own process."""
    made = Serving()
    yield made
    made.close()


def sent(serving: Serving, photo: bytes, announced: int | None = None) -> tuple[int, str]:
    """The status of the answer to a photo, and its sentence."""
    asked = http.client.HTTPConnection("127.0.0.1", serving.port, timeout=60)
    asked.putrequest("POST", "/sheets/read", skip_host=True)
    length = len(photo) if announced is None else announced
    told = {"Host": "localhost", "Content-Type": "application/octet-stream", "Content-Length": str(length)}
    for name, value in (told | {"X-Pipwatch-Token": serving.token}).items():
        asked.putheader(name, value)
    asked.endheaders()
    asked.send(photo)
    answer = asked.getresponse()
    body = answer.read()
    asked.close()
    return answer.status, json.loads(body).get("error", "")


def picture(height: int = 300, width: int = 400) -> np.ndarray:
    """A photo of nothing."""
    return np.random.default_rng(3).integers(0, 255, (height, width, 3), dtype=np.uint8)


def jpeg(image: np.ndarray | None = None, *options: int) -> bytes:
    """The same as a file."""
    return bytes(cv2.imencode(".jpg", picture() if image is None else image, options)[1])


def png() -> bytes:
    """The same as the other kind of file."""
    return bytes(cv2.imencode(".png", picture(60, 80))[1])


def png_with(*chunks: tuple[bytes, bytes], width: int = 64, height: int = 64) -> bytes:
    """A PNG of this size with these parts between its head and its end."""
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes((8, 2, 0, 0, 0))
    parts = [(b"IHDR", head), *chunks, (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big")
        for name, data in parts
    )


def passes(count: int) -> bytes:
    """A large picture that is gone over again and again: its last pass stands there so often."""
    whole = jpeg(np.full((4000, 4000, 3), 120, np.uint8), cv2.IMWRITE_JPEG_PROGRESSIVE, 1)
    starts = [at for at in range(len(whole) - 1) if whole[at : at + 2] == b"\xff\xda"]
    last = whole[starts[-1] : -2]
    return whole[:-2] + last * count + whole[-2:]


def zipped() -> bytes:
    """A hundred million zeros in some hundred kilobytes."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("photo.jpg", b"\0" * 100 * MEGA)
    return kept.getvalue()


def sized(data: bytes, height: int, width: int) -> bytes:
    """A JPEG whose head announces another size."""
    at = next(at for at in range(len(data)) if data[at] == 0xFF and data[at + 1] == 0xC0)
    return data[: at + 5] + height.to_bytes(2, "big") + width.to_bytes(2, "big") + data[at + 9 :]


CORPUS: dict[str, tuple[bytes, int, str]] = {
    "a PNG of 3.6 thousand million pixels": (png_with(width=60_000, height=60_000), 400, "60000×60000"),
    "a PNG of 400 million, packed into 390 kB": (
        png_with((b"IDAT", zlib.compress(b"\0" * 60_001 * 400)), width=20_000, height=20_000),
        400, "20000×20000",
    ),
    "a PNG that holds more than it says": (
        png_with((b"IDAT", zlib.compress(b"\0" * 50 * MEGA))), 422, "No map",
    ),
    "a PNG with fifty megabytes of text": (
        png_with(
            (b"zTXt", b"Comment\0\0" + zlib.compress(b"x" * 50 * MEGA)),
            (b"IDAT", zlib.compress(b"\0" * 193 * 64)),
        ), 422, "No map",
    ),
    "a JPEG whose head says 65500×65500": (sized(jpeg(), 65_500, 65_500), 400, "65500×65500"),
    "a JPEG whose head says more than it holds": (sized(jpeg(), 6000, 8000), 400, "is damaged|breaks off"),
    "a JPEG of a thousand passes": (passes(1000), 400, "more than 100 passes"),
    "a zip": (zipped(), 400, "neither a JPEG nor a PNG"),
    "a zip behind a photo": (jpeg() + zipped(), 422, "No map"),
    "ten megabytes of a film behind a photo": (
        jpeg() + np.random.default_rng(8).bytes(10 * MEGA), 422, "No map",
    ),
    "a page in a photo's comment": (
        jpeg()[:2] + b"\xff\xfe\x00\x1b<script>alert(1)</script>" + jpeg()[2:], 422, "No map",
    ),
    "a page": (b"<html><img src=x onerror=alert(1)></html>", 400, "neither a JPEG nor a PNG"),
    "a PDF with a photo in it": (b"%PDF-1.4\n" + jpeg(), 400, "neither a JPEG nor a PNG"),
    "a GIF before a photo": (b"GIF89a" + jpeg(), 400, "a GIF"),
    "a drawing with a reference": (b"<svg><image href='file:///etc/passwd'/></svg>", 400, "neither"),
    "a PNG's name on a JPEG": (b"\x89PNG\r\n\x1a\n" + jpeg(), 400, "without a header"),
    "a JPEG's name on a PNG": (b"\xff\xd8\xff" + png(), 400, "without a size|breaks off"),
    "nothing": (b"", 400, "is empty"),
    "zeros": (b"\0" * MEGA, 400, "neither a JPEG nor a PNG"),
}  # fmt: skip


def processor_s(serving: Serving) -> float:
    """What the box has taken of a processor so far, its ended children included."""
    fields = Path(f"/proc/{serving.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


@pytest.fixture(scope="module")
def good_photo_s(serving: Serving) -> float:
    """What a good photo of nothing takes of this processor, once all that reads it is there."""
    taken = [processor_s(serving)]
    for _ in range(4):
        assert sent(serving, jpeg())[0] == 422
        taken.append(processor_s(serving))
    return max(after - before for before, after in itertools.pairwise(taken[1:]))


@pytest.mark.parametrize("name", CORPUS)
def test_each_is_answered_for_what_it_is_and_soon(serving: Serving, good_photo_s: float, name: str) -> None:
    """The right answer for little of a processor, and the next good photo is read."""
    body, status, says = CORPUS[name]
    before = processor_s(serving)
    told = sent(serving, body)
    took = processor_s(serving) - before
    assert told[0] == status, told
    assert any(word in told[1] for word in says.split("|")), told
    assert took < SOON * good_photo_s
    assert sent(serving, jpeg())[0] == 422


def test_one_byte_too_many_is_refused_unread(serving: Serving) -> None:
    """By the length that is announced: nobody waits for the rest."""
    status, error = sent(serving, b"\xff\xd8\xff", MOST_BYTES + 1)
    assert status == 413
    assert error == "This is too long."  # the page tells how much may be sent before it sends anything


@pytest.mark.parametrize("whole", [jpeg(), png()], ids=["jpeg", "png"])
def test_a_photo_that_broke_off_anywhere_is_told_so(serving: Serving, whole: bytes) -> None:
    """At two hundred places; never is half a picture taken for a whole one."""
    places, before = {int(at) for at in np.linspace(1, len(whole) - 1, CUTS)}, processor_s(serving)
    assert len(places) == CUTS
    for at in sorted(places):
        status, error = sent(serving, whole[:at])
        assert status == 400, (at, error)
        assert any(word in error for word in ("breaks off", "neither", "without", "damaged")), (at, error)
    assert processor_s(serving) - before < CUTS * CUT_S


def test_all_of_them_leave_the_box_as_small_as_it_was(serving: Serving) -> None:
    """Twice the whole corpus, and less than fifty megabytes more."""
    sent(serving, jpeg())
    for body, _, _ in CORPUS.values():
        sent(serving, body)
    before = serving.told()[0]
    for body, _, _ in CORPUS.values():
        sent(serving, body)
    assert serving.told()[0] - before < 50 * MEGA


def test_a_killed_decoder_is_its_own_affair(serving: Serving) -> None:
    """Who sent the photo hears to send it again; the next one is read."""
    said: list[tuple[int, str]] = []
    large = jpeg(np.full((7000, 8000, 3), 90, np.uint8))
    asking = threading.Thread(target=lambda: said.append(sent(serving, large)))
    asking.start()
    children = Path(f"/proc/{serving.process.pid}/task").glob("*/children")
    end = time.monotonic() + 20
    while not (found := [pid for task in children for pid in task.read_text().split()]):
        assert time.monotonic() < end
        time.sleep(0.005)
        children = Path(f"/proc/{serving.process.pid}/task").glob("*/children")
    os.kill(int(found[0]), signal.SIGKILL)
    asking.join(30)
    assert said[0][0] == 503, said
    assert "try again" in said[0][1]
    assert sent(serving, jpeg())[0] == 422
