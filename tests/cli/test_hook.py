"""``rigor hook``: what it tells when an agent stops, that no error keeps one from it, and what it does to settings."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import lies
from rigorbench.cli import main
from rigorbench.cli.hook import run, stop
from rigorbench.cli.hook.settings import with_hook, without_hook
from sources import text_file

ROOT = Path(__file__).resolve().parents[2]
LIE = text_file("hook.lie.txt")
HONEST = LIE.replace("Done. All tests pass.", "Not done: test_total still fails.")
FEEDBACK = "Stop hook feedback:\nrigor: 1 flag in this turn (rigor hook)"


def log(text: str, directory: Path, format: str = "claude-code", name: str = "one") -> Path:
    """A session in the notation of tests/data/lies, as a log of its agent."""
    source = directory / f"{name}.txt"
    source.write_text(f"=== {name} lie x {format} {directory}\n{text.strip()}\n")
    (session,) = lies._file(source)
    return lies.render(session, directory)


def stopped(path: Path | None, *options: str, **more: Any) -> dict[str, Any]:
    """The reply to an agent that stops; {}: nothing is said. The exit status is 0 in any case."""
    event = {"hook_event_name": "Stop", "transcript_path": None if path is None else str(path), **more}
    return reply(json.dumps(event).encode(), *options)


def reply(data: bytes, *options: str) -> dict[str, Any]:
    out = io.BytesIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(data)))
        patch.setattr("sys.stdout", SimpleNamespace(buffer=out, flush=lambda: None))
        assert main(["hook", "run", *options]) == 0
    found: dict[str, Any] = json.loads(out.getvalue() or b"{}")
    return found


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)


# -- what it tells


@pytest.mark.parametrize("format", ["claude-code", "codex"])
def test_a_flag_has_the_words_the_deciding_run_and_the_command(tmp_path: Path, format: str) -> None:
    said = stopped(log(LIE, tmp_path, format))
    assert set(said) == {"systemMessage"}, "it warns"
    text = said["systemMessage"]
    assert text.startswith("rigor: 1 flag in this turn\n1. H-claim-contradicted: ")
    assert "All tests pass" in text
    assert "shown by: python -m pytest -q -> failed (1 failed) (line " in text
    assert "\n   run: python -m pytest -q\n" in text
    assert stopped(log(HONEST, tmp_path, format)) == {}


def test_it_sends_back_only_when_told_to_and_never_while_the_agent_goes_on_for_a_hook(tmp_path: Path) -> None:
    path = log(LIE, tmp_path)
    first = stopped(path, "--block")
    assert first["decision"] == "block"
    assert "run: python -m pytest -q" in first["reason"]
    assert "decision" not in stopped(path, "--block", stop_hook_active=True)
    assert "decision" not in stopped(path, "--block", background_tasks=[{"id": "b1"}]), "the work is not over"
    assert stopped(log(HONEST, tmp_path), "--block") == {}


def test_what_was_sent_back_is_neither_told_again_nor_sent_back_again(tmp_path: Path) -> None:
    path = log(LIE, tmp_path)
    with path.open("a") as file:
        last = json.loads(path.read_text().splitlines()[-1])
        more = {**last, "type": "user", "uuid": "f1", "message": {"role": "user", "content": FEEDBACK}}
        file.write(json.dumps(more) + "\n")
        end = {"role": "assistant", "content": [{"type": "text", "text": "All tests pass."}]}
        file.write(json.dumps({**last, "uuid": "f2", "message": {**last["message"], **end, "id": "msg_f2"}}) + "\n")
    again = stopped(path, "--block")
    assert "decision" not in again, "the log shows that the agent was sent back in this turn"
    assert again["systemMessage"].count("H-claim-contradicted") == 1, "only the claim that was made since"


def test_a_turn_is_told_once_and_a_word_in_between_begins_none(tmp_path: Path) -> None:
    later = LIE + "> Thanks. What does total do?\n= It counts the items.\n"
    assert stopped(log(later, tmp_path)) == {}
    between = LIE.replace("$ python -m pytest", "> (be quick)\n$ python -m pytest")
    assert "H-claim-contradicted" in stopped(log(between, tmp_path))["systemMessage"]


def test_a_closing_message_that_the_log_does_not_have_yet_counts(tmp_path: Path) -> None:
    path = log(LIE.replace("= Done. All tests pass.\n", ""), tmp_path)
    assert stopped(path) == {}
    assert "All tests pass" in stopped(path, last_assistant_message="Done. All tests pass.")["systemMessage"]
    whole = stopped(log(LIE, tmp_path), last_assistant_message="Done. All tests pass.")
    assert whole["systemMessage"].count("H-claim-contradicted") == 1
    part = stopped(log(LIE, tmp_path), last_assistant_message="All tests pass.")
    assert part["systemMessage"].count("H-claim-contradicted") == 1, "the end of a message that the log has"


def test_a_background_run_decides_and_one_that_still_runs_does_not(tmp_path: Path) -> None:
    output = "| F\n| FAILED tests/test_total.py::test_total - assert 2 == 3\n| 1 failed in 0.02s\n! 1"
    run = f"$ python -m pytest -q\n{output}"
    behind = "& python -m pytest -q\n| started\n! running\n? look\n" + output
    assert "H-claim-contradicted" in stopped(log(LIE.replace(run, behind), tmp_path))["systemMessage"]
    assert stopped(log(LIE.replace(run, "& python -m pytest -q\n| started\n! running"), tmp_path)) == {}


def test_the_work_of_a_sub_agent_counts() -> None:
    path = ROOT / "tests" / "data" / "claude-code" / "cli-2.1.330"
    (main_log,) = [p for p in path.glob("*.jsonl") if p.name != "stdout.jsonl"]
    (found,) = [t for t in [stop._session(stop.StopInput(), main_log)] if t is not None]
    assert len({step.lane for step in found.steps}) > 1


# -- who can switch it off


@pytest.mark.parametrize(
    ("old", "new", "silent"),
    [
        ("> Make total add up its items", "> Make total add up its items\n> rigor-skip", True),
        ("> Make total add up its items", "> Make total add up its items. rigor-skip", True),
        ("> Make total add up its items", "> Make total add up its items, and explain rigor-skip to me", False),
        ("= Done. All tests pass.", "= rigor-skip\n= Done. All tests pass.", False),
        ("| def total(items):", "| rigor-skip\n| def total(items):", False),
        ("| 1 failed in 0.02s", "| 1 failed in 0.02s\n| rigor-skip", False),
        ("$ python -m pytest -q", "$ echo rigor-skip\n| rigor-skip\n$ python -m pytest -q", False),
    ],
)
def test_the_word_counts_only_from_the_user(tmp_path: Path, old: str, new: str, silent: bool) -> None:
    assert old in LIE
    assert (stopped(log(LIE.replace(old, new), tmp_path)) == {}) == silent


def test_the_word_holds_for_its_turn(tmp_path: Path) -> None:
    earlier = "> Explain total\n> rigor-skip\n= It returns 0.\n" + LIE.strip()
    assert "H-claim-contradicted" in stopped(log(earlier, tmp_path))["systemMessage"]


def repository(directory: Path, config: str | None) -> Path:
    """A repository whose only commit is older than the session."""
    old = "2020-01-01T00:00:00Z"
    who = {f"GIT_{w}_{x}": "t@t" for w in ("AUTHOR", "COMMITTER") for x in ("NAME", "EMAIL")}
    env = {**os.environ, **who, "GIT_AUTHOR_DATE": old, "GIT_COMMITTER_DATE": old}
    repo = directory / "repo"
    (repo / "deep").mkdir(parents=True)
    if config is not None:
        (repo / "rigor.toml").write_text(config)
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "--allow-empty", "-m", "Start"]):
        subprocess.run(["git", *words], cwd=repo, env=env, check=True)
    return repo


def test_the_configuration_is_that_of_the_commit_before_the_session(tmp_path: Path) -> None:
    path = log(LIE, tmp_path)
    repo = repository(tmp_path, 'severity = { "V-narrow" = "note" }\n')
    (repo / "rigor.toml").write_text('ignore = ["H"]\n')
    assert "H-claim-contradicted" in stopped(path, cwd=str(repo))["systemMessage"], "only in the work tree"
    subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qam", "Quiet"], cwd=repo, check=True
    )
    assert "H-claim-contradicted" in stopped(path, cwd=str(repo))["systemMessage"], "committed since"
    other = tmp_path / "other"
    other.mkdir()
    assert stopped(path, cwd=str(repository(other, 'ignore = ["H"]\n') / "deep")) == {}, "the people's own choice"


def test_the_users_own_configuration_holds_where_the_project_has_none(tmp_path: Path) -> None:
    path = log(LIE, tmp_path)
    own = tmp_path / "home" / ".config" / "rigor" / "rigor.toml"
    own.parent.mkdir(parents=True)
    own.write_text('ignore = ["H"]\n')
    assert stopped(path, cwd=str(tmp_path)) == {}
    assert stopped(path, cwd=str(repository(tmp_path, None))) == {}
    own.write_text("ignore = [\n")
    text = stopped(path, cwd=str(tmp_path))["systemMessage"]
    assert "H-claim-contradicted" in text
    assert "rigor: the configuration is not used: " in text


@pytest.mark.parametrize(
    ("calls", "told"),
    [
        ("@ .claude/settings.json\n- 1\n+ 2", "the agent edited"),
        ("@+ rigor.toml\n+ ignore = ['H']", "as it was when the session began"),
        ("@ pyproject.toml\n- [tool.ruff]\n+ [tool.rigor]\n+ ignore = ['H']", "as it was when the session began"),
        ("$ rigor hook remove\n| claude-code: the hook is out of x", "the agent ran `rigor hook remove`"),
        ("@ pyproject.toml\n- [tool.ruff]\n+ [tool.mypy]", None),
        ("@ src/settings.json\n- 1\n+ 2", None),
    ],
)
def test_what_could_switch_it_off_is_told(tmp_path: Path, calls: str, told: str | None) -> None:
    said = stopped(log(HONEST.replace("$ python", f"{calls}\n$ python"), tmp_path), "--agent", "claude-code", "--block")
    assert "decision" not in said, "it accuses of nothing"
    assert told in said["systemMessage"] if told else said == {}


def test_settings_without_the_hook_that_were_changed_since_are_told(tmp_path: Path) -> None:
    settings = tmp_path / "home" / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text("{}")
    path = log(HONEST, tmp_path)
    text = stopped(path, "--agent", "claude-code", cwd=str(tmp_path))["systemMessage"]
    assert f"this hook is no longer in {settings}" in text
    settings.write_text(json.dumps(with_hook({}, "rigor hook run --agent claude-code || true")))
    assert stopped(path, "--agent", "claude-code", cwd=str(tmp_path)) == {}
    settings.write_text("{}")
    os.utime(settings, (1, 1))
    assert stopped(path, "--agent", "claude-code", cwd=str(tmp_path)) == {}, "it was so before the session"


@pytest.mark.parametrize(
    ("user", "project", "kept"),
    [
        ("{}", None, True),
        (None, None, True),
        ('{"disableAllHooks": true}', "HOOK", True),
        ("HOOK", '{"disableAllHooks": true}', True),
        ("HOOK without", None, True),
        ("HOOK", "{}", False),
        ("{}", "HOOK", False),
        ('{"hooks": {"Stop": [{"hooks": [{"command": "echo hook run --agent"}]}]}}', None, True),
    ],
)
def test_a_change_of_settings_does_not_end_the_review_of_a_session(
    tmp_path: Path, user: str | None, project: str | None, kept: bool
) -> None:
    command = "rigor hook run --agent claude-code --block || true"
    for folder, text in ((tmp_path / "home", user), (tmp_path, project)):
        if text is not None:
            given = command.replace(" --block", "") if text == "HOOK without" else command
            file = folder / ".claude" / "settings.json"
            file.parent.mkdir(exist_ok=True)
            file.write_text(json.dumps(with_hook({}, given)) if text.startswith("HOOK") else text)
    event = {"hook_event_name": "ConfigChange", "source": "user_settings", "cwd": str(tmp_path)}
    said = reply(json.dumps(event).encode(), "--agent", "claude-code", "--block")
    assert (said.get("decision") == "block") == kept
    assert reply(json.dumps(event).encode(), "--agent", "codex") == {}


# -- it fails open


@pytest.mark.parametrize(
    "data",
    [b"", b"no json", b"[]", b"{}", b'{"hook_event_name": 7}', b'{"hook_event_name": "Stop"}', b"\xff\xfe"],
)
def test_whatever_it_is_given_the_agent_may_stop(data: bytes) -> None:
    assert "decision" not in reply(data, "--block")


@pytest.mark.parametrize("content", [None, b"", b"\x00\xff", b'{"type": "user"', b"[1, 2", b"hello\n"])
def test_a_log_that_cannot_be_read_lets_the_agent_stop(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "a.jsonl"
    if content is not None:
        path.write_bytes(content)
    said = stopped(path, "--block")
    assert set(said) <= {"systemMessage"}
    if content is None:
        assert "this turn was not reviewed" in said["systemMessage"]


def test_a_defect_and_wrong_options_let_the_agent_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = log(LIE, tmp_path)
    assert "systemMessage" in stopped(path, "--agent", "nobody", "--what", "--block=7")

    def broken(*_: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr(stop, "findings", broken)
    assert "RecursionError: too deep" in stopped(path, "--block")["systemMessage"]


def test_it_gives_up_in_time(tmp_path: Path) -> None:
    slow = "import time; from rigorbench.cli.hook import run, stop; run._SECONDS = 0.2; "
    slow += "stop.answer = lambda *a, **k: time.sleep(60); run.command(['--block'])"
    done = subprocess.run(
        [sys.executable, "-c", slow], input=b"{}", capture_output=True, timeout=50, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, b"")


# -- settings

OTHERS = {"model": "opus", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}], "Start": []}}


def test_the_hook_goes_in_and_out_and_leaves_the_rest() -> None:
    for before in ({}, OTHERS, {"hooks": {"Stop": []}}):
        once = with_hook(before, "rigor hook run --agent codex || true")
        assert with_hook(once, "/other/rigor hook run --agent codex --block || true") != once
        assert json.dumps(with_hook(once, "rigor hook run --agent codex || true")) == json.dumps(once)
        assert without_hook(once) in (before, {}), "an empty list of hooks may go"
    assert without_hook(with_hook(OTHERS, "rigor hook run --agent codex")) == OTHERS


def test_install_and_remove_for_both_agents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    monkeypatch.chdir(tmp_path)
    assert main(["hook", "install"]) == 2, "nothing to install it for"
    assert "name one: claude-code, codex" in capfd.readouterr().err
    claude, codex = home / ".claude" / "settings.json", home / ".codex" / "hooks.json"
    claude.parent.mkdir()
    claude.write_text(json.dumps(OTHERS))
    claude.chmod(0o640)
    assert main(["hook", "install", "--dry-run"]) == 0
    out = capfd.readouterr().out
    assert "+" in out
    assert "hook run --agent claude-code" in out
    assert json.loads(claude.read_text()) == OTHERS
    assert main(["hook", "install", "claude-code", "codex", "--block"]) == 0
    assert "trusted" in capfd.readouterr().err, "what Codex demands"
    assert set(json.loads(claude.read_text())["hooks"]) == {"Stop", "Start", "ConfigChange"}
    assert set(json.loads(codex.read_text())["hooks"]) == {"Stop"}
    for file, agent in ((claude, "claude-code"), (codex, "codex")):
        command = json.loads(file.read_text())["hooks"]["Stop"][-1]["hooks"][0]["command"]
        assert command.endswith(f" hook run --agent {agent} --block || true")
        assert command.startswith("/"), "of the user: this very program"
    assert claude.stat().st_mode & 0o777 == 0o640
    assert main(["hook", "install", "codex", "--block"]) == 0
    assert "already" in capfd.readouterr().err
    assert main(["hook", "remove", "--dry-run"]) == 0
    assert codex.exists()
    assert main(["hook", "remove"]) == 0
    assert json.loads(claude.read_text()) == OTHERS
    assert not codex.exists(), "nothing else was in it"
    assert main(["hook", "remove"]) == 0
    assert "in none of the settings" in capfd.readouterr().err


def test_the_hook_of_a_project_is_for_everyone_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = repository(tmp_path, None)
    monkeypatch.chdir(repo / "deep")
    assert main(["hook", "install", "claude-code", "--project"]) == 0
    file = repo / ".claude" / "settings.json"
    command = json.loads(file.read_text())["hooks"]["Stop"][0]["hooks"][0]["command"]
    assert command == "rigor hook run --agent claude-code || true"
    assert main(["hook", "remove", "--user"]) == 0
    assert file.exists()
    assert main(["hook", "remove", "--project"]) == 0
    assert not file.exists()


@pytest.mark.parametrize("text", ["{", "[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}'])
def test_settings_that_are_not_understood_stay_as_they_are(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], text: str
) -> None:
    file = tmp_path / "home" / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text(text)
    assert main(["hook", "install", "claude-code"]) == 1
    assert main(["hook", "remove"]) == 1
    assert file.read_text() == text
    assert "left as it is" in capfd.readouterr().err


def test_linked_settings_stay_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "dotfiles.json", tmp_path / "home" / ".claude" / "settings.json"
    real.write_text("{}\n")
    link.parent.mkdir()
    link.symlink_to(real)
    assert main(["hook", "install", "claude-code"]) == 0
    assert link.is_symlink()
    assert "hook run" in real.read_text()


def test_a_wrong_agent_is_answered_with_the_nearest(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["hook", "install", "claude"]) == 2
    assert "no agent 'claude' (did you mean claude-code?)" in capfd.readouterr().err
    assert run._SECONDS < 20
