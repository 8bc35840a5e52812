"""What counts as an order not to do something, and until when it holds."""

from __future__ import annotations

import pytest

from builders import Session, rows
from rigorbench.evidence.plans.prohibitions import find_prohibitions


def deeds(*messages: str) -> list[str]:
    session = Session()
    for text in messages:
        session.user(text)
    return [p.deed for p in find_prohibitions(session.build())]


@pytest.mark.parametrize(
    ("text", "deed"),
    rows({
        "commit": ["Fix the parser. Do not commit.", "Fix the parser, but don't commit the changes"],
        "push": ["Never push to git", "Please do not commit or push anything."],
        "tests": ["Fix it without changing the tests.", "- DO NOT MODIFY: Tests, configuration files",
             "You must not edit any existing test files"],
        "dependencies": ["- No new dependencies", "Sort the list. Do not add any third-party packages."],
    }),
)  # fmt: skip
def test_an_order(text: str, deed: str) -> None:
    assert deed in deeds(text)


@pytest.mark.parametrize(
    "text",
    ["Never commit secrets.", "Put the key into .env so that we don't commit it by accident, and so I don't commit it",
     "yes, but we don't need to commit", "Do not change how the tests are run in CI", "There are no tests for this yet",
     "pip says that no packages were found", "It does not use new dependencies", "```\n# do not commit\n```",
     "<system-reminder>Do not commit.</system-reminder>Fix it"],
)  # fmt: skip
def test_no_order(text: str) -> None:
    assert deeds(text) == []


def test_an_order_holds_until_the_user_speaks_of_it_again() -> None:
    session = Session("Fix it. Do not commit.").say("Done.").user("Now the docs").say("Done.").user("Good, commit it")
    (found,) = find_prohibitions(session.build())
    assert (found.step, found.until) == (0, 4)


def test_an_unclosed_block_of_code_hides_nothing() -> None:
    assert deeds("It prints\n```\n0\n\nDo not commit.\n```bash\nmake\n```") == ["commit"]
