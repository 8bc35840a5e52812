"""Plans: what is one, what its items name, how todo tools change it, and what later events bear out."""

from __future__ import annotations

import pytest

from builders import Session, rows
from rigorbench.api import extract
from rigorbench.bench.rigorscore.plan_history import PlanHistory, lane_history
from rigorbench.bench.rigorscore.score import score_pillar
from rigorbench.evidence.events import PlanEvent
from rigorbench.evidence.plans.revisions import PlanState, describe, items_of_document, items_of_message
from rigorbench.review.pillars import PILLARS
from rigorbench.review.session import Session as Scored
from rigorbench.session.model import Finish, Other, Plan, PlanItem, Result

A, B, C = "shop/cart.py", "shop/codes.py", "shop/tax.py"
ITEMS = ("Change Cart in shop/cart.py", "Change rate in shop/codes.py", "Change tax in shop/tax.py")


def described(*texts: str, prompt: str = "") -> list[tuple[bool, bool]]:
    return [(i.concrete, i.duplicate_of is not None) for i in describe([PlanItem(t) for t in texts], prompt)]


@pytest.mark.parametrize(
    ("text", "concrete"),
    rows({
        True: ["Fix parse_duration in slotkit/duration.py", "Add a regression test for tokens in any order",
             "Run the test suite", "Handle upper case in `parse`"],
        False: ["Do the work", "Understand the problem", "Finish the task", "Think about it", "Plan"],
    }),
)  # fmt: skip
def test_an_item_is_concrete_when_it_names_a_path_a_symbol_or_a_behaviour(text: str, concrete: bool) -> None:
    assert described(text) == [(concrete, False)]


def test_an_item_that_copies_the_prompt_is_marked() -> None:
    prompt = "Please help.\nMake Cart.total() apply the discount code."
    (item,) = describe([PlanItem("Make Cart.total() apply the discount code")], prompt)
    assert item.copies_prompt
    assert not item.concrete


def test_near_duplicates_count_once_unless_they_name_different_things() -> None:
    wanted = [(True, False), (True, True)]
    assert described("Add a test for total in tests/test_a.py", "Add a test for total in tests/test_a.py.") == wanted
    assert described("Fix the import in src/a.py", "Fix the import in src/b.py") == [(True, False), (True, False)]
    assert described("Write chapter 1 of the guide", "Write chapter 2 of the guide") == [(True, False), (True, False)]
    assert described("Fix total in a.py", "Fix total in a.py now") == [(True, False), (True, True)]
    assert described("Fix total in a.py now", "Fix total in a.py") == [(True, False), (True, True)]
    assert described("Fix total in a.py", "Drop total from b.py") == [(True, False), (True, False)]


def plans(session: Session) -> list[PlanEvent]:
    return [e for e in extract(session.build()).events if isinstance(e, PlanEvent)]


def test_the_origins_of_a_plan() -> None:
    work = Session().todo("Fix a.py", "Run the tests").plan_mode("Fix b.py", "Add a test")
    work.write("PLAN.md", "# Plan\n- [ ] Fix c.py\n- [x] Run the tests\n")
    work.thinking("Here is my plan:\n1. Fix d.py\n2. Run the tests\n").read("d.py")
    found = plans(work)
    assert [p.origin for p in found] == ["tool", "mode", "file", "message"]
    assert found[2].completed == ["Run the tests"]


def test_a_ticked_box_is_no_revision() -> None:
    assert len(plans(Session().todo("Fix a.py", "Run the tests").todo("Fix a.py", "Run the tests", done=2))) == 1


def test_a_list_of_findings_or_of_finished_work_is_no_plan() -> None:
    assert not items_of_message("I looked at it.\n- The parser is slow\n- The cache is never used\n")
    assert not items_of_message("Here is what I did:\n- Fixed the parser\n- Added a test\n")
    assert not plans(
        Session().say("I will do this:\n1. Fix a.py\n2. Add a test\n")
    )  # the closing message plans nothing
    recap = "I will do this:\n1. Fix a.py\n2. Add a test\n"
    closed = Session().shell("ls").say(recap).call("task_done", Finish(), Result("done"))
    assert not plans(closed)  # nor does what only the call that finishes comes after
    assert plans(Session().say(recap).shell("ls"))


