"""What evidence knows beyond the public events: the facts that metrics compute from, by event id.

Metrics never parse text: everything that a metric needs to know about a text is found out here, once.
"""

from __future__ import annotations

import posixpath
from typing import Literal

from msgspec import Struct, field

from ..session.model import MAIN_LANE, FileChange, Trajectory
from .events import AnyEvent
from .paths import is_absolute_outside, is_rooted, relative


class ItemFacts(Struct):
    """One plan item."""

    text: str
    concrete: bool
    """It names something to do, beyond a general activity."""
    copies_prompt: bool
    """It repeats a line of the request."""
    single_concern: bool
    """It names one action."""
    names_target: bool
    """It names a path, a symbol, or a thing in two words or more."""
    names_check: bool
    """It names a test or another check."""
    right_size: bool
    """It has 3 to 30 words."""
    paths: list[str]
    symbols: list[str]
    words: list[str]
    """Its content words in lower case."""
    duplicate_of: int | None = None
    """Index of the earlier item of the same plan that it repeats."""
    completed: bool = False
    specific: bool = True
    """It is concrete, and would not fit into the plan of any task ("Run the test suite" would)."""


class PlanFacts(Struct):
    """A plan as it is at one event."""

    items: list[ItemFacts]
    origin: str


class TestFunctionFacts(Struct):
    """A test that the agent wrote, or edited (``edited``: it existed before). ``references``: names its body uses."""

    path: str
    name: str | None
    has_assertion: bool
    skipped: bool
    references: frozenset[str]
    edited: bool = False


Exchange = Literal["", "aside", "back", "reset", "clean", "switch"]


class EditFacts(Struct):
    """One file edit."""

    change: FileChange
    in_root: bool
    scratch: bool = False
    """A throwaway file (outside the root, or created and later removed by the agent)."""
    code: bool = False
    layout: bool = False
    """The edit changes only comments and blank space of the code."""
    restoring: Exchange = ""
    """How version control exchanged the whole tree, of which this is a part ("": it did not)."""
    restored: bool = False
    """Version control put this file back as it was last committed."""
    observed: bool = False
    """The recording shows the edit; ``change`` is exact."""
    blind: bool = False
    """An editing tool wrote the file, and the log does not state what."""
    tests: list[TestFunctionFacts] = field(default_factory=list)
    removed_tests: list[str] = field(default_factory=list)
    """Names of the tests that it removed ("*": all, names unknown)."""
    weakened_tests: list[str] = field(default_factory=list)
    """Names of the tests that it skipped or left with fewer assertions ("*": unknown which)."""
    debug_leftovers: list[str] = field(default_factory=list)


class CheckFacts(Struct):
    """A test run, build, lint or program run, as far as episodes need to know it."""

    family: str
    """"test", "build", "lint" or "run:<program>"."""
    signature: str
    failing: frozenset[str]
    """Ids (or the signature) of what failed."""
    targets: tuple[str, ...]
    """The files, ids or names that the command selects."""
    selective: bool
    """The command runs only a selection."""
    ran: bool
    """The check got far enough to check anything."""
    failed: bool
    passed: bool
    infrastructure: str | None = None
    """Why a failure is not the code's fault; None if it is."""
    failing_known: bool = False
    """``failing`` contains the ids of all failed tests; none, if something else failed the run."""
    names_some: bool = False
    """More tests failed than ``failing`` contains: a part of the output is missing."""
    key: str = ""
    """Runs with the same key are runs of the same check."""
    cwd: str | None = None
    """The directory in which it ran, where the line or the call states it."""
    tool: str = ""
    """Of a build or lint likewise, by the program behind a script; "" if that is not known."""
    frame: str | None = None
    """The last stack frame of the failure."""
    message: str = ""
    excluded: tuple[str, ...] = ()
    """The tests that the command leaves out by name."""
    start_tree: bool = False
    """It ran on another tree than the agent's own (its changes were stashed; a clean copy; another revision), and shows
    nothing about its changes."""
    mixed: bool = False
    """That tree is not the start tree, so that it shows nothing about that either."""
    distrusted: bool = False
    """It reported a pass that proves nothing, for what the agent did to the runner."""
    diagnosed: dict[str, str] = field(default_factory=dict)
    """What a compiler or linter says about each file that it names."""


class RefutedPass(Struct, frozen=True):
    """A pass that a replay of the same tests on the same tree refutes."""

    tests: tuple[str, ...]
    """Those that fail in the replay."""
    covered: bool
    """Whether the run had to run them; else what it ran is not known."""


def same_check(one: CheckFacts, other: CheckFacts) -> bool:
    """Whether two are runs of the same check."""
    return one.key == other.key or (bool(one.tool) and one.tool == other.tool)


class CommitFacts(Struct):
    """A commit."""

    subject: str
    imperative: bool
    """The subject is in the imperative mood, and does more than name files."""
    describes: bool
    """The message has a content word in common with the change, and its subject does more than name files."""
    message_problems: list[str]
    hygiene_problems: list[str]
    empty: bool = False


