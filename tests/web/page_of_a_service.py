"""The owner's page as a service has it, as a program: FOLDER, of which only ``state`` can be written.

It sets one setting by its field and all by a file, and prints what was answered and what counts then.
"""

import json
import sys
from pathlib import Path

from device.folders import SettingsFiles, page_settings
from device.service import owner as owner_module
from device.settings import load
from tests.web.lobbies import ShownLobby
from web.guard import OWNER_COOKIE

PASSWORD = "correct horse battery"


def main() -> None:
    """The answers."""
    folder = Path(sys.argv[1])
    files = SettingsFiles(folder / "etc" / "config.toml", page_settings(folder / "state"))
    owner_module._COST["n"] = 2
    with ShownLobby().but(settings=files) as lobby:
        owner = lobby.screen._door.owner
        owner.set_password(PASSWORD)
        client = lobby.client()
        client.set_cookie(OWNER_COOKIE, owner.enter("127.0.0.1", PASSWORD)[2])
        told = []
        for path, body in (
            ("fields", {"values": {"service.look": "code", "manners.calm_s": "2,5"}}),
            ("fields", {"values": {"manners.calm_s": None, "pins.undo": "6"}}),
            ("fields", {"values": {"pins.green": "5"}}),
        ):
            answer = client.post(f"/api/owner/{path}", json=body, headers={"Origin": "http://localhost"})
            counts = load(files)
            told.append([answer.status_code, counts.service.look, counts.manners.calm_s, counts.pins.undo])
        shown = client.get("/api/owner").get_json()
    of = {one["key"]: one for one in shown["fields"]}
    print(json.dumps({
        "told": told, "path": shown["path"], "by hand": shown["by_hand"], "settings": shown["settings"],
        "calm": [of["manners.calm_s"]["value"], of["manners.calm_s"]["beneath"]],
        "look": [of["service.look"]["value"], of["service.look"]["beneath"]],
    }))  # fmt: skip


if __name__ == "__main__":
    main()
