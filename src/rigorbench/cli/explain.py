"""``rigor explain``: what a check looks for, and how a grade comes about."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from .common import Usage, add_json, parser, width, write_json

if TYPE_CHECKING:
    from ..review.explain import CheckText, GradeText

_EPILOG = """examples:
  rigor explain                   all checks
  rigor explain V                 those of one pillar
  rigor explain V-ended-on-red    one check: when it applies, what to do, what it cannot see, which grades it moves
  rigor explain verification      how a grade comes about
"""


def command(arguments: list[str]) -> int:
    p = parser("explain", "What a check of the review looks for, or how a grade comes about.", _EPILOG)
    p.add_argument("name", nargs="?", metavar="CHECK", help="a check, the letter of a pillar, or a grade; default: all")
    add_json(p)
    args = p.parse_args(arguments)
    checks, grades = _named(args.name)
    if args.json:
        write_json({"schema": "rigor-explain/1", "checks": checks, "grades": grades})
    elif not checks:
        _print_grade(grades[0])
    elif len(checks) == 1:
        _print_check(checks[0])
    else:
        _print_list(checks)
    return 0


def _named(name: str | None) -> tuple[list[CheckText], list[GradeText]]:
    """The checks and grades that a name means; without one, all of them."""
    from ..review.explain import check_texts, grade_texts, nearest

    checks, grades = check_texts(), grade_texts()
    if name is None:
        return list(checks.values()), list(grades.values())
    query = name.lower()
    graded = [g for g in grades.values() if g.name == query]
    found = [c for c in checks.values() if query in (c.id.lower(), c.id.split("-")[0].lower(), c.pillar)]
    if graded:
        return [], graded
    if not found:
        near = nearest(name)
        hint = f"; the nearest: {', '.join(near)}" if near else "; `rigor explain` lists them"
        raise Usage(f"there is no check or grade {name!r}{hint}")
    return found, []


def _print_list(checks: list[CheckText]) -> None:
    left = max(len(c.id) for c in checks) + 2
    pillars = dict.fromkeys(c.pillar for c in checks)
    for pillar in pillars:
        print(pillar)
        for c in (c for c in checks if c.pillar == pillar):
            _hanging(f"  {c.id:<{left}}{c.severity:<10}", c.sentence)
        print()
    print("`rigor explain CHECK` says more of one; `rigor explain GRADE` of a grade.")


def _print_check(c: CheckText) -> None:
    print(f"{c.id} ({c.pillar}, {c.severity})\n")
    _hanging("", c.sentence)
    print()
    _hanging("Applies to   ", f"{c.applies}.")
    if c.advice is not None:
        _hanging("Advice       ", c.advice)
    if c.seen is not None:
        _hanging("Example      ", c.seen)
    if c.instead:
        _hanging("Example      " if c.seen is None else "Instead      ", c.instead)
    _hanging("Cannot see   ", c.blind)
    for n, words in enumerate([e.words for e in c.effects] or ["none names it"]):
        _hanging("Grades       " if n == 0 else " " * 13, words)


def _print_grade(g: GradeText) -> None:
    print(f"{g.name}" + (f" (weight {g.weight:g} in the overall grade)" if g.weight is not None else "") + "\n")
    _hanging("Null where ", g.why_not)
    if g.rungs:
        print("\nThe highest of these whose conditions all hold:")
    for rung in g.rungs:
        _hanging(f"  {rung.value:>4}  ", f"{rung.says}: {'; '.join(rung.when) or 'always'}")
    if g.moves:
        print(f"\nMoved by these, together by {g.most_moved} points at most:")
    for move in g.moves:
        _hanging(f"  {move.value:>+4}  ", "; ".join(move.when))
    if g.caps:
        print("\nAt most:")
    for cap in g.caps:
        _hanging(f"  {cap.value:>4}  ", f"where {'; '.join(cap.when)}, since {cap.says}")


def _hanging(label: str, text: str) -> None:
    print(textwrap.fill(text, width(), initial_indent=label, subsequent_indent=" " * len(label)))
