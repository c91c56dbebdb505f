"""Dominoes of War: soldiers on a field of 64 face-down dominoes, by Seth Lyons and Rob Deckard (2015).

``troops`` says how each type of soldier moves and attacks, ``places`` and ``terrain`` where, ``model`` what
exists, ``rules`` and ``readings`` by which rules. ``orders`` lists what may be done, ``deeds`` does it,
``judge`` (with ``faults``, ``obstacles`` and ``allowed``) says why or why not, ``stand`` lets it stand.
"""

from engine.dominoes_of_war.book import DominoesOfWar

BOOK = DominoesOfWar

__all__ = ["BOOK", "DominoesOfWar"]
