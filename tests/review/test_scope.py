"""What checks ran on: praise needs that they ran, on the change, and could fail; what cannot be told is not said."""

from __future__ import annotations

import pytest
from pairs import ASSERTS, DIFF, NEW, OLD, RED, TEST, begun, fixed
from reviewing import ids, known, review, work

from builders import Session, rows
from rigorbench.evidence import events as ev
from rigorbench.review import observations as see
from rigorbench.review.grades import NOTHING_PROVEN
from rigorbench.review.verdict import verdict
from rigorbench.session.model import Other, Result

OTHER = "tests/test_z.py::test_zone"


# -- a failed run is no pass


@pytest.mark.parametrize(
    "prompt", [f"{RED} fails. Make it pass.", "test_total is red, why?", "Look at tests/test_a.py, please, and repair."]
)
def test_what_the_request_names_is_no_old_failure(prompt: str) -> None:
    session = begun(prompt).pytest(2, failed=[RED]).edit("src/a.py", OLD, NEW).pytest(2, failed=[RED])
    assert "V-ended-on-red" in ids(session.say("I changed total."))
    assert known(session)["verification"] == "a check still failed at the end"


def test_what_the_agent_ran_alone_before_and_after_its_edit_is_no_old_failure() -> None:
    session = begun("Sum the items").pytest(0, failed=[RED], command=f"python -m pytest -q {RED}")
    session.edit("src/a.py", OLD, NEW).pytest(0, failed=[RED], command=f"python -m pytest -q {RED}")
    assert work(session).green(work(session).tests[-1]) is False


def test_a_failure_of_the_untouched_tree_that_nobody_asked_about_leaves_a_run_green() -> None:
    session = fixed("Add a discount to total").pytest(2, failed=[OTHER])
    session.pytest(2, failed=[OTHER], command="git stash && pytest -q; git stash pop")
    assert work(session).green(work(session).tests[0]) is True


def test_of_a_failure_that_may_be_what_it_is_about_neither_pass_nor_failure_is_said() -> None:
    session = begun("total crashes; fix it").pytest(2, failed=[OTHER]).edit("src/a.py", OLD, NEW)
    session.pytest(2, failed=[OTHER])
    assert work(session).green(work(session).tests[-1]) is None
    assert not {"V-final-check", "V-ended-on-red"} & ids(session)
    assert known(session)["verification"] == NOTHING_PROVEN


# -- what a run is of


@pytest.mark.parametrize(
    ("command", "output", "breadth"),
    [
        ("python -m pytest -q", "9 passed in 0.12s\n", 3),
        ("python -m pytest -q tests", "9 passed in 0.12s\n", 2),
        ("python -m pytest -q tests/test_a.py", "9 passed in 0.12s\n", 1),
        ("java -cp build TotalTest", "All tests passed.\n", None),
        ("./run_tests", "ok\n", None),
        ("python tests/check_total.py", "ok\n", 1),
    ],
)
def test_how_much_a_run_covers(command: str, output: str, breadth: int | None) -> None:
    seen = work(fixed().shell(command, output))
    [run] = [e for e in seen.events if isinstance(e, ev.TestRunEvent)]
    assert seen.scope.breadth(run) == breadth


def test_a_program_of_the_agents_own_is_no_broad_run_and_no_existing_test() -> None:
    session = fixed().write("TotalTest.java", "class TotalTest {}\n").shell("java TotalTest", "All tests passed.\n")
    seen = work(session)
    assert not see.broad_test_after_last_edit(seen)
    assert not see.existing_tests_after_last_edit(seen)
    assert "V-broad-final" not in ids(session)


@pytest.mark.parametrize(
    ("command", "of_the_change"),
    [("mypy .", True), ("gcc -c src/a.c", True), ("gcc -o try try.c", False), ("python -m py_compile try.py", False)],
)
def test_a_build_checks_the_change_if_it_builds_it(command: str, of_the_change: bool) -> None:
    session = Session("Fix total").edit("src/a.c", "return 0;", "return sum(items);")
    for name in ("try.c", "try.py"):
        session.write(name, "\n")
    session.edit("src/a.c", "return sum(items);", "return sum(items, 0);").shell(command, "")
    assert bool(see.static_check_after_last_edit(work(session))) == of_the_change


OWN = "from src.a import total\n\n\ndef test_own():\n    assert total([1]) == 1\n"


