"""``rigor doctor`` says each thing once."""

from __future__ import annotations

from rigorbench.cli.doctor import Diagnosis, _lines

FOUND = Diagnosis("python", True, "3.11.2")
GONE = [Diagnosis(f"{name} logs", False, "no session logs of this user") for name in ("claude", "codex")]


def test_agents_without_logs_are_one_line() -> None:
    lines = list(_lines([FOUND, *GONE, Diagnosis("pi logs", True, "3 session logs")]))
    assert lines == [
        "ok  python                 3.11.2",
        "ok  pi logs                3 session logs",
        "--  logs of this user      none of claude, codex",
    ]


def test_each_agent_has_its_own_command_and_the_option_is_said_once() -> None:
    lines = list(
        _lines(
            [
                Diagnosis("agent react", True, "0.1.0"),
                Diagnosis("agent codex", False, "`codex` not found", "npm install codex, or --agent-path codex=DIR"),
                Diagnosis("agent aider", False, "`aider` not found", "pipx install aider, or --agent-path aider=DIR"),
            ]
        )
    )
    assert lines == [
        "ok  agent react            0.1.0",
        "--  agents not ready       install one, or give --agent-path NAME=DIR",
        "      codex                npm install codex",
        "      aider                pipx install aider",
    ]


def test_a_missing_package_is_not_repeated_for_each_agent() -> None:
    missing = "inspect-ai missing"
    lines = list(_lines([Diagnosis("agent react", False, missing), Diagnosis("agent codex", False, missing)]))
    assert lines == ["--  agents                 inspect-ai missing: react, codex"]
