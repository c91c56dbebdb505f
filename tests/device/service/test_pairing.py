"""Phones are let in by a code, few guesses are heard, and who was let in stays in over a restart."""

import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from device.service import phones as book_of
from device.service.pairing import DIGITS, OPEN_S, Clocks, Joining, Pairing, new_code
from device.service.phones import CLOCK_SET_S, IDLE_S, MOST, NOTED_S, PhoneBook, hashed, write_whole
from device.service.tries import A_DAY, A_MINUTE, A_MINUTE_EACH, DAY_S, WrongTries

NOW = CLOCK_SET_S + 1e7


class Time:
    """Both clocks, moved by hand."""

    def __init__(self) -> None:
        self.at = 0.0
        self.wall = NOW
        self.clocks = Clocks(lambda: self.at, lambda: self.wall)

    def pass_(self, seconds: float) -> None:
        """Let time pass."""
        self.at += seconds
        self.wall += seconds


def made(time: Time, path: Path | None = None, said: list[str] | None = None) -> Pairing:
    """A pairing whose code is 123456."""
    return Pairing(path, code="123456", clocks=time.clocks, say=(said if said is not None else []).append)


def test_a_code_is_six_digits_and_another_one_each_time() -> None:
    """It is a text, so that zeros in front are kept."""
    codes = {new_code() for _ in range(200)}
    assert all(len(code) == DIGITS and code.isdigit() for code in codes)
    assert len(codes) > 190  # among a million, 200 that agree more than a few times are not random


def test_whoever_enters_the_code_is_known_and_nobody_else(tmp_path: Path) -> None:
    """The right code gives a secret; a wrong one gives none, with a sentence that counts down."""
    pairing = made(Time(), tmp_path / "phones.json")
    wrong, none = pairing.join("192.168.1.7", "654321")
    assert (wrong.let_in, none, wrong.left) == (False, "", 4)
    assert wrong.words == "This is not the code; 4 more tries this minute."
    right, secret = pairing.join("192.168.1.7", " 123 456 ")
    assert right.let_in
    assert pairing.knows(secret)
    assert not pairing.knows(secret[:-1])
    assert not pairing.knows(hashed(secret))  # what the file holds opens nothing
    assert not pairing.knows("")


@pytest.mark.parametrize("given", ["", "12345", "1234567", "12345a", "١٢٣٤٥٦", "123456\0", "-12345"])
def test_what_is_no_code_costs_no_try(given: str) -> None:
    """A slip of the finger is told as one."""
    pairing = made(Time())
    answer, _ = pairing.join("192.168.1.7", given)
    assert answer.words.startswith("The code has six digits")
    assert answer.left == A_MINUTE_EACH


def test_one_address_has_five_tries_a_minute() -> None:
    """The sixth is not even held against the code, and a minute later there are five again."""
    time = Time()
    pairing = made(time)
    for left in (4, 3, 2, 1, 0):
        assert pairing.join("10.0.0.9", "000000")[0].left == left
    refused, secret = pairing.join("10.0.0.9", "123456")
    assert (refused.let_in, secret) == (False, "")
    assert refused.words == "Too many wrong codes: wait 61 s." or refused.words.endswith("wait 60 s.")
    assert pairing.join("10.0.0.8", "123456")[0].let_in  # somebody else is not kept out by it
    time.pass_(60.1)
    assert pairing.join("10.0.0.9", "123456")[0].let_in


def test_one_household_of_ipv6_is_one_address() -> None:
    """Whoever may choose from 2^64 addresses gets no more tries by it; IPv4 in IPv6 is that IPv4 address."""
    tries = WrongTries()
    for k in range(A_MINUTE_EACH):
        tries = tries.and_wrong(f"fd00::{k + 1:x}", 0.0)
    assert tries.wait_s("fd00::abcd", 1.0) == 59.0
    assert tries.wait_s("fd00:0:0:1::1", 1.0) == 0.0
    for _ in range(A_MINUTE_EACH):
        tries = tries.and_wrong("::ffff:10.0.0.1", 0.0)
    assert tries.wait_s("10.0.0.1", 1.0) == 59.0


