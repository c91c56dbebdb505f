"""`make bench`: every speed line, ours beside a reference measured in the same run; exit 1 below a floor.

A benchmark is a module of this package with ``measure()``, which yields rows: ``name``, ``ours`` and
``reference`` (per second), ``against`` (what the reference is), ``ratio``, ``floor`` (or ``ceiling``), ``n``.
"""

import argparse
import importlib
import pkgutil
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence

import benchmarks

Row = Mapping[str, object]


def names() -> Sequence[str]:
    """The benchmarks there are."""
    return sorted(
        module.name for module in pkgutil.iter_modules(benchmarks.__path__) if module.name != "__main__"
    )


def rows(wanted: Sequence[str]) -> Iterator[tuple[str, Row]]:
    """Every row of the wanted benchmarks."""
    for name in wanted:
        measure = getattr(importlib.import_module(f"benchmarks.{name}"), "measure", None)
        if measure is not None:
            sys.stderr.write(f"measuring {name}…\n")
            for row in measure():
                yield name, row


def meets(row: Row) -> bool:
    """Whether a row keeps its floor and its ceiling."""
    ratio = float(str(row["ratio"]))
    return ratio >= float(str(row.get("floor", "-inf"))) and ratio <= float(str(row.get("ceiling", "inf")))


def told(name: str, row: Row) -> str:
    """A row in words."""
    bound = f"≥ {row['floor']}" if "floor" in row else f"≤ {row['ceiling']}" if "ceiling" in row else "–"
    verdict = "ok" if meets(row) else "SHORT"
    note = f"  ({row['note']})" if row.get("note") else ""
    return (
        f"{name:<20} {row['name']!s:<58} {_number(row['ours']):>12} {_number(row['reference']):>12} "
        f"{_number(row['ratio']):>8} {bound:>9} {verdict:<5} n={row.get('n', '?')}  vs {row['against']}{note}"
    )


def _number(value: object) -> str:
    number = float(str(value))
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.3g}"


def main() -> int:
    """Measure, print, and say whether all floors are kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("benchmark", nargs="*", choices=[*names(), []], help="all, where none is named")
    wanted = parser.parse_args().benchmark or names()
    print(f"Python {platform.python_version()}, {platform.machine()}, one core; ratios within this run")
    print(f"{'benchmark':<20} {'what':<58} {'ours':>12} {'reference':>12} {'ratio':>8} {'bound':>9}")
    kept = True
    for name, row in rows(wanted):
        print(told(name, row), flush=True)
        kept = kept and meets(row)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
