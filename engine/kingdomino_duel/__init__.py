"""Kingdomino Duel: four dice, two maps and a spellbook.

``edition`` holds what is printed, ``kingdom`` a map, ``spellbook`` the wizards' lines, ``placing`` all ways
to draw a domino, ``map_score`` the score of a map by itself, and ``course`` how one stage follows another.
The other modules have the same part as in every game.
"""

from engine.kingdomino_duel.book import DuelBook

BOOK = DuelBook

__all__ = ["BOOK", "DuelBook"]
