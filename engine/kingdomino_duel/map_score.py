"""A sheet by itself: the points of a map, who wins, and what makes a map doubtful.

A finished sheet does not tell which squares were drawn together, or when; so nobody can prove from it that
each drawing was allowed, and its ruling is *unverifiable*. Three things can be checked all the same:
everything hangs together with the castle, squares come in pairs, and no coat has more crosses than the dice
can bring.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.kingdomino_duel.edition import AS_PRINTED, Edition, coat_words
from engine.kingdomino_duel.kingdom import BY_THE_CASTLE, NAMES, OPEN, Domain, Kingdom, Mark, beside, each
from engine.ruling import Fault, Ruling, Status
from engine.scores import Outcome, ScoreLine

PER_NAMED_DOMAIN = 3


@dataclass(frozen=True, slots=True)
class Sheet:
    """One player's map side as it was found, and what the spellbook says about it."""

    kingdom: Kingdom
    roof: bool = False
    """Whether the roof of the castle is coloured."""
    named: int | None = None
    """The coat named with P5."""
    used_p1: bool = False
    used_p6: bool = False
    used_p2: bool = False


@dataclass(frozen=True, slots=True)
class SheetScore:
    """What a sheet is worth."""

    domains: tuple[Domain, ...]
    """The domain worth most first; equal ones in order of coat and place."""
    named_points: int
    total: int
    largest: int
    """The squares of the largest domain, which breaks a tie."""
    doubts: tuple[Fault, ...]
    """What no game with these dice can have drawn."""

    @property
    def ruling(self) -> Ruling:
        """What can be said about how the sheet was drawn: nothing for certain."""
        sentence = "A sheet alone does not tell which squares were drawn together, or when."
        return Ruling(Status.UNVERIFIABLE, "KDD-3", sentence, also=self.doubts)

    def lines(self, player: int) -> tuple[ScoreLine, ...]:
        """The score pad of one player."""
        pad = [ScoreLine(player, _label(domain), domain.points) for domain in self.domains]
        if self.named_points:
            label = f"P5: {self.named_points // PER_NAMED_DOMAIN} × {PER_NAMED_DOMAIN}"
            pad.append(ScoreLine(player, label, self.named_points))
        return tuple(pad)


def _label(domain: Domain) -> str:
    first = NAMES[domain.squares[0]]
    return f"{coat_words(domain.coat)} at {first}: {len(domain.squares)} × {domain.crosses}"


def score_sheet(sheet: Sheet, edition: Edition = AS_PRINTED) -> SheetScore:
    """The points of a sheet, domain by domain, and what is doubtful about it."""
    domains = sorted(sheet.kingdom.domains(), key=lambda domain: -domain.points)
    named = PER_NAMED_DOMAIN * sum(domain.coat == sheet.named for domain in domains)
    return SheetScore(
        domains=tuple(domains),
        named_points=named,
        total=sum(domain.points for domain in domains) + named,
        largest=max((len(domain.squares) for domain in domains), default=0),
        doubts=(*_unconnected(sheet), *_unpaired(sheet), *_too_many_crosses(sheet, edition)),
    )


def compare(sheet1: Sheet, sheet2: Sheet) -> Outcome:
    """Who wins with these sheets: by points, then by the largest domain, or nobody."""
    first, second = score_sheet(sheet1), score_sheet(sheet2)
    high, low = max(first.total, second.total), min(first.total, second.total)
    points = f"{high} to {low} points"
    if first.total != second.total:
        winner = 1 if first.total > second.total else 2
        return Outcome(winner, "KDD-W", f"Player {winner} wins by {points}.")
    squares = f"{points}, largest domains of {first.largest} and {second.largest} squares"
    if first.largest != second.largest:
        winner = 1 if first.largest > second.largest else 2
        return Outcome(winner, "KDD-TB", f"Player {winner} wins the tie: {squares}.")
    return Outcome(None, "KDD-TB", f"Nobody wins: {squares}.")


def _unconnected(sheet: Sheet) -> Iterator[Fault]:
    """Squares that do not hang together with the castle, which P1 alone can explain."""
    filled = OPEN & ~sheet.kingdom.empty
    joined, grown = 0, filled & BY_THE_CASTLE
    while grown != joined:
        joined, grown = grown, grown | beside(grown) & filled
    lost = tuple(NAMES[square] for square in each(filled & ~joined))
    if lost and not sheet.used_p1:
        sentence = (
            f"{', '.join(lost)} cannot be reached from the castle over drawn squares; only P1 allows that."
        )
        yield Fault("KDD-3a", sentence, lost)


def _unpaired(sheet: Sheet) -> Iterator[Fault]:
    """An odd number of squares, which only P2 with one die that could be drawn explains (A-K7)."""
    drawn = sum(1 for _ in sheet.kingdom.marks())
    if drawn % 2 and not sheet.used_p2:
        sentence = (
            f"{drawn} squares are drawn, and each domino covers two: one was forgotten or drawn too many; "
            "only P2 allows a single one."
        )
        yield Fault("KDD-3", sentence, (), {"drawn": drawn})


def _too_many_crosses(sheet: Sheet, edition: Edition) -> Iterator[Fault]:
    """Crosses that neither the dice nor the castle nor P6 can have brought."""
    beyond = [(mark, _beyond_dice(mark, edition)) for mark in sheet.kingdom.marks()]
    odd = tuple(mark for mark, crosses in beyond if crosses)
    total, allowed = sum(crosses for _, crosses in beyond), sheet.roof + sheet.used_p6
    if total > allowed:
        shown = ", ".join(f"{coat_words(mark.coat, mark.crosses)} at {mark.where}" for mark in odd)
        sentence = f"No die shows {shown}; castle and P6 explain {allowed} of the {total} crosses too many."
        facts = {"beyond": total, "allowed": allowed}
        yield Fault("KDD-3f", sentence, tuple(mark.where for mark in odd), facts)


def _beyond_dice(mark: Mark, edition: Edition) -> int:
    """How many crosses of a square are more than a face (or the question mark, without crosses) explains."""
    printed = {face.crosses for die in edition.dice for face in die if face.coat == mark.coat}
    return mark.crosses - max(crosses for crosses in {0, *printed} if crosses <= mark.crosses)
