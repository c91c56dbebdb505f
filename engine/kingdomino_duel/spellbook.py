"""The spellbook: what both players have filled in, who owns which power, and which powers are used up."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from engine.kingdomino_duel.edition import COATS, Edition, coat_words
from engine.ruling import Fault

Ticks: TypeAlias = tuple[int, int, int, int, int, int]
"""Squares that one player has filled in, coat by coat."""

AT_ONCE = (5, 6)
"""The powers with the lightning bolt."""


class Book(NamedTuple):
    """The spellbook of one game."""

    ticks: tuple[Ticks, Ticks] = ((0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0))
    spent: tuple[bool, bool, bool, bool, bool, bool] = (False, False, False, False, False, False)
    """Coat by coat, whether its power was used and crossed off."""

    def owner(self, edition: Edition, coat: int) -> int | None:
        """The player who completed the line of this coat; the other's line is struck out."""
        for player in (1, 2):
            if self.ticks[player - 1][coat] == edition.lines[coat].length:
                return player
        return None

    def holds(self, edition: Edition, player: int, power: int) -> bool:
        """Whether this player owns this power and has not used it yet."""
        coat = edition.coat_of(power)
        return not self.spent[coat] and self.ticks[player - 1][coat] == edition.lines[coat].length

    def fill(self, edition: Edition, player: int, coats: Iterable[int]) -> tuple["Book", tuple[int, ...]]:
        """The book after this player has filled in one square for each of these coats, and the powers won."""
        ticks, won = list(self.ticks[player - 1]), []
        for coat in coats:
            line = edition.lines[coat]
            if self.owner(edition, coat) is None and ticks[coat] < line.length:
                ticks[coat] += 1
                if ticks[coat] == line.length:
                    won.append(line.power)
        mine = six(ticks)
        both = (mine, self.ticks[1]) if player == 1 else (self.ticks[0], mine)
        return self._replace(ticks=both), tuple(won)

    def spend(self, coat: int) -> "Book":
        """The book with the power of this coat crossed off."""
        first, second, third, fourth, fifth, sixth = (
            spent or number == coat for number, spent in enumerate(self.spent)
        )
        return self._replace(spent=(first, second, third, fourth, fifth, sixth))


UNTOUCHED = Book()
"""The spellbook of a new game."""


def six(ticks: Sequence[int]) -> Ticks:
    """Six numbers as ticks."""
    first, second, third, fourth, fifth, sixth = ticks
    return first, second, third, fourth, fifth, sixth


def mismatches(edition: Edition, book: Book, seen: Book) -> tuple[Fault, ...]:
    """Where the sheet on the table differs from what the dice have earned (reading A-K20).

    ``seen`` is the spellbook as it is read from the table.
    """
    faults = []
    for coat, name in enumerate(COATS):
        spoken = coat_words(coat)
        for player in (1, 2):
            due, found = book.ticks[player - 1][coat], seen.ticks[player - 1][coat]
            if due != found:
                sentence = (
                    f"Player {player} has {found} squares of {spoken} filled in, but the dice make it {due}."
                )
                facts = {"player": player, "line": name, "filled": found, "due": due}
                faults.append(Fault("KDD-4", sentence, (), facts))
        if book.spent[coat] != seen.spent[coat]:
            power = f"P{edition.lines[coat].power}"
            used, crossed = ("used", "not crossed off") if book.spent[coat] else ("not used", "crossed off")
            sentence = f"{power} was {used}, but {spoken} is {crossed}."
            faults.append(Fault("KDD-P", sentence, (), {"power": power, "line": name}))
    return tuple(faults)
