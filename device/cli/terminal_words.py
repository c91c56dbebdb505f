"""How rulings, scores and histories are told at a terminal."""

from collections.abc import Iterator

from engine.history import History, Step
from engine.plain import JsonObject
from engine.ruling import Ruling, Status
from engine.scores import Scores

MARKS = {
    Status.LEGAL: "✓",
    Status.ILLEGAL: "✗",
    Status.INCOMPLETE: "…",
    Status.UNVERIFIABLE: "?",
}


def ruling_lines(ruling: Ruling) -> Iterator[str]:
    """A ruling: the verdict with its rule, what else is wrong, and what would be legal nearby."""
    yield f"{MARKS[ruling.status]} {ruling.status.upper()} [{ruling.rule}] {ruling.reason}"
    for fault in ruling.also:
        yield f"  also [{fault.rule}] {fault.sentence}"
    if ruling.nearest:
        yield "  nearest legal: " + "  |  ".join(ruling.nearest)


def step_lines(step: Step) -> Iterator[str]:
    """One step of a game: what happened, the verdict, and late findings."""
    sign = {"fact": "·", "move": ">", "set": "="}[step.happened.kind]
    yield f"{step.entry:>4} {sign} {step.happened.text}"
    if step.happened.kind == "set" and step.why:
        yield f"     ? {step.why}"
    if step.problem:
        yield f"     ✗ not taken up: {step.problem}"
    elif step.ruling is not None:
        yield from (f"     {line}" for line in ruling_lines(step.ruling))
        if step.stands:
            yield "     ! the players let it stand"
    if step.happened.alike:
        yield f"     ? or it was {'  |  '.join(step.happened.alike)}"
    for late in step.late:
        yield f"     ✗ LATE, turn {late.turn} ({late.move}) [{late.ruling.rule}] {late.ruling.reason}"


def step_json(step: Step) -> JsonObject:
    """One step as a JSON object for programs."""
    data: JsonObject = {
        "entry": step.entry,
        step.happened.kind: step.happened.text,
        "verdict": step.verdict,
        "scores": list(step.scores.totals),
    }
    if step.happened.alike:
        data["alike"] = [*step.happened.alike]
    if step.ruling is not None:
        data["ruling"] = step.ruling.to_json()
    if step.late:
        data["late"] = [late.to_json() for late in step.late]
    if step.problem:
        data["problem"] = step.problem
    if step.why:
        data["why"] = step.why
    return data


def end_json(history: History) -> JsonObject:
    """How a game stands, as a JSON object for programs."""
    outcome = history.outcome
    return {
        "state": history.state.to_json(),
        "scores": history.scores.to_json(),
        "outcome": None if outcome is None else outcome.to_json(),
    }


def score_line(scores: Scores, players: tuple[str, str]) -> str:
    """The totals in one line."""
    return "   ".join(f"{name} {points}" for name, points in zip(players, scores.totals, strict=True))


def score_pad(scores: Scores, players: tuple[str, str]) -> Iterator[str]:
    """The totals with every line that makes them up."""
    yield score_line(scores, players)
    for entry in scores.lines:
        yield f"  {players[entry.player - 1]}: {entry.label} {entry.points:+d}"


def ending(history: History) -> str:
    """How the game ended, in a sentence, or that it goes on."""
    outcome = history.outcome
    if outcome is None:
        return "The game goes on."
    won = "Nobody wins" if outcome.winner is None else f"{history.header.players[outcome.winner - 1]} wins"
    return f"{won} [{outcome.rule}]: {outcome.reason}"
