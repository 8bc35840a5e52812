"""Each format is declared once: the readers, `rigor doctor`, `rigor sessions` and docs/formats.md agree with it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from rigorbench.session import registry
from rigorbench.session.formats import FOLDERS, FORMATS, UNREAD, SessionFolder, find_sessions, unread_stores

DOC = Path(__file__).parents[2] / "docs" / "formats.md"


def test_the_documentation_has_a_row_for_each_format() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \|", DOC.read_text("utf-8"), re.MULTILINE)
    assert rows == [f.id for f in FORMATS]


def test_every_format_has_a_reader_in_its_module() -> None:
    declared = [f.id for f in FORMATS]
    assert len(declared) == len(set(declared))
    assert {reader.format for reader in registry.readers()} == set(declared)
    for declared_format in FORMATS:
        readers = import_module(f"rigorbench.session.readers.{declared_format.module}").READERS
        assert declared_format.id in {reader.format for reader in readers}


def test_doctor_lists_the_declared_formats(capsys: pytest.CaptureFixture[str]) -> None:
    from rigorbench.cli import main

    assert main(["doctor", "--formats"]) == 0
    listed = [line.split(None, 1) for line in capsys.readouterr().out.splitlines()]
    assert listed == [[f.id, f.title] for f in FORMATS]
    assert main(["doctor", "--formats", "--json"]) == 0
    left = {row["format"]: row["not_read"] for row in json.loads(capsys.readouterr().out)}
    assert {"summary", "history.jsonl"} <= {*left["claude-code"]}
    assert "todo" in left["opencode"]


def test_listing_formats_and_folders_loads_no_reader() -> None:
    script = (
        "import sys; from rigorbench.session import formats, registry; "
        "print([name for name in sys.modules if '.readers.' in name])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_reader_imports_the_registry() -> None:
    package = Path(registry.__file__).parent
    for path in package.rglob("*.py"):
        if path.name != "registry.py":
            assert "registry import" not in path.read_text("utf-8"), path


def test_session_logs_are_found_where_the_agent_keeps_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a/one.jsonl", "a/agent-1.jsonl", "b/state.json", "x.db", "x.db-wal"):
        (tmp_path / "home" / ".agent" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "home" / ".agent" / name).write_text("{}")
    here = tmp_path / "home" / ".agent"
    folders = [
        SessionFolder("one", ("a/*.jsonl",), ".agent", variable="AGENT_HOME", skipped="agent-"),
        SessionFolder("two", ("*/state.json",), ".agent", log_is_folder=True),
        SessionFolder("three", ("*.db",), ".agent"),
        SessionFolder("four", ("here.md",)),
    ]
    found = {(agent, path) for agent, path, _ in find_sessions(folders, tmp_path / "home")}
    assert found == {("one", here / "a" / "one.jsonl"), ("two", here / "b"), ("three", here / "x.db")}
    monkeypatch.setenv("AGENT_HOME", f"{tmp_path / 'elsewhere'}, {here}")
    assert [path for _, path, _ in find_sessions(folders, tmp_path, "one")] == [here / "a" / "one.jsonl"]
    monkeypatch.setenv("AGENT_HOME", str(tmp_path / "elsewhere"))
    assert list(find_sessions(folders, tmp_path / "home", "one")) == []
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here.md").write_text("")
    assert [path for _, path, _ in find_sessions(folders, tmp_path, "four")] == [tmp_path / "here.md"]


@pytest.mark.parametrize("data", [".config", "Library/Application Support", "AppData/Roaming"])
def test_sessions_of_editors_are_found_on_every_system(tmp_path: Path, data: str) -> None:
    chats, tasks = "User/workspaceStorage/a", "User/globalStorage/saoudrizwan.claude-dev/tasks/1"
    whole, transcript = f"{chats}/chatSessions/x.jsonl", f"{chats}/GitHub.copilot-chat/transcripts"
    names = [f"Code/{whole}", f"Code/{transcript}/x.jsonl", f"VSCodium/{transcript}/y.jsonl"]
    names += [f"Code/{tasks}/api_conversation_history.json", "Cursor/User/globalStorage/state.vscdb"]
    for name in names:
        (tmp_path / data / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / data / name).write_text("{}")
    found = {
        (agent, path.relative_to(tmp_path / data).as_posix()) for agent, path, _ in find_sessions(FOLDERS, tmp_path)
    }
    agents = ["vscode-copilot", "", "vscode-copilot", "cline", "cursor"]
    assert found == {(agent, name) for agent, name in zip(agents, names, strict=True) if agent}  # x is in the chat


def test_a_store_that_nobody_reads_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from rigorbench.cli import main

    (tmp_path / ".codeium/windsurf/cascade").mkdir(parents=True)
    assert list(unread_stores(tmp_path)) == []
    (tmp_path / ".codeium/windsurf/cascade/1.pb").write_bytes(b"\x00")
    assert main(["sessions", "--home", str(tmp_path)]) == 1
    assert "Windsurf sessions in ~/.codeium/windsurf/cascade: not read yet" in capsys.readouterr().err
    assert not {folder.agent.lower() for folder in UNREAD} & {folder.agent for folder in FOLDERS}
