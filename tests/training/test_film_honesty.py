"""What is counted of films is never kinder than what happened."""

from pathlib import Path

import pytest

from training.film_counts import Line, count, totals
from training.film_judging import chain_of


def test_an_accusation_counts_though_a_question_came_before_it() -> None:
    """Whoever is asked and then accused is accused."""
    truth: list[Line] = [
        {"type": "move", "move": "a", "first": 10, "last": 12, "visible": True, "legal": True}
    ]
    told: list[Line] = [
        {"phase": "asking", "at_s": 2.0, "words": "?"},
        {"entry": 1, "move": "x", "verdict": "illegal R-1", "at_s": 3.0},
    ]
    counted = count(truth, told, [False] * 100, 10.0)
    assert counted.events[0].outcome == "asked"
    assert totals([counted])["accusations"] == 1


@pytest.mark.parametrize("name", ["reader.onnx", "company.npz", "eye.py", "camera.toml"])
def test_another_network_or_program_is_another_chain(tmp_path: Path, name: str) -> None:
    """What an older chain judged must not pass for judged by this one."""
    file = tmp_path / "vision" / name
    file.parent.mkdir()
    file.write_bytes(b"one")
    before = chain_of(tmp_path)
    file.write_bytes(b"two")
    assert chain_of(tmp_path) != before
