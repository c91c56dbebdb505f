"""People answer truthfully, or say that it was none of these."""

import pytest

from simulation.answering import answer


@pytest.mark.parametrize(
    ("choices", "done", "told", "number"),
    [
        (["1: a", "1: b"], ["1: b"], False, 1),
        (["1: a, then 2: b", "1: a"], ["1: a", "2: b"], False, 0),
        (["1: a; 2: b", "1: a"], ["2: b"], False, 0),
        (["1: a, then 1: done", "The last move was taken back."], ["1: a"], False, 0),
        (["1: a, then 1: steal", "1: c"], ["1: a"], False, None),
        (["2: moons move 1@a1-2@b1"], ["2: suns move 1@a1-2@b1"], False, 0),
        (["2: moons move 1@a1-2@b1", "2: suns move 1@a1-2@b1"], ["2: suns move 1@a1-2@b1"], False, 1),
        (["1: a", "The last move was taken back."], [], True, 1),
        (["1: a", "nothing happened"], [], False, 1),
        (["1: a"], [], False, None),
    ],
)
def test_the_answer_that_says_what_was_done_is_given(
    choices: list[str], done: list[str], told: bool, number: int | None
) -> None:
    """Exactly that, that with the end of the turn, that by another die, or none."""
    assert answer(choices, done, told=told) == number
