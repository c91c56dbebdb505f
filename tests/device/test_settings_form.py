"""Settings as fields: each has its meaning, and a change loses nothing of the file."""

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration import toml
from calibration.camera_errors import BadProfileFile
from device.settings import Settings
from device.settings_form import BadField, changed, form, told
from device.settings_meaning import MEANINGS
from web.words import catalogue

FILE = '''# how we play
[manners]   # agreed in May
confirm = "button"  # Ann wants it
calm_s = 2.5

[sound]
quiet = [
  "hands",   # a hand comes often
  "settling",
]

[mqtt]
host = "house # not a comment"
password = """
calm_s = 3
"""
'''


def value(text: str, key: str) -> str | None:
    """What a file sets, as its field shows it."""
    return next(one["value"] for one in told(text) if one["key"] == key)  # type: ignore[index, call-overload, misc, return-value]


def test_every_setting_is_a_field_with_its_meaning_in_all_languages() -> None:
    """None is missing, none is left over; what was shipped is said in the form in which it is typed."""
    assert [field.key for field in form()] == list(MEANINGS)
    assert [one for one in MEANINGS.values() if ("", one) not in catalogue("de")] == []
    shipped = {field.key: field.shipped for field in form()}
    assert (shipped["manners.calm_s"], shipped["oled.address"], shipped["pins.undo"]) == ("1.5", "0x3C", "")
    typed = {key: one for key, one in shipped.items() if one}
    assert toml.parse(changed("", typed), Settings, "settings") == Settings()


