"""A program in another language than the change shows nothing of it, unless it starts something."""

from __future__ import annotations

import pytest
from reviewing import ids

from builders import Session
from rigorbench.review.reach import out_of_reach


@pytest.mark.parametrize(
    ("program", "text", "changed", "expected"),
    [
        ("reproduce.py", "class Reference:\n    pass\n", ["src/main/java/Reference.java"], True),
        (
            "reproduce.py",
            "import subprocess\nsubprocess.run(['mvn', 'test'])\n",
            ["src/main/java/Reference.java"],
            False,
        ),
        ("probe.py", "import requests\nprint(requests.get('/health'))\n", ["server/index.ts"], False),
        ("probe.js", "require('./total')\n", ["src/total.ts"], False),
        ("probe.kt", "fun main() {}\n", ["src/Total.java"], False),
        ("probe.py", "import total\n", ["src/total.c"], False),  # an extension module
        ("probe.py", "import total\n", ["src/total.go", "src/total.py"], False),
        ("probe.sh", "go run .\n", ["main.go"], False),
        ("probe.py", "print(1)\n", [], False),
    ],
)
def test_what_a_program_can_run(program: str, text: str, changed: list[str], expected: bool) -> None:
    assert out_of_reach(program, text, changed) is expected


MODEL = "from reference import Reference\n\nassert Reference().get() == 2\n"


def _session(script: str) -> Session:
    session = Session("Fix Reference").write("reproduce.py", script)
    session.shell("python reproduce.py", "Traceback (most recent call last):\nAssertionError\n", exit_status=1)
    return session.read("src/main/java/Reference.java", "class Reference {}\n").edit(
        "src/main/java/Reference.java", "class Reference {}", "final class Reference {}"
    )


def test_a_model_in_another_language_reproduces_nothing() -> None:
    found = ids(_session(MODEL))
    assert "V-misses-code" in found
    assert "P-reproduced" not in found


def test_a_program_that_starts_the_project_reproduces() -> None:
    found = ids(_session("import subprocess\n\nassert subprocess.call(['mvn', '-q', 'test']) == 0\n"))
    assert "V-misses-code" not in found
    assert "P-reproduced" in found
