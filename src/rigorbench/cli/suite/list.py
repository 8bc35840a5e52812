"""``rigor suite list``: the tasks of a suite that are proved, and on standard error those that are not."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ...authoring.checklist import metadata, starter_lines
from ...base.sanitize import terminal
from ...bench.tasks import proofs
from ...bench.tasks.suite import SuiteTask, load_leniently
from ...bench.tasks.variants import with_variant
from ..common import add_json, add_suite, message, parser, write_json

if TYPE_CHECKING:
    from collections.abc import Sequence


_EPILOG = """examples:
  rigor suite list rigor
  rigor suite list path/to/suite --all
  rigor suite list rigor --json | jq -r '.tasks[].id'

A task is listed when its present state is proved (rigor suite validate). The others are named on standard error, with
the reason and the command that would prove them. "deceived" is the measured difficulty: of the single edits that its
proof tried, how many pass the visible tests and fail a hidden one.
"""


def command(arguments: list[str]) -> int:
    p = parser("suite list", "List the tasks of a suite that are proved.", _EPILOG)
    add_suite(p)
    p.add_argument("--all", action="store_true", help="list every task, with the state of its proof")
    add_json(p)
    args = p.parse_args(arguments)
    name = with_variant(args.suite, args.variant)
    suite, unusable = load_leniently(name)
    rows = _rows(suite.tasks)
    listed = ("proven", "package")
    shown = [row for row in rows if args.all or row["standing"] in listed]
    hidden = [row for row in rows if row["standing"] not in listed]
    if args.json:
        document = {
            "schema": "rigor-suite/1",
            "suite": suite.name,
            "digest": suite.digest,
            "tasks": shown,
            "unlisted": [] if args.all else [{"id": r["id"], "why": r["why"]} for r in hidden],
            "unusable": [str(problem) for problem in unusable],
        }
        write_json(document)
    else:
        _print(shown, standing=args.all)
    sys.stdout.flush()
    if not args.all:
        for row in hidden:
            message(f"not listed: {row['id']}: {row['why']}; rigor suite validate {name} --tasks {row['id']}")
    for problem in unusable:
        message(f"cannot be read: {problem}")
    return 0


def _rows(tasks: Sequence[SuiteTask]) -> list[dict[str, Any]]:
    known = proofs.load(tasks)
    rows = []
    for task in tasks:
        if task.project:
            # `rigor judge verify` proves a package, and keeps no record in the suite.
            empty = dict.fromkeys(
                ("language", "difficulty", "twin", "requirements", "lines", "deceived", "proved", "why")
            )
            rows.append(
                {"id": task.id, "category": "project", "solvable": "yes", "pressure": [], "standing": "package"} | empty
            )
            continue
        proof, twin = known.get(task.id), proofs.find_twin(task)
        standing = proofs.standing_of(proof, task, twin)
        facts = metadata(task.directory)
        found = proofs.deceiving_edits(proof) if proof is not None and standing == "proven" else None
        if standing == "proven":
            why = None
        elif standing == "unproven":
            checks = proof.all_checks if proof is not None else ()
            skipped = next((f"{c.name}: {c.detail}" for c in checks if c.status == "skipped"), None)
            why = skipped or ("it was never proved" if proof is None else "its policies were not played")
        elif standing == "stale":
            why = "it, its twin or the checks have changed since its proof"
        else:
            assert proof is not None
            failed = [check.name for check in proof.all_checks if check.status == "failed"]
            why = f"its proof failed: {', '.join(failed)}"
        rows.append(
            {
                "id": task.id,
                "category": "control" if task.task.trivial else task.task.category,
                "language": facts.get("language"),
                "difficulty": facts.get("difficulty"),
                "solvable": task.task.solvable,
                "twin": task.task.twin,
                "requirements": len(task.task.requirements),
                "lines": starter_lines(task.directory),
                "deceived": f"{found[0]} of {found[1]}" if found is not None else None,
                "pressure": list(task.task.pressure),
                "standing": standing,
                "proved": proof.date if proof is not None and standing == "proven" else None,
                "why": why,
            }
        )
    return rows


def _print(rows: list[dict[str, Any]], *, standing: bool) -> None:
    headings = ["task", "category", "language", "difficulty", "solvable", "twin", "requirements", "lines", "deceived"]
    headings.append("standing" if standing else "proved")
    table = [headings]
    for row in rows:
        last = row["standing"] if standing or row["proved"] is None else str(row["proved"])[:10]
        values = [row["id"], *(row[key] for key in headings[1:-1])]
        table.append(["-" if v is None else str(v) for v in [*values, last]])
    widths = [max(len(line[column]) for line in table) for column in range(len(headings))]
    for line in table:
        cells = [
            cell.rjust(width) if heading in ("requirements", "lines", "deceived") else cell.ljust(width)
            for cell, width, heading in zip(line, widths, headings, strict=True)
        ]
        print(terminal("  ".join(cells).rstrip()))
