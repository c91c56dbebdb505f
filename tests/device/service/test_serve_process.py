"""Real boxes: ended, killed, held up, with a port that is taken and settings that are broken."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from device.journal.game import game_in
from device.journal.journal_reader import read_chain
from device.service.announcing import CONSOLE_FILE, FILE
from device.service.crashes import WITHOUT_VISION
from tests.device.match.match_bench import FACTS, LEGAL
from tests.device.service.boxes import BEGIN, NAMES, ROOT, RealBox

MOST_S = 2.0
"""So long a stop may take."""
MOST_HELD_S = 2.0
"""So long while the disk takes nothing: a match that is not closed after 0.8 s is left."""


def on_the_disk(folder: Path) -> list[str]:
    """What has been recorded of the only match of a box."""
    (match,) = (folder / "state" / "matches").glob("*.match")
    chain = read_chain(match)
    assert not chain.damage
    game = game_in(chain.events)
    assert game is not None
    return [step.happened.text for step in game.steps]


def test_a_match_outlives_kills_and_three_of_them_start_without_vision(tmp_path: Path) -> None:
    """After each kill -9 the match goes on with all that was typed; then by hand, and that is said.

    SIGTERM is no crash: it ends cleanly, and within two seconds.
    """
    told = [*FACTS, *LEGAL[:2]]
    assert len(told) > WITHOUT_VISION
    port = 0
    for number in range(WITHOUT_VISION):
        with RealBox(tmp_path / "box", port) as box:
            port = box.port
            if number == 0:
                box.begin()
            else:
                box.until(lambda box=box, number=number: box.lines == told[:number])
            assert box.json("/api/box")["sight"]
            box.type(told[number])
            box.kill()
    with RealBox(tmp_path / "box", port) as box:
        box.until(lambda: box.lines == told[:WITHOUT_VISION])
        assert not box.json("/api/box")["sight"]
        box.until(lambda: box.json("/api/health")["game"])
        health, entries = box.json("/api/health"), WITHOUT_VISION
        assert health["status"] == "degraded"
        assert any("stopped by itself several times" in one for one in health["remarks"])
        assert health["game"] == {"name": "kingdomino-duel", "phase": "watching", "entries": entries}
        assert not any(name in json.dumps(health) for name in NAMES)
        box.type(told[WITHOUT_VISION])
        assert box.terminate() < MOST_S
        assert "STOPPING=1" in box.listen(0.2)
    assert on_the_disk(tmp_path / "box") == told[: WITHOUT_VISION + 1]
    known = json.loads((tmp_path / "box" / "state" / "crashes.json").read_text())
    assert (known["running"], len(known["at_s"])) == (False, WITHOUT_VISION)
    assert "Traceback" not in (tmp_path / "box" / "stderr").read_text()


def test_what_stands_still_withholds_the_watchdog(tmp_path: Path) -> None:
    """The referee, the whole process; a disk that takes its time is told to people, and is waited for.

    A stop does not wait for it, and what was never called safe is not there afterwards.
    """
    with RealBox(tmp_path / "box") as box:
        box.begin()
        box.type(FACTS[0])
        box.heard("WATCHDOG=1")

        held = box.hinder("engine")
        box.listen(1.7)  # the patience, and what was said until then
        assert "WATCHDOG=1" not in box.listen(0.6)
        assert box.json("/api/health")["status"] == "failing"
        assert any("The referee has not answered" in one for one in box.json("/api/health")["remarks"])
        held.unlink()
        box.heard("WATCHDOG=1")

        box.process.send_signal(signal.SIGSTOP)
        box.listen(0.3)
        assert not box.listen(0.6)
        box.process.send_signal(signal.SIGCONT)
        box.heard("WATCHDOG=1")

        box.hinder("disk")
        box.post("/api/do", {"kind": "typed", "words": FACTS[1]})
        box.until(lambda: box.json("/api/health").get("journal", {}).get("queue"))
        box.until(lambda: "The disk is slow" in str(box.json("/api/health")["remarks"]))
        assert box.json("/api/health")["status"] == "degraded"
        assert box.json("/api/view")["saved"] is False
        assert "WATCHDOG=1" in box.listen(0.6)
        assert box.terminate() < MOST_HELD_S
    assert on_the_disk(tmp_path / "box") == [FACTS[0]]


def test_a_shelf_that_takes_long_to_judge_does_not_withhold_the_watchdog(tmp_path: Path) -> None:
    """A small board needs a while for a match of another version: the box answers meanwhile, then goes on."""
    with RealBox(tmp_path / "box") as box:
        box.begin()
        box.type(FACTS[0])
        port = box.port
        box.kill()
    (tmp_path / "box" / "state" / "shelf.json").unlink(missing_ok=True)
    (tmp_path / "box" / "shelf").touch()
    with RealBox(tmp_path / "box", port) as box:
        box.heard("READY=1")
        box.listen(1.5)
        assert "WATCHDOG=1" in box.listen(0.6)
        assert box.json("/api/health")["status"] in ("ok", "degraded")
        (tmp_path / "box" / "shelf").unlink()
        box.until(lambda: box.lines == [FACTS[0]])


def test_an_error_of_ours_leads_to_the_lobby_and_back(tmp_path: Path) -> None:
    """A match that breaks early is not opened again by itself: why is told, and it can be gone on with."""
    with RealBox(tmp_path / "box") as box:
        box.begin()
        box.type(FACTS[0])
        box.hinder("error")
        box.until(lambda: box.json("/api/box").get("place") == "lobby")
        told = box.json("/api/box")
        assert "an error that a test wants" in told["words"]
        assert [one["players"] for one in told["matches"]] == [list(NAMES)]
        box.post("/api/box/do", {"kind": "resume", "name": told["matches"][0]["name"]})
        box.until(lambda: box.lines == [FACTS[0]])
        assert box.terminate() < MOST_S


def test_a_match_that_is_wanted_while_another_one_is_left_is_opened(tmp_path: Path) -> None:
    """A match that sees takes a second to close, and its lobby is there before: the press is not lost."""
    with RealBox(tmp_path / "box") as box:
        box.begin()
        box.type(FACTS[0])
        box.post("/api/box/do", {"kind": "leave"})
        (kept,) = box.until(lambda: box.json("/api/box").get("matches"))
        box.until(lambda: box.json("/api/box")["place"] == "lobby")
        box.post("/api/box/do", BEGIN)
        box.until(lambda: box.json("/api/view").get("log") == [])
        held = box.hinder("engine")
        box.post("/api/do", {"kind": "typed", "words": FACTS[1]})
        box.post("/api/box/do", {"kind": "leave"})
        box.post("/api/box/do", {"kind": "resume", "name": kept["name"]})
        box.until(lambda: box.json("/api/box").get("place") == "ending")
        held.unlink()
        box.until(lambda: box.lines == [FACTS[0]])
        assert box.terminate() < MOST_S


def invited(box: RealBox) -> bool:
    """Whether people were told where the page is, in any way."""
    files = [box.folder / "run" / name for name in (FILE, CONSOLE_FILE)]
    return "The page is at" in box.said or any(one.exists() for one in files)


def test_a_start_with_nothing_in_order(tmp_path: Path) -> None:
    """The port is taken, the settings are broken, the crash file is torn: it starts, and says all of it.

    The page comes by itself when the port is free, and only then is anybody invited: until then the address
    leads to the other program.
    """
    (tmp_path / "box" / "state" / "matches" / "trap.match").mkdir(parents=True)
    (tmp_path / "box" / "config.toml").write_text("[manners]\nconfirm = 'never'\n")
    (tmp_path / "box" / "state" / "crashes.json").write_bytes(b'{"boot": "')
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        box = RealBox(tmp_path / "box", port)
        with box:
            assert f"cannot listen at port {port}" in box.heard("READY=1")
            assert "WATCHDOG=1" in box.listen(1.0)  # no restart would free the port
            assert not invited(box)
            other.close()
            box.until(lambda: "The page is at" in box.said and (box.folder / "run" / FILE).exists())
            remarks = box.until(lambda: box.json("/api/health").get("remarks"))
            assert any("(line 2). The settings as shipped are used." in one for one in remarks)
            # The round in which the page was opened has asked it before.
            box.until(
                lambda: "cannot listen" not in str(box.json("/api/health").get("remarks", "cannot listen"))
            )
            assert box.terminate() < MOST_S
    assert "Traceback" not in box.said
    assert len(re.findall("cannot listen at port", box.said)) == 1  # not once a round
    assert len(re.findall("The page is at", box.said)) == 1


def test_a_clock_in_1970_that_jumps_to_today_in_the_middle_of_a_match(tmp_path: Path) -> None:
    """A Pi without a network: it starts and says so, the match goes on over the jump and over a kill."""
    (tmp_path / "box").mkdir()
    clock = tmp_path / "box" / "1970"
    clock.touch()
    with RealBox(tmp_path / "box") as box:
        box.begin()
        box.until(lambda: any("shows the year 1970" in one for one in box.json("/api/health")["remarks"]))
        box.type(FACTS[0])
        clock.unlink()
        box.type(FACTS[1])
        box.until(lambda: not any("1970" in one for one in box.json("/api/health")["remarks"]))
        box.kill()
    with RealBox(tmp_path / "box", box.port) as box:
        box.until(lambda: box.lines == [*FACTS])
        box.type(LEGAL[0])
        assert box.terminate() < MOST_S
    assert on_the_disk(tmp_path / "box") == [*FACTS, LEGAL[0]]
    assert "Traceback" not in box.said


ALONE = """
import sys
from pathlib import Path
from tests.device.match.match_bench import FACTS
from tests.device.service.boxes import RealBox

