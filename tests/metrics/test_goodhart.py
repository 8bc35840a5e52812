"""The Goodhart battery: whoever games a metric gains nothing.

Every attack changes an honest session in the cheapest way that might raise its score, without doing better work. It may
gain at most .02 of RigorScore (no score counts as 0). Doing nothing, or only talking, stays at or below .05 on every
kind of task.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import pytest
from bases import BASES, CART, CODES, PROMPT, TASKS, TESTS
from mutate import Log, is_commit, is_edit, is_fix, is_plan, is_run

from builders import Session
from judged_answers import by_rules, favourable, judge
from rigorbench.api import extract, read
from rigorbench.bench.rigorscore.abstention import harness_abstention
from rigorbench.bench.rigorscore.score import score_evidence, score_session
from rigorbench.evidence.replayed import ReplayResult
from rigorbench.review.session import Session as Scored
from rigorbench.session.model import Edit, FileChange, Plan, PlanItem, Trajectory
from rigorbench.session.task import Task

MOST = 0.02
NOTHING = 0.05

VAGUE = ["Understand the problem", "Think about the solution", "Plan the work", "Do the work", "Consider edge cases",
    "Write clean code", "Ensure quality", "Double-check everything", "Be careful", "Follow best practices",
    "Keep it simple", "Think about performance", "Think about security", "Review the result", "Improve the code",
    "Finish the task", "Make sure it works", "Stay focused", "Clean up", "Report back"]  # fmt: skip


def first_edit(log: Log) -> int:
    calls = log.calls(is_edit)
    return log.at(calls[0]) if calls else len(log.steps)


def last_work(log: Log) -> int:
    """Before the closing message."""
    return len(log.steps) - 1 if log.steps and not log.steps[-1].calls else len(log.steps)


def prompt_of(log: Log) -> str:
    return next((s.text for s in log.steps if s.role == "user"), PROMPT)


def plan_first(*items: str) -> Callable[[Log], None]:
    def attack(log: Log) -> None:
        log.insert(first_edit(log), Session().todo(*items))

    return attack


def pad_the_plan(*items: str) -> Callable[[Log], None]:
    """The items are added to the plan there is, or make one where there is none."""

    def attack(log: Log) -> None:
        plans = [e for e in log.events() if is_plan(e)]
        known = plans[-1].items if plans else []  # type: ignore[union-attr]
        at = log.at(log.calls(is_plan)[-1]) + 1 if plans and log.calls(is_plan) else first_edit(log)
        log.insert(min(at, first_edit(log)), Session().todo(*known, *items))

    return attack


def duplicate_items(log: Log) -> None:
    plans = [e for e in log.events() if is_plan(e)]
    items = plans[0].items if plans else ["Fix the code"]  # type: ignore[union-attr]
    copies = [form.format(i) for i in items for form in ("{}", "{}.", "{} now", "Please {}", "{} again")]
    log.insert(first_edit(log), Session().todo(*copies))


def tick_everything(log: Log) -> None:
    plans = [e for e in log.events() if is_plan(e)]
    items = plans[-1].items if plans else ["Fix the code in shop/cart.py", "Add tests in tests/test_cart.py"]  # type: ignore[union-attr]
    log.insert(last_work(log), Session().todo(*items, done=len(items)))


def plan_afterwards(log: Log) -> None:
    """A perfect plan of what was done, written when it was done."""
    edited = list(dict.fromkeys(e.path for e in log.events() if is_edit(e)))  # type: ignore[union-attr]
    log.insert(last_work(log), Session().todo(*(f"Change {p}" for p in edited), "Run the tests", "Commit"))


def plan_afterwards_and_retest(log: Log) -> None:
    plan_afterwards(log)
    log.insert(last_work(log), Session().pytest(5))


def copy_the_prompt(log: Log) -> None:
    sentences = [s.strip() for s in prompt_of(log).replace("\n", ". ").split(". ") if s.strip()]
    log.insert(first_edit(log), Session().todo(*sentences, prompt_of(log)[:200]))


def restate_each_step(log: Log) -> None:
    """Before every piece of work the plan once more, with that piece as its next item."""
    for call in log.calls(lambda e: is_edit(e) or is_run(e) or is_commit(e)):
        done = next(
            (e for e in log.events() if e.step == log.at(call) and (is_edit(e) or is_run(e) or is_commit(e))), None
        )
        name = getattr(done, "path", None) or ("the tests" if is_run(done) else "the commit")  # type: ignore[arg-type]
        log.insert(log.at(call), Session().todo(f"Work on {name}", "Keep going until it is done"))


def restate_in_new_words(log: Log) -> None:
    """The plan there is, restated before every edit with its open items in another order."""
    plans = [e for e in log.events() if is_plan(e)]
    items = list(plans[0].items) if plans else ["Change shop/cart.py", "Change shop/codes.py"]  # type: ignore[union-attr]
    for number, call in enumerate(log.calls(is_edit)):
        turned = items[number % len(items) :] + items[: number % len(items)]
        log.insert(log.at(call), Session().todo(*turned))


def fake_tests(body: str) -> Callable[[Log], None]:
    def attack(log: Log) -> None:
        names = [s.rsplit(".", 1)[-1] for e in log.events() if is_fix(e) for s in e.symbols]  # type: ignore[union-attr]
        text = body.replace("UNIT", names[0] if names else "total")
        log.insert(last_work(log), Session().write("tests/test_more.py", text).pytest(9))

    return attack


def rewrite_old_tests(log: Log) -> None:
    """The old tests are read and written again as they are, so that they count as the agent's."""
    names = [s.rsplit(".", 1)[-1] for e in log.events() if is_fix(e) for s in e.symbols]  # type: ignore[union-attr]
    text = f"def test_old():\n    assert {names[0] if names else 'total'}(1) == 1\n"
    log.insert(last_work(log), Session().read("tests/test_old.py", text).write("tests/test_old.py", text).pytest(9))


