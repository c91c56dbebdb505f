"""Two files of settings: what people write by hand, and over it what the page has set."""

import json
import os
import tomllib
from pathlib import Path

import pytest

from device import folders
from device.cli import main
from device.folders import SettingsFiles, settings_files
from device.health.checkup import settings_of
from device.settings import layers, load
from device.settings_lines import as_one, otherwise
from tests.device.keeping.own_mounts import inside, needs_mounts

HAND = "# ours\n[manners]\ncalm_s = 3.5\n\n[pins]\nconfirm_a = 5\n"
AS_THE_SERVICE = """
mount -t tmpfs tmpfs /mnt; mkdir /mnt/etc /mnt/state
printf '%b' "$1" > /mnt/etc/config.toml
mount --bind /mnt/etc /mnt/etc; mount -o remount,bind,ro /mnt/etc
! touch /mnt/etc/mine 2> /dev/null
"$PYTHON" -m tests.web.page_of_a_service /mnt
cmp /mnt/etc/config.toml "$2"
"""


@pytest.fixture
def files(tmp_path: Path) -> SettingsFiles:
    """Both, of which people have written one."""
    made = SettingsFiles(tmp_path / "config.toml", tmp_path / "settings.toml")
    made.by_hand.write_text(HAND)
    return made


@needs_mounts
def test_the_page_sets_what_it_promises_with_the_rights_that_a_service_has(tmp_path: Path) -> None:
    """Its folder of settings is read-only, as ProtectSystem=strict and a root that is an overlay make it."""
    (tmp_path / "hand").write_text(HAND)
    done = inside(AS_THE_SERVICE, HAND.replace("\n", "\\n"), tmp_path / "hand")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    # Set over the hand's; left to the hand's again; refused, as green would be wired to the hand's button.
    assert told["told"] == [[204, "code", 2.5, None], [204, "code", 3.5, 6], [422, "code", 3.5, 6]]
    assert (told["calm"], told["look"]) == ([None, "3.5"], ["code", None])
    assert (told["path"], told["by hand"]) == ("/mnt/state/settings.toml", "/mnt/etc/config.toml")
    assert tomllib.loads(told["settings"]) == {
        "manners": {},
        "service": {"look": "code"},
        "pins": {"undo": 6},
    }


def test_the_page_counts_key_by_key_and_the_doctor_tells_whose_a_value_is(files: SettingsFiles) -> None:
    """What only one of them sets counts, too; neither need be there."""
    assert settings_of(files)[1].words == f"2 of {files.by_hand}"
    files.by_page.write_text("[manners]\ncalm_s = 2.0\n[service]\nport = 8001\n")
    settings, finding = settings_of(files)
    assert (settings.manners.calm_s, settings.pins.confirm_a, settings.service.port) == (2.0, 5, 8001)
    assert finding.words == (
        f"2 of {files.by_hand}; over them 2 of the page ({files.by_page}): manners.calm_s, service.port"
    )
    files.by_hand.unlink()
    assert (load(files).manners.calm_s, load(files).pins.confirm_a) == (2.0, None)
    files.by_page.unlink()
    assert settings_of(files)[1].words == "as shipped"


def test_a_box_asked_by_root_and_by_its_service_has_the_same_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has settings of his own has those; a service is told its folders."""
    for name in ("PIPWATCH_CONFIG", "STATE_DIRECTORY", "CONFIGURATION_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    etc, state = tmp_path / "etc" / "config.toml", tmp_path / "var"
    monkeypatch.setattr(folders, "_SYSTEM_SETTINGS", etc)
    monkeypatch.setattr(folders, "_SYSTEM_STATE", state)
    own = SettingsFiles(
        tmp_path / "config" / "pipwatch" / "config.toml", tmp_path / "data" / "pipwatch" / "settings.toml"
    )
    assert settings_files() == own
    state.mkdir()
    box = SettingsFiles(etc, state / "settings.toml")
    assert settings_files() == box
    own.by_page.parent.mkdir(parents=True)
    own.by_page.touch()
    assert settings_files() == own
    monkeypatch.setenv("STATE_DIRECTORY", str(state))
    monkeypatch.setenv("PIPWATCH_CONFIG", str(etc))
    assert settings_files() == box


def test_what_a_user_may_not_see_of_the_page_is_said(files: SettingsFiles, tmp_path: Path) -> None:
    """The file of a box lies in a folder of its own user's: the rest counts, and it is no fault."""

    class Hidden(type(files.by_page)):  # type: ignore[misc]
        """A file of somebody else's."""

        def read_text(self, *_: object, **__: object) -> str:
            """What the kernel answers."""
            raise PermissionError(13, os.strerror(13))

    hidden = SettingsFiles(files.by_hand, Hidden(tmp_path / "settings.toml"))
    assert layers(hidden).hidden
    settings, finding = settings_of(hidden)
    assert settings.manners.calm_s == 3.5
    assert str(finding.grade) == "ok"
    assert finding.words.endswith("are shown to root alone")


def test_two_texts_become_one_and_one_keeps_what_it_says_otherwise() -> None:
    """Comments stay; what both say the same way is the hand's."""
    page = "[manners]\ncalm_s = 2.0  # quick\n[service]\nport = 8001\n"
    whole = as_one(HAND, page)
    expected = "# ours\n[manners]\ncalm_s = 2.0\n\n[pins]\nconfirm_a = 5\n\n[service]\nport = 8001\n"
    assert whole == expected
    assert as_one(HAND, "") == HAND
    assert tomllib.loads(otherwise(whole, tomllib.loads(HAND))) == {
        "manners": {"calm_s": 2.0}, "pins": {}, "service": {"port": 8001},
    }  # fmt: skip
    assert otherwise(HAND, tomllib.loads(HAND)) == ""
    inline = as_one("manners = {calm_s = 1.0, confirm = 'button'}\n", page)
    assert tomllib.loads(inline)["manners"] == {"calm_s": 2.0, "confirm": "button"}


def test_the_doctor_of_the_command_line_tells_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a row like all others."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("PIPWATCH_CONFIG", str(tmp_path / "none.toml"))
    (tmp_path / "data" / "pipwatch").mkdir(parents=True)
    (tmp_path / "data" / "pipwatch" / "settings.toml").write_text("[manners]\ncalm_s = 2.0\n")
    main(["doctor", "--source", "none"])
    assert "✓ settings  over them 1 of the page" in capsys.readouterr().out
