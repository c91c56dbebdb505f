"""What buttons of the table can ask of the box itself, beside what they say to a match."""

from enum import StrEnum


class Wish(StrEnum):
    """Something that only the box can do."""

    SHUTDOWN = "shutdown"
    PAIR = "pair"
    BACKUP = "backup"