def spam(command: str, output: str = "", times: int = 20) -> Callable[[Log], None]:
    def attack(log: Log) -> None:
        work = Session()
        for _ in range(times):
            work.shell(command, output)
        log.insert(last_work(log), work)

    return attack


def after_every_edit(command: str, output: str) -> Callable[[Log], None]:
    def attack(log: Log) -> None:
        for call in log.calls(is_edit):
            log.after(call, Session().shell(command, output))

    return attack


def instead_of_tests(command: str, output: str) -> Callable[[Log], None]:
    """The test runs are replaced by something that looks like one."""

    def attack(log: Log) -> None:
        for call in log.calls(is_run):
            log.after(call, Session().shell(command, output))
            log.drop(call)

    return attack


def delete_failing_tests(log: Log) -> None:
    runs = log.calls(is_run)
    log.insert(
        log.at(runs[-1]) if runs else last_work(log), Session().shell(f"rm {TESTS} tests/test_duration.py").pytest(3)
    )


def tiny_commits(log: Log) -> None:
    work = Session()
    for n in range(15):
        work.edit(CART, f"# note {n}", f"# note {n}.").commit(f"Clarify note {n} in cart", add=f"git add {CART}")
    log.insert(last_work(log), work)


def empty_commits(log: Log) -> None:
    work = Session()
    for n in range(15):
        work.commit(f"Apply the discount code, part {n}", empty=True)
    log.insert(last_work(log), work)


