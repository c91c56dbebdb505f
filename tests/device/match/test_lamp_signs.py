"""Every phase is told by lamp alone and by sound alone."""

from itertools import combinations

import pytest

from device.match.lamp_signs import SAVING, SIGNS, Lamps, lamps
from device.match.match import Match
from device.match.phase import Phase


def seen(shown: Lamps) -> tuple[str, ...]:
    """How lamps look to somebody who comes at any moment: the same from whichever eighth one starts."""
    second = ["".join(str(int(lit)) for lit in shown.lit(part)) for part in range(8)]
    return min(tuple(second[start:] + second[:start]) for start in range(8))


def test_every_phase_has_a_sign() -> None:
    """No phase is silent or dark."""
    assert set(SIGNS) == set(Phase)
    assert all("#" in rhythm for sign in SIGNS.values() for rhythm in ["".join(vars_of(sign.lamps))])
    assert all(sign.tune.beats for sign in SIGNS.values())


def vars_of(shown: Lamps) -> tuple[str, str, str]:
    """The three rhythms."""
    return shown.green, shown.amber, shown.red


@pytest.mark.parametrize(("one", "other"), list(combinations(Phase, 2)))
def test_no_two_phases_look_or_sound_alike(one: Phase, other: Phase) -> None:
    """Lamps differ wherever in the second one looks, and tunes differ on a buzzer that has but one pitch."""
    assert seen(SIGNS[one].lamps) != seen(SIGNS[other].lamps)
    assert SIGNS[one].tune.parts() != SIGNS[other].tune.parts()


def test_phases_of_one_lamp_differ_in_more_than_shades() -> None:
    """Where the same lamps burn, the share of the second for which they burn differs by an eighth or more."""
    for one, other in combinations(SIGNS.values(), 2):
        if [("#" in a) for a in vars_of(one.lamps)] == [("#" in b) for b in vars_of(other.lamps)]:
            changes = [sum(a != b for a, b in zip(r, r[1:] + r[0], strict=True)) for r in vars_of(one.lamps)]
            others = [sum(a != b for a, b in zip(r, r[1:] + r[0], strict=True)) for r in vars_of(other.lamps)]
            lit = [rhythm.count("#") for rhythm in vars_of(one.lamps)]
            more = [rhythm.count("#") for rhythm in vars_of(other.lamps)]
            assert changes != others or max(abs(a - b) for a, b in zip(lit, more, strict=True)) >= 2


def test_green_is_never_part_of_a_sign_that_asks_for_something() -> None:
    """Green burns where the next may move, while a hand does so, and at the end: nowhere else."""
    green = {phase for phase, sign in SIGNS.items() if "#" in sign.lamps.green}
    assert green == {Phase.WATCHING, Phase.HANDS, Phase.FINISHED}
    assert "#" not in SAVING.green
    assert lamps(Match(phase=Phase.WATCHING)) == SIGNS[Phase.WATCHING].lamps


def test_a_tune_is_over_before_the_next_move() -> None:
    """The longest signal takes less than two seconds."""
    assert all(sum(on + off for on, off in sign.tune.parts()) < 2 for sign in SIGNS.values())
