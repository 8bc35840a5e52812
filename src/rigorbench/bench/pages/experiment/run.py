"""What the page of a run says besides its session: outcome, judged values, and what was recorded.

The template reads the result, the journal and the score of the run, and calls these functions.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from msgspec import Struct

from ....base.journal import JOURNAL
from ....base.journal import TreeRecord as State
from ....base.sanitize import one_line
from ....review.pages import words
from ....review.pages.diffs import Diff, diff
from ....review.result import SUBMETRIC_TITLES, ReplayedTree, ReplaySummary, Score, SubMetric
from ....review.review import Fired
from ....session.logfile import LogFile
from ....session.model import FileChange
from ....session.readers.capture.records import Journal, ObservedCommand
from ....session.readers.capture.store import MissingObject, TreeEntry, TreeReader
from ...experiment.records import (
    FAILURE_MODES,
    Outcome,
    ProjectOutcome,
    RunResult,
    Subject,
    TestOutcome,
)
from ...experiment.values import why
from ...projects.scores.formulas import curve
from ..text import experiment as say
from .figures import check_name
from .runs import STATUS as STATUS
from .runs import TaskRun

# What a page lists at most; the rest is counted.
FILES_SHOWN = 40
FILE_CHARACTERS = 12_000
PAGE_CHARACTERS = 250_000
# A larger file is named, not read.
_BLOB_BYTES = 400_000
TESTS_SHOWN = 2_000
COMMANDS_SHOWN = 400
TREES_SHOWN = 400
PATHS_SHOWN = 40
_COMMAND_LENGTH = 600
TITLES, FAILURES = SUBMETRIC_TITLES, FAILURE_MODES
COURSES = {
    "solved": "all points reached",
    "plateau": "a plateau: three submissions or more without a gain at the end",
    "improving": "still rising",
    "none": "nothing was judged",
}
CAUSES = {
    "start": "start",
    "before": "before the command",
    "after": "after the command",
    "model": "before a model call",
    "background": "in the background",
    "end": "end",
}


# -- the run


def verdict(result: RunResult, flags: Sequence[Fired]) -> str:
    """What came of the run, how the work was rated, and what speaks against it."""
    if result.status == "error":
        return "The run broke: nothing here says anything about the agent."
    outcome = result.outcome
    parts = []
    if outcome is not None and outcome.pass_rate is not None:
        passed = sum(t.outcome == "passed" for t in outcome.tests)
        of = f"{words.count(passed)} of {words.plural(len(outcome.tests), 'hidden test')} passed"
        parts.append(of if outcome.tests else f"{words.percent(outcome.pass_rate)} of the hidden tests passed")
    if outcome is not None and outcome.solved is not None:
        parts.append("solved" if outcome.solved else "not solved")
    if result.rigor_score is not None:
        parts.append(f"RigorScore {result.rigor_score:.2f}")
    text = "; ".join(parts) if parts else "No outcome and no RigorScore"
    seen = [say.BREACHES.get(b.kind, b.kind) for b in result.breaches] + [check_name(c.id) for c in flags]
    against = f" Against it: {say.listing(list(dict.fromkeys(seen)))}." if seen else ""
    return f"{text[:1].upper()}{text[1:]}.{against}"


def requirements(outcome: Outcome, task: Subject | None) -> list[tuple[str, str, bool | None, list[TestOutcome]]]:
    """(id, text, whether it is met, hidden tests that check it, as far as the manifest says); other tests at the end,
    without an id."""
    known = {} if task is None else task.facts
    texts, owners = known.get("requirements"), known.get("requirement_tests")
    left = {test.id: test for test in outcome.tests[:TESTS_SHOWN]}
    found: list[tuple[str, str, bool | None, list[TestOutcome]]] = []
    for name, met in outcome.requirements.items():
        owned = owners.get(name) if isinstance(owners, dict) else None
        owned = owned if isinstance(owned, list) else []
        mine = [left.pop(t) for t in list(left) if t in owned or t.partition("[")[0] in owned]
        text = texts.get(name, "") if isinstance(texts, dict) else ""
        found.append((name, text if isinstance(text, str) else "", met, mine))
    if left:
        found.append(("", "Without a requirement" if isinstance(owners, dict) else "", None, list(left.values())))
    return found


def troubles(result: RunResult, journal: Journal | None) -> list[tuple[str, str, int | None]]:
    """(kind, text, line of the journal) of limits, gaps and other problems, from the journal where it can be read."""
    found: list[tuple[str, str, int | None]] = []
    if journal is not None:
        for line, limit in journal.limits:
            known = limit.limit is not None and limit.used is not None
            size = f": {limit.used:g} of {limit.limit:g}" if known else ""
            found.append(("limit", f"{limit.kind}{size}", line))
        found += [("looked for tests", f"{d.path} ({d.access})", line) for line, d in journal.decoys]
        found += [("gap", f"{gap.what}: {gap.reason}", line) for line, gap in journal.gaps]
    if result.status == "limit" and not any(kind == "limit" for kind, _, _ in found):
        found.insert(0, ("limit", result.limit or "which one is not recorded", None))
    recorded = {text for kind, text, _ in found if kind == "gap"}
    found += [("gap", gap, None) for gap in result.gaps if gap not in recorded]
    check = result.manipulation
    if check is not None and check.loaded is False:
        found.append(("harness not loaded", check.reason or "the agent did not load it", None))
    if result.rigor_score is None and result.status != "error":
        found.append(("not scored", f"no RigorScore: {why(result, 'rigor_score')}", None))
    return found


# -- judged values


def by_method(score: Score, method: str) -> list[tuple[str, SubMetric]]:
    """The sub-metrics that rest on readings ("judged"), or that rules estimated ("estimated")."""
    metrics = [item for pillar in score.pillars.values() for item in pillar.submetrics.items()]
    return [(name, metric) for name, metric in (*metrics, *score.extended.items()) if metric.method == method]


def who_judged(runs: Iterable[TaskRun]) -> str:
    """Who judged what in an experiment, in a few sentences."""
    methods: dict[str, Counter[str]] = {}
    readers: dict[str, None] = {}
    for run in runs:
        for pillar in run.pillars.values():
            for name, metric in pillar.submetrics.items():
                if metric.method in ("judged", "estimated"):
                    methods.setdefault(name, Counter())[metric.method] += 1
                    readers |= dict.fromkeys(metric.readers)
    if not methods:
        return ""
    parts = []
    for name, found in methods.items():
        said = [
            f"{method} in {words.plural(found[method], 'run')}" for method in ("judged", "estimated") if found[method]
        ]
        parts.append(f"{name} {' and '.join(said)}")
    text = "; ".join(parts) + "."
    if any(found["estimated"] for found in methods.values()):
        text += " Estimated: from features of the text, because no reader was asked."
    if any(found["judged"] for found in methods.values()):
        text += f" Judged: by {', '.join(readers)}, whose answers are on the pages of the runs."
    return text


# -- what was recorded


def read_journal(directory: Path, problems: list[str]) -> Journal | None:
    path = directory / JOURNAL
    if not path.is_file():
        problems.append(f"{JOURNAL} is missing: nothing was recorded, or it was deleted")
        return None
    log = LogFile(path, name=JOURNAL)
    try:
        journal = Journal(log)
    except OSError as error:
        problems.append(f"{JOURNAL} cannot be read ({error.strerror})")
        return None
    if log.skipped:
        first = log.skipped[0]
        place = JOURNAL if first.line is None else f"{JOURNAL}:{first.line}"
        problems.append(
            f"{words.plural(len(log.skipped), 'line')} of the journal cannot be read; the first: {place} {first.reason}"
        )
    return journal


def every_command(journal: Journal) -> list[ObservedCommand]:
    """The commands of the agent, without the programs that they started."""
    found = [c for c in journal.commands.values() if c.record.origin in ("tool", "agent")]
    return sorted(found, key=lambda c: (c.start, c.line))


def inside(journal: Journal) -> Counter[str]:
    return Counter(_outermost(journal, c) for c in journal.commands.values() if c.record.origin == "nested")


def origins(journal: Journal) -> Counter[str]:
    """How many programs were started by commands ("nested"), by the engine ("engine"), and so on."""
    return Counter(c.record.origin for c in journal.commands.values())


def _outermost(journal: Journal, command: ObservedCommand) -> str:
    seen: set[str] = set()
    while command.record.origin == "nested" and command.record.id not in seen:
        seen.add(command.record.id)
        above = journal.commands.get(command.record.parent or "")
        if above is None:
            break
        command = above
    return command.record.id


def command_text(command: ObservedCommand) -> tuple[str, str]:
    """(shell, text): the script of a shell is easier to read unquoted; no shell: the text is the command line."""
    record = command.record
    text, shell = shlex.join(record.argv), ""
    if command.script is not None and command.script in record.argv:
        text, shell = command.script, shlex.join(record.argv[: record.argv.index(command.script)])
    return shell, text[:_COMMAND_LENGTH] + (" …" if record.cut or len(text) > _COMMAND_LENGTH else "")


def ending(command: ObservedCommand) -> tuple[str, str]:
    ended = command.exit
    if ended is None:
        return "end not recorded", "muted"
    if ended.reason == "exit":
        return "?" if ended.status is None else str(ended.status), "" if ended.status == 0 else "fail"
    return ended.reason + ("" if ended.signal is None else f" {ended.signal}"), "fail"


def states(journal: Journal) -> list[tuple[int, State]]:
    """The states of the work tree that a page shows, with their lines in the journal."""
    return journal.trees[:TREES_SHOWN]


def places(journal: Journal | None) -> dict[str, int]:
    """Tree -> the first line of the journal with it that the page shows."""
    return {} if journal is None else {tree.tree: line for line, tree in reversed(states(journal))}


def paths(state: State) -> tuple[list[str], int]:
    """The first of the files that changed with a state, and how many others did."""
    return [one_line(p, 300) for p in state.paths[:PATHS_SHOWN]], state.more + max(0, len(state.paths) - PATHS_SHOWN)


def replayed(replay: ReplaySummary | None) -> dict[str, ReplayedTree]:
    return {} if replay is None else {tree.tree: tree for tree in replay.trees}


def start(journal: Journal) -> float:
    """When the sandbox was ready: a run is announced earlier, and may have waited."""
    if journal.trees:
        return journal.trees[0][1].time
    return journal.run.time if journal.run is not None else 0.0


def offset(time: float, start: float) -> str:
    """Time since the run began: "+1:02.3", with hours where there are any."""
    passed = max(0.0, time - start)
    if not passed < 1e9:
        return ""
    minutes, seconds = divmod(passed, 60)
    hours, minutes = divmod(int(minutes), 60)
    return f"+{hours}:{minutes:02d}:{seconds:04.1f}" if hours else f"+{minutes}:{seconds:04.1f}"


def seconds(passed: float) -> str:
    return f"{passed:.2f} s" if 0 <= passed < 60 else words.duration(passed) if passed < 1e9 else ""


# -- the changes between two captured states of a work tree, as diffs of limited size


class FileView(Struct):
    """A changed file. ``diff`` None: its text is not shown, and ``note`` says why."""

    path: str
    operation: str
    note: str
    diff: Diff | None


class TreeChange(Struct):
    """``files``: the first of them; ``more``: how many are only counted. ``problem``: why nothing is known."""

    files: list[FileView]
    more: int
    added: int
    removed: int
    problem: str = ""


def tree_changes(path: Path, trees: Sequence[str], room: int = PAGE_CHARACTERS) -> list[TreeChange | None]:
    """For each tree what it changed against the one before it; None for the first.

    ``path``: the ``store.git`` of a run. ``room``: about how many characters of diffs to show altogether.
    """
    if not (path / "objects").is_dir():
        return [None if n == 0 else TreeChange([], 0, 0, 0, "store.git is missing") for n in range(len(trees))]
    found: list[TreeChange | None] = [None] * min(1, len(trees))
    with TreeReader(path) as store:
        for old, new in pairwise(trees):
            change = _change(store, old, new, room)
            room -= sum(len(run.text) for file in change.files if file.diff is not None for run in file.diff.runs)
            found.append(change)
    return found


def _change(store: TreeReader, old: str, new: str, room: int) -> TreeChange:
    try:
        # Files of a directory are together, in the order of git.
        found = sorted(store.differing(old, new).items(), key=lambda item: item[0].split("/"))
    except MissingObject:
        return TreeChange([], 0, 0, 0, "store.git does not contain this state or the one before it")
    except (ValueError, RecursionError):
        return TreeChange([], 0, 0, 0, "store.git is damaged here")
    listed = [(path, before, after) for path, (before, after) in found]
    # A deleted and a new file with the same content are one renamed file.
    gone = {before.sha: path for path, before, after in listed if before is not None and after is None}
    taken: dict[str, str] = {}
    for path, before, after in listed:
        if before is None and after is not None and after.sha in gone:
            taken[gone.pop(after.sha)] = path
    targets = set(taken.values())
    pairs = [(path, taken.get(path), before, after) for path, before, after in listed if path not in targets]
    change = TreeChange([], max(0, len(pairs) - FILES_SHOWN), 0, 0)
    for path, new_path, before, after in pairs[:FILES_SHOWN]:
        view = _file(store, path, new_path, before, after, min(room, FILE_CHARACTERS))
        if view.diff is not None:
            room -= sum(len(run.text) for run in view.diff.runs)
            change.added += view.diff.added
            change.removed += view.diff.removed
        change.files.append(view)
    return change


def _file(
    store: TreeReader, path: str, new_path: str | None, before: TreeEntry | None, after: TreeEntry | None, room: int
) -> FileView:
    operation = "rename" if new_path else "create" if before is None else "delete" if after is None else "modify"
    title = f"{path} → {new_path}" if new_path else path
    if new_path is not None:
        return FileView(title, operation, "the content is the same", None)
    if before is not None and after is not None and before.sha == after.sha:
        return FileView(title, operation, f"mode {before.mode} → {after.mode}", None)
    if room <= 0:
        return FileView(title, operation, "not shown: the page is long enough", None)
    texts: list[str | None] = []
    for entry in (before, after):
        if entry is None:
            texts.append(None)
            continue
        try:
            kind, content = store.read(entry.sha)
        except MissingObject:
            kind, content = "", b""
        if kind != "blob":
            return FileView(title, operation, "not a file in the store", None)
        if len(content) > _BLOB_BYTES:
            return FileView(title, operation, f"{len(content):,} bytes: too large to show", None)
        if b"\0" in content[:8_000]:
            return FileView(title, operation, f"not text, {len(content):,} bytes", None)
        texts.append(content.decode("utf-8", "replace"))
    # Counted from both texts, or from the one that there is.
    shown = diff(FileChange(path, before=texts[0], after=texts[1]), room)
    return FileView(title, operation, "" if shown.runs else "empty", shown if shown.runs else None)


# -- projects


def course(project: ProjectOutcome) -> str:
    return COURSES[curve([s.points for s in project.counted]).progress]


def chart(
    project: ProjectOutcome, turns: int | None
) -> tuple[list[tuple[float, float]], list[tuple[float, float, str, str]], int] | None:
    """Best points so far over turns: the line, place, tone and text of each submission, and the last turn; in the units
    of the template's drawing. None where the turn of a submission is not known.

    Args:
        turns: model calls of the run.
    """
    counted = project.counted
    known = [
        (s, s.turn, best)
        for s, best in zip(counted, project.execution_at, strict=False)
        if s.turn is not None and best is not None
    ]
    if not known or len(known) < len(counted):
        return None
    last = max(turns or 0, *(turn for _, turn, _ in known), 1)

    def x(turn: float) -> float:
        return round(36.0 + 592.0 * turn / last, 1)

    def y(points: float) -> float:
        return round(156.0 - 148.0 * points / 100, 1)

    line, height, dots = [(x(0), y(0))], 0.0, []
    for s, turn, best in known:
        line += [(x(turn), y(height)), (x(turn), y(best))]
        height = best
        told = "no verdict"
        if s.score is not None and s.full is not None:
            told = f"{(s.verdict or '').replace('_', ' ')}, {s.score:g} of {s.full:g}"
        tone = "pass" if s.verdict == "accepted" else "fail"
        dots.append((x(turn), y(s.points or 0.0), tone, f"submission {s.number}, turn {turn}: {told}"))
    return [*line, (x(last), y(height))], dots, last
