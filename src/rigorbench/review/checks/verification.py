"""Checks of verification: what stands behind the final state of the work."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...base.text import count
from ...evidence.episodes.disclosure import is_dismissed
from ...evidence.events import (
    AnyEvent,
    BuildEvent,
    CommitEvent,
    EditEvent,
    EpisodeEvent,
    LintEvent,
    ReadEvent,
    ReproductionEvent,
    SearchEvent,
    TestRunEvent,
)
from ...evidence.facts import same_check
from .. import observations as see
from ..work import MEDIUM, Work, ended_well, quoted, red_green_in_words
from . import Check, Seen

_PROGRAM = re.compile(r"\b(?:python[\d.]*|node|ruby)\b")
CHANGED = "sessions in which something besides documents was changed"


@Check(
    "V-final-check",
    pillar="verification",
    severity="weak",
    sentence="The agent ran nothing and looked at nothing to check its last edit of the code.",
    did="ran no check after its last edit of the code",
    applies=CHANGED,
    advice="After the last edit, run the tests that cover it, and look at the result.",
    blind="Checks that a person or a CI system ran outside the log.",
    of_the_end=True,
)
def final_check(work: Work) -> Iterator[Seen]:
    # Who tried to run one that could not start did not leave it out.
    if not work.edits or work.after_change(work.every_check) or work.may_have_checked(work.last_edit):
        return
    later = work.events[work.last_edit + 1 :]
    hooks = (e for e in later if isinstance(e, CommitEvent) and work.ran_a_hook(e))
    # Whoever searches for what should be gone, or looks at what is written, checks by looking.
    changed = {e.path for e in work.edits}
    looks = (e for e in later if isinstance(e, SearchEvent) or (isinstance(e, ReadEvent) and e.target in changed))
    if any(hooks) or any(looks) or any(work.at[e.id] > work.last_edit for e in work.diffs):
        return
    last, facts = work.production[-1], work.session.facts
    made = getattr(work.session.reading.call(last), "action", None)
    if last.via == "shell" and _PROGRAM.search(getattr(made, "command", "")):
        return  # a program that edits may try its edit as well
    text, others = facts(last).change.after, (e for e in work.events if isinstance(e, EditEvent) and e is not last)
    if (
        last.operation == "delete"
        or not facts(last).code
        or (text and any((facts(e).change.after or "").split() == text.split() for e in others))
    ):
        return  # of what is gone, or configuration, checks are few; or what was tried elsewhere was put in its place
    before = [e for e in work.every_check if work.green(e)]
    said = "; the last check that passed was before it" if before else ""
    yield Seen(f"The agent ran no check after its last edit of the code, of {last.path}{said}", [last, *before[-1:]])


@Check(
    "V-ended-on-red",
    pillar="verification",
    severity="weak",
    sentence="The session ended while a test or build that the agent had run was failing.",
    did="stopped while a check that it had run was failing",
    applies=CHANGED,
    advice="Do not finish while checks that you ran fail: repair them, or show that they fail without your change.",
    blind="Whether what failed was run again outside the log; failures that the closing message calls those of others.",
    of_the_end=True,
)
def ended_on_red(work: Work) -> Iterator[Seen]:
    for episode in (e for e in work.events if isinstance(e, EpisodeEvent)):
        asked = episode.attributed != "environment" and work.is_target(episode)
        theirs, checks = episode.attributed != "own" and not asked, work.checks_of(episode)
        if theirs or work.family(episode) not in ("test", "build") or not work.says_what_failed(checks[-1]):
            continue
        red = episode.resolved in ("unresolved", "given_up") and not see.may_be_green(work, episode)
        if not red or _may_have_changed(work, checks[-1]) or work.may_have("run", after=work.at[checks[-1].id]):
            continue
        # Whose failure it is, R-dismissed asks: which one the words are about, they rarely say.
        if not is_dismissed(work.evidence.closing) and not _may_be_anothers(work, checks[-1]):
            yield Seen(f"Still failing at the end: {episode.signature}", checks[-1:])


def _may_have_changed(work: Work, last: AnyEvent) -> bool:
    """Whether a check may pass by now: files were edited after its last run, or version control put others there."""
    edits = [e for e in work.session.project_edits if e.role != "document"]
    edited = any(work.at[e.id] > work.at[last.id] for e in edits) or work.may_have("edit", after=work.at[last.id])
    return edited or work.other_tree_since(last)


def _may_be_anothers(work: Work, last: AnyEvent) -> bool:
    """Whether a red run does not say what failed, and a failure that is not the agent's turns the same check red; or a
    part of what failed in it was shown to fail without the change, so that the rest may as well."""
    if any(e.baseline and last.id in e.checks and not work.is_target(e) for e in work.session.foreign_failures):
        return True
    facts = work.facts(last)
    if facts is None or facts.failing or facts.diagnosed:
        return False
    others = [c for e in work.session.foreign_failures if e.resolved != "green" for c in work.checks_of(e)[:1]]
    return any((other := work.facts(c)) is not None and same_check(facts, other) for c in others)


def _narrow_runs(work: Work) -> list[TestRunEvent]:
    """The test runs that passed, if several files were changed and each run after that is of single tests or files."""
    runs = [e for e in work.tests if work.at[e.id] > work.first_edit]
    few = len({e.new_path or e.path for e in work.production}) < MEDIUM[0]
    broad = any((breadth := work.scope.breadth(e)) is None or breadth >= see.BROAD for e in runs)
    return [] if few or broad else [e for e in runs if work.green(e)]


def _may_be_tested(work: Work) -> bool:
    first = next((work.at[e.id] for e in work.events if isinstance(e, EditEvent)), work.first_edit)  # be it elsewhere
    return work.may_have_checked(min(first, work.first_edit)) or work.may_have("edit")


def _untried(work: Work) -> bool:
    """Whether production code was changed, no test was added, and nothing but builds and lints ran."""
    tried = [e for e in work.checks if not isinstance(e, BuildEvent | LintEvent) and work.at[e.id] > work.first_edit]
    edits = [e for e in work.edits if e.role == "production" and e.operation != "delete"]
    code = any(work.session.facts(e).code for e in edits)
    return code and not see.tests_added(work) and not tried


@Check(
    "V-narrow",
    pillar="verification",
    severity="weak",
    sentence="Only single tests or one test file were run after a change of several files.",
    did="ran only single tests or test files for a larger change",
    applies="changes of three files or more with a test run that passed after the first of them",
    advice="After a change of several files, run the tests of the whole package, not only the new ones.",
    blind="Whether the few tests that ran cover the whole change.",
    of_the_end=True,
)
def narrow(work: Work) -> Iterator[Seen]:
    runs = _narrow_runs(work)
    if runs and not work.may_have_checked(work.first_edit):
        yield Seen(f"{count(len(runs), 'test run')} passed, each of single tests or files", list(runs[-3:]))


@Check(
    "V-assertions-off",
    pillar="verification",
    severity="weak",
    sentence="A program whose only checks are assertions ran with assertions switched off.",
    did="ran a check with its assertions switched off",
    applies="sessions in which the agent ran tests or programs of its own",
    advice="Switch assertions on (`java -ea`, no `python -O`, no NDEBUG) where a program checks with them.",
    blind="Assertions that are switched on or off by the environment.",
)
def assertions_off(work: Work) -> Iterator[Seen]:
    told: set[str] = set()
    for run in (e for e in work.events if isinstance(e, TestRunEvent | ReproductionEvent)):
        made = work.scope.assertions_off(run)
        if made is not None and made.path not in told:
            told.add(made.path)
            yield Seen(f"{quoted(run)} does not run the assertions of {made.path}", [made, run])


@Check(
    "V-untested-change",
    pillar="verification",
    severity="weak",
    sentence="Code was changed, and neither a test nor a reproduction is known to exercise it.",
    did="changed code, and neither added nor ran a test",
    applies="more than trivial changes of production code",
    advice="Add a test of the change, or show it with a small program.",
    blind="Existing tests that already exercise the change.",
    of_the_end=True,
)
def untested_change(work: Work) -> Iterator[Seen]:
    if work.size not in (None, "none", "trivial") and _untried(work) and not _may_be_tested(work):
        most = max(work.production, key=lambda e: len(e.symbols))
        yield Seen(f"{most.path} changed; no test was left for it, and none was run", [most])


@Check(
    "V-red-green",
    pillar="verification",
    severity="strength",
    sentence="The same check failed before the change and passed after it.",
    did="saw a check fail before the change and pass after it",
    applies=CHANGED,
    blind="Checks whose output is not in the log.",
)
def red_green(work: Work) -> Iterator[Seen]:
    pair = see.red_green(work)
    if pair and work.edits:
        yield Seen(red_green_in_words(work, pair), pair)


@Check(
    "V-broad-final",
    pillar="verification",
    severity="strength",
    sentence="Tests of a package or of the whole project, and static checks, passed after the last edit of the code.",
    did="ended with a broad test run and static checks that passed",
    applies=CHANGED,
    blind="How much of the change these tests cover.",
    of_the_end=True,
)
def broad_final(work: Work) -> Iterator[Seen]:
    broad, static = see.broad_test_after_last_edit(work), see.static_check_after_last_edit(work)
    if work.production and broad and static:
        shown = [broad[-1], static[-1]]
        yield Seen(f"{ended_well(work, broad[-1])}; {ended_well(work, static[-1])}", shown)
