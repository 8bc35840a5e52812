"""Real agent programs, driven by a scripted policy, in the sandbox without network: they edit, test and commit."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sources import text_file

pytest.importorskip("inspect_ai")
pytest.importorskip("inspect_swe")

from inspect_ai import Task, eval
from inspect_ai.agent import Agent, AgentState, agent
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalSample
from inspect_ai.util import SandboxEnvironmentSpec, sandbox
from spans_task import write_task

import rigorbench.bench.run._registry  # noqa: F401 -- the models, hooks and sandboxes, as Inspect finds them
from rigorbench.base import journal
from rigorbench.bench.agents import get_agent
from rigorbench.bench.agents.launch import build
from rigorbench.bench.agents.locate import binds
from rigorbench.bench.agents.readiness import readiness
from rigorbench.bench.recording.context import forget_recorder, identity, set_recorder
from rigorbench.bench.run.engine.live import save_session
from rigorbench.bench.run.provider import BindConfig, BwrapConfig, BwrapSandbox

DRIVEN = ("claude-code", "codex", "gemini", "mini-swe-agent", "opencode")
GIT = (
    ("GIT_AUTHOR_NAME", "t"),
    ("GIT_AUTHOR_EMAIL", "t@example.org"),
    ("GIT_COMMITTER_NAME", "t"),
    ("GIT_COMMITTER_EMAIL", "t@example.org"),
)

pytestmark = [pytest.mark.bwrap, pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap")]


class Run(msgspec.Struct):
    sample: EvalSample
    records: list[journal.AnyRecord]
    log: str
    diff: str
    session: list[Path]

    def models(self) -> list[journal.Model]:
        return [r for r in self.records if isinstance(r, journal.Model)]

    def commands(self) -> str:
        return "\n".join(" ".join(r.argv) for r in self.records if isinstance(r, journal.CommandRecord))


def run_agents(names: tuple[str, ...], directory: Path, policy: str = "disciplined") -> dict[str, Run]:
    """All at once, each in a sandbox of its own."""
    task = write_task(directory / "task")
    directory.mkdir(exist_ok=True)
    repository = directory / "repository"
    shutil.copytree(task / "environment" / "repo", repository)
    environment = {**os.environ, **dict(GIT)}
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "Start"]):
        subprocess.run(["git", *words], cwd=repository, env=environment, check=True)
    ends: dict[str, tuple[str, str, list[Path]]] = {}
    log = eval(
        Task(
            dataset=[_sample(name, task, repository, directory) for name in names],
            solver=_play(ends),
            time_limit=300,
        ),
        model=f"scripted/{policy}",
        log_dir=str(directory / "logs"),
        display="none",
        max_samples=len(names),
        fail_on_error=False,
    )[0]
    runs = {}
    for sample in log.samples or []:
        name = str(sample.id)
        lines = (directory / name / journal.JOURNAL).read_bytes().splitlines()
        records = [msgspec.json.decode(line, type=journal.AnyRecord) for line in lines]
        runs[name] = Run(sample, records, *ends.get(name, ("", "", [])))
    return runs


def _sample(name: str, task: Path, repository: Path, directory: Path) -> Sample:
    spec = get_agent(name)
    config = BwrapConfig(
        binds=tuple(BindConfig(source=b.source, target=b.inside) for b in binds(spec)),
        env=(("PATH", ":".join(filter(None, (spec.path(), "/usr/local/bin", "/usr/bin", "/bin")))), *GIT),
        repository=str(repository),
        capture=str(directory / name),
    )
    return Sample(
        id=name,
        input=(task / "instruction.md").read_text(encoding="utf-8"),
        metadata={"task_directory": str(task), "root": "/work", "agent": name},
        sandbox=SandboxEnvironmentSpec("bwrap", config),
    )


@agent
def _play(ends: dict[str, tuple[str, str, list[Path]]]) -> Agent:
    async def execute(state: AgentState) -> AgentState:
        from inspect_ai.solver._task_state import sample_state

        current: Any = sample_state()
        name = str(current.metadata["agent"])
        box = sandbox().as_type(BwrapSandbox).box
        set_recorder(str(identity()), box)
        try:
            spec = get_agent(name)
            state = await build(spec, cwd="/work")(state)
        finally:
            forget_recorder(str(identity()))
        log = await sandbox().exec(["git", "log", "--format=%s"])
        diff = await sandbox().exec(["git", "diff", "HEAD~1", "--stat"])
        session = Path(box.spec.capture or "") / "session"
        assert await save_session(sandbox(), spec, session) is None
        kept = sorted(session.iterdir()) if session.is_dir() else []
        ends[name] = (log.stdout, diff.stdout, kept)
        return state

    return execute


def check(run: Run) -> None:
    assert run.sample.error is None, run.sample.error
    assert run.sample.limit is None
    # The repository: fixed, tested, committed.
    assert run.log.splitlines() == ["Count 60 minutes to the hour", "Start"]
    assert "spans.py" in run.diff
    assert "tests/test_whole_hours.py" in run.diff
    # The journal: the test runs with their verdicts, and every call of the policy, once.
    assert "python3 -m unittest -q" in run.commands()
    main = [m for m in run.models() if m.conversation == "main"]
    texts = [str((m.output or {})["content"]) for m in main]
    # Six turns; an agent that runs the calls of one answer side by side gets them one by one.
    assert len([text for text in texts if text]) == 6
    assert all(m.error is None and m.model == "scripted/disciplined" and m.tools for m in main)
    assert {m.stop for m in main[:-1]} == {"tool_calls"}
    assert texts[0].startswith("I plan the work first.")
    assert texts[-1].startswith("Done:")
    # Tokens: what a call sent is what the next one gets from the cache.
    for before, after in itertools.pairwise(main):
        assert before.usage is not None
        assert after.usage is not None
        assert (before.usage["input"] or 0) > 0
        assert (before.usage["output"] or 0) > 0
        assert (after.usage["cache_read"] or 0) > (before.usage["cache_read"] or 0)
    # Only new messages: the prompt and the policy's own answers do not come again.
    assert any(m["role"] == "user" for m in main[0].input)
    later = [m for call in main[1:] for m in call.input]
    assert {m["role"] for m in later} <= {"tool", "user"}
    assert sum("Ran 1 test" in m["content"] or "FAIL: test_hours" in m["content"] for m in later) == 1


def test_the_built_in_loop(tmp_path: Path) -> None:
    run = run_agents(("react",), tmp_path)["react"]
    check(run)
    tools = [r for r in run.records if isinstance(r, journal.CommandRecord) and r.origin == "tool"]
    ids = {c["id"] for m in run.models() for c in (m.output or {}).get("tool_calls", []) if c["name"] == "bash"}
    assert {r.tag for r in tools if r.tag is not None} == ids
    assert len(ids) == 4, "three commands of the policy, and its plan, which this loop has no tool for"


@pytest.fixture(scope="module")
def driven(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    ready = tuple(name for name in DRIVEN if readiness(get_agent(name)).ok)
    return run_agents(ready, tmp_path_factory.mktemp("driven")) if ready else {}


@pytest.mark.slow(reason="starts five real agent programs at once: a minute and a half on two loaded cores")
@pytest.mark.parametrize("name", DRIVEN)
def test_a_real_program_edits_tests_and_commits(driven: dict[str, Run], name: str) -> None:
    if name not in driven:
        pytest.skip(f"{readiness(get_agent(name)).why}; scripts/agents DIR installs it, then RIGOR_AGENTS=DIR")
    check(driven[name])
    assert driven[name].session, "the program's own log was not found"


ASKS = text_file("agents_end_to_end.asks.txt")


@pytest.mark.slow(reason="three sandboxes with the engine's tools server: 15 s on two loaded cores")
def test_programs_that_ask_fail_or_say_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = {"aider": ASKS, "qwen": "#!/bin/sh\nexit 0\n", "copilot": "#!/bin/sh\necho no licence >&2\nexit 3\n"}
    for name, text in programs.items():
        file = tmp_path / "bin" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)
    monkeypatch.setenv("RIGOR_AGENTS", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    runs = run_agents(tuple(programs), tmp_path / "runs")
    assert runs["aider"].sample.error is None, runs["aider"].sample.error
    (call,) = runs["aider"].models()
    assert call.conversation == "text-1"
    assert call.input == [{"role": "user", "content": (tmp_path / "runs/task/instruction.md").read_text()}]
    assert (call.output or {})["content"] == "Scripted session"
    silent, failed = runs["qwen"].sample.error, runs["copilot"].sample.error
    assert "Qwen Code ended without a single model call" in silent.message
    assert "GitHub Copilot CLI ended with exit status 3: no licence" in failed.message
