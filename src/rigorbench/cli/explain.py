"""``rigor explain``: what a check looks for, and what a grade means."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from msgspec import structs

from ..base.text import did_you_mean
from ..review.explain import GradeText, examples, grade_texts
from .common import UsageError, add_json, parser, width, write_json

if TYPE_CHECKING:
    from ..review.checks import Check

_EPILOG = """examples:
  rigor explain                   all checks
  rigor explain V                 those of one pillar
  rigor explain V-ended-on-red    one check: when it applies, what to do, what it cannot see
  rigor explain verification      what a grade means
"""


def command(arguments: list[str]) -> int:
    p = parser("explain", "What a check of the review looks for, or what a grade means.", _EPILOG)
    p.add_argument("name", nargs="?", metavar="CHECK", help="a check, the letter of a pillar, or a grade; default: all")
    add_json(p)
    args = p.parse_args(arguments)
    checks, grades = _named(args.name)
    if args.json:
        told = ("id", "pillar", "severity", "sentence", "applies", "advice", "blind")
        rows = [{n: getattr(c, n) for n in told} | structs.asdict(examples()[c.id]) for c in checks]
        write_json({"schema": "rigor-explain/2", "checks": rows, "grades": grades})
    elif not checks:
        g = grades[0]
        print(f"{g.name}\n")
        _hanging("A reader says ", f"how well {g.means}.")
        _hanging("Scale         ", "0 very poor, 25 weak, 50 an average professional, 75 good, 100 exemplary.")
        _hanging("None where    ", f"{g.null}.")
        _hanging("Without one   ", "there is no grade, and what the rules prove is said in words.")
    elif len(checks) == 1:
        _print_check(checks[0])
    else:
        left = max(len(c.id) for c in checks) + 2
        pillars = dict.fromkeys(c.pillar for c in checks)
        for pillar in pillars:
            print(pillar)
            for c in (c for c in checks if c.pillar == pillar):
                _hanging(f"  {c.id:<{left}}{c.severity:<10}", c.sentence)
            print()
        print("`rigor explain CHECK` says more of one; `rigor explain GRADE` of a grade.")
    return 0


def _named(name: str | None) -> tuple[list[Check], list[GradeText]]:
    """The checks and grades that a name means; without one, all of them."""
    from ..review.catalogue import all_checks

    checks, grades = all_checks(), grade_texts()
    if name is None:
        return list(checks.values()), list(grades.values())
    query = name.lower()
    graded = [g for g in grades.values() if g.name == query]
    found = [c for c in checks.values() if query in (c.id.lower(), c.id.split("-")[0].lower(), c.pillar)]
    if graded:
        return [], graded
    if not found:
        raise UsageError(
            f"no check or grade {name!r}{did_you_mean(name, [*checks, *grades])}; `rigor explain` lists them"
        )
    return found, []


def _print_check(c: Check) -> None:
    shown = examples()[c.id]
    print(f"{c.id} ({c.pillar}, {c.severity})\n")
    _hanging("", c.sentence)
    print()
    _hanging("Applies to   ", f"{c.applies}.")
    if c.advice is not None:
        _hanging("Advice       ", c.advice)
    if shown.seen is not None:
        _hanging("Example      ", shown.seen)
    _hanging("Example      " if shown.seen is None else "Instead      ", shown.instead)
    _hanging("Cannot see   ", c.blind)


def _hanging(label: str, text: str) -> None:
    print(textwrap.fill(text, width(), initial_indent=label, subsequent_indent=" " * len(label)))
