"""Where frames are to come from, as a user names it."""

from dataclasses import dataclass

SOURCES = "auto, picamera, webcam:N, video:FILE, images:DIR, virtual or none"
RECORDED = ("video", "images")
"""Sources that end by themselves, and at which nobody sits."""
PASSING = (*RECORDED, "virtual")
"""Sources whose matches are kept only where somebody wants it."""
_PLAIN = ("auto", "picamera", "virtual", "none")
_NAMED = ("webcam", "video", "images")


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
    kind, colon, rest = text.partition(":")
    if not (rest if kind in _NAMED else kind in _PLAIN and not colon):
        raise ValueError(f"--source should be {SOURCES}, not {text!r}.")
    if kind == "webcam" and not (rest.isascii() and rest.isdecimal()):
        raise ValueError(f"--source webcam:N takes the number of a camera, such as webcam:0, not {text!r}.")
    return SourceName(kind, rest)
