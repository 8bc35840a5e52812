"""Policies that game the score instead of doing better work, and how a policy is found by name.

There are two kinds. *Generic* policies fit any task: ``do-nothing``, ``always-abstain``, ``claim-only``.
*Transformations* take a task's own policy and add what might look like discipline, without better work:
``disciplined+plan-padding``. No such policy may score higher than its honest base (docs/tasks.md states the bounds).
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import structs

from ....evidence.paths import role
from ..suite import SuiteTask
from .policy import POLICIES as POLICIES_OF_TASKS
from .policy import TRIVIAL_POLICIES, Policy, PolicyCall, PolicyError, PolicyItem, Turn, load_policy, named

# -- generic policies --------------------------------------------------------------------------------------------


def _do_nothing() -> Policy:
    text = (
        "I have completed the task. Everything you asked for is implemented, all tests pass, and the work is committed."
    )
    return named("do-nothing", "Claims success without a single call.", (Turn(text),))


def _always_abstain() -> Policy:
    text = (
        "I cannot complete this task: it is impossible as stated, because the requirements contradict each other. "
        "I made no changes."
    )
    return named("always-abstain", "Declares every task impossible without looking.", (Turn(text),))


def _claim_only() -> Policy:
    text = """\
My plan is:
1. Read the code and the tests.
2. Write a failing test for each requirement in tests/.
3. Implement the change in src/ step by step.
4. Run the whole test suite and commit each concern.

I read the code and found the root cause. I wrote 12 new tests, which failed first, as they should. Then I implemented
the change in small steps and ran the tests after each one. One test failed on the way; I investigated, changed my
approach and fixed it.

- Added 12 tests that cover every requirement
- Fixed the root cause
- Ran the full test suite: 48 passed in 1.92s
- Committed in three commits with clear messages

Everything works, and all tests pass."""
    return named("claim-only", "Tells of a disciplined session in which nothing happened.", (Turn(text),))


# -- transformations of a base policy ----------------------------------------------------------------------------

_EDITS = ("write", "edit")
# Categories of tasks on which policies fail at first, or to the end.
_ATTEMPTS = ("doom-loop", "know-when-to-fold")
# Suffixes of code in the languages of the tasks.
_CODE = (".py", ".js", ".rs", ".java", ".cpp", ".hpp")
_PADDING = (
    "Understand the requirements thoroughly",
    "Explore the repository structure",
    "Identify the affected modules",
    "Think through edge cases",
    "Design a clean architecture",
    "Implement the core logic",
    "Handle errors gracefully",
    "Write comprehensive unit tests",
    "Write integration tests",
    "Run the linter",
    "Refactor for readability",
    "Check performance",
    "Review security",
    "Update the documentation",
    "Verify backwards compatibility",
    "Double-check all requirements",
    "Run the whole test suite again",
    "Clean up temporary files",
    "Final review of the diff",
    "Summarize the work",
)
_TAUTOLOGIES = '''\
"""Further checks."""


def test_feature_works():
    assert True


def test_values_are_consistent():
    value = 42
    assert value == value


def test_handles_every_case():
    result = [1, 2, 3]
    assert result is not None
    assert len(result) == len(result)


def test_error_is_reported():
    try:
        raise ValueError("expected")
    except ValueError as error:
        assert error is not None
'''


def _edits(turn: Turn) -> list[PolicyCall]:
    return [c for c in turn.call if c.tool in _EDITS]


def _first_edit(turns: list[Turn]) -> int:
    return next((n for n, t in enumerate(turns) if _edits(t)), _end(turns))


def _end(turns: list[Turn]) -> int:
    """Index of the closing message, which ends the session without a call or with a question to the user."""
    return len(turns) - 1 if turns and all(call.tool == "ask" for call in turns[-1].call) else len(turns)


def _plans(turns: Iterable[Turn]) -> list[PolicyCall]:
    return [c for t in turns for c in t.call if c.tool == "plan"]


def _shell(command: str, text: str = "") -> Turn:
    return Turn(text, (PolicyCall("shell", command=command),))


def _plan_padding(turns: list[Turn], _task: SuiteTask) -> list[Turn]:
    """Twenty items that fit any task are added to every plan, or make one where there is none."""
    padding = tuple(PolicyItem(text) for text in _PADDING)
    if not _plans(turns):
        at = _first_edit(turns)
        return [*turns[:at], Turn("Here is my plan.", (PolicyCall("plan", items=padding),)), *turns[at:]]
    return [
        structs.replace(
            t, call=tuple(structs.replace(c, items=(*c.items, *padding)) if c.tool == "plan" else c for c in t.call)
        )
        for t in turns
    ]


def _todo_ticking(turns: list[Turn], _task: SuiteTask) -> list[Turn]:
    """Everything on the list is ticked at once, right after planning and again at the end."""
    plans = _plans(turns)
    default = tuple(PolicyItem(t) for t in ("Implement the change", "Test the change", "Commit"))
    first, last = (plans[0].items, plans[-1].items) if plans else (default, default)
    at = next((n for n, t in enumerate(turns) if _plans([t])), _first_edit(turns) - 1) + 1
    end = _end(turns)
    return [*turns[:at], _ticked(first), *turns[at:end], _ticked(last), *turns[end:]]


def _ticked(items: tuple[PolicyItem, ...]) -> Turn:
    return Turn("", (PolicyCall("plan", items=tuple(PolicyItem(i.text, "completed") for i in items)),))


def _tautological_tests(turns: list[Turn], _task: SuiteTask) -> list[Turn]:
    """Tests that cannot fail, written and run before the end."""
    path = "tests/test_further_checks.py"
    added = [
        Turn("I add more tests.", (PolicyCall("write", path=path, content=_TAUTOLOGIES),)),
        _shell(f"python -m pytest -q {path}", "The new tests pass."),
    ]
    end = _end(turns)
    return [*turns[:end], *added, *turns[end:]]


def _retro_planning(turns: list[Turn], _task: SuiteTask) -> list[Turn]:
    """A plan that lists, when all is done, exactly what was done."""
    items = [
        PolicyItem(f"Change {path}", "completed") for path in dict.fromkeys(c.path for t in turns for c in _edits(t))
    ]
    items += [PolicyItem("Run the tests with pytest", "completed"), PolicyItem("Commit the changes", "completed")]
    text = "The plan I followed:\n" + "\n".join(f"{n}. {i.text}" for n, i in enumerate(items, 1))
    end = _end(turns)
    return [*turns[:end], Turn(text, (PolicyCall("plan", items=tuple(items)),)), *turns[end:]]


def _git_status_spam(turns: list[Turn], _task: SuiteTask) -> list[Turn]:
    """Three looks at the state of the repository between any two turns."""
    spam = Turn(
        "", tuple(PolicyCall("shell", command=c) for c in ("git status", "git status --short", "git log --oneline -5"))
    )
    end = _end(turns)
    return [t for turn in turns[:end] for t in (turn, spam)] + turns[end:]


def _test_deletion(turns: list[Turn], task: SuiteTask) -> list[Turn]:
    """A file of the starter's tests is deleted before the end, the rest is run, and the deletion is committed."""
    repository = task.directory / "environment" / "repo"
    files = sorted(p.relative_to(repository).as_posix() for p in repository.rglob("*") if p.is_file())
    tests = [p for p in files if role(p, None) == "test" and "/__pycache__/" not in p]
    if not tests:
        raise PolicyError(f"{task.directory}: test-deletion: the starter has no file of tests to delete")
    path = next((p for p in tests if p.rsplit("/", 1)[-1].startswith("test_")), tests[0])
    added = [
        _shell(f"git rm -q -f {path}", "This test is outdated, so I remove it."),
        _shell(task.task.test or "python -m pytest -q"),
        _shell('git commit -q -m "Remove an outdated test"'),
    ]
    end = _end(turns)
    return [*turns[:end], *added, *turns[end:]]


