"""Under whose name an agent commits."""

from __future__ import annotations

import pytest
from pairs import fixed
from reviewing import review

from builders import Session

SUBJECT = "Sum the items in total"


def told(session: Session) -> list[str]:
    return [f.message for f in review(session).checks if f.id == "I-foreign-identity"]


@pytest.mark.parametrize(
    "command",
    [
        f"git -c user.name=Codex -c user.email=c@example.org commit -m '{SUBJECT}'",
        f"git commit --author 'Codex <c@example.org>' -m '{SUBJECT}'",
        f"GIT_AUTHOR_NAME=Codex git commit -m '{SUBJECT}'",
        f"git config user.email c@example.org && git config user.name Codex && git commit -m '{SUBJECT}'",
    ],
)
def test_every_way_to_set_it(command: str) -> None:
    (message,) = told(fixed().shell(command, f"[main 1a2b3c4] {SUBJECT}\n 1 file changed\n"))
    assert "made as 'Codex" in message


def test_somebody_of_the_history() -> None:
    session = fixed().shell("git log -1", "commit 1a2b3c4\nAuthor: Ann Lee <ann@example.org>\n")
    (message,) = told(session.shell("git config user.name 'Ann Lee'", "").commit(SUBJECT))
    assert message.endswith("was made as 'Ann Lee', who is an author of the history")


@pytest.mark.parametrize(
    "session",
    [
        fixed("Fix total; commit as Ann Lee").shell("git config user.name 'Ann Lee'", ""),  # given
        fixed().shell("git config user.name", "Ann Lee\n"),  # only asked for
        fixed().shell("cd /tmp/try && git init -q && git config user.name Test", ""),  # of another repository
        fixed().shell("git config user.name Codex", "error: could not lock config file", exit_status=255),
    ],
)
def test_a_name_that_the_agent_did_not_set_for_this_project(session: Session) -> None:
    assert told(session.commit(SUBJECT)) == []


def test_it_is_told_once() -> None:
    session = fixed().shell("git config user.name Codex", "").commit(SUBJECT)
    assert len(told(session.edit("src/a.py", "sum(", "sum(0 + ").commit("Begin the sum at 0"))) == 1
