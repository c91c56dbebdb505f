"""Which lamps burn and whether the buzzer sounds, at any time, without a clock."""

from dataclasses import dataclass

from device.match.lamp_signs import PART_S, Lamps, Tune


@dataclass(frozen=True, slots=True)
class Show:
    """A sign that began at some time."""

    lamps: Lamps
    tune: Tune | None
    began: float

    def lit(self, at: float) -> tuple[bool, bool, bool]:
        """Which lamps burn: green, amber, red."""
        return self.lamps.lit(int((at - self.began) / PART_S + 1e-6))

    def sounds(self, at: float) -> bool:
        """Whether the buzzer sounds."""
        left = at - self.began + 1e-6
        for on, off in self.tune.parts() if self.tune else ():
            if left < on:
                return left >= 0
            left -= on + off
        return False

    def next(self, at: float) -> float | None:
        """When anything may change next, or None if nothing will."""
        times = []
        if any(0 < rhythm.count("#") < 8 for rhythm in (self.lamps.green, self.lamps.amber, self.lamps.red)):
            part = int((at - self.began) / PART_S + 1e-6) + 1
            times.append(self.began + part * PART_S)
        edge = self.began
        for on, off in self.tune.parts() if self.tune else ():
            times += [edge + on, edge + on + off]
            edge += on + off
        later = [time for time in times if time > at + 1e-6]
        return min(later) if later else None
