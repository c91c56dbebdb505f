"""The states that a match can be in."""

from enum import StrEnum


class Phase(StrEnum):
    """What a match is doing, or waiting for."""

    SETTING_UP = "setting up"
    """The game has not begun: the table is compared with the set-up."""
    WATCHING = "watching"
    """The table is as the record says; somebody may move."""
    HANDS = "hands"
    """A hand is over the table."""
    SETTLING = "settling"
    """The table is free, and is about to be read or being read."""
    UNFINISHED = "unfinished"
    """A move has begun, or only part of it is seen: nothing counts before the rest is."""
    RULED = "ruled"
    """A move or a take-back was seen and waits to be confirmed."""
    ASKING = "asking"
    """Two explanations are too close; a person says which it was."""
    ILLEGAL = "illegal"
    """A move was refused: put it back, let it stand, or say that it was misread."""
    OUT_OF_STEP = "out of step"
    """Table and record disagree, or the table cannot be read: nothing is acted on until they agree."""
    PAUSED = "paused"
    """The players are away, or the journal cannot be written."""
    CAMERA_LOST = "camera lost"
    """There is no picture to go by; moves are told by hand."""
    FINISHED = "finished"
    """The game is over."""
