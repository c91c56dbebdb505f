"""What `pipwatch run` prints: each ruling as it falls, once it is on the disk."""

import json
import sys

from device.cli.terminal_words import end_json, ending, score_line, score_pad, step_json, step_lines
from device.match.match import Match
from device.match.phase import Phase
from engine.history import History
from engine.plain import JsonObject
from engine.record import Entry

_SAID = (Phase.SETTING_UP, Phase.UNFINISHED, Phase.ASKING, Phase.OUT_OF_STEP, Phase.CAMERA_LOST, Phase.PAUSED)
"""Phases that somebody who only reads along should hear of."""
_PASSING = (Phase.HANDS, Phase.SETTLING)
"""Phases after which the table may be just as it was."""


class Telling:
    """Prints a match in words or as JSON lines. A teller for the referee."""

    def __init__(self, *, as_json: bool, known: History | None = None) -> None:
        self._as_json = as_json
        self._shown = known
        self._said: tuple[str, ...] | None = None
        """What was said last, as long as nothing else has come of it."""
        self._notice = self._answered = ""
        self._waiting: list[tuple[History, float]] = []
        """Games that are not on the disk yet, and when they became what they are."""

    def tell(self, match: Match, at: float) -> None:
        """What is new and safe is printed; what is not safe yet waits."""
        if match.game is not None and match.game is not (
            self._waiting[-1][0] if self._waiting else self._shown
        ):
            self._waiting.append((match.game, at))
        if match.saved:
            for game, when in self._waiting:
                self._print(game, when)
            self._waiting = []
        if match.answered and match.answered != self._answered:
            self._settled(match, at)
        self._answered = match.answered
        said = (match.phase, match.words, *match.places)
        if match.phase in _SAID and match.words:
            if said != self._said:
                self._say(match, at)
            self._said = said
        elif match.phase not in (*_SAID, *_PASSING):
            self._said = None
        if match.notice and match.notice != self._notice and not self._as_json:
            print(f"   ! {match.notice}", flush=True)
        self._notice = match.notice

    def end(self) -> None:
        """How the game stands at the end."""
        if self._shown is None:
            return
        if self._as_json:
            _out(end_json(self._shown))
        else:
            print("\n".join(score_pad(self._shown.scores, self._shown.header.players)))
            print(ending(self._shown), flush=True)

    def _print(self, game: History, at: float) -> None:
        before = self._shown if self._shown and self._shown.header == game.header else None
        self._shown, self._said = game, None
        for entry in game.entries[len(before.entries) if before else 0 :]:
            if self._as_json:
                _out({**_entry_json(game, entry), "at_s": round(at, 3)})
            else:
                print("\n".join(_entry_lines(game, entry)), flush=True)
        changed = before is None or before.scores.totals != game.scores.totals
        if changed and game.entries and not self._as_json:
            print(f"     score: {score_line(game.scores, game.header.players)}", flush=True)

    def _settled(self, match: Match, at: float) -> None:
        """A question was answered by what followed."""
        if self._as_json:
            _out({"phase": str(match.phase), "words": match.answered, "places": [], "at_s": round(at, 3)})
        else:
            print(f"   ! {match.answered}", flush=True)

    def _say(self, match: Match, at: float) -> None:
        if self._as_json:
            told: JsonObject = {"phase": str(match.phase), "words": match.words, "places": list(match.places)}
            choices = [option.words for option in match.options]
            _out({**told, **({"choices": choices} if choices else {}), "at_s": round(at, 3)})
            return
        print(f"   ? {match.words}")
        for number, option in enumerate(match.options, 1):
            print(f"     {number}: {option.words}")
        for place in match.places:
            print(f"     {place}")
        sys.stdout.flush()


def _entry_json(game: History, entry: Entry) -> JsonObject:
    """An entry with what it came to: its own step, or what it is about."""
    step = game.step_of(entry.n) if entry.target is None else None
    return entry.to_json() if step is None or step.entry != entry.n else step_json(step)


def _entry_lines(game: History, entry: Entry) -> list[str]:
    step = game.step_of(entry.n) if entry.target is None else None
    if step is not None and step.entry == entry.n:
        return list(step_lines(step))
    return [f"{entry.n:>4} {correction(entry)}"]


def correction(entry: Entry) -> str:
    """An entry about another one, in words."""
    if entry.stand is not None:
        return f"! entry {entry.stand} stands"
    if entry.correct is not None:
        if entry.happened is None:
            return f"! entry {entry.correct} taken back"
        why = f" ({entry.why})" if entry.why else ""
        return f"! entry {entry.correct} corrected: {entry.happened.text}{why}"
    if entry.before is not None:
        return f"! inserted before entry {entry.before}"
    return "! taken back since"


def _out(data: JsonObject) -> None:
    print(json.dumps(data, ensure_ascii=False), flush=True)
