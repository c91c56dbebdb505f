"""The numbered rules of Dominoids in our words, and the readings of what they leave open."""

from typing import Final

from engine.catalogue import Catalogue, Rule
from engine.profile import Reading, Readings

_PLAY: Final = "Sequence of Play"
_EYE: Final = "what the camera sees"

CATALOGUE: Final = Catalogue(
    "Dominoids, version 1.0 of 17 June 2002, by Bradley T. Johnson",
    [
        Rule("DMN-D1", "Definitions 1", "A coin is worth its number; an ace is worth 1 and a blank 0."),
        Rule("DMN-D2", "Definitions 2", "Adjacent means sharing a side; a diagonal never counts."),
        Rule("DMN-D3", "Definitions 3", "The active player is the one whose turn it is."),
        Rule("DMN-S1", "Initial Setup 1", "Sixteen tiles, face down, make a board of 8 by 8 squares."),
        Rule(
            "DMN-S2",
            "Initial Setup 2",
            "The four pawns stand on the pawn squares of figure 1, the suits dealt at random.",
        ),
        Rule(
            "DMN-S3",
            "Initial Setup 3",
            "The coins make four stacks by suit, values hidden; the top coin of each goes, unseen, beside "
            "its pawn as in figure 1.",
        ),
        Rule(
            "DMN-S4",
            "Initial Setup 4",
            "Only the 15 dominoes with 1 to 5 pips on both ends are used. Four drawn at random begin on the "
            "board; the other eleven lie face up as the gene pool.",
        ),
        Rule("DMN-S5", "Initial Setup 5", "All four dice are rolled and begin in the box of old dice."),
        Rule("DMN-S6", "Initial Setup 6", "Chance decides who begins."),
        Rule(
            "DMN-OBJ",
            "Object of the Game",
            "Each player scores the values of the coins collected, and 3 for every suit of which he holds "
            "more coins than the other. The higher score wins.",
        ),
        Rule(
            "DMN-END",
            "Object of the Game",
            "The game is over as soon as all coins of three suits have been collected.",
        ),
        Rule("DMN-1", f"{_PLAY} 1", "Once everything is set up the players take turns."),
        Rule("DMN-2", f"{_PLAY} 2", "A turn is two chosen dice and exactly two actions, one for each die."),
        Rule("DMN-3", f"{_PLAY} 3", "The dice are chosen before anything is done with them."),
        Rule("DMN-3.1", f"{_PLAY} 3.1", "Two different dice must be chosen, no fewer and no more."),
        Rule(
            "DMN-3.2",
            f"{_PLAY} 3.2",
            "At least one of the two comes from the old box; the other may come from either.",
        ),
        Rule(
            "DMN-3.3",
            f"{_PLAY} 3.3",
            "The face decides the action: 2 to 5 moves a Dominoid, an ace shifts the board, a blank does "
            "nothing. The order is free, but one action is finished before the other begins.",
        ),
        Rule("DMN-4", f"{_PLAY} 4", "With a number die one Dominoid must be moved."),
        Rule(
            "DMN-4.1",
            f"{_PLAY} 4.1",
            "A Dominoid moves by sliding in a straight line or by turning; then it may eat, attack or breed.",
        ),
        Rule("DMN-4.2", f"{_PLAY} 4.2", "One move is a slide or a turn, never both."),
        Rule("DMN-4.3", f"{_PLAY} 4.3", "The end that leads must have fewer pips than the die shows."),
        Rule(
            "DMN-4.4",
            f"{_PLAY} 4.4",
            "A slide goes in the direction of the leading end, as many squares as that end has pips, or up "
            "to the Dominoid, pawn or coin that stops it.",
        ),
        Rule("DMN-4.4.1", f"{_PLAY} 4.4.1", "A slide of no square at all is not a move."),
        Rule(
            "DMN-4.4.2",
            f"{_PLAY} 4.4.2",
            "The edge of the board stops no slide, and no slide may go over it: one that would is refused.",
        ),
        Rule(
            "DMN-4.5",
            f"{_PLAY} 4.5",
            "In a turn the leading end swings a quarter circle round the other end, which stays.",
        ),
        Rule("DMN-4.5.1", f"{_PLAY} 4.5.1", "A turn is exactly 90 degrees."),
        Rule(
            "DMN-4.5.2",
            f"{_PLAY} 4.5.2",
            "The square that the leading end turns to and the corner square on the way must both be free.",
        ),
        Rule("DMN-4.5.3", f"{_PLAY} 4.5.3", "A turn may not go over the edge of the board."),
        Rule(
            "DMN-4.6",
            f"{_PLAY} 4.6",
            "After a slide, coins beside either end are turned up, and an end may eat a coin beside it that "
            "is worth no more than its pips. A coin too big stays there, value up.",
        ),
        Rule("DMN-4.6.1", f"{_PLAY} 4.6.1", "Either end may eat, whichever led."),
        Rule("DMN-4.6.2", f"{_PLAY} 4.6.2", "Only one coin may be eaten."),
        Rule("DMN-4.6.3", f"{_PLAY} 4.6.3", "A Dominoid that can eat must."),
        Rule("DMN-4.6.4", f"{_PLAY} 4.6.4", "If the meal leaves coins of one suit only, the game is over."),
        Rule(
            "DMN-4.7",
            f"{_PLAY} 4.7",
            "After a slide, an end beside an end of another Dominoid with fewer pips may attack: that "
            "Dominoid goes back to the gene pool.",
        ),
        Rule("DMN-4.7.1", f"{_PLAY} 4.7.1", "Either end may attack, whichever led."),
        Rule("DMN-4.7.2", f"{_PLAY} 4.7.2", "Only one Dominoid may be attacked."),
        Rule("DMN-4.7.3", f"{_PLAY} 4.7.3", "A Dominoid that can attack must."),
        Rule(
            "DMN-4.7.4", f"{_PLAY} 4.7.4", "Only the Dominoid that slid attacks; it is never attacked itself."
        ),
        Rule(
            "DMN-4.8",
            f"{_PLAY} 4.8",
            "After a slide, an end beside an equal end of another Dominoid may breed: a child from the gene "
            "pool is put on two free squares of the board.",
        ),
        Rule("DMN-4.8.1", f"{_PLAY} 4.8.1", "Either end may breed, whichever led."),
        Rule("DMN-4.8.2", f"{_PLAY} 4.8.2", "There is only one child, of one pair."),
        Rule("DMN-4.8.3", f"{_PLAY} 4.8.3", "A Dominoid that can breed must."),
        Rule(
            "DMN-4.8.4",
            f"{_PLAY} 4.8.4",
            "The child comes from the gene pool and shares a number with a parent; that number of the child "
            "lies beside the same number of that parent.",
        ),
        Rule("DMN-4.8.5", f"{_PLAY} 4.8.5", "A newborn child does not eat, attack or breed."),
        Rule("DMN-4.8.6", f"{_PLAY} 4.8.6", "A child may be moved from the next action on."),
        Rule(
            "DMN-4.9",
            f"{_PLAY} 4.9",
            "Of eating, attacking and breeding one is done, as the player likes.",
        ),
        Rule(
            "DMN-4.10",
            f"{_PLAY} 4.10",
            "Only when a number die can move no Dominoid at all, one must bud: a child as in breeding, with "
            "this one parent.",
        ),
        Rule("DMN-5", f"{_PLAY} 5", "With an ace one tile row or tile column must be shifted."),
        Rule("DMN-5.1", f"{_PLAY} 5.1", "The row or column shifted holds the pawn of the ace's suit."),
        Rule("DMN-5.2", f"{_PLAY} 5.2", "It may be shifted either way."),
        Rule(
            "DMN-5.3",
            f"{_PLAY} 5.3",
            "The tile of one end is taken off, the other three move up, and it comes back at the other end.",
        ),
        Rule("DMN-5.4", f"{_PLAY} 5.4", "A shift brings no meal, no attack and no child."),
        Rule(
            "DMN-5.5", f"{_PLAY} 5.5", "A row or column over whose border a Dominoid lies cannot be shifted."
        ),
        Rule(
            "DMN-5.6",
            f"{_PLAY} 5.6",
            "An ace with which nothing can be shifted counts as a blank; nothing buds.",
        ),
        Rule("DMN-6", f"{_PLAY} 6", "With a blank the player does nothing."),
        Rule("DMN-7", f"{_PLAY} 7", "After both actions missing coins are replaced."),
        Rule(
            "DMN-7.1",
            f"{_PLAY} 7.1",
            "Each suit with no coin on the board gets the top coin of its stack, value down, on a free "
            "square that shares a side with its pawn's.",
        ),
        Rule("DMN-7.2", f"{_PLAY} 7.2", "An empty stack replaces nothing."),
        Rule("DMN-7.3", f"{_PLAY} 7.3", "A pawn with no free square beside it gets no coin this turn."),
        Rule(
            "DMN-8",
            f"{_PLAY} 8",
            "At the end of the turn the two dice are rolled and go to the new box; when all four are there, "
            "all four go to the old box.",
        ),
        Rule(
            "DMN-STOP",
            "not in the original; reading A-D21",
            "Between two turns the players may agree to stop: the game is then drawn. A number of turns may "
            "be set after which the scores decide.",
        ),
        Rule("OBS-DMN-DUE", _EYE, "Only what the game is waiting for can be seen."),
        Rule("OBS-DMN-COIN", _EYE, "A coin shows 0 to 5, and no value twice in a suit."),
        Rule("OBS-DMN-ROLL", _EYE, "The dice rolled are those of the turn, each once and showing a face."),
        Rule("OBS-DMN-PAWN", _EYE, "There is one pawn of each suit, and each has its arm of figure 1."),
        Rule(
            "OBS-DMN-DOMINO", _EYE, "Each domino is there once, and each arm of figure 1 has its two squares."
        ),
        Rule("OBS-DMN-FIRST", _EYE, "The players are 1 and 2."),
    ],
)


