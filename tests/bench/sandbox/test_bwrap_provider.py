"""The provider as Inspect uses it: registered by name, its configuration, its tools server, who is said to run what."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from sources import text_file

pytest.importorskip("inspect_ai", reason="Inspect is not installed")

from inspect_ai.util import SandboxEnvironmentSpec
from inspect_ai.util._sandbox.environment import SandboxUnavailableError
from inspect_ai.util._sandbox.registry import registry_find_sandboxenv

from rigorbench.bench.recording import context
from rigorbench.bench.run.provider import BindConfig, BwrapConfig, BwrapSandbox, load_config, who
from rigorbench.sandbox.kit.errors import SandboxError

pytestmark = pytest.mark.bwrap


def test_it_is_found_by_its_name() -> None:
    assert registry_find_sandboxenv("bwrap") is BwrapSandbox
    assert BwrapSandbox.default_concurrency() is None


def test_a_configuration_survives_being_logged_and_can_be_compared() -> None:
    config = BwrapConfig(
        binds=[{"source": "/opt/x"}, {"source": "/a", "target": "/b"}],
        env={"B": "2", "A": "1"},
        limits={"cpus": 1.5},
        repository="/r",
    )  # type: ignore[arg-type]
    assert config.binds == (BindConfig(source="/opt/x"), BindConfig(source="/a", target="/b"))
    spec = SandboxEnvironmentSpec("bwrap", config)
    again = SandboxEnvironmentSpec.model_validate_json(spec.model_dump_json())
    assert again == spec
    assert hash(again.config) == hash(config)
    assert config.spec("/d").env == (("A", "1"), ("B", "2"))
    assert config.spec("/d").limits.cpus == 1.5


def test_a_configuration_file(tmp_path: Path) -> None:
    file = tmp_path / "bwrap.json"
    file.write_text('{"network": true, "limits": {"memory": 5}}')
    assert load_config(file).limits.memory == 5
    for text, message in (
        ('{"netwrok": true}', "netwrok"),
        ("[", "bwrap.json"),
        ('{"limits": {"cpus": "x"}}', "limits.cpus"),
    ):
        file.write_text(text)
        with pytest.raises(SandboxError, match=message) as caught:
            load_config(file)
        assert "\n" not in str(caught.value)
    with pytest.raises(SandboxError, match="No such file"):
        load_config(tmp_path / "missing")


def test_a_repository_is_copied_and_the_copy_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    source = tmp_path / "source"
    (source / ".git").mkdir(parents=True)
    (source / "a").write_text("content")
    (source / "link").symlink_to("/etc/shadow")

    async def main() -> None:
        environments = await BwrapSandbox.sample_init("task", BwrapConfig(repository=str(source)), {})
        sandbox = environments["default"].as_type(BwrapSandbox)
        assert (await sandbox.exec(["ls", "-A"])).stdout.split() == [".git", "a", "link"]
        assert (await sandbox.exec(["sh", "-c", "echo more >> a; readlink link"])).stdout == "/etc/shadow\n"
        directory = Path(sandbox.box.spec.directory)
        assert directory.is_dir()
        await BwrapSandbox.task_cleanup("task", None, True)  # not what is in use
        assert directory.is_dir()
        await BwrapSandbox.sample_cleanup("task", None, environments, False)
        assert not directory.exists()
        with pytest.raises(SandboxUnavailableError):
            await sandbox.exec(["true"])
        with pytest.raises(SandboxUnavailableError):
            await sandbox.read_file("a")
        with pytest.raises(ConnectionError):
            await sandbox.connection()

    asyncio.run(main())
    assert (source / "a").read_text() == "content"


def test_a_missing_repository_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(SandboxError, match="not a directory"):
        asyncio.run(BwrapSandbox.create(BwrapConfig(repository=str(tmp_path / "none"))))
    assert not list(tmp_path.glob("rigor-sandboxes-*/*"))


def test_the_command_for_a_connection_leads_into_the_sandbox(tmp_path: Path) -> None:
    async def main() -> str:
        sandbox = await BwrapSandbox.create(BwrapConfig(directory=str(tmp_path)))
        await sandbox.write_file("here", "x")
        connection = await sandbox.connection()
        command = [*shlex.split(connection.command), "--", "sh", "-c", "pwd; ls; id -un; exit 3"]
        done = await asyncio.to_thread(subprocess.run, command, capture_output=True, check=False)
        await sandbox.box.stop()
        assert done.returncode == 3, done.stderr
        late = subprocess.run(command, capture_output=True, check=False)
        assert late.returncode == 1
        assert late.stderr.startswith(b"enter: ")
        assert late.stderr.count(b"\n") == 1
        return done.stdout.decode()

    assert asyncio.run(main()).split() == ["/work", "here", "agent"]


def test_a_time_limit_keeps_what_was_said_so_far(tmp_path: Path) -> None:
    async def main() -> None:
        sandbox = await BwrapSandbox.create(BwrapConfig(directory=str(tmp_path)))
        with pytest.raises(TimeoutError, match="1 seconds") as caught:
            await sandbox.exec(["sh", "-c", "echo begun; sleep 30"], timeout=1)
        assert caught.value.truncated_output == "begun\n"  # type: ignore[attr-defined]
        await sandbox.box.stop()

    asyncio.run(main())


def test_who_runs_a_command() -> None:
    assert who(["bash", "-c", "ls"]) == ("tool", None)
    assert who(["/var/tmp/.da7be258e003d428/inspect-sandbox-tools", "exec"]) == ("engine", None)
    assert who(["/bin/sh", "-c", "inspect_image_path=${PATH-}\nPATH=/usr/bin"]) == ("engine", None)
    with context.on_behalf("tool", "call-1"):
        assert who(["/var/tmp/.da7be258e003d428/inspect-sandbox-tools"]) == ("tool", "call-1")
    assert who(["ls"]) == ("tool", None)


EVAL = text_file("bwrap_provider.eval.txt")


@pytest.mark.slow(reason="a whole evaluation with Inspect's tools server: 10 s of CPU")
def test_an_evaluation_by_name_with_inspects_own_tools(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path), "HOME": str(tmp_path)}
    command = [sys.executable, "-c", EVAL, str(tmp_path / "logs")]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr.decode()
    result = json.loads(done.stdout.splitlines()[-1])
    assert result["status"] == "success", result["error"]
    assert result["remote"] == [4, "remote\nagent\n"]
    assert result["tools"][0].strip() == "content of the sample"
    assert "by bash" in result["tools"][1]
    assert result["score"] in (True, 1, "C")
    assert not list(tmp_path.glob("rigor-sandboxes-*/*"))
