"""A Wi-Fi of its own: opened where there is no network, given way as soon as there is one."""

import json
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from device.match.lamp_signs import AGREEING, SAVING, SIGNS
from device.match.phase import Phase
from device.panel.wish import FAILED, GRANTED, HOLDING
from device.service import hotspot
from device.service.host import LOBBY, LOBBY_BLIND
from device.service.hotspot import (
    AGAIN_S,
    ALONE_S,
    BLOCKED,
    CONNECTION,
    GIVE_WAY_S,
    LAMPS,
    LONGEST_S,
    LOOK_S,
    NO_NMCLI,
    SWITCHED_OFF,
    Act,
    HotSpot,
    Hotspot,
    NetworkSeen,
    kept_wifi,
    new_wifi,
    radio_off,
    step,
)  # fmt: skip
from tests.device.match.test_lamp_signs import seen

ALONE = "wlan0:wifi:disconnected:\neth0:ethernet:unavailable:\nlo:loopback:connected (externally):lo\n"
WIRED = "eth0:ethernet:connected:Wired connection 1\nwlan0:wifi:disconnected:\n"
OPEN = f"wlan0:wifi:connected:{CONNECTION}\neth0:ethernet:unavailable:\ndocker0:bridge:connected:docker0\n"


def played(*seen: tuple[float, bool, int]) -> list[Act]:
    """What is done at each moment."""
    spot, acts = HotSpot(), []
    for now, network, guests in seen:
        spot, act = step(spot, NetworkSeen(now, network, guests))
        acts.append(act)
    return acts


def radios(folder: Path, *each: tuple[str, str, str]) -> Path:
    """What the kernel tells of radios: kind, whether it is blocked, whether by a switch."""
    for number, told in enumerate(each):
        radio = folder / f"rfkill{number}"
        radio.mkdir(parents=True)
        for name, value in zip(("type", "soft", "hard"), told, strict=True):
            (radio / name).write_text(f"{value}\n")
    return folder


def test_a_radio_that_is_blocked_is_told_in_one_sentence(tmp_path: Path) -> None:
    """Once, with what to do; NetworkManager is not asked, and once it is unblocked the Wi-Fi opens."""
    manager, said = Manager(), list[str]()
    folder = radios(tmp_path, ("bluetooth", "0", "0"), ("wlan", "1", "0"))
    spot = made(manager, said, lambda: radio_off(folder))
    for now in (0.0, ALONE_S, ALONE_S + AGAIN_S):
        assert spot.look(now) is None
    assert said == [f"the hot spot cannot be opened: {BLOCKED}."]
    assert spot.spare is None
    assert manager.done == []
    (folder / "rfkill1/soft").write_text("0\n")
    assert spot.look(ALONE_S + 2 * AGAIN_S) == spot.wifi


@pytest.mark.parametrize(("each", "why"), [
    ([], ""), ([("bluetooth", "1", "1")], ""), ([("wlan", "0", "0")], ""), ([("wlan", "1", "0")], BLOCKED),
    ([("wlan", "0", "1")], SWITCHED_OFF), ([("wlan", "1", "1")], SWITCHED_OFF),
    ([("wlan", "1", "0"), ("wlan", "0", "0")], ""),
])  # fmt: skip
def test_one_radio_that_may_send_is_enough(tmp_path: Path, each: list[Any], why: str) -> None:
    """A switch of the machine is told as one: no command helps there."""
    assert radio_off(radios(tmp_path, *each)) == why


def test_it_opens_after_a_minute_alone_and_closes_with_a_network() -> None:
    """A network that comes and goes begins the minute anew."""
    assert played((0, False, 0), (59, False, 0), (ALONE_S, False, 0)) == [Act.NOTHING, Act.NOTHING, Act.OPEN]
    assert Act.OPEN not in played((0, False, 0), (40, True, 0), (70, False, 0), (129, False, 0))
    acts = played((0, False, 0), (60, False, 0), (61, False, 0), (62, True, 0), (63, True, 0))
    assert acts[-2:] == [Act.CLOSE, Act.NOTHING]


def test_unused_it_gives_way_for_the_network_that_the_radio_cannot_hear() -> None:
    """A router that starts slower than the box is found: closed for a look, then opened again."""
    acts = played((0, False, 0), (60, False, 0), (60 + GIVE_WAY_S, False, 0), (61 + GIVE_WAY_S, False, 0),
                  (60 + GIVE_WAY_S + LOOK_S, False, 0))  # fmt: skip
    assert acts == [Act.NOTHING, Act.OPEN, Act.CLOSE, Act.NOTHING, Act.OPEN]
    found = played((0, False, 0), (60, False, 0), (60 + GIVE_WAY_S, False, 0), (80 + GIVE_WAY_S, True, 0))
    assert found[-1] is Act.NOTHING  # it is closed already


