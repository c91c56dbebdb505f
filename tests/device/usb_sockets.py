"""What a system says of USB cameras, by the sockets that they are in."""

from pathlib import Path
from typing import Final

Plugged = tuple[str, tuple[str, str, str]]
"""A socket, and the camera in it: title, maker and model, serial number."""
C920: Final = ("HD Pro Webcam C920", "046d:082d", "8F3A-1")
SAME: Final = ("USB camera", "1bcf:2c9b", "")
TABLE: Final[Plugged] = ("1-1.2", C920)


def sockets(folder: Path, *cameras: Plugged) -> Path:
    """What a system says of cameras in sockets, which it found in this order."""
    for found, (socket, (title, ids, serial)) in enumerate(cameras):
        whole = folder / f"devices/{found}" / socket
        part, bus = whole / f"{socket}:1.0", folder / "bus/usb"
        for made in (part, bus):
            made.mkdir(parents=True, exist_ok=True)
        (part / "subsystem").symlink_to(bus)
        for name, told in zip(("idVendor", "idProduct", "serial"), (*ids.split(":"), serial), strict=True):
            (whole / name).write_text(f"{told}\n") if told else None
        for index in (0, 1):  # the second one gives no pictures
            node = folder / "class" / f"video{2 * found + index}"
            node.mkdir(parents=True)
            (node / "device").symlink_to(part)
            (node / "name").write_text(f"{title}\n")
            (node / "index").write_text(f"{index}\n")
    return folder / "class"
