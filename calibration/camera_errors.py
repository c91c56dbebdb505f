"""What can go wrong between camera and table: a type and one sentence with its remedy for each."""

from collections.abc import Collection

from engine import PipwatchError


class CalibrationError(PipwatchError, ValueError):
    """The root of every error that calibration raises on purpose."""


class BadProfileFile(CalibrationError):
    """A TOML profile cannot be used; the message names the file, the key and what would be right."""


class ImpossibleMounting(CalibrationError):
    """A camera cannot hang so, or gives no such picture; the message says what can be."""


class NoMarkers(CalibrationError):
    """The picture shows no marker at all."""

    def __init__(self) -> None:
        super().__init__(
            "no marker can be seen: lay the four printed markers flat near the corners of the table, "
            "light them evenly and keep the white paper around them free"
        )


class TooFewMarkers(CalibrationError):
    """Some markers are seen, but not enough to know the table."""

    def __init__(self, seen: Collection[int]) -> None:
        self.seen = tuple(sorted(seen))
        numbers = ", ".join(map(str, self.seen))
        super().__init__(
            f"only {'marker' if len(self.seen) == 1 else 'markers'} {numbers} can be seen: at least three of "
            "the corner markers 0, 1, 2 and 3 must lie in the picture uncovered to find the table"
        )


class SameMarkerTwice(CalibrationError):
    """Two markers with the same number lie on the table."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(
            f"marker {number} lies on the table twice: every number may be there once, take one away"
        )


class MirroredPicture(CalibrationError):
    """The picture is mirrored, so that left and right would be swapped."""

    def __init__(self) -> None:
        super().__init__(
            "the picture is mirrored: turn off the camera's mirror or flip setting (selfie view), "
            "a mirrored table would swap the players' sides"
        )


class MarkersOutOfOrder(CalibrationError):
    """The corner markers do not lie clockwise."""

    def __init__(self, order: Collection[int]) -> None:
        self.order = tuple(order)
        super().__init__(
            f"the corner markers lie in the order {', '.join(map(str, self.order))} clockwise: "
            "lay them as 0, 1, 2, 3 clockwise from the far left corner"
        )


class WrongPrintScale(CalibrationError):
    """The check bar on the printed sheet is too far from 100 mm to be a scale of the print."""

    def __init__(self, measured_mm: float) -> None:
        self.measured_mm = measured_mm
        super().__init__(
            f"a check bar of {measured_mm:g} mm instead of 100 mm is no print of these sheets: print them "
            "again at 'actual size' (100 %, no fitting to the page) and measure the bar in millimetres"
        )


class ResolutionChanged(CalibrationError):
    """A frame has another size than the lens was calibrated for."""

    def __init__(self, now: tuple[int, int], calibrated: tuple[int, int]) -> None:
        self.now, self.calibrated = now, calibrated
        super().__init__(
            f"the camera now gives pictures of {now[0]}×{now[1]}, but was calibrated at "
            f"{calibrated[0]}×{calibrated[1]}: set it back, or calibrate the lens anew at the new size"
        )


class UnclearTable(CalibrationError):
    """Markers are seen, but no flat table explains them."""

    def __init__(self, odd: Collection[int]) -> None:
        self.odd = tuple(odd)
        which = f"marker {self.odd[0]} does" if len(self.odd) == 1 else "the markers seen do"
        super().__init__(
            f"{which} not fit one flat table: lay every marker flat, and use markers printed at one size"
        )


class BadCorners(CalibrationError):
    """The corners that a person gave are no table's corners."""


class LensShotsMissing(CalibrationError):
    """Too few usable pictures of the lens board."""


class NoSuchPiece(CalibrationError):
    """A photo for learning a piece set shows no piece that could be learned."""
