"""Who may try another code, and when: few tries a minute, few a day, and a memory that nobody can fill.

A wrong try is remembered with its time and whose it was. A try beyond a limit is refused before it is held
against the code, and leaves no trace, so the memory never holds more than a day's wrong tries.
"""

import ipaddress
from dataclasses import dataclass, replace
from typing import Final

MINUTE_S: Final = 60.0
DAY_S: Final = 86_400.0
A_MINUTE_EACH: Final = 5
"""Wrong codes a minute from one address: people who mistype need two or three."""
A_MINUTE: Final = 30
"""Wrong codes a minute from all addresses."""
A_DAY: Final = 99
"""Wrong codes a day from all: of a million codes, a day of guessing finds one with less than 1 in 10,000."""


@dataclass(frozen=True, slots=True)
class WrongTries:
    """The wrong tries of the last day, the oldest first: when (monotonic seconds), and by whom."""

    wrong: tuple[tuple[float, str], ...] = ()

    def wait_s(self, whose: str, now: float) -> float:
        """How long somebody at an address has to wait for the next try; 0 where it may be now."""
        here = network_of(whose)
        mine = [at for at, who in self.wrong if who == here]
        every = [at for at, _ in self.wrong]
        return max(
            _until_room(mine, A_MINUTE_EACH, MINUTE_S, now),
            _until_room(every, A_MINUTE, MINUTE_S, now),
            _until_room(every, A_DAY, DAY_S, now),
        )

    def left(self, whose: str, now: float) -> int:
        """How many more tries somebody has within this minute."""
        here = network_of(whose)
        mine = sum(who == here and at > now - MINUTE_S for at, who in self.wrong)
        every = sum(at > now - MINUTE_S for at, _ in self.wrong)
        today = sum(at > now - DAY_S for at, _ in self.wrong)
        return max(0, min(A_MINUTE_EACH - mine, A_MINUTE - every, A_DAY - today))

    def and_wrong(self, whose: str, now: float) -> "WrongTries":
        """The same with one more wrong try; what is older than a day is forgotten."""
        recent = tuple(one for one in self.wrong if one[0] > now - DAY_S)
        return replace(self, wrong=(*recent, (now, network_of(whose)))[-A_DAY:])

    def without(self, whose: str, at: float) -> "WrongTries":
        """The same less a try that was counted before it was known to be right."""
        one = (at, network_of(whose))
        if one not in self.wrong:
            return self
        place = self.wrong.index(one)
        return replace(self, wrong=self.wrong[:place] + self.wrong[place + 1 :])


def network_of(address: str) -> str:
    """Whose tries count together: an IPv4 address alone, of IPv6 all that one household can choose from."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((ip, 64), strict=False))


def _until_room(times: list[float], most: int, span_s: float, now: float) -> float:
    """How long until fewer than ``most`` of these times lie within the span."""
    inside = [at for at in times if at > now - span_s]
    return inside[-most] + span_s - now if len(inside) >= most else 0.0
