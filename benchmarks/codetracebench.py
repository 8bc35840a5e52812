"""CodeTraceBench: the steps that a reader blames beside those that people labelled as incorrect or unuseful.

    python benchmarks/codetracebench.py sessions ROWS STEPS OUT      # one ATIF log for each trajectory
    rigor score OUT --reader claude                                  # or without an API:
    rigor reader export OUT > prompts.jsonl; rigor reader import answers.jsonl --reader NAME
    python benchmarks/codetracebench.py compare ROWS OUT --reader NAME [--store DIR] [--labels both]

The data set (NJU-LINK/CodeTraceBench at Hugging Face, MIT; arXiv 2604.11641) has 4,316 trajectories and is not part of
this project; nobody here has seen more of it than what is published about its form:

- ROWS is the manifest as JSON lines (bench_manifest.verified.jsonl; parquet has the same fields). Used are ``traj_id``,
  ``agent``, ``model``, ``task_name`` and ``incorrect_stages``: a list, or that list as JSON text, of objects with
  ``incorrect_step_ids`` and ``unuseful_step_ids``. (Its data set card and its first rows.)
- STEPS has ``TRAJ_ID/steps.json`` for each: what CodeTracer (github.com/NJU-LINK/CodeTracer) writes with ``--dry-run``
  from the raw artefacts, a list of ``step_id``, ``action``, ``observation`` or null, and perhaps ``thinking`` and
  ``tool_type``. The labels count these steps. ``TRAJ_ID/task.md``, if it is there, is the request. (Its source.)

Assumed, for want of the data: an action is a command, unless it has the form NAME({JSON}).
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from rigorbench.api import read
from rigorbench.bench.rigorscore.reviewing import score_and_review
from rigorbench.review.reader.ask import ReaderSpec
from rigorbench.review.reader.reading import Reading

LABELS = {"incorrect": ("incorrect_step_ids",), "both": ("incorrect_step_ids", "unuseful_step_ids")}
LOW = 2
DRAWS = 2_000
_CALL = re.compile(r"([A-Za-z_][\w.-]*)\((\{.*\})\)", re.DOTALL)
# Of one trajectory: steps that are blamed and labelled, blamed, labelled, and all that there are.
Counts = tuple[int, int, int, int]


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


def labelled(row: dict[str, Any], names: Iterable[str]) -> set[int]:
    stages = row.get("incorrect_stages") or []
    stages = json.loads(stages) if isinstance(stages, str) else stages
    return {int(step) for stage in stages for name in names for step in stage.get(name) or ()}


def session(row: dict[str, Any], steps: list[dict[str, Any]], request: str) -> dict[str, Any]:
    """The trajectory as an ATIF document: the request is step 0 of our places, and each of its steps the next one.

    Labels, and all else of the row that tells how it ended, are left out.
    """
    told: list[dict[str, Any]] = [{"step_id": 1, "source": "user", "message": request}]
    for number, step in enumerate(steps, 2):
        call, tool = _CALL.fullmatch(str(step["action"]).strip()), step.get("tool_type") or "bash"
        try:
            name, arguments = (call[1], json.loads(call[2])) if call else (tool, {"command": step["action"]})
        except ValueError:
            name, arguments = tool, {"command": step["action"]}
        calls = [{"tool_call_id": f"call-{number}", "function_name": name, "arguments": arguments}]
        said = {"step_id": number, "source": "agent", "message": step.get("thinking") or "", "tool_calls": calls}
        if step.get("observation") is not None:
            result = {"source_call_id": f"call-{number}", "content": step["observation"]}
            said["observation"] = {"results": [result]}
        told.append(said)
    agent = {"name": row["agent"], "version": "unknown", "model_name": row["model"]}
    return {"schema_version": "ATIF-v1.7", "session_id": row["traj_id"], "agent": agent, "steps": told}


def write_sessions(manifest: Path, steps: Path, out: Path) -> int:
    """Writes OUT/TRAJ_ID.json, and which label means which step beside them."""
    out.mkdir(parents=True, exist_ok=True)
    ids: dict[str, list[int]] = {}
    for row in rows(manifest):
        place = steps / row["traj_id"]
        if not (place / "steps.json").exists():
            continue
        found = json.loads((place / "steps.json").read_text("utf-8"))
        request = place / "task.md"
        text = request.read_text("utf-8") if request.exists() else row["task_name"]
        (out / f"{row['traj_id']}.json").write_text(json.dumps(session(row, found, text)), "utf-8")
        ids[row["traj_id"]] = [int(step["step_id"]) for step in found]
    (out.parent / f"{out.name}.steps.json").write_text(json.dumps(ids), "utf-8")
    return len(ids)


def blamed(reading: Reading) -> dict[str, set[int]]:
    """The steps, counted from 1, of what a reader blames, by where it does."""
    charged = [place for accusation in reading.accusations for place in accusation.at]
    low = [
        place for mark in reading.grades.values() if mark.value is not None and mark.value <= LOW for place in mark.at
    ]
    return {"accusations": _steps(charged), f"accusations, and grades of {LOW} or less": _steps([*charged, *low])}


def _steps(places: Iterable[str]) -> set[int]:
    # Step 0 is the request; a letter behind a place would be another lane, which these sessions do not have.
    return {int(place.partition(".")[0]) for place in places} - {0}


def compare(manifest: Path, out: Path, spec: ReaderSpec, labels: str) -> tuple[dict[str, list[Counts]], int]:
    """Counts by where a reader blames, a tuple for each trajectory that it read; and how many it did not."""
    ids = json.loads((out.parent / f"{out.name}.steps.json").read_text("utf-8"))
    readers, found, missing = spec.open(), dict[str, list[Counts]](), 0
    for row in rows(manifest):
        if row["traj_id"] not in ids:
            continue
        (trajectory,) = read(out / f"{row['traj_id']}.json")
        reading = score_and_review(trajectory, reader=readers, measure=False).review.reading
        if reading is None:
            missing += 1
            continue
        steps, truth = ids[row["traj_id"]], labelled(row, LABELS[labels])
        for where, numbers in blamed(reading).items():
            named = {steps[n - 1] for n in numbers}
            found.setdefault(where, []).append((len(named & truth), len(named), len(truth), len(steps)))
    return found, missing


def share(counts: list[Counts], over: int) -> float | None:
    """Over all steps of all trajectories: precision (``over`` 1) or recall (2)."""
    total = sum(c[over] for c in counts)
    return sum(c[0] for c in counts) / total if total else None


def interval(counts: list[Counts], value: Callable[[list[Counts]], float | None]) -> str:
    """A figure with 95 % from trajectories that are drawn again."""
    if (point := value(counts)) is None:
        return "-"
    rng = random.Random(0)
    drawn = sorted(d for _ in range(DRAWS) if (d := value(rng.choices(counts, k=len(counts)))) is not None)
    low, high = drawn[int(0.025 * len(drawn))], drawn[int(0.975 * len(drawn))]
    return f"{point:.2f} [{low:.2f}, {high:.2f}]"


def table(found: dict[str, list[Counts]], missing: int) -> str:
    lines = ["| steps of | trajectories | blamed | labelled | precision | recall |", "|---|---:|---:|---:|---:|---:|"]
    for where, counts in found.items():
        precision, recall = (interval(counts, lambda c, over=over: share(c, over)) for over in (1, 2))
        named, truth = (sum(c[over] for c in counts) for over in (1, 2))
        lines.append(f"| {where} | {len(counts)} | {named} | {truth} | {precision} | {recall} |")
    every = [c for counts in list(found.values())[:1] for c in counts]
    if steps := sum(c[3] for c in every):
        lines.append(f"\nWho blames every step has a precision of {sum(c[2] for c in every) / steps:.2f}.")
    return "\n".join([*lines, *([f"{missing} trajectories without a reading are left out."] if missing else [])])


def main(arguments: list[str] | None = None) -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = p.add_subparsers(dest="command", required=True)
    writing, comparing = commands.add_parser("sessions"), commands.add_parser("compare")
    for one, names in ((writing, ("rows", "steps", "out")), (comparing, ("rows", "out"))):
        for name in names:
            one.add_argument(name, type=Path)
    comparing.add_argument("--reader", required=True, help="whose stored answers count; nobody is asked")
    comparing.add_argument("--store", help="directory of the answers")
    comparing.add_argument("--labels", choices=LABELS, default="incorrect")
    args = p.parse_args(arguments)
    if args.command == "sessions":
        print(f"{write_sessions(args.rows, args.steps, args.out)} sessions in {args.out}")
    else:
        spec = ReaderSpec((args.reader,), store=args.store, stored_only=True)
        print(table(*compare(args.rows, args.out, spec, args.labels)))


if __name__ == "__main__":
    main()
