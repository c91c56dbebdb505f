"""Dominoids by Bradley T. Johnson: two-celled creatures that swim, eat and breed on a piecepack board.

``board`` is the board as numbers, ``model`` what there is, ``options`` what can be done, ``judge`` (with
``movement``, ``family`` and ``telling``) what is wrong with a move, ``turn`` what a move makes of the state,
``table`` what that looks like, ``setup`` reads states, ``rules`` holds the rules and readings in words,
``notation`` writes moves, ``ppn`` exports a game in Portable Piecepack Notation, and ``book`` is the whole.
"""

from engine.dominoids.book import DominoidsBook

BOOK = DominoidsBook

__all__ = ["BOOK", "DominoidsBook"]