def test_a_lens_is_one_of_those_kept_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """People's own come first; one that was chosen and is gone still stands in its field."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    (tmp_path / "calibration").mkdir()
    for name in ("den.toml", "No name.toml", "notes.json"):
        (tmp_path / "calibration" / name).write_text("")
    field = next(one for one in form() if one.key == "camera.lens")
    assert (field.kind, field.choices[0], "webcam-78" in field.choices) == ("choice", "den", True)
    assert "No name" not in field.choices
    assert changed("", {"camera.lens": "den"}) == '[camera]\nlens = "den"\n'
    with pytest.raises(BadField, match="should be one of den, "):
        changed("", {"camera.lens": "attic"})
    shown = next(one for one in told('[camera]\nlens = "attic"\n') if one["key"] == "camera.lens")  # type: ignore[index, call-overload]
    assert (shown["value"], shown["choices"][-1]) == ("attic", "attic")  # type: ignore[index, call-overload]


def test_a_change_touches_its_own_lines_alone() -> None:
    """Comments, order, values over several lines, and the comment behind the very value stay."""
    assert changed(FILE, {}) == FILE
    after = changed(
        FILE, {"manners.confirm": "auto", "sound.quiet": "hands, ruled", "camera.size": "1280x720"}
    )
    assert 'confirm = "auto"  # Ann wants it' in after
    assert 'quiet = ["hands", "ruled"]' in after
    assert after.endswith("\n\n[camera]\nsize = [1280, 720]\n")
    kept = [line for line in FILE.splitlines() if line not in after.splitlines()]
    assert kept == ['confirm = "button"  # Ann wants it', "quiet = [", '  "hands",   # a hand comes often',
                    '  "settling",', "]"]  # fmt: skip
    assert value(after, "camera.size") == "1280 × 720"
    marked = '[manners]\ncalm_s = 2.0  # don\'t make it "shorter"\n'
    assert changed(marked, {"manners.calm_s": "3"}) == marked.replace("2.0", "3.0")
    assert changed(after, {"sound.quiet": "-"}).count("quiet = []") == 1
    assert value(changed(after, {"sound.quiet": "-"}), "sound.quiet") == "-"
    taken = changed(FILE, {"manners.calm_s": None, "manners.confirm": " "})
    assert "calm_s = 2.5" not in taken
    assert "calm_s = 3" in taken  # that is a line of the password
    assert value(taken, "manners.confirm") is None
    assert changed("", {"pins.undo": "13"}) == "[pins]\nundo = 13\n"
    assert changed("[pins]\r\nred = 4\r\n", {"pins.undo": "13"}) == "[pins]\r\nundo = 13\nred = 4\r\n"
    assert changed("[pins]", {"oled.address": "0x3d"}) == "[pins]\n\n[oled]\naddress = 61\n"
    assert (
        changed('manners.confirm = "auto"\n', {"manners.confirm": "button"}) == 'manners.confirm = "button"\n'
    )


@pytest.mark.parametrize(
    ("key", "typed", "says"),
    [
        ("manners.calm_s", "long", "manners.calm_s should be a number such as 1.5, not 'long'."),
        ("manners.calm_s", "nan", "should be a number"),
        ("manners.calm_s", "90", "calm_s should be between 0 and 60"),
        ("manners.confirm", "yes", "should be one of auto, button"),
        ("service.port", "80.5", "should be a whole number"),
        ("service.hotspot", "maybe", "should be yes or no"),
        ("camera.size", "large", "should be a width and a height such as 1280 × 720"),
        ("camera.source", "video:x", "source should be auto, picamera or webcam:NAME"),
        ("sound.quiet", "hands, noise", "'noise' is none of them"),
        ("pins.undo", "5", "two things are wired to the same pin"),
        ("pins.nothing", "5", "There is no setting pins.nothing."),
    ],
)
def test_what_does_not_do_is_told_at_its_field(key: str, typed: str, says: str) -> None:
    """One sentence, with the field of which it speaks, also where another one is changed along."""
    with pytest.raises(BadField, match=re.escape(says)) as refused:
        changed(f"{FILE}\n[pins]\npause = 5\n", {"mqtt.user": "box", key: typed})
    assert refused.value.key in (key, "mqtt.user") if "two things" in says else refused.value.key == key


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('manners = {confirm = "button"}\n', "manners.calm_s"),
        ('manners.confirm = "button"\n', "manners.calm_s"),
    ],
)
def test_what_fields_cannot_change_is_left_to_the_file(text: str, key: str) -> None:
    """Inline tables and the like: nothing is guessed."""
    with pytest.raises(BadField, match="change the file below"):
        changed(text, {key: "2"})


def test_a_file_that_is_none_is_not_overwritten() -> None:
    """Its fields are shown as shipped, and a change is refused; so it is with keys that nobody knows."""
    assert all(one["value"] is None for one in told("not = = toml"))  # type: ignore[index, call-overload]
    with pytest.raises(BadProfileFile, match="is not TOML"):
        changed("not = = toml", {"manners.calm_s": "2"})
    with pytest.raises(BadField, match="there is no key 'noise'"):
        changed("[sound]\nnoise = 3\n", {"manners.calm_s": "2"})


NAMES = st.text("abcxyz #=[]'\"\\\n", max_size=12)


@given(st.lists(NAMES, max_size=4), NAMES, st.sampled_from(["0.5", "7", None]), st.booleans())
def test_nothing_else_of_any_file_is_lost(
    comments: list[str], user: str, calm: str | None, there: bool
) -> None:
    """Whatever names and comments stand in it, all of it is there after a change and another one back."""
    lines = ["[manners]", *(["calm_s = 3.0  # hm"] if there else []), "", "[mqtt]"]
    lines += [toml.dump({"user": user}).strip(), *(f"# {one}".replace("\n", " ") for one in comments)]
    text = "\n".join(lines) + "\n"
    after = changed(text, {"manners.calm_s": calm})
    assert tomllib.loads(after).get("manners", {}).get("calm_s") == (None if calm is None else float(calm))
    rest = [line for line in after.split("\n") if not line.startswith("calm_s")]
    assert rest == [line for line in text.split("\n") if not line.startswith("calm_s")]
    back = changed(after, {"manners.calm_s": "3" if there else None})
    assert tomllib.loads(back) == tomllib.loads(text)
