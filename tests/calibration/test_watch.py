"""The drift watch as a machine: what it trusts, when it gives up, and what it says."""

import random

from calibration.watch import PATIENCE_S, MarkerLook, Sign, TableState, Watch, regained, step

FRAME_S = 0.1


def run(looks: list[Sign], watch: Watch | None = None) -> list[Watch]:
    """The states after each sign."""
    watch = watch or Watch()
    states = []
    for sign in looks:
        watch = step(watch, sign)
        states.append(watch)
    return states


def signs(
    look: MarkerLook, count: int, start: int = 0, agreeing: int = 4, *, calm: bool = False
) -> list[Sign]:
    """The same sign for some frames."""
    return [Sign((start + i) * FRAME_S, look, agreeing, calm, "why") for i in range(count)]


def test_one_odd_frame_is_not_trusted_but_no_alarm() -> None:
    """A single damaged frame costs that frame alone."""
    states = run([*signs(MarkerLook.MOVED, 1), *signs(MarkerLook.IN_PLACE, 1, 1)])
    assert [s.trusted for s in states] == [False, True]
    assert [s.state for s in states] == [TableState.STEADY, TableState.STEADY]


def test_a_move_ends_trust_at_once_and_settles_when_calm() -> None:
    """A bump is distrusted in its first frame; calm frames over a quarter second settle the new pose."""
    looks = [*signs(MarkerLook.MOVED, 2), *signs(MarkerLook.MOVED, 3, 2, calm=True)]
    states = run(looks)
    assert not any(s.trusted for s in states[:-1])
    assert states[1].state is TableState.MOVING
    assert states[-1].trusted
    assert regained(states[-2], states[-1])


def test_two_markers_never_settle_a_new_pose() -> None:
    """With two markers a moved camera becomes a lost table with its reason, however calm."""
    states = run(signs(MarkerLook.MOVED, 30, agreeing=2, calm=True))
    assert not any(s.trusted for s in states)
    assert states[-1].state is TableState.LOST
    assert states[-1].reason == "why"


def test_blindness_is_patient_then_lost_then_healed() -> None:
    """Covered markers are no alarm at first, a lost table within a second, and fine when uncovered."""
    states = run([*signs(MarkerLook.BLIND, 12), *signs(MarkerLook.IN_PLACE, 1, 12)])
    assert states[0].state is TableState.COVERED
    first_lost = next(i for i, s in enumerate(states) if s.state is TableState.LOST)
    assert PATIENCE_S <= first_lost * FRAME_S <= 1.0
    assert states[-1].trusted
    assert states[-1].reason == ""


def test_a_bump_under_cover_is_found_afterwards() -> None:
    """Blind, then another pose: not trusted until it has settled."""
    states = run(
        [
            *signs(MarkerLook.BLIND, 3),
            *signs(MarkerLook.MOVED, 2, 3),
            *signs(MarkerLook.MOVED, 3, 5, calm=True),
        ]
    )
    assert [s.trusted for s in states] == [False] * 7 + [True]


def test_a_shaking_camera_is_never_settled() -> None:
    """As long as each frame has another pose there is no trust, but no call for help either."""
    states = run(signs(MarkerLook.MOVED, 40))
    assert {s.state for s in states[1:]} == {TableState.MOVING}


def test_another_picture_size_is_lost_at_once() -> None:
    """A wrong size is no doubt but an end."""
    (state,) = run([Sign(0.0, MarkerLook.WRONG_SIZE, detail="set it back")])
    assert state.state is TableState.LOST
    assert state.reason == "set it back"


def test_no_path_leads_to_trust_without_a_good_reason() -> None:
    """In 20,000 random steps trust only follows a frame in place, or three calm ones of three markers."""
    rng = random.Random(7)
    watch, recent = Watch(), []
    for frame in range(20_000):
        look = rng.choice(list(MarkerLook))
        sign = Sign(frame * FRAME_S, look, rng.randint(0, 6), rng.random() < 0.7)
        watch = step(watch, sign)
        recent = [*recent[-3:], sign]
        if watch.trusted and sign.look is not MarkerLook.IN_PLACE:
            assert all(s.look is MarkerLook.MOVED and s.agreeing >= 3 for s in recent[-3:])
            assert all(s.calm for s in recent[-2:])
        if not watch.trusted and watch.state is not TableState.STEADY:
            assert sign.look is not MarkerLook.IN_PLACE
