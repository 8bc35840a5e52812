"""Policies: what is read, what is refused, and which name means which."""

from __future__ import annotations

from pathlib import Path

import pytest

from rigorbench.bench.tasks.policies.gaming import TRANSFORMATIONS, resolve_policy
from rigorbench.bench.tasks.policies.policy import PolicyError, load_policy
from rigorbench.bench.tasks.suite import load_suite

SUITE = Path(__file__).parents[2] / "suites" / "rigor"


def write(directory: Path, text: str, name: str = "p.toml") -> Path:
    path = directory / name
    path.write_text(text)
    return path


def test_a_policy_is_read_with_the_content_of_other_files(tmp_path: Path) -> None:
    (tmp_path / "task.toml").touch()
    (tmp_path / "solution").mkdir()
    (tmp_path / "solution" / "a.py").write_text("x = 1\n")
    (tmp_path / "policies").mkdir()
    text = """\
description = "An example."
[[turn]]
text = "I look."
[[turn.call]]
tool = "shell"
command = "ls"
[[turn.call]]
tool = "write"
path = "src/a.py"
content_from = "../solution/a.py"
[[turn]]
text = "Done."
"""
    policy = load_policy(write(tmp_path / "policies", text, "careful.toml"))
    assert (policy.name, policy.description, len(policy.turns)) == ("careful", "An example.", 2)
    written = policy.turns[0].call[1]
    assert (written.content, written.content_from) == ("x = 1\n", None)
    (tmp_path / "solution" / "a.py").write_text("x = 2\n")
    assert load_policy(tmp_path / "policies" / "careful.toml").digest != policy.digest
    other = write(tmp_path / "policies", text.replace("../solution/a.py", "../../a.py"))
    with pytest.raises(PolicyError, match=r"turn 1, call 2: content_from: \.\./\.\./a\.py is outside"):
        load_policy(other)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no turns"),
        ("turns = []", "turns"),
        ("[[turn]]\ntxt = 'x'", "turn 1: txt: unknown key"),
        ("[[turn]]\ntext = ' '", "turn 1: neither text nor a call"),
        ("[[turn]]\ntext = 3", "turn 1: Expected `str`"),
        ("[[turn]]\ntext = 'x'\n[[turn]]\n[[turn.call]]\ntool = 'shell'",
         "turn 2, call 1: a `shell` call needs `command`"),
        ("[[turn]]\n[[turn.call]]\ntool = 'bash'\ncommand = 'ls'", "turn 1: Invalid enum value 'bash'"),
        ("[[turn]]\n[[turn.call]]\ntool = 'shell'\ncommand = 'ls'\npath = 'x'", "does not use `path`"),
        ("[[turn]]\n[[turn.call]]\ntool = 'shell'\ncmd = 'ls'", "turn 1, call 1: cmd: unknown key"),
        ("[[turn]]\n[[turn.call]]\ntool = 'read'\npath = '/etc/passwd'", "is not inside the repository"),
        ("[[turn]]\n[[turn.call]]\ntool = 'read'\npath = '../x'", "is not inside the repository"),
        ("[[turn]]\n[[turn.call]]\ntool = 'write'\npath = 'x'", r"needs `content` \(or content_from\)"),
        ("[[turn]]\n[[turn.call]]\ntool = 'write'\npath = 'x'\ncontent_from = 'gone'",
         "content_from: gone: No such file"),
        ("[[turn]]\n[[turn.call]]\ntool = 'read'\npath = 'x'\ncontent_from = 'y'", "only `write` takes it"),
        ("[[turn]]\n[[turn.call]]\ntool = 'edit'\npath = 'x'\nold = 'a'\nnew = 'a'", "`old` and `new` are the same"),
        ("[[turn]]\n[[turn.call]]\ntool = 'plan'\nitems = []", "a `plan` call needs `items`"),
        ("[[turn]]\n[[turn.call]]\ntool = 'plan'\nitems = [{ txt = 'x' }]", "items: txt: unknown key"),
        ("a = = 1", "line 1"),
    ],
)  # fmt: skip
def test_a_bad_policy_gives_one_line_with_its_place(tmp_path: Path, text: str, words: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(PolicyError, match=words) as caught:
        load_policy(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_a_missing_policy_is_named(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match=r"gone\.toml: No such file"):
        load_policy(tmp_path / "gone.toml")


def test_names_mean_policies_and_transformations(tmp_path: Path) -> None:
    task = load_suite(SUITE).tasks[0]
    base = resolve_policy("disciplined", task)
    assert resolve_policy("do-nothing", task).turns[0].call == ()
    told, untold = (resolve_policy("as-told", task, told=value) for value in (True, False))
    assert (told.turns, untold.turns) == (base.turns, resolve_policy("reckless", task).turns)
    assert (told.name, told.digest) == (untold.name, untold.digest)
    twice = resolve_policy("disciplined+plan-padding+git-status-spam", task)
    assert (twice.name, len(twice.turns) > len(base.turns)) == ("disciplined+plan-padding+git-status-spam", True)
    path = write(tmp_path, "[[turn]]\ntext = 'Nothing to do.'")
    assert resolve_policy(str(path), task).turns[0].text == "Nothing to do."
    with pytest.raises(PolicyError, match="no transformation 'magic'; there are plan-padding"):
        resolve_policy("disciplined+magic", task)
    with pytest.raises(PolicyError, match="has no such policy; there are disciplined, reckless, do-nothing"):
        resolve_policy("perfect", task)


@pytest.mark.parametrize("name", TRANSFORMATIONS)
@pytest.mark.parametrize("base", ["disciplined", "reckless"])
def test_a_transformation_keeps_the_closing_message_and_adds_something(name: str, base: str) -> None:
    for task in load_suite(SUITE).tasks:
        before = resolve_policy(base, task)
        edits = any(call.tool in ("edit", "write") for turn in before.turns for call in turn.call)
        try:
            after = resolve_policy(f"{base}+{name}", task)
        except PolicyError as error:
            assert (name, "the starter has no production code" in str(error)) == ("noop-fix", True)
            continue
        assert after.turns[-1] == before.turns[-1]
        assert after.digest != before.digest or (name == "noop-fix" and not edits)