def test_it_never_gives_way_while_somebody_is_in_it() -> None:
    """Phones that play are not thrown out; the span begins when the last one has gone."""
    moments = [(0.0, False, 0), (60.0, False, 0)] + [(60.0 + 10 * k, False, 1) for k in range(1, 400)]
    assert played(*moments).count(Act.CLOSE) == 0
    gone = moments[-1][0]
    assert played(*moments, (gone + GIVE_WAY_S - 1, False, 0))[-1] is Act.NOTHING
    assert played(*moments, (gone + GIVE_WAY_S, False, 0))[-1] is Act.CLOSE


def test_a_day_alone_is_not_a_day_of_opening_and_closing() -> None:
    """Each look in vain doubles the span, up to an hour: the log stays short."""
    acts = played(*((float(now), False, 0) for now in range(0, 86_400, 10)))
    assert 20 <= acts.count(Act.OPEN) <= 30
    assert LONGEST_S == 3600


class Manager:
    """NetworkManager's command as a stand-in: it answers as nmcli 1.42 does, and keeps what it was asked."""

    def __init__(self, devices: str = ALONE) -> None:
        self.devices, self.refusal, self.reachable, self.asked = devices, "", "", []

    def __call__(self, asked: list[str], *, capture_output: bool, text: bool, timeout: float) -> Any:
        """Run a command."""
        assert (capture_output, text, timeout > 0) == (True, True, True)
        self.asked.append(asked)
        if asked[0] == "ip":
            assert asked[1:5] == ["neigh", "show", "dev", "wlan0"]
            return subprocess.CompletedProcess(asked, 0, self.reachable, "")
        if asked[-1] == "device":
            return subprocess.CompletedProcess(asked, 0, self.devices, "")
        if "hotspot" in asked:
            if self.refusal:
                return subprocess.CompletedProcess(asked, 1, "", f"Error: {self.refusal}.\n")
            self.devices = OPEN
        elif asked[1:3] == ["connection", "delete"]:
            self.devices = ALONE if self.devices == OPEN else self.devices
        return subprocess.CompletedProcess(asked, 0, "", "")

    @property
    def done(self) -> list[str]:
        """The kinds of changes that were asked for."""
        return [
            "open" if "hotspot" in one else "delete"
            for one in self.asked
            if one[0] != "ip" and one[-1] != "device"
        ]


def made(manager: Manager, said: list[str], off: Callable[[], str] = str) -> Hotspot:
    """A hot spot that this manager runs; ``off`` says why the radio may not send."""
    return Hotspot(said.append, manager, lambda name: f"/usr/bin/{name}", off=off)


def test_networkmanager_opens_and_closes_it() -> None:
    """A connection of its own, with the name and the passphrase that people are told; nothing is left."""
    manager, said = Manager(), []
    spot = made(manager, said)
    assert spot.look(0.0) is None
    assert spot.look(60.0) == spot.wifi
    opened = next(one for one in manager.asked if "hotspot" in one)
    assert opened == ["nmcli", "device", "wifi", "hotspot", "con-name", CONNECTION,
                      "ssid", spot.wifi.name, "band", "bg", "channel", "6",
                      "password", spot.wifi.passphrase]  # fmt: skip
    assert spot.look(70.0) == spot.wifi
    manager.devices = OPEN.replace("unavailable:", "connected:Wired connection 1")
    assert spot.look(80.0) is None
    assert manager.done[-1] == "delete"
    assert said == [f"there is no network: the box has opened its own Wi-Fi, {spot.wifi.name}.",
                    "the box's own Wi-Fi is closed again."]  # fmt: skip


def test_its_own_network_is_none_and_guests_keep_it_open() -> None:
    """The hot spot's own connection, a bridge and loopback are no way to anywhere."""
    manager, said = Manager(), []
    spot = made(manager, said)
    spot.look(0.0)
    spot.look(60.0)
    manager.reachable = "10.42.0.17 lladdr 02:00:00:00:00:01 REACHABLE\n"
    for now in range(70, 2000, 10):
        assert spot.look(float(now)) == spot.wifi
    manager.reachable = ""
    assert spot.look(1990.0 + GIVE_WAY_S) is None


def test_a_network_from_the_start_changes_nothing() -> None:
    """Most boxes never open one."""
    manager, said = Manager(WIRED), []
    spot = made(manager, said)
    for now in range(0, 600, 10):
        assert spot.look(float(now)) is None
    spot.close()
    assert manager.done == []
    assert said == []


