"""The GitHub Action: its steps are run here, with a `gh` that only writes down what it is asked."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rigorbench.cli import main
from sources import text_file

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).resolve().parents[1]
LIE = ROOT / "src" / "rigorbench" / "cli" / "demo" / "lie.jsonl"
HONEST = LIE.with_name("honest.jsonl")
GH = text_file("action.gh.txt")


class Job:
    """A checkout with logs, and a runner for the steps of the action."""

    def __init__(self, directory: Path) -> None:
        self.action: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
        self.inputs = {name: str(i.get("default", "")) for name, i in self.action["inputs"].items()}
        self.event: dict[str, str] = {"github.event.pull_request.number": "7", "github.token": "secret"}
        self.outputs: dict[str, str] = {}
        self.directory, self.repo = directory, directory / "repo"
        (self.repo / "logs" / "deep er").mkdir(parents=True)
        shutil.copy(LIE, self.repo / "logs" / "lie.jsonl")
        shutil.copy(HONEST, self.repo / "logs" / "deep er" / "honest.jsonl")
        (directory / "temp").mkdir()
        bin = directory / "bin"
        bin.mkdir()
        program = f"#!{sys.executable}\nimport sys\nfrom rigorbench.cli import main\nsys.exit(main())\n"
        for name, text in (("gh", GH.format(python=sys.executable)), ("rigor", program)):
            (bin / name).write_text(text)
            (bin / name).chmod(0o755)
        self.state: dict[str, Any] = {"files": ["logs/lie.jsonl", "README.md"], "comments": [], "may_write": True}
        self.printed = ""
        self.env = {
            "PATH": f"{bin}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "src"), "HOME": str(directory),
            "RUNNER_TEMP": str(directory / "temp"), "GITHUB_OUTPUT": str(directory / "output"),
            "GITHUB_STEP_SUMMARY": str(directory / "summary.md"), "GITHUB_REPOSITORY": "someone/project",
            "GITHUB_ACTION_PATH": str(ROOT), "GH_STATE": str(directory / "state"), "GH_CALLS": str(directory / "calls"),
        }  # fmt: skip

    def value(self, text: str) -> str:
        """An expression of the action, as the runner would replace it."""

        def known(match: re.Match[str]) -> str:
            name = match[1]
            if name.startswith("inputs."):
                return self.inputs[name.removeprefix("inputs.")]
            if name.startswith("steps."):
                return self.outputs.get(name.split(".")[3], "")
            return self.event[name]

        return re.sub(r"\$\{\{ ([\w.-]+) \}\}", known, text)

    def wanted(self, condition: str) -> bool:
        parts = (re.fullmatch(r"([\w.-]+) (==|!=) '(.*)'", part) for part in condition.split(" && "))
        return all((self.value(f"${{{{ {p[1]} }}}}") == p[3]) == (p[2] == "==") for p in parts if p is not None)

    def run(self) -> int:
        """The status of the job: that of the first step that fails."""
        (self.directory / "state").write_text(json.dumps(self.state))
        self.inputs["token"] = "secret"
        for step in self.action["runs"]["steps"]:
            if "run" not in step or step["name"] == "Install" or not self.wanted(step.get("if", "")):
                continue
            env = {name: self.value(str(text)) for name, text in step.get("env", {}).items()}
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
                cwd=self.repo, env={**self.env, **env}, capture_output=True, text=True, check=False,
            )  # fmt: skip
            self.printed += done.stdout + done.stderr
            output = Path(self.env["GITHUB_OUTPUT"])
            if output.exists():
                self.outputs |= dict(line.split("=", 1) for line in output.read_text().splitlines())
            if done.returncode:
                return done.returncode
        return 0

    def calls(self) -> list[tuple[list[str], str | None]]:
        file = self.directory / "calls"
        return [tuple(json.loads(line)) for line in file.read_text().splitlines()] if file.exists() else []


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return Job(tmp_path)


def test_the_log_that_a_pull_request_brings_is_reviewed_and_told(job: Job) -> None:
    assert job.run() == 3
    assert job.outputs["count"] == "1"
    assert "::error title=flag R-bent-tests,file=logs/lie.jsonl,line=" in job.printed
    [*_, (words, body)] = job.calls()
    assert words[:2] == ["api", "repos/someone/project/issues/7/comments"]
    assert body.startswith("<!-- rigorbench -->\n### RigorBench\n")
    assert "1 session below what is required" in body
    assert Path(job.env["GITHUB_STEP_SUMMARY"]).read_text() in body
    assert (Path(job.outputs["report"]) / "index.html").is_file()


def test_an_earlier_comment_is_replaced(job: Job) -> None:
    job.state["comments"] = ["11", "12"]
    assert job.run() == 3
    [(words, body)] = [c for c in job.calls() if c[1] is not None]
    assert words[:4] == ["api", "-X", "PATCH", "repos/someone/project/issues/comments/12"]
    assert body is not None


def test_a_token_that_may_not_comment_does_not_hide_the_result(job: Job) -> None:
    job.state["may_write"] = False
    job.inputs["fail-on"] = ""
    assert job.run() == 0
    assert "::notice title=RigorBench::The token may not comment" in job.printed


def test_no_comment_is_made_where_none_is_wanted(job: Job) -> None:
    job.inputs["comment"] = "false"
    assert job.run() == 3
    assert [c for c in job.calls() if c[1] is not None] == []


def test_outside_a_pull_request_every_log_is_reviewed(job: Job) -> None:
    job.event["github.event.pull_request.number"] = ""
    job.inputs["logs"] = "logs/**/*.jsonl\nlogs/lie.jsonl\n"
    assert job.run() == 3
    assert job.outputs["count"] == "2", "each once, and a space in a path is no end"
    assert job.calls() == []


def test_without_a_log_nothing_happens(job: Job) -> None:
    job.state["files"] = ["README.md"]
    assert job.run() == 0
    assert job.outputs == {"count": "0"}
    assert len(job.calls()) == 1


def test_an_honest_session_passes_and_a_limit_fails_it(job: Job) -> None:
    job.state["files"] = ["logs/deep er/honest.jsonl"]
    assert job.run() == 0


def test_a_limit_fails_a_session_below_it(job: Job) -> None:
    job.inputs |= {"fail-on": "", "fail-under": "50"}
    assert job.run() == 3


@pytest.mark.parametrize("name", ["$(touch pwned).jsonl", "-x.jsonl", "a;touch pwned;.jsonl", "`touch pwned`.jsonl"])
def test_the_name_of_a_file_is_no_script(job: Job, name: str) -> None:
    shutil.copy(LIE, job.repo / name)
    job.state["files"] = [name]
    assert job.run() == 3
    assert job.outputs["count"] == "1"
    assert not list(job.directory.rglob("pwned"))


def test_no_expression_is_part_of_a_script() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    for step in action["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
        assert ("run" in step) == ("shell" in step)
        assert ("run" in step) != ("uses" in step)


def test_the_pre_commit_hook_fails_on_a_flag(tmp_path: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    program, *words = hook["entry"].split()
    assert program == "rigor"
    assert main([*words, str(LIE)]) == 3
    assert main([*words, str(HONEST)]) == 0
    assert re.search(hook["files"], "sessions/a.jsonl")
    assert not re.search(hook["files"], "package.json")