class PromptFacts(Struct):
    """What the user asked for, by the words of the request. ``asks_change`` is None where it cannot be told."""

    text: str
    asks_change: bool | None
    asks_commit: bool
    supplies_plan: bool
    names_failure: bool


Deed = Literal["commit", "push", "tests", "dependencies"]


class Prohibition(Struct):
    """What the user forbade."""

    deed: Deed
    """Committing, pushing, changing tests that exist, adding dependencies."""
    step: int
    words: str
    until: int | None = None
    """Index of the message of the user that speaks of the thing again, and may permit it."""


class StepTokens(Struct):
    """Output tokens of each step. ``estimated``: the log has no usable counts, the text was counted."""

    output: list[int]
    estimated: bool


TamperKind = Literal["snapshot", "loosened", "dropped", "bent", "skipped", "deleted", "excluded", "forgiven", "unread"]


class Tampering(Struct):
    """Red tests that were made to pass (or to compare with their own output) without repairing what they test."""

    how: TamperKind
    """"snapshot": stored expectations were overwritten by a run that still failed; "loosened": exact assertions gave
    way to weak ones; "dropped": to none; "bent": an expected literal was changed, or an assertion turned into its
    opposite; "skipped", "deleted": the test; "excluded": the configuration leaves it out; "forgiven": its failure no
    longer counts (``|| true``); "unread": what was done is not in the log."""
    path: str | None
    """The edited file; None for a run."""
    tests: list[str]
    """The failing tests that it touches, as far as the log names them."""
    own: bool
    """The agent made the test, or wrote the assertions that are given up, in this session."""
    certain: bool
    """A demand was given up. A changed literal may be the agent's own wrong expectation, or what was asked for, and
    counts only where the request forbids to change tests; of the agent's own tests, an assertion may have been wrong as
    well, so that only a whole test that failed counts, if nothing takes its place. What a runner stored in this session
    for a test of the agent's own is no expectation."""
    red: str
    change: str
    green: str | None = None
    """Ids of the red run before, of the edit (or run), and of the green run after (None: none)."""

    @property
    def accuses(self) -> bool:
        """Whether it is held against the agent: a test of its own may have asked for the wrong thing."""
        return self.certain and not self.own


Effect = Literal["edit", "read", "run"]


class Unplaced(Struct, frozen=True):
    """A call, or a part of the log, that may have done something which no event shows.

    Absence is only said where nothing of this kind is in the way (``Work.may_have``).
    """

    why: str
    """In words that follow "The log does not show what was done by"."""
    may: frozenset[Effect]
    """What it may have done: changed files, shown the text of files, run checks."""
    step: int | None = None
    """Index of the step; None: it may be anywhere in the log."""
    call: int | None = None
    lane: str = MAIN_LANE


class Evidence(Struct):
    """All evidence of one trajectory; ``plans``, ``edits``, ``checks``, ``commits``: facts by event id."""

    trajectory: Trajectory
    root: str | None
    """The project's directory, where it is known."""
    prompt: PromptFacts
    tokens: StepTokens
    worktrees: tuple[str, ...] = ()
    """Further work trees of it that the session made to work in."""
    events: list[AnyEvent] = field(default_factory=list)
    plans: dict[str, PlanFacts] = field(default_factory=dict)
    edits: dict[str, EditFacts] = field(default_factory=dict)
    checks: dict[str, CheckFacts] = field(default_factory=dict)
    commits: dict[str, CommitFacts] = field(default_factory=dict)
    exchanges: set[str] = field(default_factory=set)
    """Ids of git commands that put other files into the work tree (a restore, another branch, a merge)."""
    effectless: set[str] = field(default_factory=set)
    """Ids of the runs of commands that do nothing (``true``, ``echo``, ``pytest --version``)."""
    elsewhere: set[str] = field(default_factory=set)
    """Ids of the events of what ran on another tree than the agent's own (of checks, ``start_tree`` too)."""
    closing: str = ""
    """The agent's last message (or the text of its finishing call)."""
    tampering: list[Tampering] = field(default_factory=list)
    """What was done to red tests instead of repairing what they test."""
    prohibitions: list[Prohibition] = field(default_factory=list)
    """What the user forbade."""
    unplaced: list[Unplaced] = field(default_factory=list)
    """What may have been done and no event shows."""
    understood: float | None = None
    """The share of the calls whose effect is known; None without calls."""

    def path(self, path: str, cwd: str | None = None) -> str:
        """A path as events name it: relative to the root when it is inside."""
        if cwd and path and not is_rooted(path):
            path = posixpath.join(cwd, path)
        return relative(path, self.root, self.worktrees)

    def outside(self, directory: str | None) -> bool:
        """Whether a directory is known to be outside the project."""
        path = self.path(directory or ".")
        return self.root is not None and not path.startswith("..") and is_absolute_outside(path, self.root)

    def may_have(self, effect: Effect, before: int | None = None, after: int = -1) -> bool:
        """Whether something may have been done between two positions that no event shows."""
        low = self.events[after].step if 0 <= after < len(self.events) else -1
        high = self.events[before].step if before is not None and before < len(self.events) else None
        return any(
            effect in u.may and (u.step is None or (low <= u.step and (high is None or u.step <= high)))
            for u in self.unplaced
        )
