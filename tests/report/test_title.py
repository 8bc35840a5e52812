"""The title of a session: the beginning of the user's first request, on one line."""

import pytest

from rigorbench.review.pages.title import requests, shortened, titled
from rigorbench.session.model import Role, Shell, Source, Step, ToolCall, Trajectory

SOURCE = Source("log.jsonl", 1)
CODE = "\n\n    server web {\n      image = 3\n    }\n"
LISTED = "Make a file for an agent that reviews pull requests; it should know about"
WRAPPED = "When the index is rebuilt twice at the same time the second run overwrites the first. Then it stops."


def _title(*steps: str | tuple[Role, str], lane: str = "main") -> str | None:
    made = [("user", s) if isinstance(s, str) else s for s in steps]
    return titled(Trajectory("s", "test", SOURCE, [Step(r, SOURCE, lane=lane, text=t) for r, t in made]))[0]


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("Fix the parser.\n\nIt fails on empty input.", "Fix the parser. It fails on empty input."),
        ("# Plan: Store *one* file per `worktree`\n\ntext", "Plan: Store *one* file per worktree – text"),
        ("Agents are many.\nRank them.\n\n## Notes\nnone", "Agents are many. Rank them. Notes – none"),
        ("Implement this plan:\n\n# Sort the keys\n\n## Context\n", "Implement this plan: Sort the keys – Context"),
        ("## Goal\n\n- **Remove** the [old flag](https://x.test/a) from `run`", "Goal – Remove the old flag from run"),
        ("Hi,\n\nI sort it by hand. It looks like this:\n\n    1  2\n", "Hi, I sort it by hand. It looks like this"),
        ("It calls `__init__` twice, and __range is left", "It calls __init__ twice, and __range is left"),
        ("/repo/src/app.py\nwhy does it read it twice?", "/repo/src/app.py – why does it read it twice?"),
        ("修复解析器", "修复解析器"),
        ("Does `Box<T>` hold a T?", "Does Box<T> hold a T?"),
        (f"{LISTED}:\n- our style\n- our tests\n", f"{LISTED}: our style – our tests"),
        (f"I copy ids by hand. I would like to write:{CODE}", "I copy ids by hand. I would like to write"),
        (WRAPPED.replace("second ", "second\n").replace(". Then", ".\nThen"), WRAPPED),
        ("## User Input\n\n```text\ngo on with phase 4\n```\n\nConsider it.", "go on with phase 4 – Consider it."),
        (f"{LISTED} `--on\nDATE`, and more.", f"{LISTED} --on DATE, and more."),
        ("Fix \x1b[31mthis\u202e now", "Fix \\x1b[31mthis\\u202e now"),
    ],
)
def test_the_first_line_that_says_something(message: str, title: str) -> None:
    assert _title(message) == title


@pytest.mark.parametrize(
    "message",
    [
        "<uploaded_files>\n/repo\n</uploaded_files>\nI've uploaded a Java code repository in the directory repo. "
        "Consider this issue description:\n\n<issue_description>\nThe cache never expires\n</issue_description>\nHelp.",
        "<pr_description>\nConsider this PR description:\nThe cache never expires\n</pr_description>\n<instructions>",
        "We're solving this issue. Here's the issue text:\nISSUE:\nThe cache never expires\n\nINSTRUCTIONS:\nNow, go.",
        "We're currently solving the following issue within our repository. Here's the issue text:\nISSUE:\n"
        "The cache never expires\n\nINSTRUCTIONS:\nNow, go.",
        "<user_query>\nThe cache never expires\n</user_query>",
    ],
)
def test_the_issue_inside_the_words_of_a_benchmark(message: str) -> None:
    assert "The cache never expires" in str(_title(message))


@pytest.mark.parametrize(
    "injected",
    [
        "<system-reminder>Be brief, and use the tools.</system-reminder>",
        "Base directory for this skill: /skills/review\n\n# How to review\n\nRead the change first.",
        "<environment_context>\n  <cwd>/repo</cwd>\n  <shell>bash</shell>\n</environment_context>",
        "<command-message>review</command-message>\n<command-name>/review</command-name>",
        "<recommended_plugins>\nSome plugins\n</recommended_plugins>\n# AGENTS.md instructions for /repo\n\n"
        "<INSTRUCTIONS>\nUse tabs everywhere.\n</INSTRUCTIONS>",
        "```\nTraceback\n```",
    ],
)
def test_what_a_harness_puts_in_is_no_request(injected: str) -> None:
    assert _title(injected) is None
    assert _title(injected, "Fix the parser.") == "Fix the parser."


def test_only_the_user_in_the_main_lane_requests() -> None:
    assert _title(("harness", "Follow the rules of this repository."), ("agent", "I will fix it.")) is None
    assert _title("Review the change.", lane="sub") is None


def test_requests_are_counted_but_what_a_harness_says() -> None:
    steps = [Step(r, SOURCE, text=t) for r, t in (("user", "Continue"), ("harness", "Go on."), ("user", "And that."))]
    found = Trajectory("s", "test", SOURCE, steps)
    assert (len(requests(found)), titled(found)) == (2, ("And that.", 2))


@pytest.mark.parametrize(("text", "unanswered"), [("Fix it.", 1), ("/help", 0), ("<skill>\n</skill>", 0)])
def test_what_the_agent_answers_is_a_request_and_a_command_to_the_program_is_none(text: str, unanswered: int) -> None:
    roles = (("user", text), ("agent", "Yes."), ("user", "And?"))
    asked, said, more = (Step(role, SOURCE, text=words) for role, words in roles)
    assert len(requests(Trajectory("s", "test", SOURCE, [asked, said]))) == 1
    assert len(requests(Trajectory("s", "test", SOURCE, [asked, more, said]))) == unanswered + 1


def test_what_the_user_ran_is_neither_title_nor_request() -> None:
    find = ToolCall("a", "/run", {}, Shell("find . -name x"), SOURCE)
    ran = Step("user", SOURCE, text="!find . -name x", calls=[find])
    found = Trajectory("s", "test", SOURCE, [ran, Step("user", SOURCE, text="Sort it.")])
    assert (titled(found)[0], len(requests(found))) == ("Sort it.", 1)


def test_the_text_of_a_command_without_words_of_the_user_is_no_title() -> None:
    command = "\r\n## User Input\r\n\r\n```text\r\n{}\r\n```\r\n\r\n## Outline\r\n\r\nWrite a specification."
    assert _title(command.format(""), "Move the server.") == "Move the server."
    assert str(_title(command.format("Sort the keys."))).startswith("Sort the keys.")


def test_one_word_gives_the_title_only_alone() -> None:
    assert _title("hi", ("agent", "Hello."), "Fix the parser.") == "Fix the parser."
    assert _title("continue") == "continue"


def test_very_many_tags_take_no_time() -> None:
    assert _title("<a>" * 60_000) is not None


def test_shortened_keeps_whole_words() -> None:
    assert shortened("Fix the parser", 14) == "Fix the parser"
    assert shortened("Fix the parser, then the lexer", 18) == "Fix the parser…"
    assert shortened("x" * 30, 10) == "x" * 9 + "…"
