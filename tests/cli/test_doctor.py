"""``rigor doctor`` says each thing once."""

from __future__ import annotations

from pathlib import Path

import pytest

from rigorbench.cli.doctor import Diagnosis, _lines, _unknown

SAMPLE = Path(__file__).parents[1] / "data/claude-code/e18b5815c7-full.jsonl"

GONE = [Diagnosis(f"{name} logs", False, "no session logs of this user") for name in ("claude", "codex")]
ABSENT = [
    Diagnosis(f"agent {name}", False, f"`{name}` not found", f"pipx install {name}, or --agent-path {name}=DIR")
    for name in ("codex", "aider")
]
MISSING = [Diagnosis(f"agent {name}", False, "inspect-ai missing") for name in ("react", "codex")]


@pytest.mark.parametrize(
    ("checks", "lines"),
    [
        (
            [*GONE, Diagnosis("pi logs", True, "3 session logs")],
            ["ok  pi logs                3 session logs", "--  logs of this user      none of claude, codex"],
        ),
        (
            [Diagnosis("agent react", True, "0.1.0"), *ABSENT],
            [
                "ok  agent react            0.1.0",
                "--  agents not ready       install one, or give --agent-path NAME=DIR",
                "      codex                pipx install codex",
                "      aider                pipx install aider",
            ],
        ),
        (MISSING, ["--  agents                 inspect-ai missing: react, codex"]),
    ],
    ids=["agents without logs", "agents that are not installed", "a package that all agents need"],
)
def test_what_several_have_in_common_is_said_once(checks: list[Diagnosis], lines: list[str]) -> None:
    assert list(_lines(checks)) == lines


def test_what_a_newer_version_writes_that_its_reader_does_not_know_is_told(tmp_path: Path) -> None:
    (log := tmp_path / "new.jsonl").write_bytes(SAMPLE.read_bytes() + b'{"type": "dream", "sessionId": "s"}\n')
    assert [line.split(": ", 1)[1] for line in _unknown([SAMPLE, log])] == [
        "lines of the type 'dream' are not known and not read"
    ]
