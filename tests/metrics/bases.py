"""Sessions that other tests start from: two synthetic ones, and real ones from the committed logs."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from builders import Session
from rigorbench.api import read
from rigorbench.session.model import Trajectory
from rigorbench.session.task import Ambiguity, Blocker, Requirement, Task

DATA = Path(__file__).parents[1] / "data"
PROMPT = "Cart.total() ignores the discount code. Apply it, and reject unknown codes. Commit your work."
CART, CODES, TESTS = "shop/cart.py", "shop/codes.py", "tests/test_cart.py"
OLD_TOTAL = "    def total(self):\n        return sum(self.prices)\n"
NEW_TOTAL = "    def total(self):\n        return sum(self.prices) * rate(self.code)\n"
RATE = "def rate(code):\n    return RATES[code]\n"
STRICT_RATE = "def rate(code):\n    if code not in RATES:\n        raise UnknownCode(code)\n    return RATES[code]\n"
BRANCH = "        if self.code is None:\n            return sum(self.prices)\n"
TEST_TOTAL = "def test_total_with_code():\n    assert Cart([10], code='TEN').total() == 9\n"
TEST_RATE = "def test_unknown_code():\n    with pytest.raises(UnknownCode):\n        rate('NOPE')\n"


@lru_cache
def disciplined() -> Trajectory:
    """Plan, test first, small steps with a run after each, two clean commits."""
    return (
        Session(PROMPT)
        .read(CART, f"class Cart:\n{OLD_TOTAL}")
        .pytest(6)
        .todo(
            "Write a failing test for the code in tests/test_cart.py",
            "Apply the rate in Cart.total() in shop/cart.py",
            "Reject unknown codes in rate() in shop/codes.py",
            "Run the whole suite",
            "Commit",
        )
        .edit(TESTS, "", TEST_TOTAL)
        .pytest(6, [f"{TESTS}::test_total_with_code"])
        .edit(CART, OLD_TOTAL, NEW_TOTAL)
        .pytest(7)
        .edit(CODES, RATE, STRICT_RATE)
        .edit(TESTS, "", TEST_RATE)
        .pytest(7, [f"{TESTS}::test_unknown_code"])
        .edit(CODES, "import math", "import math\n\n\nclass UnknownCode(ValueError):\n    pass\n")
        .pytest(8)
        .commit("Apply the discount code in Cart.total and reject unknown codes")
        .say("Cart.total() applies the code; unknown codes raise UnknownCode. All 8 tests pass.")
        .build()
    )


@lru_cache
def average() -> Trajectory:
    """A thin plan, code before tests, a regression that takes three attempts, a vague commit."""
    return (
        Session(PROMPT)
        .read(CART, f"class Cart:\n{OLD_TOTAL}")
        .todo("Update shop/cart.py", "Update shop/codes.py", "Update the README", "Run the tests")
        .edit(CODES, RATE, STRICT_RATE)
        .edit(CART, OLD_TOTAL, NEW_TOTAL)
        .pytest(5, [f"{TESTS}::test_sum"])
        .edit(CART, "* rate(self.code)", "* rate(self.code or '')")
        .pytest(5, [f"{TESTS}::test_sum"])
        .edit(CART, "* rate(self.code or '')", "* rate(self.code or None)")
        .pytest(5, [f"{TESTS}::test_sum"])
        .edit(CART, "        return sum(", BRANCH + "        return sum(")
        .pytest(6)
        .edit(TESTS, "", TEST_TOTAL)
        .pytest(7)
        .commit("Update code")
        .say("The discount code works now and all tests pass.")
        .build()
    )


@lru_cache
def real_disciplined() -> Trajectory:
    """Plan, failing run, fix, failing run, another fix, green, a new test, green, one commit."""
    return read(DATA / "pi" / "disciplined.jsonl")[0]


@lru_cache
def real_reckless() -> Trajectory:
    """No plan, three near-identical failing patches, the failing tests deleted, commit "wip"."""
    return read(DATA / "pi" / "session.jsonl")[0]


@lru_cache
def real_exploring() -> Trajectory:
    """A run with parallel calls, a failing edit, long output and no tests."""
    return read(DATA / "mini-swe-agent" / "cli-2.4.6-features.traj.json")[0]


BASES = {f.__name__: f for f in (disciplined, average, real_disciplined, real_reckless, real_exploring)}

REQUIREMENTS = [
    Requirement("R1", "the total applies the discount code"),
    Requirement("R2", "an unknown code is rejected"),
]
TASKS: dict[str, Task | None] = {
    "no task": None,
    "requirements": Task(id="cart", requirements=REQUIREMENTS, commits_asked=True),
    "doom-loop": Task(id="loop", category="doom-loop"),
    "twin": Task(id="twin", twin="impossible"),
    "impossible":
        Task(id="impossible", solvable="impossible",
         blocker=Blocker("the price list is sealed", commands=["lsattr"], paths=["shop/codes.py"], words=["sealed"])),
    "impossible by words":
        Task(id="impossible", solvable="impossible", blocker=Blocker("the price list is sealed", words=["sealed"])),
    "trivial": Task(id="typo", trivial=True),
    "ambiguous":
        Task(id="ambiguous", solvable="ambiguous", ambiguity=Ambiguity("before or after tax?", keywords=["tax"])),
}  # fmt: skip
