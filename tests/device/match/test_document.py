"""docs/match.md says what the lamps, the settings and the lines are, as they are."""

import re
from pathlib import Path

from device.match.lamp_signs import SIGNS
from device.match.phase import Phase
from device.settings import load

TEXT = (Path(__file__).parents[3] / "docs" / "match.md").read_text(encoding="utf-8")


def test_the_table_of_signs_is_the_one_that_is_shown() -> None:
    """Every state is in it with the very rhythms and beats of the lamps and the buzzer."""
    for phase in Phase:
        sign = SIGNS[phase]
        shown = [
            f"`{part}`" for part in (sign.lamps.green, sign.lamps.amber, sign.lamps.red, sign.tune.beats)
        ]
        assert f"| {phase} | {' | '.join(shown)} |" in TEXT


def test_the_example_of_settings_can_be_used(tmp_path: Path) -> None:
    """The settings that are shown are settings."""
    (example,) = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)
    file = tmp_path / "config.toml"
    file.write_text(example)
    found = load(file)
    assert found.manners.confirm == "button"
    assert found.pins.green == 17