with RealBox(Path(sys.argv[1]), host="0.0.0.0") as box:
    box.begin()
    box.type(FACTS[0])
    assert box.lines == [FACTS[0]]
    assert box.terminate() < 4
    print(box.said)
"""


def test_a_machine_without_any_network(tmp_path: Path) -> None:
    """It starts, plays on its own screen, and says that there is no network."""
    alone = ["unshare", "--net", *([] if os.geteuid() == 0 else ["--map-root-user"])]
    if shutil.which("unshare") is None or subprocess.run([*alone, "true"]).returncode:
        pytest.skip("this user may not have a network of its own")
    played = subprocess.run(
        [*alone, "sh", "-c", 'ip link set lo up; exec "$0" -c "$1" "$2"', sys.executable, ALONE,
         str(tmp_path / "box")],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert played.returncode == 0, played.stderr
    assert "no network" in played.stdout.lower()
    assert "Traceback" not in played.stdout


@pytest.mark.long
@pytest.mark.plain
def test_crashes_add_up_although_each_run_was_good_for_a_while(tmp_path: Path) -> None:
    """Only a run without vision that was good gives vision back."""
    (tmp_path / "box").mkdir()
    (tmp_path / "box" / "hasty").touch()
    for _ in range(WITHOUT_VISION):
        with RealBox(tmp_path / "box") as box:
            box.ready()
            box.listen(1.5)
            assert "stopped by itself" not in box.said
    with RealBox(tmp_path / "box") as box:
        box.ready()
        assert "stopped by itself several times" in box.said
        box.until(lambda: box.json("/api/box")["sight"])
        assert box.terminate() < MOST_S
    assert json.loads((tmp_path / "box" / "state" / "crashes.json").read_text())["at_s"] == []


@pytest.mark.parametrize("port", ["0", "65536"])
def test_a_port_that_is_none(port: str) -> None:
    """A sentence, and the exit status of a wrong use."""
    run = subprocess.run(
        [sys.executable, "-m", "device", "serve", "--port", port],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert run.returncode == 2
    assert "--port should be between 1 and 65535" in run.stderr
    assert "Traceback" not in run.stderr


LAST = """
import os, sys, threading, time
from device.cli.serve import ended

class Library:
    def __del__(self):
        os._exit(77)

library = Library()
if len(sys.argv) > 1:
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
print("said", end="")
sys.exit(ended(3))
"""
"""A library that does not outlive Python's own end; with a word, a thread is still within it."""


@pytest.mark.parametrize(("words", "status"), [([], 77), (["busy"], 3)])
def test_a_thread_within_a_library_does_not_make_the_end_an_abort(words: list[str], status: int) -> None:
    """Python's own end comes only where nobody works any more, and all that was said is heard."""
    done = subprocess.run(
        [sys.executable, "-c", LAST, *words], capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    assert (done.returncode, done.stdout) == (status, "said")
