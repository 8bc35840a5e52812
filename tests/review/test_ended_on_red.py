"""When a session ended on red: the last word on a check is a failure of the agent's own, on the files as they are."""

from __future__ import annotations

import pytest
from pairs import NEW, OLD, RED, TEST, begun
from reviewing import ids, work

from builders import Session
from rigorbench.evidence.events import EpisodeEvent

BROKEN = "    return sum(items, 1)\n"
PRETTIER = (
    "Checking formatting...\n[warn] src/a.js\n[warn] Code style issues found. Run Prettier with --write to fix.\n"
)


def red(*, closing: str = "Total is fixed.") -> Session:
    session = begun().edit("src/a.py", OLD, NEW).pytest(3).edit("src/a.py", NEW, BROKEN)
    return session.pytest(2, failed=[RED]).say(closing)


def test_where_the_log_ends_in_the_call_the_agent_had_no_turn_to_repair_it() -> None:
    session = begun().edit("src/a.py", OLD, NEW).pytest(3).edit("src/a.py", NEW, BROKEN).pytest(2, failed=[RED])
    trajectory = session.build()
    trajectory.end = None
    assert "V-ended-on-red" not in ids(trajectory)


@pytest.mark.parametrize(
    "closing",
    [
        "Total is fixed. The full suite still has unrelated failures that need a display.",
        "Total is fixed. The build remains blocked by pre-existing missing dependencies.",
    ],
)
def test_a_failure_that_is_called_that_of_others_is_a_question_of_another_check(closing: str) -> None:
    assert "V-ended-on-red" not in ids(red(closing=closing))


def test_what_was_edited_after_the_red_run_may_pass_by_now() -> None:
    session = begun().edit("src/a.py", OLD, NEW).pytest(3).edit("src/a.py", NEW, BROKEN).pytest(2, failed=[RED])
    assert "V-ended-on-red" not in ids(session.edit(TEST, "total([])", "total([0])").say("Total is fixed."))
    formatted = Session("Rename x in src/a.js").read("src/a.js", "let x\n").edit("src/a.js", "let x", "let y")
    formatted.shell("npx prettier --check src/a.js", PRETTIER, exit_status=1)
    formatted.shell("npx prettier --write src/a.js", "src/a.js 10ms\n")
    assert "V-ended-on-red" not in ids(formatted.say("Renamed."))


NOT_BUILT = """FAIL test/bundle.test.ts
  \u25cf Test suite failed to run

    Cannot find module '../lib/shop' from 'test/bundle.test.ts'

PASS test/total.test.ts

Test Suites: 1 failed, 1 passed, 2 total
Tests:       7 passed, 7 total
"""


@pytest.mark.parametrize(("edited", "own"), [("src/shop.ts", False), ("lib/shop.ts", True)])
def test_a_file_not_built_is_the_environments_failure_unless_the_agent_touched_it(edited: str, own: bool) -> None:
    session = Session("Fix total").read(edited, "let a = 0\n").edit(edited, "let a = 0\n", "let a = 1\n")
    session.shell("npx jest", NOT_BUILT, exit_status=1).say("Total is fixed.")
    (episode,) = [e for e in work(session).events if isinstance(e, EpisodeEvent)]
    assert (episode.attributed == "environment") == (not own)


ESBUILD = """\u2718 [ERROR] Could not resolve "frontmatter"

    src/utils/text.ts:8:26:
      8 \u2502 import {frontmatter} from 'frontmatter';

\u2718 [ERROR] Expected "*/" to terminate multi-line comment

    src/rules/toc.ts:70:0:
"""


def test_a_red_run_that_does_not_say_what_failed_may_be_red_by_the_failure_of_others() -> None:
    session = Session("Add a rule").write("src/rules/toc.ts", "export const a = 1;\n/* open\n")
    session.shell("npm run build", ESBUILD, exit_status=1)
    session.edit("src/rules/toc.ts", "/* open\n", "/* closed */\n")
    session.shell("npm run build 2>&1 | grep -i error", '\u2718 [ERROR] Could not resolve "frontmatter"\n')
    assert "V-ended-on-red" not in ids(session.say("The rule is there."))
