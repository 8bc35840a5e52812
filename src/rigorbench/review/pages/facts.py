"""What is known of a session besides its review: who worked, when, how long, at what cost, what was done."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...evidence.events import AnyEvent, BuildEvent, CommitEvent, EditEvent, LintEvent, TestRunEvent
from ...session.cost import session_cost
from ...session.model import MAIN_LANE, Trajectory
from ..result import SessionReport
from . import words
from .numbers import cost_line
from .title import requests, titled

_FILE = re.compile(r"^(?![A-Za-z]:).*(?:\.\w+|[A-Z]\w+file)$")
# What is asked first of a session.
FIRST = "Agent,Model,Policy,Started,Lasted,Requests,Answers,Turns,Log shows,Tokens,Cost,Broke off".split(",")


def session_facts(report: SessionReport) -> list[tuple[str, str]]:
    """Name and value of each fact, for a page."""
    header, trajectory = report.score.trajectory, report.trajectory
    steps = f"{words.count(header.steps)}, {words.plural(header.events, 'event')}"
    back = {lane.id for lane in trajectory.lanes.values() if lane.taken_back}
    sub_agents = len({s.lane for s in trajectory.steps} - {MAIN_LANE} - back)
    steps += f", {words.plural(sub_agents, 'sub-agent')}" if sub_agents else ""
    facts = [
        ("Agent", words.agent(header) if titled(trajectory)[0] else None),
        ("Policy" if words.is_policy(header.model) else "Model", _models(report)),
        ("Started", words.date(header.started_at)),
        (
            "Lasted",
            words.duration(seconds) + words.pauses(trajectory) if (seconds := words.lasted(trajectory)) else None,
        ),
        ("Requests", _requests(trajectory).replace(" requests", "")),
        ("Turns" if words.is_policy(header.model) else "Answers", steps),
        ("Log shows", _seen(report.events)),
        ("Tokens", words.token_line(header.tokens, complete=trajectory.usage_complete)),
        ("Cost", cost_line(session_cost(trajectory))),
        ("Broke off", {"limit": "at a limit", "error": "with an error"}.get(trajectory.end or "")),
        ("Directory", trajectory.cwd),
        ("Branch", trajectory.branch),
        ("Log format", header.format),
        ("Log", header.source),
    ]
    return [(name, value) for name, value in facts if value]


def _models(report: SessionReport) -> str | None:
    """The model of the session, and a second one; of more, how many."""
    header = report.score.trajectory
    if header.model is None or words.is_policy(header.model):
        return header.model and words.model(header.model)
    names = [header.model]
    for model in dict.fromkeys(s.model for s in report.trajectory.steps if s.model and s.lane == MAIN_LANE):
        # With the name of a provider, or a date, it is the same.
        if not any(model in name or model.startswith(f"{name.rpartition('/')[2]}-20") for name in names):
            names.append(model)
    named = ", ".join(map(words.model, names[:2]))
    return f"{named} and {len(names) - 2} more" if len(names) > 2 else named


def _requests(trajectory: Trajectory) -> str:
    """Of several requests their number, and that of the one in the title where it is not the first; else ""."""
    number, several = titled(trajectory)[1], len(requests(trajectory))
    least = "at least " * ("more_requests" in trajectory.extra)
    return (
        f"{least}{words.count(several)} requests" + f" (title: number {number})" * (number > 1) if several > 1 else ""
    )


def fact_line(report: SessionReport) -> list[str]:
    """The facts in a line of text, the agent first."""
    header, trajectory = report.score.trajectory, report.trajectory
    project = words.project(trajectory.cwd)
    facts = (
        words.agent(header),
        _models(report),
        project and f"in {project}",
        words.date(header.started_at),
        (seconds := words.lasted(trajectory)) and words.duration(seconds) + words.pauses(trajectory),
        _requests(trajectory),
        words.calls(header.steps, header.model),
        _seen(report.events),
        words.token_line(header.tokens, complete=trajectory.usage_complete),
        cost_line(session_cost(trajectory)),
    )
    return [fact for fact in facts if fact]


def _seen(events: Sequence[AnyEvent]) -> str:
    """ "at least 12 project files written, 30 test runs, 2 commits"; "" for nothing."""
    edits = [e for e in events if isinstance(e, EditEvent) and e.operation in ("create", "modify")]
    # Files of the project; what a shell writes without an ending may be a directory.
    paths = {
        e.path
        for e in edits
        if e.via in ("tool", "shell") and not e.path.startswith(("/", "..")) and _FILE.search(e.path)
    }
    # Without what broke off before it checked anything, and commits that later ones replaced.
    ran = [e for e in events if getattr(e, "outcome", "") != "error" and not getattr(e, "amended", False)]
    kinds = (("test run", TestRunEvent), ("build", BuildEvent), ("lint", LintEvent), ("commit", CommitEvent))
    # Those of one call may be one: a recording has the programs that a program starts as well.
    done = [(len({(e.step, e.call) for e in ran if isinstance(e, kind)}), noun) for noun, kind in kinds]
    told = [f"{words.plural(len(paths), 'project file')} written"] if paths else []
    told += [words.plural(number, noun) for number, noun in done if number]
    return f"at least {', '.join(told)}" if told else ""
