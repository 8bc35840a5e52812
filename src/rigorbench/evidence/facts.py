"""What evidence knows beyond the public events: the facts that metrics compute from, keyed by event id.

Metrics never parse text, so everything a metric needs to know about a text is found out here, once.
"""

from __future__ import annotations

from msgspec import Struct, field

from ..trajectory.model import FileChange, Trajectory
from .events import AnyEvent


class ItemFacts(Struct):
    """One plan item. ``paths``/``symbols`` are what it names; ``words`` its content words, lower case.

    ``specific``: it is concrete, and not such that it could stand in the plan of any task ("Run the test suite").
    """

    text: str
    concrete: bool
    copies_prompt: bool
    single_concern: bool
    names_target: bool
    names_check: bool
    right_size: bool
    paths: list[str]
    symbols: list[str]
    words: list[str]
    duplicate_of: int | None = None
    completed: bool = False
    specific: bool = True


class PlanFacts(Struct):
    """A plan as it stands at one event. ``handed_down``: given to a sub-agent by its parent."""

    items: list[ItemFacts]
    origin: str


class TestFunctionFacts(Struct):
    """A test that the agent wrote, or edited (``edited``: it was there before). ``references``: names its body uses."""

    path: str
    name: str | None
    has_assertion: bool
    skipped: bool
    references: frozenset[str]
    edited: bool = False


class EditFacts(Struct):
    """One file edit. ``scratch``: a throwaway file (outside the root, or created and later removed by the agent);
    ``layout``: of the code, only comments and blank space were changed; ``restoring``: version control put the whole
    tree back; ``observed``: a witness saw it, ``change`` is exact.
    """

    change: FileChange
    in_root: bool
    scratch: bool = False
    code: bool = False
    layout: bool = False
    restoring: bool = False
    observed: bool = False
    tests: list[TestFunctionFacts] = field(default_factory=list)
    removed_tests: list[str] = field(default_factory=list)
    weakened_tests: list[str] = field(default_factory=list)
    debug_leftovers: list[str] = field(default_factory=list)


class CheckFacts(Struct):
    """A test run, build, lint or program run, as far as episodes need to know it.

    ``family``: "test", "build", "lint" or "run:<program>"; ``failing`` the ids or signature of what failed; ``ran``:
    whether the check got as far as checking anything; ``exempt``: why a failure is no error ("" if it is one).
    ``excluded``: the tests that the command left out by name. ``start_tree``: it ran while the agent's changes were
    stashed away, and says nothing of them.
    """

    family: str
    signature: str
    failing: frozenset[str]
    targets: tuple[str, ...]
    selective: bool
    ran: bool
    failed: bool
    passed: bool
    infrastructure: str | None = None
    failing_known: bool = False
    key: str = ""
    frame: str | None = None
    coverage_known: bool = False
    excluded: tuple[str, ...] = ()
    start_tree: bool = False


class CommitFacts(Struct):
    """A commit. ``concerns``: number of unconnected groups of files (None: its files are not known); problems in words,
    [] if there is none.
    """

    subject: str
    concerns: int | None
    imperative: bool
    describes: bool
    message_problems: list[str]
    hygiene_problems: list[str]
    empty: bool = False


class PromptFacts(Struct):
    """What the user asked for, as far as the words tell (None: there are no words)."""

    text: str
    asks_change: bool | None
    asks_commit: bool
    supplies_plan: bool
    names_failure: bool


class StepTokens(Struct):
    """Tokens per agent step. ``output`` is primary; ``estimated``: no usage in the log, counted from text."""

    output: list[int]
    processed: list[int]
    estimated: bool


class Evidence(Struct):
    """All evidence of one trajectory.

    ``closing``: the agent's last message (or what its finishing call carried); ``states_assumption``: it says there
    what it took for granted. ``effectless``: ids of the runs of commands that do nothing (``true``, ``echo``,
    ``pytest --version``).
    """

    trajectory: Trajectory
    root: str | None
    events: list[AnyEvent]
    prompt: PromptFacts
    tokens: StepTokens
    plans: dict[str, PlanFacts] = field(default_factory=dict)
    edits: dict[str, EditFacts] = field(default_factory=dict)
    checks: dict[str, CheckFacts] = field(default_factory=dict)
    commits: dict[str, CommitFacts] = field(default_factory=dict)
    effectless: set[str] = field(default_factory=set)
    closing: str = ""
    states_assumption: bool = False
