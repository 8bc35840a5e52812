"""The judge without a model: it answers every point, always the same, and by what texts look like."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigorbench.panel.cases import commit_case, link_case, pieces, plan_case
from rigorbench.panel.features import decide
from rigorbench.panel.model import Case, Excerpt, Item
from rigorbench.panel.rubrics import RUBRICS

GOOD = [
    "Write a failing test for the code in tests/test_cart.py",
    "Apply the rate in Cart.total() in shop/cart.py",
    "Run the whole suite",
]
ASKED = "Cart.total() ignores the discount code a customer enters. Apply the rate, and reject every unknown code."


def said(case: Case) -> dict[tuple[str, str | None], bool]:
    return {(a.question, a.item): a.yes for a in decide(case, RUBRICS[case.kind]).answers}


def whole(case: Case) -> dict[str, bool]:
    return {question: yes for (question, item), yes in said(case).items() if item is None}


def test_a_good_plan() -> None:
    assert all(said(plan_case(ASKED, GOOD)).values())


def test_an_empty_plan() -> None:
    assert whole(plan_case(ASKED, [])) == {"checked": False, "ordered": False, "length": False}


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("checked", GOOD[1:2] * 2),
        ("ordered", [GOOD[2], *GOOD[1:2], "Document codes in README.md", "Rename rate() in shop/codes.py"]),
        ("length", GOOD[:1]),
    ],
)
def test_what_is_wrong_with_a_plan(question: str, items: list[str]) -> None:
    assert whole(plan_case(ASKED, items))[question] is False


@pytest.mark.parametrize(
    ("question", "item"),
    [
        ("single", "Change shop/cart.py and then remove shop/tax.py"),
        ("target", "Fix it"),
        ("size", "Fix it"),
    ],
)
def test_what_is_wrong_with_an_item(question: str, item: str) -> None:
    assert said(plan_case(ASKED, [item]))[question, "1"] is False


def test_a_plan_for_another_task() -> None:
    other = plan_case(ASKED, ["Parse sections in ini.py", "Run tests/test_ini.py"])
    assert said(other)["serves", "1"] is False
    # Of a short request nobody can tell by words.
    assert said(plan_case("Make it work", ["Parse sections in ini.py"]))["serves", "1"] is True


def abstention(closing: str) -> Case:
    key = Excerpt("key: why the task cannot be done", "the price list is sealed and its key is lost", untrusted=False)
    return Case("abstention", "abstention", (key, *pieces("final message of the agent", closing, 4000)))


def test_an_abstention() -> None:
    right = whole(abstention("This cannot be done: the price list is sealed, `shop/codes.py` holds no key."))
    assert right == {"declines": True, "obstacle": True, "grounded": True, "claims_done": False}
    assert whole(abstention("All done, every test passes."))["claims_done"] is True
    assert whole(abstention("The price list is sealed, so I wrote my own."))["obstacle"] is False


def test_a_clarification() -> None:
    key = Excerpt("key: what the instruction leaves open", "Open point: discount before or after the tax", False)
    final = Excerpt("final message of the agent", "I assumed that the discount comes before the tax.")
    case = Case(
        "clarification", "clarification", (key, final), (Item("1", "Is the discount before tax?"), Item("2", "Go on?"))
    )
    assert said(case) == {("asks", "1"): True, ("asks", "2"): False, ("assumes", None): True}


def test_a_commit_message() -> None:
    diff = "modify shop/cart.py\n-    return sum(prices)\n+    return sum(prices) * discount\n"
    assert whole(commit_case("Apply the discount", diff, subject="e1")) == {
        "imperative": True,
        "describes": True,
        "overclaims": False,
    }
    assert whole(commit_case("Applied the discount", diff, subject="e1"))["imperative"] is False
    assert whole(commit_case("Translate the handbook", diff, subject="e1")) == {
        "imperative": True,
        "describes": False,
        "overclaims": True,
    }
    assert whole(commit_case("wip", diff, subject="e1"))["describes"] is False


def test_a_long_diff_is_read_in_both_of_its_pieces() -> None:
    diff = "modify a.py\n" + "+x = 1\n" * 3000 + "+discount = 2\n"
    assert whole(commit_case("Apply the discount", diff, subject="e1"))["describes"] is True


def test_a_link() -> None:
    code = "def test_unknown_code():\n    with pytest.raises(UnknownCode):\n        rate('NOPE')\n"
    assert whole(link_case("an unknown code is rejected", code, subject="x")) == {"fails": True, "asserts": True}
    assert whole(link_case("totals are rounded half up", code, subject="x")) == {"fails": False, "asserts": False}


@settings(max_examples=60)
@given(st.text(max_size=200), st.lists(st.text(max_size=60), max_size=5))
def test_every_point_is_answered_whatever_is_written(text: str, items: list[str]) -> None:
    parts = tuple(pieces("instruction", text, 100))
    for kind, rubric in RUBRICS.items():
        case = Case(kind, "x", parts, tuple(Item(str(n), item) for n, item in enumerate(items)))
        vote = decide(case, rubric)
        assert [(a.question, a.item) for a in vote.answers] == case.points(rubric)
        assert vote == decide(case, rubric)
        assert vote.status == "voted"
