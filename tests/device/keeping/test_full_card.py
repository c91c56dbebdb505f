"""On a card that is full a backup is made all the same: onto a stick, and to whoever fetches it."""

import json

from tests.device.keeping.own_mounts import inside, needs_mounts

FULL = """
mount -t tmpfs tmpfs /mnt; mkdir /mnt/card /mnt/stick
mount -t tmpfs -o size=3m tmpfs /mnt/card
mkdir -p /mnt/card/pipwatch/matches /mnt/card/run /mnt/card/tmp
head -c 2000000 /dev/urandom > /mnt/card/pipwatch/matches/a.match
dd if=/dev/zero of=/mnt/card/filler bs=4096 2> /dev/null || true
export XDG_DATA_HOME=/mnt/card RUNTIME_DIRECTORY=/mnt/card/run TMPDIR=/mnt/card/tmp
export PIPWATCH_CONFIG=/mnt/card/none.toml
"$PYTHON" -m tests.device.keeping.backups_of_a_full_card /mnt/stick
"""


@needs_mounts
def test_a_full_card_is_backed_up_onto_a_stick_and_over_the_page() -> None:
    """Not one byte of it is written on the card, whose match takes more than is free."""
    done = inside(FULL)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert told["free"] == 0
    assert "is on the stick, checked" in told["stick"]
    for name in ("on the stick", "fetched"):
        assert told[name] == {"config": False, "matches/a.match": 2_000_000}
    assert told["status"] == 200