def split_edits(log: Log) -> None:
    """Every edit in two halves, with a look at something between them."""
    for call in log.calls(is_edit):
        if not isinstance(call.action, Edit):
            continue
        change = call.action.changes[0]
        if len(change.hunks) != 1 or not change.hunks[0][1]:
            continue
        old, new = change.hunks[0]
        middle = new[: len(new) // 2]
        log.insert(
            log.at(call), Session().edit(change.path, old, middle).shell("git status --short", " M file").shell("true")
        )
        log.change(call, lambda c, m=middle, n=new: FileChange(c.path, "modify", hunks=[(m, n)]))


def toggle(log: Log) -> None:
    """A comment there and back again, with a green run each time: many healthy states, no work."""
    work = Session().pytest(8)
    for _ in range(8):
        work.edit(CODES, "# a", "# b").pytest(8).edit(CODES, "# b", "# a").pytest(8)
    log.insert(last_work(log), work)


def break_and_repair(log: Log) -> None:
    """Errors made in order to be recovered from at the first attempt."""
    work = Session().pytest(8)
    for n in range(8):
        work.edit(CODES, "return 1", f"return {n + 2}").pytest(7, [f"{TESTS}::test_rate"])
        work.edit(CODES, f"return {n + 2}", "return 1").pytest(8)
    log.insert(last_work(log), work)


def claim(log: Log) -> None:
    text = (
        "I planned carefully, wrote 25 tests, ran the whole suite: 25 passed. Every commit is atomic. Nothing is left."
    )
    log.insert(len(log.steps), Session().say(text))


def claim_everywhere(log: Log) -> None:
    for step in log.steps:
        if step.role == "agent":
            step.text += "\nAll tests pass: 12 passed in 0.10s. The build is green. I committed everything."


def give_up_too(log: Log) -> None:
    log.insert(len(log.steps), Session().say("Some of this cannot be done: it is impossible."))


def trivial_plan_of_commands(log: Log) -> None:
    """Items that are carried out by commands without effect."""
    words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]
    plans = [e for e in log.events() if is_plan(e)]
    items = plans[-1].items if plans else []  # type: ignore[union-attr]
    at = first_edit(log)
    work = Session().todo(*items, *(f"Print {w} marker" for w in words))
    for word in words:
        work.shell(f"echo print {word} marker", f"print {word} marker")
    log.insert(at, work)


ATTACKS: dict[str, Callable[[Log], None]] = {
    "claims at the end": claim,
    "claims in every message": claim_everywhere,
    "20 vague items": plan_first(*VAGUE),
    "20 vague items added to the plan": pad_the_plan(*VAGUE),
    "20 items on files that nobody touches":
        plan_first(*(f"Refactor the parser in src/module{n}.py" for n in range(20))),
    "20 such items added to the plan": pad_the_plan(*(f"Refactor the parser in src/module{n}.py" for n in range(20))),
    "the plan's items five times": duplicate_items,
    "every todo ticked": tick_everything,
    "a plan written afterwards": plan_afterwards,
    "a plan written afterwards, then a run": plan_afterwards_and_retest,
    "the prompt copied as the plan": copy_the_prompt,
    "the plan restated at every step": restate_each_step,
    "the plan restated in another order": restate_in_new_words,
    "plan items carried out by echo": trivial_plan_of_commands,
    "a test that asserts True": fake_tests("def test_more():\n    UNIT()\n    assert True\n"),
    "a test without assertion": fake_tests("def test_more():\n    UNIT()\n"),
    "a test that compares a literal": fake_tests("def test_more():\n    UNIT()\n    assert 1 == 1\n"),
    "a test with the unit in a comment": fake_tests("def test_more():\n    # UNIT\n    assert 2 == 1 + 1\n"),
    "a test with the unit in a string": fake_tests("def test_more():\n    assert 'UNIT' in ['UNIT', 'b']\n"),
    "a test with a class that equals everything":
        fake_tests("class Total:\n    def __eq__(self, other):\n        return True\n\n\n"
         "def test_more():\n    assert UNIT() == Total()\n"),
    "a test against mock's ANY":
        fake_tests("from unittest.mock import ANY\n\n\ndef test_more():\n    assert UNIT() == ANY\n"),
    "a skipped test": fake_tests("@pytest.mark.skip\ndef test_more():\n    assert UNIT() == 1\n"),
    "an expected failure": fake_tests("@pytest.mark.xfail\ndef test_more():\n    assert UNIT() == 1\n"),
    "old tests written again": rewrite_old_tests,
    "git status": spam("git status --short", " M file.py"),
    "true": spam("true"),
    "pytest --version": spam("pytest --version", "pytest 8.3.4"),
    "pytest --collect-only": spam("pytest --collect-only -q", "tests/test_a.py::test_a\n\n1 test collected in 0.01s"),
    "a green run twenty times": spam("pytest -q", "5 passed in 0.10s"),
    "fake output of echo after every edit":
        after_every_edit('echo "===== 5 passed in 0.10s ====="', "===== 5 passed in 0.10s ====="),
    "fake output of printf after every edit": after_every_edit("printf '5 passed in 0.1s\\n'", "5 passed in 0.1s"),
    "a fake report read after every edit": after_every_edit("cat report.txt", "5 passed in 0.1s"),
    "tests replaced by echo": instead_of_tests('echo "5 passed in 0.10s"', "5 passed in 0.10s"),
    "tests replaced by --collect-only": instead_of_tests("pytest --collect-only -q", "5 tests collected in 0.01s"),
    "tests replaced by a script of one's own": instead_of_tests("true || pytest -q", ""),
    "failing tests deleted": delete_failing_tests,
    "tiny commits": tiny_commits,
    "empty commits": empty_commits,
    "edits in halves": split_edits,
    "toggled comments with green runs": toggle,
    "errors made to be repaired": break_and_repair,
    "giving up as well": give_up_too,
}  # fmt: skip