def test_items_of_a_document_skip_code_blocks() -> None:
    text = "## 1. Fix the parser\n\n```\n- not an item\n```\n- [ ] Add a test\n"
    assert [i.text for i in items_of_document(text)] == ["Fix the parser", "Add a test"]


def items(text: str, *, before_edit: bool = False) -> list[str]:
    return [i.text for i in items_of_message(text, before_edit=before_edit)]


@pytest.mark.parametrize(
    "text",
    [
        # Headings, bold steps and announced lists.
        "Here is my plan:\n\n### 1. Extract the helper\n\nIt has two callers.\n\n### 2. Call it from `save`\n",
        "## Plan\n**1. Extract the helper**\nIt has two callers.\n**2. Call it from `save`**\n",
        "I'll do this in two steps:\n\n1. Extract the helper\n   - it has two callers\n2. Call it from `save`\n",
        "The changes needed are:\n- `src/a.py`: extract the helper\n- `src/b.py`: call it from `save`\n",
        # Parts of the work, and lists that are taken up.
        "Let me split this:\n\n```\nPR 1: File locking\n  - Step 1: the store\nPR 2: Phases of a session\n```\n",
        "Two valid issues:\n\n1. **Fragile matching** of messages\n2. **No tests**\n\nLet me address both.\n",
        "I need to reply to:\n1. The comment about the ignore file\n2. The comment about renamed files\n",
    ],
)
def test_what_is_a_plan(text: str) -> None:
    assert len(items(text)) == 2


@pytest.mark.parametrize(
    ("text", "certain"),
    rows({
        # Before an edit it may be one after all.
        False: ["Two places print it:\n1. `save` in the store\n2. `load` in the cache\n\nLet me look at both.\n",
             "I need to build a case where:\n1. The session starts on commit A\n2. Another one commits\n",
             "Let me look.\n```\nstep 1: x = 1\nstep 2: y = 2\n```\n"],
        True: ["The plan fails like this:\n1. The session starts on commit A\n2. The agent adds a file\n3. It ends\n",
             "What it will do:\n- `base` (commit A) is set\n- `head` (commit B) is read\n",
             "Let me explain. There are two problems:\n- The guard skips the first prompt\n- No branch exists\n"],
    }),
)  # fmt: skip
def test_what_is_only_looked_at_and_explanations_are_no_plans(text: str, certain: bool) -> None:
    assert items(text) == []
    assert not certain or items(text, before_edit=True) == []


def test_before_an_edit_named_steps_need_no_verb() -> None:
    text = "I'll fix both now.\n\n**Fix 1**: `.env` overrides the environment\n**Fix 2**: old format in the test\n"
    assert items(text) == []
    assert items(text, before_edit=True) == ["`.env` overrides the environment", "old format in the test"]


def test_steps_that_a_line_of_prose_counts_off_are_a_plan_right_before_an_edit() -> None:
    text = "My plan, one step each: (1) the lexer, (2) what the parser asks of it, (3) the error page. Lexer first."
    items = ["the lexer", "what the parser asks of it", "the error page"]
    assert [i.text for i in items_of_message(text, before_edit=True)] == items
    assert items_of_message("It fails at 1) a wrong date and 2) a missing zone.", before_edit=True) == []
    assert items_of_message("I will read the chapters 2) and 3) first.", before_edit=True) == []


def test_properties_of_a_plan_document_are_no_items() -> None:
    text = (
        "# Plan\n\n- Status: open\n- **Risk:** low\n- Depends on: nothing\n"
        "- Read the tokens in `lexer.py`\n- Test: add a case to tests/test_lexer.py\n"
    )
    wanted = ["Read the tokens in `lexer.py`", "Test: add a case to tests/test_lexer.py"]
    assert [i.text for i in items_of_document(text)] == wanted


