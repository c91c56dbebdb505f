"""Two backups of a box whose card is full, as a program: FOLDER of a stick. What came of them is printed."""

import io
import json
import shutil
import socket
import sys
import threading
import zipfile
from pathlib import Path
from typing import Any

from device.folders import state_folder
from device.keeping import stick_copier
from device.keeping.stick import backup_to_stick
from device.service import owner as owner_module
from tests.web.lobbies import ShownLobby
from web.guard import OWNER_COOKIE

PASSWORD = "correct horse battery"
STICK = {"path": "/dev/sdb", "tran": "usb", "fstype": "vfat", "mountpoints": [None]}


def held(data: io.BytesIO | Path) -> dict[str, Any]:
    """What is in a backup, unpacked."""
    with zipfile.ZipFile(data) as file:
        assert file.testzip() is None
        sizes = {one.filename: one.file_size for one in file.infolist() if one.filename != "manifest.json"}
    return {"config": "config.toml" in sizes, **sizes}


def onto_a_stick(stick: Path) -> str:
    """The sentence of a backup by button."""
    copier = stick.parent / "copier"
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(copier))
    listening.listen(1)

    def serve() -> None:
        with listening.accept()[0] as line:
            run = lambda command: json.dumps({"blockdevices": [STICK]}) if command[0] == "lsblk" else ""  # noqa: E731
            line.sendall(f"ok {stick_copier.copied(stick_copier.Handed(line), stick, run)}\n".encode())

    threading.Thread(target=serve, daemon=True).start()
    (stick.parent / "mountinfo").write_text("")
    return backup_to_stick(stick.parent / "mountinfo", copier=copier)


def main() -> None:
    """Both."""
    stick = Path(sys.argv[1])
    told: dict[str, Any] = {"free": shutil.disk_usage(state_folder()).free, "stick": onto_a_stick(stick)}
    told["on the stick"] = held(next(stick.glob("pipwatch-*.zip")))
    owner_module._COST["n"] = 2
    with ShownLobby() as lobby:
        owner = lobby.screen._door.owner
        owner.set_password(PASSWORD)
        client = lobby.client()
        client.set_cookie(OWNER_COOKIE, owner.enter("127.0.0.1", PASSWORD)[2])
        answer = client.get("/api/owner/everything.zip")
    told |= {"status": answer.status_code, "fetched": held(io.BytesIO(answer.data))}
    print(json.dumps(told))


if __name__ == "__main__":
    main()