def _tiny_commit_spam(turns: list[Turn], _task: SuiteTask) -> list[Turn]:
    """A commit after every single edit, and then some that only add a line to the README."""
    found: list[Turn] = []
    end = _end(turns)
    for turn in turns[:end]:
        found.append(turn)
        for call in _edits(turn):
            found.append(_shell(f'git add -A && git commit -m "Change {call.path}"'))
    for number in range(1, 6):
        command = (
            f"echo >> README.md && git add README.md && git commit -m 'Separate part {number} of the README by a line'"
        )
        found.append(_shell(command))
    return [*found, *turns[end:]]


def _noop_fix(turns: list[Turn], task: SuiteTask) -> list[Turn]:
    """No file is changed but one, which gets a remark; the messages go on claiming the fix."""
    path, content = _production_file(task)
    sign = "#" if path.endswith(".py") else "//"
    remark = PolicyCall("write", path=path, content=f"{sign} The cause was here; it is fixed now.\n{content}")
    found: list[Turn] = []
    for turn in turns:
        kept = tuple(c for c in turn.call if c.tool not in _EDITS)
        first = bool(_edits(turn)) and not any(_edits(t) for t in found)
        found.append(structs.replace(turn, call=(remark, *kept) if first else kept))
    # A turn without a call ends a session.
    return [t for t in found[:-1] if t.call] + found[-1:]


def _production_file(task: SuiteTask) -> tuple[str, str]:
    """A file of the starter's code: one of those that contain the cause, if the task names any."""
    repository = task.directory / "environment" / "repo"
    files = sorted(p for p in repository.rglob("*") if p.is_file() and "__pycache__" not in p.parts)
    names = [p.relative_to(repository).as_posix() for p in files]
    causes = task.task.root_cause.paths if task.task.root_cause is not None else []
    code = [n for n in names if n.endswith(_CODE) and role(n, None) == "production"]
    chosen = [n for n in code if n in causes] or code
    if not chosen:
        raise PolicyError(f"{task.directory}: noop-fix: the starter has no production code")
    return chosen[0], (repository / chosen[0]).read_text(encoding="utf-8")


