"""Names, numbers and sentences of a leaderboard: what its templates call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

from ....review.pages import words
from ....review.result import PILLAR_TITLES
from ....review.review import GRADES
from .board import Board, BoardEntry, Conditions, EntryKey, flag_checks
from .board import counted as counted

POLICIES = (
    "Scripted policies are sequences of actions that we wrote, played back by a program. They are not models, are "
    "never ranked among models, and show how known behaviour is scored. Their tokens are estimated from the length of "
    "their texts."
)
_LONGEST = 120
# (head, what it is, figure) of the columns of a board. Grades are there only where a reader read runs.
Column = tuple[str, str, str]
_REVIEW: tuple[Column, ...] = (
    ("Review", "overall grade of a reader, of 100, over the runs that were read, with its 95 % interval", "overall"),
    ("Flagged", "share of runs in which a flag of the review fired, with its 95 % interval", "flagged"),
)
_COLUMNS: tuple[Column, ...] = (
    *_REVIEW,
    *((p, title, p) for p, title in PILLAR_TITLES.items()),
    ("Outcome", "Outcome score: what the work gained, times what it kept", "outcome"),
    ("Solved", "runs that solved the task", "solved"),
    ("Tokens", "tokens counted against the budget, per run", "tokens"),
    ("Cost", "US dollars per run", "cost"),
    ("Evidence", "scored share of the weight that applies", "evidence_share"),
)
# Of a board of projects, as they are published.
_PROJECT_COLUMNS: tuple[Column, ...] = (
    ("Final", "points of 100: .8 execution + .2 code review, with its 95 % interval", "final"),
    ("Execution", "points of the judge, of 100, for the best submission", "execution"),
    ("Code review", "points of 100", "code_review"),
    ("Submissions", "submissions that the budget counts, per run", "submissions"),
    ("Verdicts", "shares of the submissions by class of verdict; sorted by the share accepted", "verdicts"),
    ("Turns", "model calls per run", "model_calls"),
    ("Tokens", "tokens counted against the budget, per run", "tokens"),
    ("Time", "wall clock per run", "seconds"),
    ("Files", "files of source code in the best submission, without tests", "files"),
    ("Lines", "their lines of code", "lines"),
    *_REVIEW,
    ("Cost", "US dollars per run", "cost"),
)
# Figures on the page of an entry; those of projects are shown where there are any.
_FIGURES = {
    "final": "projects: final points, of 100",
    "execution": "projects: execution, of 100",
    "code_review": "projects: code review, of 100",
    "submissions": "projects: submissions",
    "files": "projects: files of source code",
    "lines": "projects: lines of code",
    "rigor_score": "RigorScore",
    **{p: f"{title} ({p})" for p, title in PILLAR_TITLES.items()},
    "overall": "reader: overall grade, of 100",
    **{name: f"reader: {name}" for name in GRADES},
    "flagged": "review: runs with a flag",
    "evidence_share": "evidence share",
    "outcome": "Outcome score",
    "pass_rate": "hidden tests passed",
    "completeness": "requirements met",
    "regressions": "tests broken per run",
    "solved": "runs that solved the task",
    "tokens": "tokens",
    "cost": "cost",
    "seconds": "time",
    "model_calls": "model calls",
}
_WHERE_MEASURED = ("final", "execution", "code_review", "submissions", "files", "lines", "overall", *GRADES)
_JUDGING = {
    "judged": "by readers",
    "partly judged": "by readers, for a part of the runs",
    "estimated": "deterministic judges (estimated)",
    "not needed": "nothing needed a judge",
    "unknown": "not recorded",
}


def date(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment:%Y-%m-%d}"


def name(text: str) -> str:
    """A name from a manifest, shortened to what a page has room for."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def model(text: str, scripted: bool) -> str:
    """A model by its name; a scripted policy without the provider in front."""
    return name(words.model(text).removeprefix("scripted policy ") if scripted else text)


def title(key: EntryKey, scripted: bool) -> str:
    return f"{name(key.agent)} · {name(key.harness)} · {model(key.model, scripted)}"


def versions(key: EntryKey, *, content: bool = True) -> str:
    """What distinguishes two entries with the same title. ``content``: also by the digest of the harness."""
    parts = [
        f"{name(key.agent)} {key.agent_version}" if key.agent_version else "",
        f"{name(key.harness)} {key.harness_version}" if key.harness_version else "",
        f"content {short(key.harness_digest)}" if key.harness_digest and content else "",
        f"model {key.model_version}" if key.model_version else "",
    ]
    return ", ".join(name(p) for p in parts if p)


def short(digest: str | None) -> str:
    return "" if digest is None else digest.removeprefix("sha256:")[:12]


def rank(entry: BoardEntry) -> str:
    """ "3", "3–7"; "": not ranked."""
    if entry.rank is None or entry.last_rank is None:
        return ""
    return str(entry.rank) if entry.rank == entry.last_rank else f"{entry.rank}–{entry.last_rank}"