def _settled(reading: str, key: str, question: str, answer: str, meaning: str) -> Reading:
    """A reading with nothing to choose: it is printed and recorded all the same."""
    return Reading(reading, key, question, answer, {answer: meaning})


READINGS: Final = Readings(
    [
        _settled(
            "A-D1",
            "edge",
            "Does the edge of the board shorten a slide?",
            "never",
            "no: where the edge comes before the full length and before any obstacle, there is no slide",
        ),
        _settled(
            "A-D2",
            "slide_of_none",
            "Is a slide that is stopped at once a move?",
            "no",
            "no, it is not even made",
        ),
        _settled(
            "A-D3",
            "eats_by",
            "Which end must be as big as the coin?",
            "adjacent",
            "the end beside the coin, whichever end led",
        ),
        Reading(
            "A-D4",
            "reveal",
            "Which hidden coins are turned up after a slide?",
            "all",
            {
                "all": "all that lie beside the Dominoid, before anything is chosen",
                "chosen": "one after the other as the player tries them, until one is eaten",
            },
        ),
        _settled(
            "A-D5",
            "reveal_first",
            "Must coins be turned up when the player would rather attack or breed?",
            "as-reveal",
            "with reveal=all yes, with reveal=chosen no",
        ),
        _settled(
            "A-D6",
            "looking_away",
            "Can a meal be avoided by not looking?",
            "no",
            "no: while a hidden coin lies beside the Dominoid, doing nothing is not allowed",
        ),
        _settled(
            "A-D7",
            "breed_without_room",
            "Must one breed where no child fits?",
            "no",
            "no, breeding is then not possible",
        ),
        _settled(
            "A-D8",
            "child_touches",
            "How does a child touch its parent?",
            "shared-number",
            "with a number both have, number beside number; what else it touches does not matter",
        ),
        _settled(
            "A-D9",
            "contacts",
            "Two Dominoids side by side touch twice: which contact counts?",
            "each",
            "each by itself; by one there may be an attack and by the other a child, and one of them is done",
        ),
        _settled(
            "A-D10",
            "bud_impossible",
            "What if nothing can bud?",
            "pass",
            "the die is spent on nothing",
        ),
        _settled(
            "A-D11",
            "bud_parent",
            "Which Dominoid may bud?",
            "any",
            "any on the board, also the 5-5",
        ),
        _settled(
            "A-D12",
            "wrap_split",
            "May the tile taken off hold one half of a Dominoid?",
            "forbid",
            "no: a shift that would tear a Dominoid is not possible; the other way it may be",
        ),
        _settled(
            "A-D13",
            "tiles_carry",
            "Do pieces travel with their tile?",
            "yes",
            "yes, all of them",
        ),
        _settled(
            "A-D14",
            "line_width",
            "How wide is a row or column that is shifted?",
            "tile",
            "one tile, that is two squares; four tiles make a row",
        ),
        _settled(
            "A-D15",
            "coin_astray",
            "Does a coin far from its pawn still count?",
            "yes",
            "yes, its suit is on the board and gets no other",
        ),
        _settled(
            "A-D16",
            "refill_order",
            "Which coin is replaced first?",
            "free",
            "as the active player likes, also the square",
        ),
        _settled(
            "A-D17",
            "refill_later",
            "When is a coin tried again that found no square?",
            "every-turn",
            "at the end of every turn",
        ),
        _settled("A-D18", "tie", "Who wins with equal scores?", "draw", "nobody"),
        _settled(
            "A-D19",
            "mid_turn_end",
            "What of the turn is still done when the game ends?",
            "nothing",
            "nothing: no second die, no new coin, no roll",
        ),
        _settled(
            "A-D20",
            "same_dominoid",
            "May both dice move the same Dominoid?",
            "yes",
            "yes",
        ),
        Reading("A-D21", "max_turns", "After how many turns do the scores decide (0: never)?", 0),
        _settled("A-D22", "first_player", "Who begins?", "random", "whoever is drawn, and it is recorded"),
        _settled("A-D23", "players", "How many play?", "2", "two"),
        _settled(
            "A-D24",
            "dice_order",
            "In what order are the dice used?",
            "any",
            "any; each is judged when it is used, on the board as it is then",
        ),
    ]
)
