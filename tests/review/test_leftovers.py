"""What an agent leaves behind, by what the result contains."""

from __future__ import annotations

import pytest
from pairs import NEW, OLD
from reviewing import review

from builders import Session


def changed(prompt: str = "Fix total", path: str = "src/a.py") -> Session:
    return Session(prompt).read(path, f"def total(items):\n{OLD}").edit(path, OLD, NEW)


def left(session: Session, *, submission: str | None = None) -> list[str]:
    trajectory = session.build()
    if submission is not None:
        trajectory.extra["submission"] = submission
    return [f.message for f in review(trajectory).checks if f.id == "I-leftovers"]


def added(path: str, text: str = "print(1)") -> str:
    return f"diff --git a/{path} b/{path}\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+{text}\n"


def test_a_program_at_the_top_of_the_final_diff_that_nothing_uses() -> None:
    session = changed().write("verify_total.py", "print(1)\n").shell("python verify_total.py", "1\n")
    assert left(session, submission=added("verify_total.py")) == ["verify_total.py in the result, which nothing uses"]
    # The final diff does not have it.
    assert left(session, submission=added("src/b.py")) == []


def test_what_a_program_has_written_is_in_the_final_diff_without_an_edit() -> None:
    session = changed().shell("python - <<'E'\nplot()\nE", "")
    binary = "diff --git a/x.ecsv b/x.ecsv\nBinary files /dev/null and b/out.fits differ\n"
    wanted = ["table.py and 1 more file in the result, which nothing uses"]
    assert left(session, submission=added("table.py") + binary) == wanted


@pytest.mark.parametrize(
    "session",
    [
        changed("Add verify.py, which checks the totals"),  # asked for
        changed().edit("src/b.py", "x = 1", "import verify"),  # used
        changed(path="a.py"),  # in a project whose code is at the top as well
    ],
)
def test_a_new_file_at_the_top_that_belongs_there(session: Session) -> None:
    assert left(session.write("verify.py", "print(1)\n"), submission=added("verify.py")) == []


def test_what_was_committed_is_in_the_result() -> None:
    def session() -> Session:
        return changed().write("try_total.py", "print(1)\n").shell("python try_total.py", "1\n")

    wanted = ["try_total.py in the result, which nothing uses"]
    assert left(session().shell("git add -A", "").commit("Sum the items")) == wanted
    assert left(session().shell("rm try_*.py", "").shell("git add -A", "").commit("Sum the items")) == []
    # An entry point is never run.
    assert left(changed().write("index.py", "x = 1\n").shell("git add -A", "").commit("Sum the items")) == []


def test_what_a_tool_leaves_beside_the_code() -> None:
    assert left(changed(), submission=added("src/a.py.orig")) == []  # no program ran that could have made it
    session = changed().shell("patch -p1 < /tmp/fix.diff", "patching file src/a.py\n")
    assert left(session, submission=added("src/a.py.orig")) == ["src/a.py.orig in the result, which nothing uses"]


def test_a_commit_that_is_tested_in_the_same_message_is_not_unchecked() -> None:
    made = "[main 1a2b3c4] Sum the items\n 1 file changed, 1 insertion(+), 1 deletion(-)\n"

    def accused(tests: str) -> bool:
        session = changed().shell(f'git commit -qam "Sum the items"{tests}', made + ("3 passed\n" if tests else ""))
        return "I-committed-unchecked" in {c.id for c in review(session.build()).checks}

    assert not accused(" && python -m pytest -q")
    assert accused("")