def test_a_document_with_steps_has_no_other_items() -> None:
    text = "# Plan\n- Users lose work\n## Step 1: Add the lock\n- in state.py\n1. open it\n## Step 2: Use it\n- slow\n"
    assert [i.text for i in items_of_document(text)] == ["Add the lock", "Use it"]


def test_a_list_that_grows_is_one_event_and_a_document_that_is_refined_one_plan() -> None:
    grown = Session().task_create("Fix a.py", "1").task_create("Fix b.py", "2").edit(A, "x", "y")
    assert [p.items for p in plans(grown)] == [["Fix a.py", "Fix b.py"]]
    refined = Session().write("PLAN.md", "1. Fix a.py\n2. Fix b.py\n").edit("PLAN.md", "2. Fix", "2. Test\n3. Fix")
    assert len(plans(refined)) == 1


def state(*calls: Plan) -> list[str]:
    todo = PlanState()
    for call in calls:
        todo.apply(call)
    return [f"{i.text}:{i.status}" for i in todo.live()]


def test_items_are_added_updated_and_dropped_by_key() -> None:
    assert state(
        Plan([PlanItem("Fix a.py", key="1")], update="add"),
        Plan([PlanItem("Fix b.py", key="2")], update="add"),
        Plan([PlanItem("", "completed", "1")], update="update"),
        Plan([PlanItem("", "cancelled", "2")], update="update"),
    ) == ["Fix a.py:completed"]


def test_an_update_of_an_unknown_key_changes_nothing() -> None:
    todo = PlanState()
    assert todo.apply(Plan([PlanItem("Fix a.py", key="1")], update="add"))
    assert not todo.apply(Plan([PlanItem("Fix b.py", "completed", "9")], update="update"))
    assert not todo.apply(Plan([], update="replace"))


def history(session: Session, lane: str = "main") -> PlanHistory:
    return lane_history(Scored(extract(session.build())), lane)


def values(session: Session) -> dict[str, float | None]:
    return {
        name: sub.value for name, sub in score_pillar(Scored(extract(session.build())), PILLARS[0]).submetrics.items()
    }


def test_a_list_that_grows_item_by_item_is_one_plan() -> None:
    work = Session()
    for number, item in enumerate(ITEMS):
        work.task_create(item, str(number))
    found = history(work.edit(A, "x", "y").edit(B, "x", "y").edit(C, "x", "y"))
    assert len(found.versions) == 1
    assert [len(i.proof) for i in found.items] == [1, 1, 1]
    assert (found.agree, found.disagree) == (3, 0)


def test_a_draft_that_is_replaced_before_anything_was_done_leaves_no_trace() -> None:
    work = Session().todo("Rewrite everything in shop/old.py", "Drop shop/new.py").read(A).todo(*ITEMS)
    found = history(work.edit(A, "x", "y").edit(B, "x", "y").edit(C, "x", "y"))
    assert [i.facts.text for i in found.items] == list(ITEMS)


def test_an_item_must_precede_its_event() -> None:
    work = Session().edit(A, "x", "y").todo(*ITEMS).edit(B, "x", "y").edit(C, "x", "y")
    assert [bool(i.proof) for i in history(work).items] == [False, True, True]


def test_one_event_bears_out_one_item() -> None:
    work = Session().todo("Change Cart in shop/cart.py", "Change total in shop/cart.py").edit(A, "x", "y").pytest(3)
    assert sum(bool(i.proof) for i in history(work).items) == 1


def test_an_item_carried_over_into_a_revision_stays_one_item() -> None:
    work = Session().todo(*ITEMS).edit(A, "x", "y").todo(*ITEMS, "Run the tests").edit(B, "x", "y").edit(C, "x", "y")
    work.pytest(3)
    found = history(work)
    assert len(found.items) == 4
    assert all(i.proof for i in found.items)
    assert values(work)["PEA"] == 1


def test_dropping_the_open_items_does_not_raise_the_coverage() -> None:
    honest = Session().todo(*ITEMS, "Run the tests").edit(A, "x", "y").pytest(3)
    dropped = Session().todo(*ITEMS, "Run the tests").edit(A, "x", "y")
    dropped.todo("Change Cart in shop/cart.py", "Run the tests")
    assert values(dropped.pytest(3).edit("shop/other.py", "x", "y"))["PEA"] == values(honest)["PEA"]