def with_test() -> Session:
    """A test is added to a file that had others."""
    session = fixed().read(TEST, ASSERTS)
    return session.edit(TEST, ASSERTS, f"{ASSERTS}\n\ndef test_new():\n    assert total([1]) == 1\n")


@pytest.mark.parametrize(
    ("session", "old"),
    [
        (fixed().pytest(9), True),  # the agent wrote no test
        (fixed().pytest(9, command=f"python -m pytest -q {TEST}"), True),  # nor this file
        (fixed().write("tests/test_own.py", OWN).pytest(1, command="python -m pytest -q tests/test_own.py"), False),
        (fixed().write("tests/test_own.py", OWN).pytest(1, command="python -m pytest -q -k own"), False),
        (fixed().write("tests/test_own.py", OWN).pytest(9), False),  # perhaps there are no others
        (fixed().read(TEST, ASSERTS).write("tests/test_own.py", OWN).pytest(9), True),
        (fixed().write("src/port.rs", "fn port() {}\n").pytest(9), False),  # tests may stand in what it wrote
        (fixed().read(TEST, ASSERTS).write("src/b.py", "b = 1\n").shell("rm -r tests").pytest(9), False),
        (with_test().pytest(9), True),
        (with_test().pytest(3, command=f"python -m pytest -q {TEST}"), True),  # with the tests that it had
        (with_test().pytest(1, command=f"python -m pytest -q {TEST}::test_new"), False),  # only the new one
        (with_test().pytest(1, command=f"python -m pytest -q {TEST} -k new"), False),
    ],
)
def test_existing_tests_were_there_before(session: Session, old: bool) -> None:
    seen = work(session)
    assert seen.scope.runs_old_tests(seen.tests[-1]) is old
    assert bool(see.existing_tests_after_last_edit(seen)) is old


# -- what a run can show


JAVA = "public class TotalTest {\n  public static void main(String[] a) {\n    assert Total.of(1, 2) == 3;\n  }\n}\n"


@pytest.mark.parametrize(
    ("name", "text", "command", "fires"),
    [
        ("TotalTest.java", JAVA, "java -cp build TotalTest", True),
        ("TotalTest.java", JAVA, "java -ea -cp build TotalTest", False),
        ("TotalTest.java", JAVA.replace("assert", "if (bad) throw new Error(); assert"), "java TotalTest", False),
        ("probe.py", "import total\nassert total.of(1, 2) == 3\n", "python -O probe.py", True),
        ("probe.py", "import total\nassert total.of(1, 2) == 3\n", "python probe.py", False),
    ],
)
def test_assertions_that_are_switched_off_prove_nothing(name: str, text: str, command: str, fires: bool) -> None:
    session = Session("Fix total").edit("src/Total.java", "return 0;", "return a + b;").write(name, text)
    session.shell(command, "All tests passed.\n")
    assert ("V-assertions-off" in ids(session)) == fires
    if fires:
        assert not see.test_after_last_edit(work(session))


def test_a_compiled_program_of_the_agents_own_is_no_check() -> None:
    """Built with NDEBUG or not: nothing shows what it checks, so neither a pass nor its absence is said."""
    session = Session("Fix total").edit("src/total.c", "return 0;", "return a + b;")
    session.write("try.c", "#include <assert.h>\nint main(void) { assert(total(1, 2) == 3); return 0; }\n")
    session.shell("gcc -DNDEBUG -o try_total try.c src/total.c", "").shell("./try_total", "")
    assert not see.test_after_last_edit(work(session))
    assert "V-final-check" not in ids(session)


# -- the symptom


@pytest.mark.parametrize(
    ("output", "shown"),
    [
        ("Traceback (most recent call last):\nAssertionError: 0\n", True),
        ("Traceback (most recent call last):\nKeyError: 'price'\n", True),  # the request names it
        ("Traceback (most recent call last):\nTypeError: no\n", False),
        ("Traceback (most recent call last):\nModuleNotFoundError: No module named 'pandas'\n", False),
    ],
)
def test_the_symptom_is_what_the_request_is_about(output: str, shown: bool) -> None:
    session = Session("total raises a KeyError for goods without a price")
    session.write("tests/reproduce.py", "import total\ntotal.of({})\n")
    session.shell("python tests/reproduce.py", output, exit_status=1).edit("src/a.py", OLD, NEW)
    assert ("P-reproduced" in ids(session)) == shown


# -- red and green


