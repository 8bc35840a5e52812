"""Checks of integrity: the state in which the code base was left, between steps and at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...base.text import count
from ...evidence.commits.content import is_artifact
from ...evidence.events import EditEvent, RunEvent, TestRunEvent
from ...evidence.paths import role
from ..work import CheckEvent, Work
from . import Check, Seen


@Check(
    "I-committed-unchecked",
    pillar="integrity",
    severity="note",
    sentence="A commit was made, and nothing had been checked since the last edit.",
    did="committed without any check since its last edit",
    applies="sessions with commits of code",
    advice="Before each commit, run what shows that the change works: its tests, or else the build or the program.",
    blind="Hooks that run checks at commit without output in the log.",
)
def committed_unchecked(work: Work) -> Iterator[Seen]:
    at, idle = -1, work.evidence.effectless
    for commit in work.session.commits:
        former, at, files = at, work.at[commit.id], frozenset(commit.files)
        code = [e for e in work.production if former < work.at[e.id] < at and work.session.facts(e).code]
        inside = [e for e in code if (e.new_path or e.path) in files]
        if not inside:
            continue
        edit, last = inside[-1], work.at[inside[-1].id]
        # Any program may check something. A run behind the commit in one message checks what was committed, and what
        # one call does in turn, its output need not tell apart.
        ran = any(
            isinstance(e, RunEvent | CheckEvent)
            and e.id not in idle
            and (last < n < at or e.step == commit.step or (e.step, e.call) == (edit.step, edit.call))
            for n, e in enumerate(work.events[former + 1 :], former + 1)
        )
        if not (ran or work.ran_a_hook(commit) or work.may_have("run", after=last, before=at)):
            subject = work.evidence.commits[commit.id].subject
            yield Seen(
                f"Commit {subject!r} follows an edit of {inside[-1].path} without any check", [inside[-1], commit]
            )


@Check(
    "I-leftovers",
    pillar="integrity",
    severity="weak",
    sentence="Debug output or a throwaway file was left in the result.",
    did="left debug output or throwaway files behind",
    applies="sessions in which production code was changed",
    advice="Remove debug output and scratch files before you finish.",
    blind="Throwaway files, unless the log has the final diff, or they were committed.",
    of_the_end=True,
)
def leftovers(work: Work) -> Iterator[Seen]:
    last = {e.path: e for e in work.production}
    for edit in work.production:
        lines = work.session.facts(edit).debug_leftovers
        final = work.session.facts(last[edit.path]).change.after
        # What a later edit of unknown text left of them is not known.
        remain = lines if edit is last[edit.path] else [line for line in lines if line in (final or "")]
        if remain and edit.path not in work.scope.made:  # what the agent's own program prints may be its purpose
            yield Seen(f"{edit.path}: {count(len(remain), 'line')} of debug output", [edit])
    final_edits = {e.new_path or e.path: e for e in work.events if isinstance(e, EditEvent)}
    for path in sorted(work.session.submitted & final_edits.keys()):
        edit = final_edits[path]
        if edit.operation != "delete" and work.session.facts(edit).scratch:
            yield Seen(f"{path} is a throwaway file, and part of the final diff", [edit])
    scratch = {e.path for e in final_edits.values() if work.session.facts(e).scratch}
    strays = [path for path in _strays(work) if path not in scratch]
    # What no edit made, a program wrote; without one it may have been there before.
    shown = [final_edits[path] for path in strays if path in final_edits] or [
        e for e in work.events if isinstance(e, RunEvent)
    ][-1:]
    if strays and shown:
        more = f" and {count(len(strays) - 1, 'more file')}" if strays[1:] else ""
        yield Seen(f"{strays[0]}{more} in the result, which nothing uses", shown[:3])


def _strays(work: Work) -> list[str]:
    """New files of the result that tools leave behind, or at the top of a project whose code is in directories.

    Neither the request nor another changed file names them. A file at the top that configures or documents may be
    wanted, and so may one that was only committed and never run: an entry point.
    """
    changed = {e.path for e in work.production if e.operation == "modify"} - work.scope.made
    if not changed or not all("/" in path for path in changed):
        return []
    edited = {e.path: e for e in work.events if isinstance(e, EditEvent)}
    texts = {e.path: _new_text(work, e) for e in work.session.edits}
    runs = [e for e in work.events if isinstance(e, RunEvent | TestRunEvent)]
    found = []
    for path in work.session.new_files:
        name = path.rsplit("/", 1)[-1]
        stem = re.compile(rf"\b{re.escape(name.split('.')[0])}\b")
        if name in work.session.instruction or any(stem.search(t) for p, t in texts.items() if p != path):
            continue
        code = (edited[path].role if path in edited else role(path)) in ("production", "test")
        ran = work.session.submitted or any(name in e.command for e in runs)
        if is_artifact(path) or ("/" not in path and code and ran):
            found.append(path)
    return found


def _new_text(work: Work, edit: EditEvent) -> str:
    change = work.session.facts(edit).change
    return "\n".join([change.after or "", *(new for _, new in change.hunks)])


@Check(
    "I-own-diff",
    pillar="integrity",
    severity="strength",
    sentence="The agent looked at a diff of its own change, or of a part of it.",
    did="looked at a diff of its own change, or of a part of it",
    applies="sessions in which something besides documents was changed",
    blind="Whether it drew conclusions from it.",
)
def own_diff(work: Work) -> Iterator[Seen]:
    shown = [e for e in work.diffs if work.at[e.id] > work.first_edit]
    if work.edits and shown:
        yield Seen("The agent looked at a diff of its own change, or of a part of it", shown[-1:])
