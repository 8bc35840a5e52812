"""The rules about the history, on repositories made here; nothing in a hostile repository takes effect."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from review_helpers import decided, reviewed

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
ENVIRONMENT = {
    **{
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "A"), ("EMAIL", "a@b"))
    },
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "PATH": os.environ["PATH"],
}
KEY = "AKIA" + "ABCDEFGHIJKLMNOP"


def git(place: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=place, env=ENVIRONMENT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def repository(place: Path, commits: list[tuple[str, dict[str, bytes]]]) -> dict[str, object]:
    place.mkdir()
    git(place, "init", "-q", "-b", "main")
    for message, files in commits:
        for name, content in files.items():
            (place / name).write_bytes(content)
        git(place, "add", "-A")
        git(place, "commit", "-q", "--allow-empty", "-m", message)
    return {"history": place / ".git", "revision": git(place, "rev-parse", "HEAD")}


GOOD = [
    ("Add the skeleton of the store", {"a.cpp": b"int a;\n" * 10}),
    ("Write pages through a cache", {"b.cpp": b"int b;\n" * 12}),
    ("Recover from a torn write", {"c.cpp": b"int c;\n" * 11}),
]
ALL = "min_commits = 3\nmax_share = 0.5\nmin_subject = 8\nsecrets = true\nbinaries = true"


def test_a_good_history_passes(tmp_path: Path) -> None:
    result = decided(tmp_path, "history", ALL, {"a.cpp": ""}, **repository(tmp_path / "r", GOOD))
    assert (result.outcome, result.findings, result.reason) == ("passed", [], "")


def test_what_is_wrong_with_a_history(tmp_path: Path) -> None:
    commits = [
        ("Add everything at once", {"a.cpp": b"int a;\n" * 100}),
        ("wip", {"k.txt": f"key = {KEY}\n".encode()}),
        ("Remove the key again", {"k.txt": b"\n", "x.bin": b"\0\1\2" * 50}),
    ]
    where = repository(tmp_path / "r", commits)
    result = decided(tmp_path, "history", ALL.replace("= 3", "= 4"), {"a.cpp": ""}, **where)
    said = [finding.message for finding in result.findings]
    assert said[0] == "3 commits; at least 4 are required"
    assert "adds 100 of" in said[1]
    assert "its message does not describe the change" in said[2]
    assert said[3].endswith("adds a binary file")
    assert "an access key of AWS" in said[4], "also where a later commit takes it away"
    assert len(said) == 5
    assert KEY not in str(result.findings), "a report does not repeat a secret"


def test_without_a_history_the_rule_is_no_pass(tmp_path: Path) -> None:
    result = decided(tmp_path, "history", "min_commits = 1", {"a.cpp": ""})
    assert (result.outcome, result.findings) == ("error", [])
    assert "no history" in result.reason


def test_a_hostile_repository_takes_no_effect(tmp_path: Path) -> None:
    where = repository(tmp_path / "r", GOOD)
    marker = tmp_path / "ran"
    folder = tmp_path / "r" / ".git"
    script = folder / "hooks" / "evil"
    script.parent.mkdir(exist_ok=True)
    script.write_text(f"#!/bin/sh\ntouch {marker}\n")
    script.chmod(0o755)
    (folder / "config").write_text(
        f"[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfsmonitor = {script}\n\tpager = {script}\n"
        f"\tsshCommand = {script}\n[log]\n\tshowSignature = true\n[gpg]\n\tprogram = {script}\n"
        f'[diff]\n\texternal = {script}\n[diff "x"]\n\ttextconv = {script}\n'
        f'[remote "o"]\n\turl = ext::{script}\n\tpromisor = true\n[alias]\n\tlog = !{script}\n'
    )
    (folder / "info").mkdir(exist_ok=True)
    (folder / "info" / "attributes").write_text("* diff=x\n")
    result = decided(tmp_path, "history", ALL, {"a.cpp": ""}, **where)
    assert result.outcome == "passed", result.reason
    assert not marker.exists()


def test_a_shallow_history_hides_nothing(tmp_path: Path) -> None:
    place = tmp_path / "r"
    repository(tmp_path / "whole", GOOD)
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{tmp_path / 'whole'}", str(place))
    where = {"history": place / ".git", "revision": git(place, "rev-parse", "HEAD")}
    assert decided(tmp_path, "history", "secrets = true", {"a.cpp": ""}, **where).outcome == "error"


@pytest.mark.parametrize("revision", ["--output=/tmp/x", "main", "0" * 40])
def test_a_revision_that_cannot_be_read(tmp_path: Path, revision: str) -> None:
    where = repository(tmp_path / "r", GOOD)
    result = decided(tmp_path, "history", ALL, {"a.cpp": ""}, history=where["history"], revision=revision)
    assert result.outcome == "error"
    assert "\n" not in result.reason


def test_merges_count_for_nothing(tmp_path: Path) -> None:
    place = tmp_path / "r"
    repository(place, GOOD[:2])
    git(place, "checkout", "-q", "-b", "side", "HEAD~1")
    (place / "d.cpp").write_bytes(b"int d;\n" * 10)
    git(place, "add", "-A")
    git(place, "commit", "-q", "-m", "Count what is read")
    git(place, "checkout", "-q", "main")
    git(place, "merge", "-q", "--no-ff", "-m", "merge", "side")
    where = {"history": place / ".git", "revision": git(place, "rev-parse", "HEAD")}
    assert decided(tmp_path / "1", "history", "min_commits = 3\nmin_subject = 8", {}, **where).outcome == "passed"
    assert decided(tmp_path / "2", "history", "min_commits = 4", {}, **where).outcome == "failed"


def test_merges_are_no_commits_of_an_estimate(tmp_path: Path) -> None:
    place = tmp_path / "r"
    repository(place, GOOD)
    git(place, "checkout", "-q", "-b", "side", "HEAD~1")
    (place / "d.cpp").write_bytes(b"int d;\n" * 7)
    git(place, "add", "-A")
    git(place, "commit", "-q", "-m", "wip")
    git(place, "checkout", "-q", "main")
    git(place, "merge", "-q", "--no-ff", "-m", "Merge the other side", "side")
    levels = "".join(f'{n} = "{n}"\n' for n in (0, 3, 5, 7, 10))
    rules = f'[[criterion]]\nid = "c"\ntext = "Is it told?"\nfeature = "history"\n[criterion.levels]\n{levels}'
    where = {"history": place / ".git", "revision": git(place, "rev-parse", "HEAD")}
    [criterion] = reviewed(tmp_path / "1", rules, {"a.cpp": "int a;\n"}, **where).criteria
    assert criterion.measures == {"commits": 4, "largest_commit": 12 / 40, "telling": 0.75}


def test_what_the_author_was_given_is_not_his(tmp_path: Path) -> None:
    given = [("wip", {"starter.cpp": b"int s;\n" * 500, "k.txt": f"key = {KEY}\n".encode(), "x.bin": b"\0\1" * 50})]
    where = repository(tmp_path / "r", [*given, *GOOD])
    base = git(tmp_path / "r", "rev-parse", "HEAD~3")
    assert decided(tmp_path, "history", ALL, {"a.cpp": ""}, **where).outcome == "failed"
    result = decided(tmp_path, "history", ALL, {"a.cpp": ""}, base=base, **where)
    assert (result.outcome, result.findings) == ("passed", [])


@pytest.mark.parametrize("base", ["f" * 40, "HEAD~1", "--all", ""])
def test_a_start_that_the_history_does_not_have_hides_nothing(tmp_path: Path, base: str) -> None:
    where = repository(tmp_path / "r", [("wip", {"a.cpp": b"int a;\n"}), *GOOD])
    assert decided(tmp_path, "history", ALL, {"a.cpp": ""}, base=base, **where).outcome == "failed"
