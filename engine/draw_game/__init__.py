"""The Draw Game: fives with one spinner for two players and a double-six set, after an appendix of 1987.

``model`` says what exists, ``line`` what lies open, ``known_hands`` what is known of hands, ``rules`` what
is ruled and how open questions are read, ``judge`` and ``verdict`` what is legal and why not, ``turns`` and
``deals`` what moves and facts do, ``proof`` which draws and passes are found out later, ``table`` where
tiles lie (with ``laying``, which decides it, ``outlook``, which looks ahead, ``path`` and ``ground``, the
line on the board's cells), ``setup``, ``stored`` and ``notation`` how all that is written down; ``book`` is
the rule book itself.
"""

from engine.draw_game.book import DrawGame

BOOK = DrawGame

__all__ = ["BOOK", "DrawGame"]
