"""Pictures from strangers: bad files end in one sentence, and nothing large is decoded first."""

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.untrusted_picture import BadPicture, PictureNotYet, decoded, load_picture


def jpeg(height: int = 60, width: int = 90) -> bytes:
    """A small photo, red on its left and blue on its right."""
    image = np.zeros((height, width, 3), np.uint8)
    image[:, : width // 2, 2], image[:, width // 2 :, 0] = 255, 255
    return bytes(cv2.imencode(".jpg", image)[1])


def png_of(width: int, height: int, body: bytes) -> bytes:
    """A PNG that announces this size, whatever its body holds."""

    def chunk(name: bytes, data: bytes) -> bytes:
        check = zlib.crc32(name + data)
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", check)

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(body)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def turned(data: bytes, orientation: int) -> bytes:
    """The photo with an orientation as phones write it."""
    tag = b"II*\x00" + struct.pack("<IHHHIHH", 8, 1, 0x0112, 3, 1, orientation, 0) + b"\x00" * 4
    exif = b"Exif\x00\x00" + tag
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:]


def test_a_good_photo_comes_through_as_it_is() -> None:
    """JPEG and PNG give the pixels that OpenCV sees."""
    image = decoded(jpeg())
    assert image.shape == (60, 90, 3)
    assert image[30, 10, 2] > 200
    png = bytes(cv2.imencode(".png", image)[1])
    assert (decoded(png) == image).all()


@pytest.mark.parametrize(("orientation", "red"), [(1, "left"), (3, "right"), (6, "top"), (8, "bottom")])
def test_the_orientation_of_the_phone_is_honoured(orientation: int, red: str) -> None:
    """What the phone held sideways comes upright: red lies on the side it should."""
    image = decoded(turned(jpeg(), orientation)).astype(int)
    tops = {"left": image[:, :20], "right": image[:, -20:], "top": image[:20], "bottom": image[-20:]}
    assert max(tops, key=lambda side: float(tops[side][..., 2].mean())) == red


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b"GIF89a" + b"\0" * 100, "is a GIF picture, which is not read: save it as JPEG or PNG"),
        (b"BM" + b"\0" * 100, "is a BMP picture"),
        (b"II*\0" + b"\0" * 100, "is a TIFF picture"),
        (b"\0\0\0\x18ftypheic" + b"\0" * 100, "is a HEIC picture, which is not read"),
        (b"\0\0\0\x18ftypavif" + b"\0" * 100, "is an AVIF picture"),
        (b"\0\0\0\x18ftypmp42" + b"\0" * 100, "neither a JPEG nor a PNG"),
        (b"RIFF\0\0\0\0WEBPVP8 " + b"\0" * 100, "is a WebP picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "neither a JPEG nor a PNG"),
        (jpeg()[:-200], "breaks off"),
        (jpeg(400, 600)[:-900] + b"\xff\xd9", "breaks off"),
        (png_of(40, 40, b"\0" * 121 * 40)[:-30], "breaks off"),
        (png_of(60_000, 60_000, b""), "60000×60000 pixels"),
        (png_of(4, 4, b"\0" * 52), "too few"),
        (png_of(0, 0, b""), "too few"),
        (b"\xff\xd8\xff\xe0" + b"\0" * 40, "without a size"),
        (png_of(64, 64, b"\0" * 5), "damaged"),
    ],
)  # fmt: skip
def test_a_bad_file_is_refused_with_its_reason(data: bytes, words: str) -> None:
    """Empty, foreign, broken, huge and hollow files each end in their own sentence."""
    with pytest.raises(BadPicture, match=words):
        decoded(data)


def test_files_that_are_none_or_too_large_are_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing file, a folder and a file with too many bytes are named in the sentence."""
    with pytest.raises(BadPicture, match="no such file"):
        load_picture(tmp_path / "none.jpg")
    with pytest.raises(BadPicture, match="not a file"):
        load_picture(tmp_path)
    large = tmp_path / "large.jpg"
    large.write_bytes(jpeg())
    monkeypatch.setattr("device.untrusted_picture.MOST_BYTES", 100)
    with pytest.raises(BadPicture, match=r"large\.jpg has"):
        load_picture(large)


def noisy_jpeg() -> bytes:
    """A photo of noise: hardly a bit of it is without use."""
    noise = np.random.default_rng(5).integers(0, 255, (200, 300, 3), dtype=np.uint8)
    return bytes(cv2.imencode(".jpg", noise)[1])


@pytest.mark.parametrize("seed", range(8))
def test_a_photo_with_wrong_bits_is_not_taken_for_sound(seed: int) -> None:
    """What the decoder guesses from there on looks like a picture, and pieces would be read in it."""
    data, rng = bytearray(noisy_jpeg()), np.random.default_rng(seed)
    for at in rng.integers(len(data) // 3, 2 * len(data) // 3, 40):
        data[at] = (data[at] ^ 0x55) % 255  # a stray mark would be another fault
    with pytest.raises(BadPicture, match=r"damaged|breaks off"):
        decoded(bytes(data))


@pytest.mark.parametrize("stray", [b"ab", b"\0" * 900])
def test_stray_bytes_before_the_end_do_no_harm(stray: bytes) -> None:
    """Some cameras write them."""
    data = noisy_jpeg()
    assert (decoded(data[:-2] + stray + data[-2:]) == decoded(data)).all()


@pytest.mark.parametrize("kind", [".jpg", ".png"])
def test_a_photo_cut_anywhere_is_refused(kind: str) -> None:
    """At a hundred places, from the first byte to the last but one."""
    whole = bytes(cv2.imencode(kind, decoded(noisy_jpeg()))[1])
    for at in np.linspace(0, len(whole) - 1, 100).astype(int):
        with pytest.raises(BadPicture, match=r"breaks off|damaged|is empty|neither|without a size"):
            decoded(whole[:at])


SLOW = "import time; time.sleep(60)"
COSTLY = """
import resource
resource.setrlimit(resource.RLIMIT_CPU, (1, 3))
while True:
    pass
"""
KILLED = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"


def decoded_by(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float = 120.0) -> None:
    """Have another program decode a good photo, and give it so much time."""
    child = tmp_path / "child.py"
    child.write_text(code)
    monkeypatch.setattr("device.untrusted_picture._CHILD", child)
    monkeypatch.setattr("device.untrusted_picture._SECONDS", seconds)
    decoded(noisy_jpeg())


def test_a_machine_that_is_busy_is_no_fault_of_the_photo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever sent it may send it again, and hears so."""
    with pytest.raises(PictureNotYet, match="machine is busy: try again"):
        decoded_by(SLOW, tmp_path, monkeypatch, 0.3)


def test_a_photo_that_costs_too_much_is_told_as_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bomb that only costs time is not called damaged; what the kernel ends for its memory is no bomb."""
    with pytest.raises(BadPicture, match="takes longer than") as told:
        decoded_by(COSTLY, tmp_path, monkeypatch)
    assert not isinstance(told.value, PictureNotYet)
    with pytest.raises(PictureNotYet, match="too little memory"):
        decoded_by(KILLED, tmp_path, monkeypatch)
