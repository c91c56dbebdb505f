"""Two machines with real Avahi daemons in a network of their own: who is called pipwatch.local, and when."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from device.service.listing import KINDS

ROOT = Path(__file__).parents[3]
NEEDED = (
    "unshare",
    "nsenter",
    "ip",
    "dbus-daemon",
    "avahi-daemon",
    "avahi-publish",
    "avahi-browse",
    "avahi-resolve",
    "busctl",
)

_MACHINE = """
mount -t tmpfs none /run; mkdir -p /run/dbus /run/avahi-daemon
ip link set lo up
dbus-daemon --system --fork
printf '[server]\\nhost-name=%s\\nallow-interfaces=%s\\nuse-ipv6=no\\n[rlimits]\\n' "$1" "$2" \\
    > /run/avahi.conf
avahi-daemon -f /run/avahi.conf --no-drop-root --no-chroot --no-rlimits -D
"""
_BOX = """
import sys, time
from device.service.address import BoxName
from device.service.listing import Listing
name, listing = BoxName(), Listing(8123)
listing.at(name.at("10.9.0.1"))
print("box", name.at("10.9.0.1"), flush=True)
sys.stdin.read()
listing.close()
name.close()
print("closed", flush=True)
"""
_NETWORK = """
set -e
ip link add va type veth peer name vb
unshare -n -m sleep 60 & OTHER=$!
sleep 0.5
ip link set vb netns $OTHER
ip addr add 10.9.0.1/24 dev va; ip link set va up
nsenter -t $OTHER -n -m bash -c 'ip addr add 10.9.0.2/24 dev vb; ip link set vb up'
nsenter -t $OTHER -n -m bash "$DIR/machine" "$OTHERS" vb
bash "$DIR/machine" raspberrypi va
sleep 3
mkfifo "$DIR/stop"
"$PYTHON" "$DIR/box.py" < "$DIR/stop" & BOX=$!
exec 3> "$DIR/stop"
sleep 3
nsenter -t $OTHER -n -m avahi-resolve -n "$WANTED"
for kind in _http._tcp _pipwatch._tcp; do nsenter -t $OTHER -n -m avahi-browse -rptk $kind; done
if [ "$HOW" = kill ]; then kill -9 $BOX; wait $BOX || true; else exec 3>&-; wait $BOX; fi
sleep 1
nsenter -t $OTHER -n -m avahi-browse -rptk _http._tcp | sed 's/^/left /'
pgrep avahi-publish || echo "nobody holds it"
kill $OTHER
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("others", "wanted", "how"),
    [("kitchen", "pipwatch.local", "end"), ("pipwatch", "pipwatch-2.local", "kill")],
)
def test_the_box_is_found_by_its_name_and_by_the_next_where_that_is_taken(
    tmp_path: Path, others: str, wanted: str, how: str
) -> None:
    """The other machine resolves it to the box's address, and finds its page listed with its port.

    After an end and after a kill nobody holds either.
    """
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing or os.geteuid() != 0:
        pytest.skip(f"needs root and {', '.join(NEEDED)}")
    (tmp_path / "machine").write_text(_MACHINE)
    (tmp_path / "box.py").write_text(_BOX)
    more = {"DIR": str(tmp_path), "OTHERS": others, "WANTED": wanted, "HOW": how, "PYTHON": sys.executable}
    run = subprocess.run(
        ["unshare", "-n", "-m", "-p", "--fork", "--mount-proc", "bash", "-c", _NETWORK],
        env={**os.environ, **more, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=90,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert f"box {wanted}" in run.stdout
    assert f"{wanted}\t10.9.0.1" in run.stdout
    listed = {
        tuple(one.split(";")[i] for i in (4, 6, 7, 8)) for one in run.stdout.splitlines() if one[:1] == "="
    }
    assert listed == {(kind, wanted, "10.9.0.1", "8123") for kind in KINDS}
    assert "left =" not in run.stdout
    assert "nobody holds it" in run.stdout