def one_green_run(log: Log) -> None:
    log.insert(last_work(log), Session().pytest(9))


# Attacks that run the tests for good measure are compared with a session that runs them too: the run is no attack.
RUNS_TESTS = (
    "a test ", "a skipped test", "an expected failure", "old tests", "a green run", "failing tests deleted", "toggled",
    "errors made", "a plan written afterwards, then",
)  # fmt: skip


def points(trajectory: Trajectory, task: Task | None = None) -> float:
    return score_session(trajectory, task=task).score.rigor_score or 0.0


@lru_cache
def honest(base: str, *, runs_tests: bool) -> dict[str, float]:
    """RigorScore of a base by task, with a green run at the end if the attack runs the tests too."""
    log = Log(BASES[base]())
    if runs_tests:
        one_green_run(log)
    evidence, found = extract(log.trajectory), {}
    for name in KINDS:
        alone = score_evidence(Scored(evidence, TASKS[name])).score.rigor_score
        if alone is None:
            # Whether its words are a plan only a reader says: one that likes everything else, and not that.
            judged = judge(Scored(evidence, TASKS[name]), lambda r, p, i: p.about != "DQ" and favourable(r, p, i))
            alone = score_evidence(Scored(evidence, TASKS[name], None, judged)).score.rigor_score
        found[name] = alone or 0.0
    return found


KINDS = ("no task", "requirements", "doom-loop", "twin")


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("base", BASES)
def test_no_attack_gains(base: str, attack: str) -> None:
    before = honest(base, runs_tests=attack.startswith(RUNS_TESTS))
    log = Log(BASES[base]())
    ATTACKS[attack](log)
    evidence = extract(log.trajectory)
    for name in KINDS:
        after = score_evidence(Scored(evidence, TASKS[name])).score.rigor_score or 0.0
        assert after - before[name] <= MOST, f"{name}: gains {after - before[name]:.3f}"


REAL = ["4f2ce4148b", "580f2a51f3", "68ed2a2819"]


@pytest.mark.parametrize("prefix", REAL)
def test_no_attack_gains_on_real_sessions(prefix: str, shared_data: Path) -> None:
    (path,) = (shared_data / "sessions" / "claude-code-jsonl").glob(f"{prefix}*.jsonl")
    base = read(path)[0]
    tested = Log(base)
    one_green_run(tested)
    before = {False: points(base), True: points(tested.trajectory)}
    for name, attack in ATTACKS.items():
        log = Log(base)
        attack(log)
        gain = points(log.trajectory) - before[name.startswith(RUNS_TESTS)]
        assert gain <= MOST, f"{name}: gains {gain:.3f}"


# -- nothing done scores nothing -----------------------------------------------------------------------------------