@pytest.mark.parametrize(("leads", "opens"), [(True, False), (False, True)])
def test_a_cable_that_somebody_else_manages_is_a_network_if_it_leads_to_one(leads: bool, opens: bool) -> None:
    """As on a Debian whose cable is ifupdown's: no Wi-Fi is opened beside a network that works."""
    manager, said = Manager("eth0:ethernet:unmanaged:\nwlan0:wifi:disconnected:\n"), []
    spot = made(manager, said)
    spot.leads = lambda device: leads and device == "eth0"
    spot.look(0.0)
    assert (spot.look(ALONE_S) is not None) == opens


def test_a_refusal_is_told_once_and_tried_again() -> None:
    """No radio, or no permission: the sentence of NetworkManager itself, every five minutes a try."""
    manager, said = Manager(), []
    manager.refusal = "No Wi-Fi device found"
    spot = made(manager, said)
    for now in range(0, int(60 + 2 * AGAIN_S) + 1, 10):
        assert spot.look(float(now)) is None
    assert said == ["the hot spot cannot be opened: No Wi-Fi device found."]
    assert manager.done == ["delete", "open", "delete"] * 3  # nor does a try leave a profile behind
    assert spot.spare is None  # no card is printed for what the radio refuses
    manager.refusal = ""
    assert spot.look(60 + 3 * AGAIN_S) == spot.wifi == spot.spare
    spot.close()
    assert manager.done[-1] == "delete"


@pytest.mark.parametrize("wrong", [FileNotFoundError("nmcli"), subprocess.TimeoutExpired("nmcli", 40)])
def test_a_manager_that_does_not_answer_stops_nothing(wrong: Exception) -> None:
    """It is told, and the box goes on."""
    said: list[str] = []

    def run(*_: object, **__: object) -> None:
        raise wrong

    spot = Hotspot(said.append, run, lambda _: "/usr/bin/nmcli", off=str)
    spot.look(0.0)
    assert spot.look(60.0) is None
    assert said == ["the hot spot cannot be opened: NetworkManager does not answer."]


def test_without_nmcli_one_sentence_says_so() -> None:
    """Nothing is tried then."""
    said: list[str] = []
    spot = Hotspot(said.append, lambda *_: pytest.fail("was run"), lambda _: None)
    assert said == [NO_NMCLI]
    assert spot.look(1000.0) is None


def test_name_and_passphrase_are_new_each_time_and_easy_to_read() -> None:
    """No letter that looks like another; long enough for WPA and for nobody to guess."""
    some = [new_wifi() for _ in range(50)]
    assert len({one.passphrase for one in some}) == 50
    assert all(len(one.passphrase) == 12 and not set(one.passphrase) & set("0O1lIio") for one in some)
    assert len(hotspot._LETTERS) == len(set(hotspot._LETTERS)) == 31


def test_name_and_passphrase_stay_as_they_were_printed(tmp_path: Path) -> None:
    """The next start has the same; only this user may read them; a deleted or damaged file gives new ones."""
    path = tmp_path / "state" / "wifi.json"
    first = kept_wifi(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert kept_wifi(path) == first
    pairs = (("", "abcdefgh"), ("x", "short"), (1, 2), (None, "abcdefgh"), ("x" * 33, "abcdefgh"),
             ("x", "ä" * 8), ("a\nb", "abcdefgh"), ("\ud800", "abcdefgh"))  # fmt: skip
    damaged = (json.dumps({"name": name, "passphrase": passphrase}) for name, passphrase in pairs)
    for text in ("", "[]", "{}", *damaged):
        path.write_text(text, encoding="utf-8")
        again = kept_wifi(path)
        assert again != first
        assert kept_wifi(path) == again
    path.unlink()
    assert kept_wifi(path) != first


def test_a_file_that_cannot_be_read_just_now_is_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was printed is right again when it can."""
    path = tmp_path / "wifi.json"
    first = kept_wifi(path)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_text", lambda *_, **__: (_ for _ in ()).throw(OSError(5, "I/O error")))
        assert kept_wifi(path) != first
    assert kept_wifi(path) == first


def test_a_full_card_costs_only_that_they_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hot spot opens all the same."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(hotspot, "write_whole", full)
    assert len(kept_wifi(tmp_path / "wifi.json").passphrase) == 12
    assert not list(tmp_path.iterdir())


def test_a_box_that_cannot_open_one_promises_none() -> None:
    """No card is printed for a Wi-Fi that will never be."""
    assert Hotspot(print, which=lambda _: None).spare is None
    manager = Manager()
    spot = made(manager, [])
    assert spot.spare == spot.wifi


def test_its_lamps_look_like_nothing_else() -> None:
    """Whoever sees them, from whatever moment on, knows that the box is alone."""
    signs = [sign.lamps for sign in (*SIGNS.values(), *GRANTED.values(), HOLDING, FAILED)]
    shown = [seen(one) for one in (*signs, AGREEING, SAVING, LOBBY, LOBBY_BLIND)]
    assert len(shown) > len(Phase)
    assert seen(LAMPS) not in shown
