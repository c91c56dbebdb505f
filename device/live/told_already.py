"""What a verdict has to do with the record: whether it is news, and whether the record came of it."""

from engine.history import History
from engine.matching import Instead, Nothing, Question, Ruled, TakeBack, Verdict


def plays_on(verdict: Verdict) -> bool:
    """Whether the table is explained without a refused move that stands: it was put back."""
    return isinstance(verdict, Nothing | TakeBack) or (isinstance(verdict, Ruled) and not verdict.refused)


def goes_on_from(stood: Verdict, verdict: Verdict, noted: int = 0) -> bool:
    """Whether the table is rather explained by what came after a refused move that stands.

    Of two ways to the table that are allowed that one counts for which less was done: what lay there
    as a refused move has not become another one by being read again. So many steps are ``noted`` already.
    """
    if noted and (isinstance(stood, Nothing) or (isinstance(stood, TakeBack) and stood.steps <= noted)):
        return not plays_on(verdict)
    if isinstance(stood, Question):
        return not isinstance(verdict, Question) and not plays_on(verdict)
    if not isinstance(stood, Ruled):
        return False
    less = isinstance(verdict, Ruled) and len(stood.happened) < len(verdict.happened)
    return not plays_on(verdict) or (less and not stood.refused)


def moves_something(verdict: Verdict) -> bool:
    """Whether this tells that something was done; an earlier reading that was wrong needs no hand."""
    return isinstance(verdict, TakeBack) or (isinstance(verdict, Ruled) and bool(verdict.happened))


def lies_still(verdict: Verdict, game: History | None) -> bool:
    """Whether this is the refused move that is in the record already: it has not been put back yet."""
    last = game.steps[-1] if game is not None and game.steps else None
    if last is None or last.ruling is None or last.ruling.allowed or not isinstance(verdict, Ruled):
        return False
    told = [one.text for one in verdict.happened]
    return verdict.refused and len(told) == 1 and told[0] in (last.happened.text, *last.happened.alike)


def came_of(verdict: Verdict, old: History, new: History) -> bool:
    """Whether the game became what it is by counting this verdict, which explains the whole table."""
    if isinstance(verdict, TakeBack):
        return not verdict.more and _is_shorter(verdict, old, new)
    if not isinstance(verdict, Ruled) or verdict.refused or verdict.more:
        return False
    if not verdict.happened:
        corrected = [new.steps[-one.steps].happened.text for one in verdict.revised]
        return len(new.steps) == len(old.steps) and corrected == [one.text for one in verdict.revised]
    return _ends_with(new, verdict)


def leaves_a_rest(verdict: Verdict | Instead, old: History, new: History) -> bool:
    """Whether the game became what it is by counting this, and the table shows more than it says.

    More has been done since, or a refused move lies there still.
    """
    if isinstance(verdict, Question):
        return any(leaves_a_rest(choice.outcome, old, new) for choice in verdict.choices)
    if isinstance(verdict, TakeBack):
        return verdict.more and _is_shorter(verdict, old, new)
    if isinstance(verdict, Ruled) and verdict.more:
        return _ends_with(new, verdict)
    last = new.steps[-1] if new.steps else None
    if last is None or last.stands or not isinstance(verdict, Ruled) or not verdict.refused:
        return False
    return last.happened.text == verdict.happened[-1].text


def _ends_with(game: History, ruled: Ruled) -> bool:
    texts = [one.text for one in ruled.happened]
    return [step.happened.text for step in game.steps[-len(texts) :]] == texts


def _is_shorter(back: TakeBack, old: History, new: History) -> bool:
    return len(new.steps) == len(old.steps) - back.steps


def begins(verdict: Verdict, game: History | None) -> bool:
    """Whether this is only what the table of a new game shows: no hand is needed for that."""
    if game is None or game.steps or not isinstance(verdict, Ruled):
        return False
    # a game that was taken up in its middle has no steps either, and nothing of it lay there from the start
    return game.first == game.book.start() and all(one.kind == "fact" for one in verdict.happened)