def test_guessing_for_a_day_from_everywhere_is_hopeless_and_fills_no_memory() -> None:
    """Every quarter of an hour a hundred addresses guess: what is heard stays within all three limits."""
    joining, heard = Joining("123456"), []
    for second in range(0, int(DAY_S), 900):
        for k in range(100):
            before = joining
            joining, answer = joining.tried(f"10.{second % 250}.0.{k}", "000000", second + k / 10)
            assert not answer.let_in
            if joining is not before:
                heard.append(second + k / 10)
    assert len(heard) == A_DAY
    assert A_DAY / 10**DIGITS < 1e-4
    assert len(joining.tries.wrong) == A_DAY
    assert max(sum(at <= one < at + 60 for one in heard) for at in heard) == A_MINUTE
    _, answer = joining.tried("10.0.0.1", "123456", DAY_S / 2)
    assert answer.words.startswith("Too many wrong codes today")
    _, answer = joining.tried("10.0.0.1", "123456", 2 * DAY_S)
    assert answer.let_in


def test_the_buttons_let_one_phone_in_within_a_minute() -> None:
    """While the door is open a phone needs no code; the next one does, and so does one that comes late."""
    time = Time()
    pairing = made(time)
    pairing.open()
    assert pairing.is_open
    assert pairing.join("10.0.0.9", "")[0].let_in
    assert not pairing.is_open
    assert not pairing.join("10.0.0.9", "")[0].let_in
    pairing.open()
    time.pass_(OPEN_S)
    assert not pairing.is_open
    assert not pairing.join("10.0.0.9", "")[0].let_in


def test_the_buttons_let_in_whom_guessing_has_locked_out() -> None:
    """A guest who guesses all day keeps nobody out who stands at the table."""
    time = Time()
    pairing = made(time)
    for _ in range(A_MINUTE_EACH):
        pairing.join("10.0.0.9", "000000")
    pairing.open()
    assert pairing.join("10.0.0.9", "")[0].let_in


def test_a_phone_stays_paired_over_a_restart_and_its_secret_is_not_on_the_disk(tmp_path: Path) -> None:
    """The file is for its owner alone, and holds nothing that opens the door."""
    path = tmp_path / "state" / "phones.json"
    _, secret = made(Time(), path).join("10.0.0.9", "123456")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert secret not in path.read_text()
    again = Pairing(path, clocks=Time().clocks)
    assert again.knows(secret)
    assert [file.name for file in path.parent.iterdir()] == ["phones.json"]  # nothing is left beside it


def test_an_idle_month_is_forgotten_and_a_used_phone_is_not(tmp_path: Path) -> None:
    """Each use counts, but the card is written once a day at most."""
    time, path = Time(), tmp_path / "phones.json"
    pairing = made(time, path)
    _, used = pairing.join("10.0.0.9", "123456")
    _, idle = pairing.join("10.0.0.8", "123456")
    written = path.stat().st_mtime_ns
    for _ in range(50):
        assert pairing.knows(used)
    assert path.stat().st_mtime_ns == written
    time.pass_(NOTED_S)
    assert pairing.knows(used)
    assert path.stat().st_mtime_ns != written
    time.pass_(IDLE_S - NOTED_S)
    assert pairing.knows(used)
    assert not pairing.knows(idle)
    assert len(pairing.phones()) == 1


def test_a_clock_that_was_never_set_forgets_nobody(tmp_path: Path) -> None:
    """A Pi without network begins in 1970: phones stay known then, and when the clock jumps to today."""
    time, path = Time(), tmp_path / "phones.json"
    _, before = made(time, path).join("10.0.0.9", "123456")
    time.wall = 100.0
    pairing = made(time, path)
    assert pairing.knows(before)
    _, young = pairing.join("10.0.0.8", "123456")
    time.wall = NOW + 3600
    assert pairing.knows(young)
    assert pairing.knows(before)
    time.pass_(IDLE_S)
    assert not pairing.knows(young)


