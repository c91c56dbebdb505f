"""Where frames are to come from, as a user names it."""

from dataclasses import dataclass

from device.cameras.usb_names import NAME

SOURCES = "auto, picamera, webcam:NAME, video:FILE, images:DIR, virtual or none"
RECORDED = ("video", "images")
"""Sources that end by themselves, and at which nobody sits."""
PASSING = (*RECORDED, "virtual")
"""Sources whose matches are kept only where somebody wants it."""


@dataclass(frozen=True)
class SourceName:
    """Where frames are to come from, as the user names it."""

    kind: str
    rest: str = ""

    @property
    def text(self) -> str:
        """As a user names it."""
        return f"{self.kind}:{self.rest}" if self.rest else self.kind

    @property
    def recorded(self) -> bool:
        """Whether it is a recording."""
        return self.kind in RECORDED

    @property
    def passing(self) -> bool:
        """Whether its match is forgotten afterwards, unless somebody names where to keep it."""
        return self.kind in PASSING


def source_name(text: str) -> SourceName:
    """What a user's words for a source mean; raises ValueError in a sentence."""
    kind, _, rest = text.partition(":")
    if not (rest if kind in ("webcam", *RECORDED) else text in ("auto", "picamera", "virtual", "none")):
        raise ValueError(f"--source should be {SOURCES}, not {text!r}.")
    if kind == "webcam" and not NAME.fullmatch(rest):
        raise ValueError(f"--source webcam:NAME takes a camera as `pipwatch doctor` names it, not {text!r}.")
    return SourceName(kind, rest)
