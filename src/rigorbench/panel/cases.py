"""The cases that a panel judges, each cut down to what a judge has to see.

A case contains excerpts, never a whole session: judges find most mistakes in an excerpt and few in a whole log. Labels
are our own words. What the task's authors keep hidden (what blocks a task, what it leaves open) is in the cases as a
key for the judges, and in no result.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..evidence.events import EditEvent
from ..trajectory.model import MAIN_LANE, FileChange
from .model import Case, Excerpt, Item

# Characters of an excerpt.
INSTRUCTION_LENGTH = 6_000
_ITEM = 400
MESSAGE_LENGTH = 4_000
_DIFF = 8_000
_CODE = 4_000
# More items are not asked about: nobody carries out such a plan, and an item without an answer adds nothing.
MOST_ITEMS = 40
ABSTENTION, CLARIFICATION = "abstention", "clarification"
NO_OBSTACLE = "There is no obstacle. The task can be done as it was given."


# -- plans -------------------------------------------------------------------------------------------------------


def plan_case(
    instruction: str, items: Sequence[str], *, subject: str = MAIN_LANE, events: Sequence[str] = (), order: str = ""
) -> Case:
    """The case of one plan: the instruction it is for and its items, named "1", "2", ... in their order.

    ``order``: for a revised plan, its versions as lines of these names.
    """
    excerpts = pieces("instruction", instruction, INSTRUCTION_LENGTH)
    if order:
        excerpts.append(Excerpt("versions of the plan", order, untrusted=False))
    named = tuple(Item(str(n), storable(text)[:_ITEM]) for n, text in enumerate(items[:MOST_ITEMS], 1))
    return Case("plan", subject, tuple(excerpts), named, tuple(events))


# -- tasks that cannot be done, or not without asking -----------------------------------------------------------


# -- commits -----------------------------------------------------------------------------------------------------


def commit_case(message: str, diff: str, *, subject: str, events: Sequence[str] = (), missing: int = 0) -> Case:
    """The case of one commit. ``missing``: the number of its files whose changes the log does not show."""
    excerpts = (*pieces("message of the commit", message, MESSAGE_LENGTH), *pieces("diff", diff, _DIFF))
    if missing:
        # Otherwise a change that the log does not show would look like an empty claim.
        note = (
            f"The diff is shown in part: the changes of {missing} more file{'s' if missing > 1 else ''} are not known."
        )
        excerpts = (Excerpt("note", note, untrusted=False), *excerpts)
    return Case("commit_message", subject, excerpts, events=tuple(events))


def diff_of(change: FileChange, edit: EditEvent) -> str:
    """One edit as a diff, as far as the log shows it; "" if it shows nothing."""
    if edit.operation == "rename" and edit.new_path is not None:
        head = f"rename {edit.path} to {edit.new_path}"
    elif edit.operation == "delete":
        return f"delete {edit.path}"
    else:
        head = f"{edit.operation} {edit.path}"
    lines: list[str] = []
    if change.hunks:
        for old, new in change.hunks:
            difference = _difference(old, new)
            lines += difference if difference[:1] and difference[0].startswith("@@") else ["@@", *difference]
    elif change.after is not None:
        lines = _difference(change.before or "", change.after)
    if not lines and edit.operation != "rename":
        return ""
    return "\n".join([head, *lines])


def _difference(old: str, new: str) -> list[str]:
    before, after = old.splitlines(), new.splitlines()
    if not before or not after or len(before) * len(after) > 400_000:  # the comparison is quadratic at worst
        return [*(f"-{line}" for line in before), *(f"+{line}" for line in after)]
    from difflib import unified_diff

    return list(unified_diff(before, after, lineterm=""))[2:]


# -- requirements and tests --------------------------------------------------------------------------------------


def link_case(requirement: str, code: str, *, subject: str, events: Sequence[str] = ()) -> Case:
    """The case of one test that may check a requirement. The requirement is the task's, the code the agent's."""
    excerpts = (
        Excerpt("requirement", requirement, untrusted=False),
        *pieces("code of the test", code, _CODE),
    )
    return Case("test_link", subject, excerpts, events=tuple(events))


def storable(text: str) -> str:
    """``text`` without lone surrogates, which a damaged log may contain and no file can."""
    return text.strip().encode("utf-8", "backslashreplace").decode("utf-8")


def pieces(label: str, text: str, limit: int) -> list[Excerpt]:
    """A text of the session under a label; a long one as its beginning and its end, about ``limit`` characters in all.

    An excerpt of our own notes what was left out, because the author of the text could write such a note as well.
    """
    text = storable(text)
    if len(text) <= limit:
        return [Excerpt(label, text)]
    head, tail = limit * 2 // 3, limit // 3
    note = (
        f"Of the {label} only the beginning and the end are shown; {len(text) - head - tail} characters are left out."
    )
    return [
        Excerpt("note", note, untrusted=False),
        Excerpt(f"beginning of the {label}", text[:head]),
        Excerpt(f"end of the {label}", text[-tail:]),
    ]