def test_all_phones_are_forgotten_at_once_here_or_by_deleting_the_file(tmp_path: Path) -> None:
    """Both take effect while the box runs."""
    path = tmp_path / "phones.json"
    said: list[str] = []
    pairing = made(Time(), path, said)
    secrets = [pairing.join("10.0.0.9", "123456")[1] for _ in range(3)]
    assert said[-1] == "a phone was let in; 3 phones are paired."
    assert pairing.forget_all() == 3
    assert not any(pairing.knows(one) for one in secrets)
    _, other = pairing.join("10.0.0.9", "123456")
    path.unlink()
    assert not pairing.knows(other)
    assert pairing.phones() == ()


def test_only_so_many_phones_are_kept() -> None:
    """The one that was unused longest makes room."""
    time = Time()
    pairing = made(time)
    secrets = []
    for _ in range(MOST + 1):
        secrets.append(pairing.join("10.0.0.9", "123456")[1])
        time.pass_(1)
    assert not pairing.knows(secrets[0])
    assert all(pairing.knows(one) for one in secrets[1:])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"version": 3, "phones": []}',
        '{"version": 1}',
        '{"version": 1, "phones": [{}]}',
    ],
)
def test_a_damaged_file_is_told_and_the_door_works(tmp_path: Path, text: str) -> None:
    """Phones enter the code again; nothing else is lost, and nobody is let in by it."""
    path = tmp_path / "phones.json"
    path.write_text(text)
    said: list[str] = []
    pairing = made(Time(), path, said)
    assert said == ["phones.json cannot be read: each phone has to enter the code again."]
    _, secret = pairing.join("10.0.0.9", "123456")
    assert Pairing(path, clocks=Time().clocks).knows(secret)


def test_a_disk_that_takes_nothing_is_told_and_the_phone_is_let_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full card does not keep people from their game."""
    said: list[str] = []
    pairing = made(Time(), tmp_path / "phones.json", said)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(book_of.os, "fsync", full)
    _, secret = pairing.join("10.0.0.9", "123456")
    assert pairing.knows(secret)
    assert said[0] == (
        "phones.json cannot be written (No space left on device): phones are remembered only until the end."
    )
    assert list(tmp_path.iterdir()) == []


_WRITER = """
import sys
from pathlib import Path
from device.service.phones import Phone, PhoneBook
book, n = PhoneBook(Path(sys.argv[1])), 0
while True:
    n += 1
    book.write(tuple(Phone(f"{n:064x}", 2e9, 2e9) for _ in range(40)))
    print(n, flush=True)
"""


def test_a_kill_at_any_moment_leaves_a_whole_list(tmp_path: Path) -> None:
    """Ten writers are killed while they write: the file holds a whole list, none older than acknowledged."""
    path = tmp_path / "phones.json"
    for run in range(10):
        writer = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        for _ in range(2 + run):
            told = int(writer.stdout.readline())
        os.kill(writer.pid, signal.SIGKILL)
        told = max([told, *map(int, writer.stdout.read().split())])
        writer.stdout.close()
        writer.wait()
        rows = json.loads(path.read_text())["phones"]
        assert len(rows) == 40
        assert len({row["key"] for row in rows}) == 1
        assert int(rows[0]["key"], 16) >= told
        path.unlink()


def test_a_file_for_a_group_has_the_mode_that_was_wanted(tmp_path: Path) -> None:
    """A strict mask of the process takes nothing away."""
    before = os.umask(0o077)
    try:
        write_whole(tmp_path / "a", "x", 0o640)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_a_book_that_nobody_may_read_is_told(tmp_path: Path) -> None:
    """A folder in its place is no list."""
    (tmp_path / "phones.json").mkdir()
    said: list[str] = []
    assert PhoneBook(tmp_path / "phones.json", said.append).read() == ()
    assert said == ["phones.json cannot be read: each phone has to enter the code again."]
