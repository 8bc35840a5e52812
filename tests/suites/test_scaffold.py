"""A new task has every file in its place; canaries reach every hidden file and nothing that an agent sees."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from rigorbench.authoring.canary import MARK, hidden_files, new_canary, stamp, unmarked
from rigorbench.authoring.harbor import check_task, prepare_task
from rigorbench.authoring.scaffold import LANGUAGES, ScaffoldError, new_task
from rigorbench.bench.tasks.suite import load_suite
from rigorbench.cli import main


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_task_can_be_read_and_is_harbors(tmp_path: Path, language: str) -> None:
    directory = tmp_path / "mine" / "doom-loop" / "stuck-queue"
    written = new_task(directory, language)
    assert directory / "task.toml" in written
    (task,) = load_suite(tmp_path / "mine").tasks
    assert (task.id, task.task.category, task.task.pillars) == ("stuck-queue", "doom-loop", ["RE"])
    assert bool(task.task.tools) is (language != "python")
    assert check_task(directory) == []
    assert task.task.canary is not None
    assert unmarked(directory, task.task.canary) == []


def test_every_category_can_be_begun_in_a_free_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for category in ("plan-then-build", "verify-or-die", "know-when-to-fold", "dont-break-the-build"):
        new_task(tmp_path / category / "a")
        assert load_suite(tmp_path / category / "a").tasks[0].task.category == category
    with pytest.raises(ScaffoldError, match="'mine' is no category"):
        new_task(tmp_path / "mine" / "a")
    new_task(tmp_path / "doom-loop" / "a")
    assert main(["suite", "new", str(tmp_path / "doom-loop" / "a")]) == 2
    assert "exists and is not empty; give another name" in capsys.readouterr().err


def test_canaries_are_comments_in_every_hidden_file_and_nowhere_else(tmp_path: Path) -> None:
    directory = tmp_path / "doom-loop" / "a"
    new_task(directory)
    extra = {
        "tests/driver.mjs": "export const a = 1;\n",
        "tests/data.json": "{}\n",
        "proof/obstacle.py": "#!/usr/bin/env python3\nprint()\n",
        "policies/files/new.py": "x = 1\n",
        "environment/repo/src/a.py": "a = 1\n",
    }
    for name, text in extra.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)
    written = prepare_task(directory)
    assert sorted(written) == ["proof/obstacle.py", "tests/driver.mjs"]
    canary = load_suite(directory).tasks[0].task.canary
    assert canary is not None
    assert (directory / "tests/driver.mjs").read_text() == f"// {canary}\nexport const a = 1;\n"
    assert (directory / "proof/obstacle.py").read_text() == f"#!/usr/bin/env python3\n# {canary}\nprint()\n"
    # A second time there is nothing to do, and what agents see or policies write has none.
    assert prepare_task(directory) == []
    for name in ("tests/data.json", "policies/files/new.py", "environment/repo/src/a.py", "instruction.md"):
        assert MARK not in (directory / name).read_text()
    assert all(canary in path.read_text() for path in hidden_files(directory))


def test_a_copied_task_gets_its_own_canary(tmp_path: Path) -> None:
    file = tmp_path / "tests" / "test_hidden.py"
    file.parent.mkdir()
    first, second = new_canary(), new_canary()
    file.write_text('"""Tests."""\n')
    (tmp_path / "task.toml").write_text("")
    stamp(tmp_path, first)
    stamp(tmp_path, second)
    assert file.read_text() == f'# {second}\n"""Tests."""\n'


def test_a_patch_with_a_canary_still_applies(tmp_path: Path) -> None:
    (tmp_path / "solution").mkdir()
    (tmp_path / "task.toml").write_text("")
    (tmp_path / "a.txt").write_text("one\n")
    patch = tmp_path / "solution" / "solution.patch"
    patch.write_text("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n")
    stamp(tmp_path, new_canary())
    assert patch.read_text().startswith(f"# {MARK} ")
    subprocess.run(["git", "apply", str(patch)], cwd=tmp_path, check=True)
    assert (tmp_path / "a.txt").read_text() == "two\n"


def test_line_ends_and_what_is_no_text_stay_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "task.toml").write_text("")
    (tmp_path / "faulty").mkdir()
    patch = tmp_path / "faulty" / "a.patch"
    content = b"--- a/a.csv\n+++ b/a.csv\n@@ -1 +1 @@\n-one\xff\r\n+two\x0c\r\n"
    patch.write_bytes(content)
    canary = new_canary()
    assert stamp(tmp_path, canary) == [patch]
    assert patch.read_bytes() == f"# {canary}\n".encode() + content
