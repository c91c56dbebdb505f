"""The box's own Wi-Fi in the booted system of boot.py, on two radios that the kernel plays (mac80211_hwsim).

One radio is the box's, the other a phone's, which lies in a network of its own and knows only what
`pipwatch join` tells people: a name, a passphrase and an address. The cable is taken out, the phone joins and
opens the page; the cable comes back, and the Wi-Fi gives way.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from booted import said, waited

UNIT = "pipwatch.service"
SETTINGS = Path("/etc/pipwatch/config.toml")
TRIAL = Path("/root/trial")
PROFILE = "pipwatch-hotspot"
PHONE, ITS_RADIO = "phone", "wlan1"
WPA = 'ctrl_interface=/run/phone\nnetwork={{\n ssid="{name}"\n psk="{passphrase}"\n}}\n'
LEASED = """#!/bin/sh
[ "$1" = bound ] || exit 0
ip address add "$ip/${mask:-24}" dev "$interface"
echo "leased $ip"
"""
OPEN = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1], timeout=30).read().decode())"


def told() -> Iterator[tuple[str, object]]:
    """What became of it, a figure at a time."""
    SETTINGS.write_text("[service]\nhotspot = true\n")
    said("modprobe", "mac80211_hwsim", "radios=2")
    waited(lambda: Path("/sys/class/net", ITS_RADIO).exists())
    yield "radios", sorted(one.name for one in Path("/sys/class/net").glob("wlan*"))
    said("ip", "netns", "add", PHONE)
    phy = Path("/sys/class/net", ITS_RADIO, "phy80211/name").read_text().strip()
    yield "phone_apart", said("iw", "phy", phy, "set", "netns", "name", PHONE) or True
    cable = _cable()
    said("systemctl", "restart", UNIT)
    _seen(lambda: bool(_joining().get("urls")))
    yield "with_cable", _tells_no_wifi()
    said("nmcli", "device", "disconnect", cable)
    yield "spot_opens_s", _seen(_tells_its_wifi)
    yield "spot_profile", PROFILE in _profiles()
    yield from _phone(_joining())
    said("nmcli", "device", "connect", cable)
    yield "spot_closes_s", _seen(lambda: PROFILE not in _profiles())
    yield "phone_is_alone", _seen(_phone_is_alone) is not None
    yield "wifi_not_told", _seen(_tells_no_wifi) is not None
    yield "blocked_told", _blocked(cable)
    yield "spot_journal", [line for line in _journal() if "Wi-Fi" in line or "hot spot" in line][-8:]
    SETTINGS.write_text("[service]\nport = 8000\n")
    said("systemctl", "restart", UNIT)


def _phone(joining: dict[str, object]) -> Iterator[tuple[str, object]]:
    """A phone that somebody holds who reads what the box shows."""
    wifi, urls = joining.get("wifi"), joining.get("urls")
    assert isinstance(wifi, dict)
    assert isinstance(urls, list)
    conf, script = TRIAL / "phone.conf", TRIAL / "leased.sh"
    conf.write_text(WPA.format(**wifi))
    script.write_text(LEASED)
    script.chmod(0o755)
    _in_the_phone("ip", "link", "set", "lo", "up")
    _in_the_phone("wpa_supplicant", "-B", "-D", "nl80211", "-i", ITS_RADIO, "-c", str(conf))
    yield "phone_joins_s", _seen(lambda: "wpa_state=COMPLETED" in _status())
    lease = _in_the_phone(
        "busybox", "udhcpc", "-i", ITS_RADIO, "-f", "-q", "-n", "-t", "10", "-s", str(script)
    )
    yield "phone_lease", bool(re.search(r"leased \d+\.", lease)) or lease
    page = _in_the_phone(sys.executable, "-c", OPEN, str(urls[-1]))
    yield "phone_url", str(urls[-1])
    yield "phone_sees_page", ("<title>" in page and "Pipwatch" in page) or page[-600:]


def _blocked(cable: str) -> object:
    """A radio that may not send, as a Raspberry Pi's before its country is set: told with what to do."""
    for switch in Path("/sys/class/rfkill").glob("rfkill*/soft"):
        switch.write_text("1")
    said("nmcli", "device", "disconnect", cable)
    heard = _seen(lambda: any("the Wi-Fi radio is blocked" in line for line in _journal()))
    for switch in Path("/sys/class/rfkill").glob("rfkill*/soft"):
        switch.write_text("0")
    said("nmcli", "device", "connect", cable)
    return heard is not None or _journal()[-5:]


def _in_the_phone(*command: str) -> str:
    """The same of a program in the phone."""
    return said("ip", "netns", "exec", PHONE, *command)


def _status() -> str:
    """What the phone's Wi-Fi says of itself."""
    return _in_the_phone("wpa_cli", "-p", "/run/phone", "-i", ITS_RADIO, "status")


def _seen(until: Callable[[], bool]) -> float | None:
    """How many seconds it took: the box looks at the network every ten, and opens its own after a minute."""
    return waited(until, 240, 3.0)


def _phone_is_alone() -> bool:
    """Whether the phone's Wi-Fi says that it is in no network."""
    return "wpa_state=" in (told := _status()) and "wpa_state=COMPLETED" not in told


def _tells_its_wifi() -> bool:
    """Whether people are told of the box's own Wi-Fi, and where its page is there."""
    told = _joining()
    return bool(told.get("urls")) and bool(told.get("wifi"))


def _tells_no_wifi() -> bool:
    """Whether people are told an address, and no Wi-Fi of the box's own."""
    told = _joining()
    return bool(told.get("urls")) and told.get("wifi") is None


def _cable() -> str:
    """The network card that leads out."""
    lines = said("nmcli", "--terse", "--fields", "DEVICE,TYPE", "device").splitlines()
    return next(line.split(":")[0] for line in lines if line.endswith(":ethernet"))


def _profiles() -> list[str]:
    """The connections that NetworkManager knows."""
    return said("nmcli", "--terse", "--fields", "NAME", "connection").splitlines()


def _joining() -> dict[str, object]:
    """What people are told of how to join."""
    with suppress(ValueError):
        found: dict[str, object] = json.loads(said("pipwatch", "join", "--json"))
        return found
    return {}


def _journal() -> list[str]:
    """What the service has said so far."""
    return said("journalctl", "--output=cat", f"--unit={UNIT}").splitlines()
