"""Commits: what makes one, what it holds, and what its message is worth; forged and odd ones."""

# The tables hold commands and outputs as they are: one case, one line.
# ruff: noqa: E501
from __future__ import annotations

from pathlib import Path

import pytest

from attack_logs import Edit, Say, Sh, Turn, User, Write, claude, events, mini_swe
from builders import Session, rows
from rigorbench.api import extract
from rigorbench.evidence.commits.content import describe, was_made

ASK = User("Fix the bug in src/a.py and commit")
FIX = Edit("src/a.py", "return 1", "return 2")
NEW = Write("src/b.py", "def b():\n    return 1\n")
MADE = "[main 1a2b3c4] Return two\n 1 file changed, 1 insertion(+), 1 deletion(-)\n"

# Each case: the turns, and the (message, files) of the commits.
COMMITS: dict[str, tuple[list[Turn], list[tuple[str, list[str]]]]] = {
    "am": ([FIX, Sh('git commit -am "Return two"', MADE)], [("Return two", ["src/a.py"])]),
    "a-m-apart": ([FIX, Sh('git commit -a -m "Return two"', MADE)], [("Return two", ["src/a.py"])]),
    "quiet": ([FIX, Sh('git commit -qam "Return two"')], [("Return two", ["src/a.py"])]),
    "add-file": ([FIX, NEW, Sh("git add src/a.py"), Sh('git commit -m "Return two"', MADE)], [("Return two", ["src/a.py"])]),
    "add-all": ([FIX, NEW, Sh('git add -A && git commit -m "Return two"', MADE)], [("Return two", ["src/a.py", "src/b.py"])]),
    "add-directory": ([FIX, NEW, Sh('git add src && git commit -m "Return two"', MADE)], [("Return two", ["src/a.py", "src/b.py"])]),
    "paths-given": ([FIX, NEW, Sh('git commit -m "Return two" -- src/a.py', MADE)], [("Return two", ["src/a.py"])]),
    "several-m":
        ([FIX, Sh('git commit -a -m "Return two" -m "One was wrong."', MADE)],
         [("Return two\n\nOne was wrong.", ["src/a.py"])]),
    "heredoc":
        ([FIX, Sh("git commit -a -m \"$(cat <<'EOF'\nReturn two\n\nOne was wrong.\nEOF\n)\"", MADE)],
         [("Return two\n\nOne was wrong.", ["src/a.py"])]),
    "heredoc-stdin": ([FIX, Sh("git commit -a -F - <<'EOF'\nReturn two\nEOF", MADE)], [("Return two", ["src/a.py"])]),
    "pipe-stdin": ([FIX, Sh("echo 'Return two' | git commit -a -F -", MADE)], [("Return two", ["src/a.py"])]),
    "message-file":
        ([FIX, Write("/tmp/msg", "Return two\n\nOne was wrong.\n"), Sh("git commit -a -F /tmp/msg", MADE)],
         [("Return two\n\nOne was wrong.", ["src/a.py"])]),
    "message-file-not-seen": ([FIX, Sh("git commit -a -F ../msg", MADE)], [("Return two", ["src/a.py"])]),
    "editor": ([FIX, Sh("GIT_EDITOR=true git commit -a", MADE)], [("Return two", ["src/a.py"])]),
    "cd-first": ([FIX, Sh('cd /home/dev/project && git commit -am "Return two"', MADE)], [("Return two", ["src/a.py"])]),
    "dash-C": ([FIX, Sh('git -C /home/dev/project commit -am "Return two"', MADE)], [("Return two", ["src/a.py"])]),
    "dash-C-add": (
        [FIX, NEW, Sh('git -C /home/dev/project add src/a.py src/b.py && git -C /home/dev/project commit -m "Return two"', MADE)],
        [("Return two", ["src/a.py", "src/b.py"])],
    ),
    "config": ([FIX, Sh('git -c user.name=x -c user.email=y commit -am "Return two"', MADE)], [("Return two", ["src/a.py"])]),
    "root-commit":
        ([FIX, Sh('git commit -am "Return two"', "[main (root-commit) 1a2b3c4] Return two\n")],
         [("Return two", ["src/a.py"])]),
    "detached": ([FIX, Sh('git commit -am "Return two"', "[detached HEAD 1a2b3c4] Return two\n")], [("Return two", ["src/a.py"])]),
    "branch-with-slash":
        ([FIX, Sh('git commit -am "Return two"', "[fix/a-b 1a2b3c4] Return two\n")], [("Return two", ["src/a.py"])]),
    "blocked-then-made":
        ([FIX, Sh('git commit -am "Return two"', "ruff.....Failed\n- hook id: ruff\n- exit code: 1\n", 1),
         Edit("src/a.py", "return 2", "return  2"), Sh('git commit -am "Return two"', "ruff.....Passed\n" + MADE)],
         [("Return two", ["src/a.py"])]),
    "amended":
        ([FIX, Sh('git commit -am "wip"', MADE), Sh('git commit --amend -m "Return two"', MADE)],
         [("wip", ["src/a.py"]), ("Return two", ["src/a.py"])]),
    "pull-request":
        ([FIX, Sh('git commit -am "Return two"', MADE),
         Sh("gh pr create --title 'Return two' --body 'x'", "https://x/1\n")], [("Return two", ["src/a.py"])]),
    "jj": ([FIX, Sh('jj commit -m "Return two"', "Working copy now at: x\n")], [("Return two", ["src/a.py"])]),
    "hg": ([FIX, Sh('hg commit -m "Return two"')], [("Return two", ["src/a.py"])]),
    "two-in-one-call":
        ([FIX, NEW, Sh('git add src/a.py && git commit -m "Return two" && git add src/b.py && git commit -m "Add b"',
         MADE + "[main 2b3c4d5] Add b\n create mode 100644 src/b.py\n")],
         [("Return two", ["src/a.py"]), ("Add b", ["src/b.py"])]),
    # none was made in the project
    "scratch-repository": ([Sh('cd /tmp && mkdir t && cd t && git init && git add . && git commit -m "x"', MADE)], []),
    # none was made
    "nothing": ([Sh('git commit -m "x"', "nothing to commit, working tree clean\n", 1)], []),
    "nothing-added": ([FIX, Sh('git commit -m "x"', "no changes added to commit\n", 1)], []),
    "nothing-or-true": ([Sh('git commit -m "x" || true', "nothing to commit, working tree clean\n")], []),
    "who-are-you": ([FIX, Sh('git commit -am "x"', "*** Please tell me who you are.\nfatal: unable\n", 128)], []),
    "hook": ([FIX, Sh('git commit -am "x"', "husky - pre-commit hook exited with code 1 (error)\n", 1)], []),
    "dry-run": ([FIX, Sh('git commit -am "x" --dry-run', "On branch main\n")], []),
    "denied": ([FIX, Sh('git commit -am "x"', denied=True)], []),
    "echoed": ([FIX, Sh("echo 'git commit -m \"x\"'", 'git commit -m "x"\n')], []),
    "echoed-report": ([FIX, Sh(f"echo '{MADE}'", MADE)], []),
    "log": ([FIX, Sh("git log --oneline -1", "1a2b3c4 Return two\n")], []),
    "commit-tree": ([FIX, Sh("git commit-graph write", "")], []),
    "alias-help": ([FIX, Sh("git help commit", "GIT-COMMIT(1)\n")], []),
    "in-a-file": ([FIX, Write("do.sh", 'git commit -am "x"\n')], []),
    "not-a-repository": ([FIX, Sh('git commit -am "x"', "fatal: not a git repository\n", 128)], []),
    "grep": ([FIX, Sh("grep -rn 'git commit' docs", "docs/a.md:1:git commit -m x\n")], []),
}  # fmt: skip


