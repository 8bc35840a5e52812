"""Programs of the agent's own that try the project are checks of their own kind, and no test runs."""

from __future__ import annotations

import pytest

from builders import Session
from rigorbench.api import extract
from rigorbench.evidence.events import AnyEvent, BuildEvent, EpisodeEvent, ReproductionEvent, RunEvent
from rigorbench.evidence.events import TestRunEvent as Run

USES = "from shop.cart import total\nprint(total([1, 2]))\n"
ASSERTS = "from shop.cart import total\nassert total([1, 2]) == 3\n"


def checks(session: Session) -> list[tuple[str, str]]:
    """Kind and outcome of the runs of a session."""
    events: list[AnyEvent] = extract(session.build()).events
    kinds = {Run: "test", ReproductionEvent: "reproduction", RunEvent: "run"}
    return [(kinds[type(e)], getattr(e, "outcome", "")) for e in events if type(e) in kinds]


@pytest.mark.parametrize("name", ["test_fix2.py", "reproduce.py", "check_cart.py", "/tmp/test_x.py", "a.py"])
def test_the_name_of_an_own_script_does_not_matter(name: str) -> None:
    session = Session("Fix the cart").write(name, ASSERTS).shell(f"python {name}", "", exit_status=0)
    assert checks(session) == [("reproduction", "passed")]


@pytest.mark.parametrize(
    ("text", "output", "status", "outcome"),
    [
        (ASSERTS, "", 0, "passed"),
        (ASSERTS, "Traceback (most recent call last):\n  ...\nAssertionError\n", 1, "failed"),
        (USES, "4\n", 0, "unknown"),  # whether 4 is right, only the agent can say
        (USES, "4\nFAIL: wrong total\n", 0, "failed"),
        (USES, "3\nAll checks passed\n", 0, "passed"),
        (USES, "Traceback (most recent call last):\n  ...\nModuleNotFoundError: No module named 'shop'\n", 1, "error"),
    ],
)
def test_outcomes(text: str, output: str, status: int, outcome: str) -> None:
    session = Session("Fix the cart").write("test_cart2.py", text)
    session.shell("python test_cart2.py", output, exit_status=status)
    assert checks(session) == [("reproduction", outcome)]


def test_a_script_written_in_the_same_line() -> None:
    command = f"cat > test_it.py <<'EOF'\n{ASSERTS}EOF\npython test_it.py"
    assert checks(Session("Fix it").shell(command, "", exit_status=0)) == [("reproduction", "passed")]


READS_JSON = "python - <<'EOF'\nimport json\nprint(json.load(open('out.json'))['total'])\nEOF"
IMPORTS = "import { total } from './dist/cart.js';\nif (total([]) !== 0) throw 1;"


@pytest.mark.parametrize(
    ("command", "found"),
    [
        # Code in the command.
        (f"python - <<'EOF'\n{ASSERTS}EOF", ("reproduction", "passed")),
        ("python -c 'import shop; assert shop.total([]) == 0'", ("reproduction", "passed")),
        (f"node --input-type=module <<'EOF'\n{IMPORTS}\nEOF", ("reproduction", "passed")),
        # A look at data, and a program with sub-commands.
        (READS_JSON, ("run", "")),
        ("node -e \"console.log(require('fs').readdirSync('.'))\"", ("run", "")),
        ("scripts/test-harness.sh setup-repo", ("run", "")),
        ("scripts/test-harness.sh verify-commit", ("run", "")),
        ("/tmp/shop-test enable --agent x", ("run", "")),
        ("python tests/test_all.py", ("test", "passed")),
    ],
)
def test_what_a_command_is(command: str, found: tuple[str, str]) -> None:
    assert checks(Session("Fix it").shell(command, "ok\n", exit_status=0)) == [found]


GRID = "import { Grid } from './src/grid';\nif (!new Grid().ok) throw new Error('grid');\n"
PATCH = "p = 'shop/cart.py'\ns = open(p).read()\nopen(p, 'w').write(s.replace('a', 'b'))\n"
UNITTEST = "import unittest\nfrom shop.cart import total\nunittest.main()\n"


@pytest.mark.parametrize(
    ("name", "text", "command", "output", "found"),
    [
        ("test-grid.tsx", GRID, "npx tsx test-grid.tsx", "", [("reproduction", "passed")]),
        ("test_patch.py", PATCH, "python test_patch.py", "done\n", [("run", "")]),  # it edits the project
        ("test_new.py", UNITTEST, "python test_new.py", "..\n\nRan 2 tests in 0.001s\n\nOK\n", [("test", "passed")]),
    ],
)
def test_what_an_own_program_is(name: str, text: str, command: str, output: str, found: list[tuple[str, str]]) -> None:
    assert checks(Session("Fix it").write(name, text).shell(command, output, exit_status=0)) == found


def test_a_build_of_throwaway_files_is_a_reproduction() -> None:
    session = Session("Fix the writer").write("trial/conf.py", "project = 'x'\n").write("trial/index.rst", "Title\n")
    session.shell("cd trial && sphinx-build -b html . _build", "build succeeded.\n").shell("rm -rf trial")
    assert checks(session) == [("reproduction", "unknown")]
    kept = Session("Write docs").write("docs/conf.py", "project = 'x'\n")
    kept.shell("sphinx-build -b html docs docs/_build", "build succeeded.\n")
    assert any(isinstance(e, BuildEvent) for e in extract(kept.build()).events)


def test_the_failure_of_the_second_program_is_not_the_firsts() -> None:
    code = "from shop import total\nprint('FAILED' if total() else 'OK')\n"
    session = Session("Fix it").write("one.py", code).write("two.py", code)
    session.shell("python one.py && python two.py", "OK\nFAILED: 3 is not 4\n", exit_status=0)
    assert checks(session) == [("reproduction", "unknown"), ("reproduction", "failed")]


def test_nothing_runs_of_a_line_that_the_shell_cannot_parse() -> None:
    session = Session("Fix it").shell(
        "sed -i '3c\\ don\\'t' a.py && python try.py", "bash: -c: line 1: syntax error near `(\n", exit_status=2
    )
    assert extract(session.build()).events == []


def test_how_far_a_line_came_that_breaks_off_in_the_shell_is_not_known_but_for_tests_that_ran() -> None:
    """Some shells run a line piece by piece, and find later that they cannot parse the rest."""
    line, broken = "cat << 'EOF' > a.py\nx = 1\nEOF\n&& pytest -q\n", '/bin/sh: 4: Syntax error: "&&" unexpected\n'
    found = extract(Session("Fix it").shell(line, f"Switched to 'fix'\n{broken}", exit_status=2).build())
    assert (found.events, [u.may for u in found.unplaced]) == ([], [{"edit", "read", "run"}])
    hidden = Session("Fix it")
    hidden.shell("pytest -q; ./say", f"FAILED test_a.py::test_b\n1 failed in 0.1s\n{broken}", exit_status=2)
    assert checks(hidden)[0] == ("test", "failed")


def test_a_throwaway_script_that_is_no_program_is_no_error_of_the_project() -> None:
    broken = '  File "fix.py", line 1\n    x = (\n        ^\nSyntaxError: invalid syntax\n'
    session = Session("Fix it").write("fix.py", "x = (\n").shell("python fix.py", broken, exit_status=1)
    session.write("fix.py", "open('src/a.py', 'w').write('x = 1')\n").shell("python fix.py").delete("fix.py")
    assert not [e for e in extract(session.build()).events if isinstance(e, EpisodeEvent)]