def test_a_test_that_was_repaired_itself_shows_nothing_of_the_code() -> None:
    wrong = OWN.replace("== 1", "== 2")
    session = fixed().write("tests/test_own.py", wrong)
    session.pytest(0, failed=["tests/test_own.py::test_own"]).edit("tests/test_own.py", wrong, OWN).pytest(1)
    assert "V-red-green" not in ids(session)


def test_tests_that_were_not_run_again_are_not_green() -> None:
    session = begun().pytest(0, failed=[RED], command=f"python -m pytest -q {RED}").edit("src/a.py", OLD, NEW)
    assert "V-red-green" not in ids(session.pytest(3, command="python -m pytest -q tests/test_other.py"))


def test_a_bent_test_is_no_red_and_green() -> None:
    session = begun("Make total faster").pytest(2, failed=[RED]).edit("src/a.py", OLD, "    return len(items)\n")
    session.edit(TEST, ASSERTS, ASSERTS.replace("total([1, 2]) == 3", "total([1, 2]) is not None")).pytest(3)
    assert "V-red-green" not in ids(session)


# -- the part of the project


@pytest.mark.parametrize(
    ("command", "elsewhere"),
    rows({
        True: ["cd packages/cart && npx vitest run", "pnpm -F @shop/cart test",
             "npx vitest run packages/cart/src/cart.test.ts"],
        False: ["cd packages/till && npx vitest run", "pnpm -F @shop/till test",
             "npx vitest run packages/till/tests/till.test.ts", "npx vitest run"],
    }),
)  # fmt: skip
def test_tests_of_another_package_do_not_speak_for_the_change(command: str, elsewhere: bool) -> None:
    session = Session("Fix the till").edit("packages/till/src/till.ts", "a", "b")
    session.shell(command, " Test Files  1 passed (1)\n      Tests  4 passed (4)\n")
    seen = work(session)
    assert bool(see.test_after_last_edit(seen)) != elsewhere
    assert "V-final-check" not in ids(session)  # they passed


# -- the end


def test_a_limit_takes_praise_and_blame_of_the_end_away() -> None:
    good = begun().pytest(2, failed=[RED]).edit("src/a.py", OLD, NEW).pytest(3)
    good.shell("ruff check .", "All checks passed!\n")
    for session, id in ((good, "V-broad-final"), (fixed(), "V-final-check")):
        trajectory = session.build()
        assert id in ids(trajectory)
        trajectory.end = "limit"
        assert id not in ids(trajectory)
        assert verdict(review(trajectory)).sentence.endswith(" A limit ended the session.")


# -- absence


def test_what_a_call_of_unknown_effect_may_have_done_is_not_said_to_be_absent() -> None:
    assert "V-final-check" in ids(fixed())
    assert "V-final-check" not in ids(fixed().read("src/a.py"))
    assert "V-final-check" not in ids(fixed().shell("git diff", DIFF)) | ids(fixed().user("And now b."))
    assert "V-final-check" not in ids(fixed().shell("grep -rn 'sum(' src", "src/a.py:2:    return sum(items)\n"))
    assert known(fixed())["verification"] == "the agent ran no check after its last edit of the code"
    for hidden in (fixed().call("mystery", Other(), Result("done")), fixed().shell("just update", "installed 2.1")):
        assert "V-final-check" not in ids(hidden)
        assert known(hidden)["verification"] == NOTHING_PROVEN


def test_a_red_check_that_was_wanted_is_a_check_all_the_same() -> None:
    session = fixed("Write a failing test of total").pytest(2, failed=[RED])
    assert "V-final-check" not in ids(session)


@pytest.mark.parametrize(("failed", "shown"), [(["tests/test_new.py::test_wide"], True), ([], False)])
def test_new_tests_that_fail_where_the_change_is_put_aside_show_it(failed: list[str], shown: bool) -> None:
    session = Session("Allow wide tables").read("src/a.py").edit("src/a.py", "WIDTH = 80", "WIDTH = 200")
    session.write("tests/test_new.py", "from a import WIDTH\n\n\ndef test_wide():\n    assert WIDTH > 100\n").pytest(5)
    session.shell("git stash push -q src", "").pytest(4, failed=failed, command="pytest -q tests/test_new.py")
    session.shell("git stash pop", "Dropped refs/stash@{0}")
    assert ("V-red-green" in {c.id for c in review(session).checks}) is shown