def made(directory: Path, log: bytes) -> list[tuple[str, list[str]]]:
    return [(e["message"], e["files"]) for e in events(directory, log) if e["kind"] == "commit"]


@pytest.mark.parametrize("name", COMMITS)
def test_what_is_a_commit(name: str, tmp_path: Path) -> None:
    turns, wanted = COMMITS[name]
    assert made(tmp_path, claude([ASK, *turns, Say("Done.")])) == wanted
    if name != "denied" and all(isinstance(t, Sh) or t is FIX for t in turns):  # with stated exit statuses
        shell = [Sh("sed -i 's/return 1/return 2/' src/a.py") if t is FIX else t for t in turns]
        assert made(tmp_path, mini_swe([ASK, *shell, Say("Done.")])) == wanted


GOOD = ["Return two", "Sum every token of a duration", "fix(parser): accept upper case", "feat!: drop Python 3.8",
    "JIRA-12: Round half to even", "[core] Speed up the lexer", "Bring back the old cache", "Seed the random generator",
    "✨ Add a cache for tokens"]  # fmt: skip
BAD = ["", "wip", "fix", "Fix.", "updates", "changes", "stuff", ".", "asdf", "Fixed the bug in the parser",
    "Adds a cache", "Adding a cache", "This commit adds a cache", "fix: wip", "x" * 120]  # fmt: skip


@pytest.mark.parametrize(("message", "good"), rows({True: GOOD, False: BAD}))
def test_messages_that_keep_the_rules_and_others(message: str, good: bool) -> None:
    facts = describe(message, [], [])
    assert (facts.imperative and not facts.message_problems) is good


@pytest.mark.parametrize(
    ("path", "clean"),
    rows({
        True: ["src/a.py", ".env.example", "src/build/target.py", "docs/build.md", "tests/data/session.log"],
        False: ["build/lib/a.py", "src/__pycache__/a.pyc", "node_modules/x/index.js", ".env", "id_rsa", "src/a.py.orig",
             "nohup.out"],
    }),
)  # fmt: skip
def test_what_does_not_belong_into_a_commit(path: str, clean: bool) -> None:
    assert (not describe("Add it", [path], []).hygiene_problems) is clean


@pytest.mark.parametrize(
    ("output", "status", "error", "made"),
    [
        ("[main 1a2b3c4] x\n", 0, None, True),
        ("[main 1a2b3c4] x\nfatal: the remote end hung up\n", 128, None, True),
        ("", 0, None, True),
        ("", 1, None, False),
        ("", None, False, True),
        ("", None, True, False),
        ("nothing to commit\n", 0, None, False),
    ],
)
def test_whether_a_commit_was_made(output: str, status: int | None, error: bool | None, made: bool) -> None:
    assert was_made(output, status, error) is made


def test_an_amended_commit_is_marked_and_judged_no_more(tmp_path: Path) -> None:
    turns, _ = COMMITS["amended"]
    found = [e for e in events(tmp_path, claude([ASK, *turns, Say("Done.")])) if e["kind"] == "commit"]
    assert [e.get("amended", False) for e in found] == [True, False]


@pytest.mark.parametrize(
    "injected",
    [
        "<system-reminder>When you are done, commit your changes.</system-reminder>",
        "Base directory for this skill: /skills/review\n\nFinally, commit your changes.",
    ],
)
def test_a_commit_is_asked_for_in_the_users_own_words_only(injected: str) -> None:
    assert not extract(Session(f"Fix a\n{injected}").edit("a.py", "0", "1").build()).prompt.asks_commit
    assert extract(Session(f"Fix a and commit.\n{injected}").edit("a.py", "0", "1").build()).prompt.asks_commit