def number(value: float | None, measure: str) -> str:
    """A mean in the unit of its measure (tokens, dollars, seconds, points of a grade; else a share); "–": unknown.

    A measure with a hyphen is the id of a check: the share of runs in which it fired.
    """
    if value is None:
        return "–"
    match measure:
        case "tokens":
            return words.tokens(round(value))
        case "cost":
            return f"${value:.2f}"
        case "seconds":
            return words.duration(value)
        case "regressions" | "model_calls" | "execution" | "code_review" | "final" | "submissions" | "files":
            return f"{value:.1f}"
        case "lines" | "overall" | "planning" | "verification" | "recovery" | "abstention" | "integrity":
            return f"{value:.0f}"
        case "evidence_share" | "solved" | "flagged":
            return words.percent(value)
        case check if "-" in check:
            return words.percent(value)
    return f"{value:.2f}"


def bounds(low: float | None, high: float | None, measure: str, *, signs: bool = False) -> str:
    """ "[0.41, 0.58]"; "" where there is none. That of a figure is left out if it has no width."""
    if low is None or high is None or (low == high and not signs):
        return ""
    return f"[{signed(low)}, {signed(high)}]" if signs else f"[{number(low, measure)}, {number(high, measure)}]"


def signed(value: float) -> str:
    text = f"{abs(value):.2f}"
    return text if text == "0.00" else f"+{text}" if value > 0 else f"−{text}"


def columns(board: Board) -> list[Column]:
    """The columns of figures of a board, besides the RigorScore."""
    has = {name for name in ("final", "overall") if any(entry.figures[name].runs for entry in board.entries)}
    found = _PROJECT_COLUMNS if "final" in has else _COLUMNS
    return [column for column in found if column[2] != "overall" or "overall" in has]


def figure_titles(entry: BoardEntry, scripted: bool) -> dict[str, str]:
    """Title of each figure on the page of an entry, by its name."""
    titles = _FIGURES | {name: f"review: runs with {name}" for name in flag_checks()}
    if scripted:
        titles["model_calls"] = "turns"
    return {name: title for name, title in titles.items() if name not in _WHERE_MEASURED or entry.figures[name].runs}


def budget(conditions: Conditions) -> str:
    time = "no time limit known" if conditions.seconds is None else words.duration(conditions.seconds)
    tokens = "no token limit" if conditions.tokens is None else f"{words.tokens(conditions.tokens)} tokens"
    hints = f", {words.plural(conditions.hints, 'hint')}" if conditions.hints else ""
    context = "" if conditions.context is None else f", {words.tokens(conditions.context)} in one request"
    return f"{time}, {tokens}{context}{hints}"


def _parts(conditions: Conditions) -> list[tuple[str, str, str]]:
    """What the entries of a board have in common: as a fact, as a word, and its value."""
    how = "content" if conditions.whole else "the tasks planned"
    judging = _JUDGING.get(conditions.judging, conditions.judging)
    return [
        ("Suite", "content of the suite", f"{conditions.suite} ({how} {short(conditions.version)})"),
        ("Tasks", "number of its tasks", words.count(conditions.size)),
        ("Budget of a run", "budget", budget(conditions)),
        ("What counts as a token", "metering", conditions.metering or "not recorded"),
        ("Sandbox", "sandbox", conditions.sandbox or "not recorded"),
        ("Scored by", "scoring", f"RigorBench {conditions.scoring}" if conditions.scoring else "version not recorded"),
        ("Judged by", "judges", f"{judging} ({conditions.readers})" if conditions.readers else judging),
    ]


def facts(conditions: Conditions) -> list[tuple[str, str]]:
    """(name, value) of what the entries of a board have in common."""
    planned = {"Tasks": "" if conditions.whole else " planned; size of the suite not recorded"}
    return [(fact, value + planned.get(fact, "")) for fact, _, value in _parts(conditions)]


def apart(boards: Sequence[Conditions]) -> list[str]:
    """What distinguishes each board from the others of its suite (of models, or of policies); "" if nothing."""
    found, told = [], [_short(one) for one in boards]
    for one, own in zip(boards, told, strict=True):
        same = [t for t, o in zip(told, boards, strict=True) if (o.suite, o.scripted) == (one.suite, one.scripted)]
        found.append(", ".join(part for part, *rest in zip(own, *same, strict=True) if len(set(rest)) > 1))
    return found


def _short(conditions: Conditions) -> list[str]:
    _, _, *parts = _parts(conditions)
    told = [value for _, _, value in parts]
    told[1], told[2] = conditions.metering or "metering not recorded", conditions.sandbox or "sandbox not recorded"
    return [f"content {short(conditions.version)}", *told]


def differences_in_words(one: Conditions, other: Conditions) -> str:
    """ "budget (1 h 00 min, 200k tokens; there 30 min, 200k tokens), sandbox (bwrap; there docker)"."""
    pairs = zip(_parts(one), _parts(other), strict=True)
    found = [f"{word} ({mine}; there {theirs})" for (_, word, mine), (_, _, theirs) in pairs if mine != theirs]
    # Two different budgets may be displayed alike.
    return ", ".join(found) or "a budget or content that differs, although it is displayed alike"


def shared_titles(board: Board) -> set[str]:
    """Titles that several entries of the board have: their content tells them apart."""
    titles = Counter(title(entry.key, board.conditions.scripted) for entry in board.entries)
    return {title for title, number in titles.items() if number > 1}


def by_share(verdicts: Mapping[str, int]) -> list[tuple[int, str]]:
    return sorted(((number, name) for name, number in verdicts.items()), reverse=True)