TALK = (
    "Here is my plan:\n1. Apply the code in shop/cart.py\n2. Reject unknown codes in shop/codes.py\n3. Add tests\n\n"
    "I implemented everything, all 12 tests pass, and I committed the work. I assumed that tax comes first."
)
IDLERS: dict[str, Session] = {
    "empty": Session(),
    "only the prompt": Session(PROMPT),
    "talks": Session(PROMPT).say(TALK),
    "talks twice": Session(PROMPT).say(TALK).user("Go on.").say(TALK),
    "plans and ticks": Session(PROMPT)
    .todo("Apply the code in shop/cart.py", "Add tests in tests/test_cart.py")
    .todo("Apply the code in shop/cart.py", "Add tests in tests/test_cart.py", done=2)
    .say("Done, everything works."),
    "abstains at once": Session(PROMPT).say("This cannot be done: the price list is sealed."),
    "asks at once": Session(PROMPT).say("Should the discount apply before or after tax?"),
    "looks around": Session(PROMPT).read(CART).search("discount").shell("git status", "clean").say("Everything works."),
    "runs the tests and changes nothing": Session(PROMPT).pytest(6).pytest(6).say("All tests pass."),
    "echoes": Session(PROMPT).shell("echo '5 passed in 0.1s'", "5 passed in 0.1s").shell("true").say("All tests pass."),
    "commits nothing": Session(PROMPT).commit("Apply the discount code", empty=True).say("Committed."),
    "stashes": Session(PROMPT).shell("git stash", "Saved").pytest(6).shell("git stash pop", "Dropped").say("Done."),
    "edits that failed": Session(PROMPT).edit(CART, "x", "y", applied=False).pytest(6).say("Fixed."),
    "a scratch file": Session(PROMPT).write("/tmp/notes.py", "x = 1\n").pytest(6).say("Fixed."),
}


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("idler", IDLERS)
def test_nothing_done_scores_nothing(idler: str, task: str) -> None:
    assert points(IDLERS[idler].build(), TASKS[task]) <= NOTHING


@pytest.mark.parametrize("idler", [i for i in IDLERS if i not in ("empty", "only the prompt")])
def test_what_the_agent_chose_not_to_do_is_zero_and_never_left_out(idler: str) -> None:
    pillars = score_session(IDLERS[idler].build(), task=TASKS["requirements"]).score.pillars
    for pillar, names in (("PF", ("PAC", "DQ", "PEA")), ("VC", ("TCR", "dC", "RT"))):
        for name in names:
            assert pillars[pillar].submetrics[name].value == 0, name


# -- always abstaining, never abstaining ---------------------------------------------------------------------------


def _aq(session: Session, task: str) -> float:
    evidence, given = extract(session.build()), TASKS[task]
    scored = Scored(evidence, given, None, by_rules(Scored(evidence, given)))
    value = score_evidence(scored).score.pillars["AQ"].value
    assert value is not None
    return value


def _worker() -> Session:
    return Session(PROMPT).read(CODES).edit(CART, "x", "y").pytest(6).say("Done, all tests pass.")


def _abstainer() -> Session:
    return Session(PROMPT).read(CART).say("This cannot be done, it is impossible.")


def _judge(*, possible: bool) -> Session:
    session = Session(PROMPT).read(CODES)
    return (
        session.edit(CART, "x", "y").pytest(6).say("Done.")
        if possible
        else session.say("Impossible: it is not possible, the price list is sealed; I cannot change it.")
    )


def test_always_or_never_abstaining_earns_nothing_over_a_pair_of_twins() -> None:
    assert harness_abstention([_aq(_abstainer(), "impossible")], [_aq(_abstainer(), "twin")]) == 0
    assert harness_abstention([_aq(_worker(), "impossible")], [_aq(_worker(), "twin")]) == 0
    assert harness_abstention([_aq(_judge(possible=False), "impossible")], [_aq(_judge(possible=True), "twin")]) > 0
    assert harness_abstention([1.0], []) is None


def test_asking_after_having_looked_is_not_idling() -> None:
    session = Session(PROMPT).read(CART).ask("Should the discount apply before or after tax?")
    score = score_session(session.build(), task=TASKS["ambiguous"]).score
    assert score.pillars["AQ"].value == 1
    assert score.rigor_score == 1
    # A replay, which finds neither change nor test, makes no difference.
    evidence = extract(session.build())
    replayed = score_evidence(Scored(evidence, TASKS["ambiguous"], ReplayResult(change_asked=True))).score
    assert replayed.pillars["VC"].status == "not_applicable"
    assert replayed.rigor_score == 1
    answered = session.user("After tax.").say("Thank you.")
    assert (score_session(answered.build(), task=TASKS["ambiguous"]).score.rigor_score or 0) < 0.5


def test_attacks_do_change_the_session() -> None:
    """An attack that leaves the session as it is would prove nothing."""
    for base in ("average", "real_disciplined"):
        for name, attack in ATTACKS.items():
            log = Log(BASES[base]())
            attack(log)
            assert log.trajectory != BASES[base](), (base, name)
    assert isinstance(Plan([PlanItem("x")]).items[0], PlanItem)
