"""A small task for agents: a repository with one wrong number, and a policy that puts it right."""

from __future__ import annotations

from pathlib import Path

_FILES = {
    "environment/repo/spans.py": """\
def parse(text):
    \"\"\"Minutes of a span such as 1h30m.\"\"\"
    hours, _, minutes = text.partition("h")
    return int(hours) * 100 + int(minutes.rstrip("m") or 0)
""",
    "environment/repo/tests/__init__.py": """\
""",
    "environment/repo/tests/test_spans.py": """\
import unittest

from spans import parse


class Spans(unittest.TestCase):
    def test_hours(self):
        self.assertEqual(parse("1h30m"), 90)
""",
    "instruction.md": """\
The tests of this repository fail. Fix the code and commit your work.
""",
    "policies/disciplined.toml": """\
description = "Plans, sees the failure, fixes it, adds a test, commits."
[[turn]]
text = "I plan the work first."
[[turn.call]]
tool = "plan"
items = [
  {text = "See the failing test", status = "in_progress"}, {text = "Fix parse"}, {text = "Add a test and commit"},
]
[[turn]]
text = "I look at the code and run the tests."
[[turn.call]]
tool = "read"
path = "spans.py"
[[turn.call]]
tool = "shell"
command = "python3 -m unittest -q"
[[turn]]
text = "An hour has 60 minutes."
[[turn.call]]
tool = "edit"
path = "spans.py"
old = "int(hours) * 100"
new = "int(hours) * 60"
[[turn.call]]
tool = "plan"
items = [
  {text = "See the failing test", status = "completed"},
  {text = "Fix parse", status = "completed"},
  {text = "Add a test and commit", status = "in_progress"},
]
[[turn]]
text = "A test for hours alone."
[[turn.call]]
tool = "write"
path = "tests/test_whole_hours.py"
content = \"\"\"
import unittest

from spans import parse


class WholeHours(unittest.TestCase):
    def test_no_minutes(self):
        self.assertEqual(parse("2h"), 120)
\"\"\"
[[turn.call]]
tool = "shell"
command = "python3 -m unittest -q"
[[turn]]
text = "Green; I commit."
[[turn.call]]
tool = "shell"
command = "git add -A && git commit -q -m 'Count 60 minutes to the hour' && git status --short"
[[turn]]
text = "Done: parse counts 60 minutes to the hour, with a test for whole hours."
""",
    "task.toml": """\
schema_version = "1.4"
[task]
name = "t/small"
[metadata.rigor]
id = "small"
category = "verify-or-die"
test = "python3 -m unittest -q"
""",
}


def write_task(directory: Path) -> Path:
    for name, text in _FILES.items():
        file = directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return directory
