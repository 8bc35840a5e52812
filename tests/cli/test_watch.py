"""``rigor hook watch``: what is told while a log grows, and how it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rigorbench.cli import main
from rigorbench.cli.hook.watch import look, watch
from rigorbench.review.config import Config, gate

ROOT = Path(__file__).resolve().parents[2]
LIE = ROOT / "src" / "rigorbench" / "cli" / "demo" / "lie.jsonl"
LINES = LIE.read_text("utf-8").splitlines(keepends=True)


class Clock:
    """Time that passes only while `watch` sleeps, and a log that grows by some lines at each sleep."""

    def __init__(self, log: Path, *parts: str) -> None:
        self.log, self.parts, self.now, self.looks = log, list(parts), 0.0, 0
        self.log.write_text(self.parts.pop(0))

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        if self.parts:
            with self.log.open("a") as file:
                file.write(self.parts.pop(0))

    def run(self, on: str = "flag", idle: float = 5) -> int:
        def counted() -> object:
            self.looks += 1
            return look(self.log, gate(None, on), Config())

        return watch(counted, [self.log], interval=1, idle=idle, sleep=self.sleep, clock=lambda: self.now)  # type: ignore[arg-type]


def test_a_flag_is_told_once_as_soon_as_the_log_shows_it(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    half = len(LINES) // 2
    clock = Clock(tmp_path / "a.jsonl", "".join(LINES[:6]), "".join(LINES[6:half]), "".join(LINES[half:]))
    assert clock.run() == 3
    out = capfd.readouterr().out
    assert out.count("flag R-bent-tests") == out.count("flag H-claim-contradicted") == 1
    assert out.index("R-bent-tests") < out.index("H-claim-contradicted"), "in the order of the session"
    assert "   run: python -m pytest -q\n" in out
    assert clock.looks == 3, "only when the log has changed"
    assert clock.now < 10, "it ends when the log is quiet"


def test_a_line_half_written_is_read_when_it_is_whole(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = "".join(LINES)
    cut = len(text) - len(LINES[-1]) // 2
    assert Clock(tmp_path / "a.jsonl", text[:cut], text[cut:]).run() == 3
    assert capfd.readouterr().out.count("H-claim-contradicted") == 1


def test_a_session_without_flags_ends_with_status_0(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    honest = LIE.with_name("honest.jsonl").read_text("utf-8")
    assert Clock(tmp_path / "a.jsonl", honest).run() == 0
    assert capfd.readouterr().out == ""


def test_what_no_longer_holds_is_said(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    # A check of the end holds only until the agent goes on.
    lines = LIE.with_name("honest.jsonl").read_text("utf-8").splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if "5 passed" in line) - 1  # before its call
    before, after, last = (json.loads(lines[n]) for n in (at - 1, at, -1))
    # The agent stops there, and goes on when the user asks.
    closing = json.dumps({**last, "parentUuid": before["uuid"], "uuid": "stopped"}) + "\n"
    rest = [json.dumps({**after, "parentUuid": "stopped"}) + "\n", *lines[at + 1 :]]
    first = "".join([*lines[:at], closing])
    assert Clock(tmp_path / "a.jsonl", first, "".join(rest)).run("V-final-check") == 0
    out = capfd.readouterr().out
    assert out.index("weak V-final-check") < out.index("no longer holds: V-final-check")


def test_a_log_that_cannot_be_read_is_said_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert Clock(tmp_path / "a.jsonl", "nothing\n", "of the kind\n").run() == 1
    assert capfd.readouterr().err.count("a.jsonl") == 1


def test_ctrl_c_ends_it_with_the_status_of_what_was_found(tmp_path: Path) -> None:
    # Whoever runs these tests in the background may have the signal ignored.
    start = "import signal, sys, rigorbench.cli as c; signal.signal(2, signal.default_int_handler); sys.exit(c.main())"
    process = subprocess.Popen(
        [sys.executable, "-c", start, "hook", "watch", str(LIE)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )  # fmt: skip
    assert "R-bent-tests" in process.stdout.readline()
    time.sleep(0.2)
    process.send_signal(2)
    assert process.wait(30) == 3


def test_wrong_usage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["hook", "watch", str(tmp_path / "none")]) == 2
    assert main(["hook", "watch", str(LIE), "--on", "flagg"]) == 2
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    assert main(["hook", "watch"]) == 2
    err = capfd.readouterr().err
    assert "does not exist" in err
    assert "--on: there is no check flagg (did you mean flag?)" in err
    assert "name the log" in err


def test_without_a_log_it_follows_the_latest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.chdir(tmp_path)
    log = tmp_path / ".claude" / "projects" / "p" / "s.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text("".join(LINES))
    assert main(["hook", "watch", "--idle", "0"]) == 3
    assert f"watching {log}" in capfd.readouterr().err
