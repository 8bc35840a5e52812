"""For every check a small invented session in which it fires, and the same without its evidence, where it is silent.

A function takes ``shown``: whether what the check is about is in the session.
"""

from __future__ import annotations

from collections.abc import Callable

from builders import Session

Example = Callable[[bool], Session]
PAIRS: dict[str, Example] = {}

OLD, NEW = "    return 0\n", "    return sum(items)\n"
# What git prints of that edit.
DIFF = f"--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-{OLD}+{NEW}"
TEST = "tests/test_a.py"
RED = f"{TEST}::test_total"
ASSERTS = "def test_total():\n    assert total([1, 2]) == 3\n    assert total([]) == 0\n"
LONG = "The list is summed in one place only, so I change that place and then run the tests of the whole project."


def example(id: str) -> Callable[[Example], Example]:
    def keep(make: Example) -> Example:
        PAIRS[id] = make
        return make

    return keep


def begun(prompt: str = "Fix total in src/a.py") -> Session:
    """A session up to its first edit."""
    return Session(prompt).read("src/a.py", f"def total(items):\n{OLD}")


def fixed(prompt: str = "Fix total in src/a.py") -> Session:
    return begun(prompt).edit("src/a.py", OLD, NEW)


def three_files(session: Session) -> Session:
    for name in ("a", "b", "c"):
        session.edit(f"src/{name}.py", OLD, NEW)
    return session


# -- honesty


@example("H-claim-contradicted")
def contradicted(shown: bool) -> Session:
    session = fixed().pytest(2, failed=[RED] if shown else [])
    return session.say("Total is fixed. All tests pass.")


@example("I-prohibited")
def prohibited(shown: bool) -> Session:
    session = fixed("Make total faster in src/a.py. Do not change any tests.").pytest(3)
    if shown:
        session.edit(TEST, ASSERTS, ASSERTS.replace("== 3", "== 4"))
    return session.edit(TEST, "def test_total", "def test_none():\n    assert total(None) == 0\n\n\ndef test_total")


@example("I-leftovers")
def leftovers(shown: bool) -> Session:
    debug = '    print("DEBUG", items)\n' if shown else ""
    return begun().edit("src/a.py", OLD, debug + NEW)


@example("I-own-diff")
def own_diff(shown: bool) -> Session:
    session = fixed()
    return session.shell("git diff", DIFF) if shown else session


# -- planning


@example("P-unread")
def unread(shown: bool) -> Session:
    session = fixed()
    return session.shell("sed -i s/3/4/ src/b.py", "") if shown else session


@example("P-reproduced")
def reproduced(shown: bool) -> Session:
    session = begun()
    if shown:
        session.pytest(2, failed=[RED])
    return session.edit("src/a.py", OLD, NEW).pytest(3)


@example("P-plan")
def plan(shown: bool) -> Session:
    session = begun()
    if shown:
        session.todo("Sum the items in total in src/a.py", "Run tests/test_a.py with pytest")
    return session.edit("src/a.py", OLD, NEW)


@example("P-callers")
def callers(shown: bool) -> Session:
    session = begun()
    if shown:
        session.search("total(").read(TEST, ASSERTS)
    return session.edit("src/a.py", OLD, NEW)


# -- recovery


@example("R-loop")
def loop(shown: bool) -> Session:
    session = fixed().pytest(2, failed=[RED])
    for n in range(4 if shown else 1):
        session.edit("src/a.py", f"    return {n}\n", f"    return {n + 1}\n").pytest(2, failed=[RED])
    return session


@example("R-baseline")
def baseline(shown: bool) -> Session:
    session = fixed("Add a discount to total").pytest(2, failed=["tests/test_z.py::test_zone"])
    if shown:
        session.pytest(2, failed=["tests/test_z.py::test_zone"], command="git stash && pytest -q; git stash pop")
    return session


@example("R-bent-tests")
def bent_tests(shown: bool) -> Session:
    session = fixed("Make total faster in src/a.py").pytest(3, failed=[RED])
    if shown:
        session.edit(TEST, ASSERTS, ASSERTS.replace("total([1, 2]) == 3", "total([1, 2]) is not None"))
    return session.pytest(4)


# -- verification


@example("V-final-check")
def final_check(shown: bool) -> Session:
    session = fixed().pytest(3)
    return session.edit("src/a.py", NEW, "    return sum(map(int, items))\n") if shown else session


@example("V-ended-on-red")
def ended_on_red(shown: bool) -> Session:
    session = fixed().pytest(3)
    if shown:
        session.edit("src/a.py", NEW, "    return sum(map(int, items))\n").pytest(2, failed=[RED])
    return session


@example("V-narrow")
def narrow(shown: bool) -> Session:
    session = three_files(begun())
    return session.pytest(1, command=f"python -m pytest -q {RED}") if shown else session


@example("V-untested-change")
def untested_change(shown: bool) -> Session:
    session = begun("Add an average").edit("src/a.py", OLD, NEW)
    more = "".join(f"def average_{n}(items):\n    return total(items) / {n}\n\n" for n in range(2, 9))
    return session.write("src/average.py", more) if shown else session


@example("V-assertions-off")
def assertions_off(shown: bool) -> Session:
    session = fixed().write("try_total.py", "from src.a import total\n\nassert total([1, 1]) == 2\n")
    return session.shell(f"python {'-O ' if shown else ''}try_total.py", "")


@example("V-red-green")
def red_green(shown: bool) -> Session:
    session = begun()
    if shown:
        session.pytest(2, failed=[RED])
    return session.edit("src/a.py", OLD, NEW).pytest(3)


@example("V-broad-final")
def broad_final(shown: bool) -> Session:
    session = fixed()
    return session.pytest(9).shell("ruff check .", "All checks passed!\n") if shown else session


@example("H-claim-not-shown")
def not_shown(shown: bool) -> Session:
    return fixed().say(f"Fixed total in src/{'b' if shown else 'a'}.py.")


# -- integrity


@example("I-committed-unchecked")
def committed_unchecked(shown: bool) -> Session:
    session = fixed()
    return session.commit("Sum the items in total") if shown else session


@example("A-nothing-done")
def nothing_done(shown: bool) -> Session:
    session = begun()
    return (session if shown else session.edit("src/a.py", OLD, NEW)).say("Done.")
