"""What a check shows about the failures of an earlier one: which still fail, and which pass by now."""

from __future__ import annotations

from msgspec import Struct, field

from ...base.code.grammars import is_source
from ..commands.exclusion import leaves_out
from ..commands.programs import programs
from ..facts import CheckFacts, same_check
from ..testruns.ids import is_place, place_and_title, same_place, same_test, selected
from .records import OpenEpisode

# Runners that only name what started the tests.
_WRAPPERS = frozenset(("npm-script", "unknown"))


class Shown(Struct):
    """What a check shows about the ids of an episode."""

    red: set[str] = field(default_factory=set)
    """They still fail, or something hides them (they do not compile, their file does not load)."""
    green: set[str] = field(default_factory=set)
    """They passed."""
    seen: set[str] = field(default_factory=set)
    """The failures of the check that are those of the episode."""
    named: bool = False
    """The check names tests that the episode only knew to be among what failed."""


def compare(episode: OpenEpisode, facts: CheckFacts, ids: set[str]) -> Shown:
    """What a check with the failures ``ids`` (empty: it passed) shows about an episode."""
    shown = Shown()
    if not _comparable(episode, facts):
        return shown
    for failure in episode.ids - episode.masked:
        if facts.family == "test" and episode.names_failures():
            red = _test(episode, failure, facts, shown)
        else:
            red = _whole(episode, failure, facts, ids, shown)
        if red is not None:
            (shown.red if red else shown.green).add(failure)
    return shown


def _comparable(episode: OpenEpisode, facts: CheckFacts) -> bool:
    """Whether two checks can be about the same failure; a build, a lint or a program must be the same one."""
    if facts.family != "test" or not episode.key.startswith("test "):
        same_family = episode.first.facts.family == facts.family != "run"
        return (
            any(same_check(f, facts) for f in episode.red_runs)
            or (same_family and any(same_place(i, path) for i in episode.ids for path in facts.diagnosed))
            or (facts.passed and not facts.selective and _compiles_too(episode.key, facts.key))
        )
    runner, other = episode.key.split(" ", 2)[1], facts.key.split(" ", 2)[1]
    groups = programs().groups
    if runner == other or any(r in _WRAPPERS or r in groups.task_runners for r in (runner, other)):
        return True
    # A script that broke off names no runner.
    return runner == "script" and any(f.targets == facts.targets for f in episode.red_runs)


def _compiles_too(red: str, green: str) -> bool:
    """Whether a check has to compile what a build failed to: ``go test`` does, after ``go build``; and cargo."""
    failed, passed = red.split(" ")[:3], green.split(" ")[:3]
    if failed[0] != "build" or failed[2:3] not in (["build"], ["check"]):
        return False
    return passed[:2] == failed[:2] or passed[:2] == ["test", f"{failed[1]}-test"]


def _test(episode: OpenEpisode, failure: str, facts: CheckFacts, shown: Shown) -> bool | None:
    """Whether a named test, or a file that does not load, fails in a test run; None if that is not shown."""
    place, title = place_and_title(failure)
    matching = {i for i in facts.failing if same_test(failure, i)}
    if matching:
        shown.seen |= matching
        return True
    covered = covers(episode, failure, facts)
    inside: set[str] = set()
    for other in facts.failing:
        other_place, other_title = place_and_title(other)
        if (same_place(place, other_place) if place and other_place else covered) and bool(title) != bool(other_title):
            inside.add(other)
    if title and inside:  # its file does not load
        shown.seen |= inside
        return True
    if inside and (is_source(failure) or not (episode.since or episode.attempts)):
        # The file loads by now, or only the package was known to fail; its tests are named now.
        shown.seen |= inside
        shown.named = True
        return True
    if inside:
        return False  # the package compiles
    if not covered or (facts.names_some and title):
        return None
    # Nothing ran, or the log does not name what failed; a file loads if the run was of nothing else, and tests ran.
    return facts.failed and not (facts.ran and (facts.failing_known or (not title and facts.selective)))


def _whole(episode: OpenEpisode, failure: str, facts: CheckFacts, ids: set[str], shown: Shown) -> bool | None:
    """Whether a file named by a compiler or linter, or a check as a whole, still fails."""
    if not covers(episode, failure, facts):
        return None
    first = episode.first.facts
    if facts.family == "test" and (not first.ran or first.frame):
        # An error of the compiler is gone when the tests run again, whether or not they pass.
        # If they had run before as well, another error beside them must be gone too.
        beside = first.ran and not first.failing and not facts.failing
        red = facts.failed and (beside or not (facts.ran and (facts.failing_known or not first.ran)))
    elif facts.diagnosed and failure in first.diagnosed:
        shown.seen |= {i for i in ids if same_place(i, failure)}
        return any(same_place(i, failure) for i in ids)
    else:
        red = facts.failed
    if red:
        shown.seen |= ids
    return red


def covers(episode: OpenEpisode, failure: str, facts: CheckFacts) -> bool:
    """Whether a check includes what failed.

    The identical command does, whatever its ids look like; a whole run does, in the same directory; and a selection
    that names the test or its file.
    """
    if leaves_out(facts.excluded, failure):
        return False
    runs = [f for f in episode.red_runs if f.targets == facts.targets]
    if facts.family == "run" or " script " in f"{facts.key} ":
        return bool(runs)
    if runs and (facts.targets or any(same_check(f, facts) for f in runs)):
        return True
    if facts.family != "test":
        return not facts.targets or any(same_place(t, failure) for t in facts.targets)
    if not facts.selective:
        return any(_directory(f.key).startswith(_directory(facts.key)) for f in episode.red_runs)
    if selected(failure, facts.targets):
        return True
    wider = [{t for t in f.targets if is_place(t)} for f in episode.red_runs]
    if not any(places and places <= set(facts.targets) for places in wider):
        return False
    # What does not compile keeps every test of its package from running.
    compiles = facts.ran and not episode.first.facts.ran and not episode.names_failures()
    # jest prints no file with a title: a run of more files than those of a failing run includes them.
    return compiles or (not place_and_title(failure)[0] and all(is_place(t) for t in facts.targets))


def _directory(key: str) -> str:
    """The directory in which a check ran, as far as its key gives it."""
    return " ".join(key.split(" ", 2)[2:])