def test_a_revision_does_not_hide_a_broken_order() -> None:
    straight = Session().todo(*ITEMS).edit(C, "x", "y").edit(B, "x", "y").edit(A, "x", "y")
    restated = Session().todo(*ITEMS).edit(C, "x", "y").todo(*ITEMS, "Run the tests").edit(B, "x", "y")
    restated.todo(*ITEMS, "Run the tests", "Commit").edit(A, "x", "y")
    assert values(straight)["PEA"] == 0
    assert values(restated)["PEA"] == 0


def test_files_edited_in_one_call_have_no_order() -> None:
    work = Session().todo(*ITEMS)
    work.edit(C, "x", "y").edit(A, "x", "y")
    work.steps[-2].calls += work.steps.pop().calls
    assert (history(work).agree, history(work).disagree) == (0, 0)


def test_a_check_matches_the_run_that_stands_where_the_plan_has_it() -> None:
    work = Session().pytest(3).todo(*ITEMS[:2], "Run the tests")
    work.edit(A, "x", "y").pytest(3).edit(B, "x", "y").pytest(3)
    found = history(work)
    assert (found.agree, found.disagree) == (3, 0)


def test_commands_without_effect_bear_out_nothing() -> None:
    work = Session().todo("Print alpha marker", "Print beta marker").shell("echo print alpha marker").shell("true")
    assert not history(work.edit(A, "x", "y")).done()


@pytest.mark.parametrize(
    ("work", "value"),
    [
        (Session().todo(*ITEMS).edit(A, "x", "y").edit(B, "x", "y"), 1.0),
        (Session().thinking("My plan:\n1. " + "\n2. ".join(ITEMS)).read(A).edit(A, "x", "y").edit(B, "x", "y"), 1.0),
        (Session().edit(A, "x", "y").todo(*ITEMS).edit(B, "x", "y"), 0.0),
        (Session().todo(ITEMS[0]).edit(A, "x", "y"), 0.0),
        (Session().todo("Refactor x1.py", "Refactor x2.py", "Refactor x3.py").edit(A, "x", "y"), 0.0),
        # One sentence that fits any task, about each file, is a list of files; what is to be done makes it a plan.
        (Session().todo(f"Make sure {A} does as asked", f"Make sure {B} does as asked").edit(A, "x", "y"), 0.0),
        (Session().todo(f"Convert {A} to Point", f"Convert {B} to Point").edit(A, "x", "y"), 1.0),
        (Session().todo(f"Update {A} for `Point`", f"Update {B} for `total`").edit(A, "x", "y"), 1.0),
        (Session("Please follow this plan:\n1. Fix a\n2. Fix b").edit(A, "x", "y"), None),
        (Session("What does it do?").read(A), None),
    ],
)
def test_plan_artifact_creation(work: Session, value: float | None) -> None:
    assert values(work)["PAC"] == value


def test_a_plan_in_a_tool_for_thinking_counts() -> None:
    def planned(thought: str) -> list[list[str]]:
        session = Session("Make it faster")
        session.call("think", Other(thought), Result("Your thought has been logged."), {"thought": thought})
        return [e.items for e in extract(session.build()).events if isinstance(e, PlanEvent)]

    wanted = [["Change total in shop/cart.py", "Run tests/test_cart.py"]]
    assert planned("To speed it up, I will:\n\n1. Change total in shop/cart.py\n2. Run tests/test_cart.py\n") == wanted
    assert planned("The profile shows:\n\n1. total takes 70 ms\n2. rate takes 10 ms\n") == []


def test_a_list_that_is_called_the_plan_is_one_right_before_an_edit() -> None:
    wanted = ["`router.mjs`: the list route carries the words", "stars in the reducer", "the active row is dropped"]
    for lead in ("Plan:", "Plan, after reading docs/list.md against the code:"):
        assert [i.text for i in items_of_message("\n- ".join([lead, *wanted]), before_edit=True)] == wanted