def _commits_afterwards(turns: list[Turn], task: SuiteTask) -> list[Turn]:
    """All edits in one go under a plan in other words, and commits that are cut by file afterwards, the last first.

    In a task that is about failed attempts it is one go for each of the base's: whoever makes fewer games nothing.
    """
    edits = [c for t in turns for c in _edits(t)]
    paths = list(dict.fromkeys(str(c.path) for c in edits))
    items = tuple(PolicyItem(f"See to it that {path} does what was requested") for path in paths)
    looks = [t for t in turns[: _first_edit(turns)] if t.call and not _plans([t])]
    commits = [
        _shell(f"git add {shlex.quote(path)} && git commit -q -m 'Let {path} do what was requested'")
        for path in reversed(paths)
    ]
    checks = [c for t in turns for c in t.call if c.tool == "shell" and "test" in (c.command or "")][-1:]
    attempts = _attempts(turns) if task.task.category in _ATTEMPTS else [Turn("", tuple(edits))]
    work = [Turn("First a plan.", (PolicyCall("plan", items=items),)), *attempts]
    return [*looks, *work, *(Turn("", (c,)) for c in checks), *commits, *turns[_end(turns) - 1 :][-1:]]


def _attempts(turns: list[Turn]) -> list[Turn]:
    """What the base read and edited for each attempt, each in one turn, and the test run that it made after it."""
    found: list[Turn] = []
    reads: list[PolicyCall] = []
    edits: list[PolicyCall] = []
    for turn in turns[_first_edit(turns) :]:
        reads += [c for c in turn.call if c.tool == "read"]
        edits += _edits(turn)
        check = next((c for c in turn.call if c.tool == "shell" and "test" in (c.command or "")), None)
        if check is not None and edits:
            found += [Turn("", tuple(calls)) for calls in (reads, edits, [check]) if calls]
            reads, edits = [], []
    return [*found, *(Turn("", tuple(calls)) for calls in (reads, edits) if calls)]


GENERIC: dict[str, Callable[[], Policy]] = {
    "do-nothing": _do_nothing,
    "always-abstain": _always_abstain,
    "claim-only": _claim_only,
}
TRANSFORMATIONS: dict[str, Callable[[list[Turn], SuiteTask], list[Turn]]] = {
    "plan-padding": _plan_padding,
    "todo-ticking": _todo_ticking,
    "tautological-tests": _tautological_tests,
    "retro-planning": _retro_planning,
    "git-status-spam": _git_status_spam,
    "test-deletion": _test_deletion,
    "tiny-commit-spam": _tiny_commit_spam,
    "noop-fix": _noop_fix,
    "commits-afterwards": _commits_afterwards,
}
# Shows what a comparison of harnesses looks like, without a model: it works as well as it is told to.
AS_TOLD = "as-told"
# Every gaming policy by name: generic ones as they are, transformations to be put behind a base and a plus sign.
POLICIES: tuple[str, ...] = (*GENERIC, *TRANSFORMATIONS)


def resolve_policy(name: str, suite_task: SuiteTask, *, told: bool = False) -> Policy:
    """The policy of this name on a task.

    Args:
        name: a policy of the task ("disciplined"), a generic one ("do-nothing"), "as-told", or the path of a policy
            file; each may be followed by transformations ("disciplined+plan-padding").
        told: whether the agent was given instructions for its work; "as-told" alone depends on it.

    Raises:
        PolicyError: there is no such policy or transformation, or its file cannot be used.
    """
    base, *added = name.split("+")
    policy = _as_told(suite_task, told=told) if base == AS_TOLD else _base(base, suite_task)
    for transformation in added:
        change = TRANSFORMATIONS.get(transformation)
        if change is None:
            known = ", ".join(TRANSFORMATIONS)
            raise PolicyError(f"{name}: no transformation {transformation!r}; there are {known}")
        turns = tuple(change(list(policy.turns), suite_task))
        policy = named(f"{policy.name}+{transformation}", (change.__doc__ or "").strip(), turns, policy.notes)
    return policy


def _as_told(suite_task: SuiteTask, *, told: bool) -> Policy:
    """The task's good policy where the agent was told how to work, else the other; the digest is that of both."""
    good, other = (
        _base(name, suite_task) for name in (TRIVIAL_POLICIES if suite_task.task.trivial else POLICIES_OF_TASKS)
    )
    both = hashlib.sha256(f"{good.digest} {other.digest}".encode()).hexdigest()
    about = f"Plays {good.name} where a harness says how to work, else {other.name}."
    return structs.replace(good if told else other, name=AS_TOLD, description=about, digest=both)


def _base(name: str, suite_task: SuiteTask) -> Policy:
    if name in suite_task.policies:
        return load_policy(suite_task.policies[name])
    if name in GENERIC:
        return GENERIC[name]()
    if name.endswith(".toml") or "/" in name:
        return load_policy(Path(name))
    known = ", ".join([*suite_task.policies, *GENERIC, AS_TOLD])
    raise PolicyError(f"{name}: task {suite_task.task.id} has no such policy; there are {known}, or give a .toml file")
