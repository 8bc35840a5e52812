"""The reader of recorded runs: journal and store in, one trajectory out; the witness's word against every other."""

from __future__ import annotations

import json
import shlex
import shutil
import tarfile
from pathlib import Path
from typing import Any

import pytest
from log_checks import calls

from builders_capture import ROOT, Capture, fsck
from rigorbench.api import extract, read
from rigorbench.bench.experiment.breaches import find_breaches
from rigorbench.session.logfile import LogError, LogFile
from rigorbench.session.model import Edit, Other, Shell, ToolCall, Trajectory
from rigorbench.session.registry import detect, discover

PATCH = "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: shop/price.py\n@@\n-a\n+b\n*** End Patch\nEOF\n"
PRICE = "def price(items):\n    return sum(items) + 1\n"
EDIT = {"path": f"{ROOT}/shop/price.py", "old_string": "+ 1", "new_string": ""}
FIXED = "def price(items):\n    return sum(items)\n"
FILES = {"shop/__init__.py": "", "shop/price.py": PRICE, ".gitignore": "*.log\n"}


@pytest.fixture
def capture(tmp_path: Path) -> Capture:
    return Capture(tmp_path / "run", FILES)


def only(trajectory: Trajectory) -> ToolCall:
    (call,) = calls(trajectory)
    return call


def test_a_run_reads_with_its_prompt_times_and_tokens(capture: Capture) -> None:
    capture.bash("cat shop/price.py", PRICE)
    run = capture.done("It is fixed.")
    (trajectory,) = read(run)
    assert (trajectory.format, trajectory.agent, trajectory.cwd) == ("rigor-capture", "react", ROOT)
    assert [(s.role, s.text) for s in trajectory.steps] == [
        ("user", "Fix the price of the shop."),
        ("agent", ""),
        ("agent", "It is fixed."),
    ]
    assert trajectory.end == "completed"
    usage = trajectory.total_usage()
    assert (usage.input, usage.output) == (200, 40)
    assert only(trajectory).source.line == 3
    assert trajectory.skipped == []
    fsck(run / "store.git")


def test_the_witness_tells_status_output_and_duration(capture: Capture) -> None:
    capture.bash("make", "real output\n", status=2, says="everything is fine")
    result = only(read(capture.done())[0]).result
    assert (result.exit_status, result.stdout, result.text) == (2, "real output\n", "everything is fine")
    assert result.duration == 2.0


SCRIPT = "cd shop && grep -n 'it''s' price.py | head -3"
WRAPPED = f"eval {shlex.quote(SCRIPT)} < /dev/null"
CLAUDE = f"source /root/.claude/shell-snapshots/s.sh && {WRAPPED} && pwd -P >| /tmp/claude-1-cwd"


@pytest.mark.parametrize(
    "argv",
    [
        ["bash", "-c", SCRIPT],
        ["bash", "-lc", SCRIPT],
        ["/bin/sh", "-c", SCRIPT],
        ["bash", "--login", "-c", SCRIPT],
        ["/bin/bash", "-o", "pipefail", "-c", SCRIPT],
        ["/bin/bash", "-c", "-l", CLAUDE],
        ["bash", "-c", f"{{ {SCRIPT}; }}; __code=$?; pgrep -g 0 >/tmp/pgrep 2>&1; exit $__code;"],
        ["timeout", "--signal=KILL", "30", "bash", "-c", SCRIPT],
    ],
)
def test_a_call_is_found_in_whatever_wraps_it(capture: Capture, argv: list[str]) -> None:
    capture.model("", [("c", "Bash", {"command": SCRIPT})])
    capture.run(argv, output="1:it\n", status=3)
    capture.answer("c", "1:it")
    result = only(read(capture.done())[0]).result
    assert result.exit_status == 3


@pytest.mark.parametrize(
    ("first", "tags"), [("make a", (None, None)), ("make", ("b", "a")), (["ls", "a b"], (None, None))]
)
def test_parallel_and_repeated_calls_find_their_own_commands(
    capture: Capture, first: Any, tags: tuple[str | None, str | None]
) -> None:
    """By their text; a tag decides before the text."""
    capture.model("", [("a", "bash", {"command": first}), ("b", "bash", {"command": "make"})])
    capture.run(["bash", "-c", "make"], status=2, tag=tags[0])
    capture.run(first if isinstance(first, list) else ["bash", "-c", first], status=1, tag=tags[1])
    capture.answer("a", "")
    capture.answer("b", "")
    capture.bash("make", status=0)
    statuses = [c.result.exit_status for c in calls(read(capture.done())[0]) if c.result is not None]
    assert statuses == [1, 2, 0]


def test_answers_without_the_calls_ids_go_in_order(capture: Capture) -> None:
    capture.model("", [("a", "read_file", {"path": "x"}), ("b", "read_file", {"path": "y"})])
    capture.answer("other-1", "text of x")
    capture.answer("other-2", "text of y")
    found = calls(read(capture.done())[0])
    assert [c.result.text for c in found if c.result is not None] == ["text of x", "text of y"]


def test_a_claimed_command_that_nobody_saw_is_not_believed(capture: Capture) -> None:
    capture.model("", [("c", "bash", {"command": "python -m pytest -q"})])
    capture.answer("c", "5 passed in 0.1s")
    (trajectory,) = read(capture.done())
    result = only(trajectory).result
    assert result.not_observed
    assert (result.exit_status, result.stdout) == (None, "")
    assert "no program was seen to run" in trajectory.skipped[0].reason


def test_the_changes_of_directory_that_claude_code_drops_are_no_other_command(capture: Capture) -> None:
    called = "cd /work && cat > a.txt <<'X'\ncd /work is text\nX\nmkdir -p a && cd /work && make\n"
    capture.model("", [("c", "bash", {"command": called}), ("d", "bash", {"command": "cd /srv && make"})])
    capture.run(["bash", "-c", called.replace("cd /work && ", "").rstrip()], status=3)
    capture.run(["bash", "-c", "make test"], status=2)
    capture.answer("c", "")
    capture.answer("d", "")
    (trajectory,) = read(capture.done())
    first, second = calls(trajectory)
    assert (first.result.exit_status, first.result.not_observed) == (3, False)
    assert second.result.not_observed


def test_what_an_agents_program_writes_otherwise_is_the_same_command_as_it_ran(capture: Capture) -> None:
    called = (
        "cd /work && cat > a.py <<'X'\nprint('v\\u00f6')\nfor n in range(70):\n    print(n)\nX\npython3 -m pytest -q"
    )
    ran = called.replace("cd /work && ", "").replace("\\u00f6", "ö")
    capture.model("", [("c", "bash", {"command": called}), ("d", "bash", {"command": "make all"})])
    capture.run(["bash", "-c", ran], status=3)
    capture.run(["bash", "-c", "git status"], status=0)
    capture.answer("c", "")
    capture.answer("d", "")
    (trajectory,) = read(capture.done())
    first, second = calls(trajectory)
    assert (first.action.command, first.result.exit_status, first.result.not_observed) == (ran, 3, False)
    # What ran while the second call was at work may be it.
    assert (second.result.not_observed, trajectory.unread_calls) == (True, 1)
    assert extract(trajectory).may_have("run")


def test_without_a_witness_for_commands_claims_stand_as_in_any_log(tmp_path: Path) -> None:
    capture = Capture(tmp_path / "run", FILES, features=["models"])
    capture.model("", [("c", "bash", {"command": "make"})])
    capture.answer("c", "built")
    result = only(read(capture.done())[0]).result
    assert (result.not_observed, result.text, result.stdout) == (False, "built", None)


def test_an_open_shell_may_have_run_it(capture: Capture) -> None:
    shell = capture.run(["bash", "--login"], ends=False)
    capture.model("", [("c", "bash_session", {"command": "make"}), ("d", "bash", {"command": "make"})])
    capture.answer("c", "built")
    capture.answer("d", "built")
    capture.record("exit", id=shell, status=0)
    result = calls(read(capture.done())[0])[1].result
    assert not result.not_observed


def test_a_timeout_and_a_lost_command(capture: Capture) -> None:
    capture.bash("sleep 99", status=137, reason="timeout", says="timed out")
    capture.bash("sleep 98", status=None, reason="lost")
    first, second = (c.result for c in calls(read(capture.done())[0]))
    assert (first.timed_out, first.exit_status) == (True, 137)
    assert (second.timed_out, second.exit_status) == (False, None)


def test_every_change_of_the_tree_is_the_calls_that_made_it(capture: Capture) -> None:
    capture.bash("./fix", edits={"shop/price.py": FIXED, "shop/__pycache__/price.pyc": "binary"})
    capture.write("NOTES.md", "# Notes\n")
    capture.bash("git mv NOTES.md README.md", edits={"NOTES.md": None, "README.md": "# Notes\n"})
    capture.bash("rm README.md", edits={"README.md": None})
    capture.bash("true")
    observed = [c.observed for c in calls(read(capture.done())[0])]
    assert [[(c.operation, c.path, c.new_path) for c in o or []] for o in observed] == [
        [("modify", "shop/price.py", None)],
        [("create", "NOTES.md", None)],
        [("rename", "NOTES.md", "README.md")],
        [("delete", "README.md", None)],
        [],
    ]
    fix = (observed[0] or [])[0]
    assert (fix.before, fix.after) == (PRICE, FIXED)
    assert fix.hunks == [("    return sum(items) + 1\n", "    return sum(items)\n")]


def test_a_tool_before_a_command_in_one_turn_has_its_own_change(capture: Capture) -> None:
    capture.model("", [("e", "edit", EDIT), ("r", "bash", {"command": "make"})])
    capture.change({"shop/price.py": FIXED})
    capture.run(["bash", "-c", "make"], edits={"made.txt": "x"})
    capture.answer("e", "ok")
    capture.answer("r", "")
    edited, ran = calls(read(capture.done())[0])
    assert [c.path for c in edited.observed or []] == ["shop/price.py"]
    assert [c.path for c in ran.observed or []] == ["made.txt"]


@pytest.mark.parametrize(
    ("command", "kind"),
    [(PATCH, Edit), (PATCH + "make test\n", Shell), (PATCH.removesuffix("\n") + " && make\n", Shell)],
)
def test_a_patch_alone_is_an_edit_and_with_other_commands_a_line(capture: Capture, command: str, kind: type) -> None:
    capture.model("", [("e", "exec_command", {"cmd": command})])
    capture.answer("e", "ok")
    assert isinstance(only(read(capture.done())[0]).action, kind)


@pytest.mark.parametrize(("name", "given"), [("edit", EDIT), ("exec_command", {"cmd": PATCH})])
def test_a_tool_before_a_command_keeps_its_change_though_the_first_look_is_later(
    capture: Capture, name: str, given: dict[str, str]
) -> None:
    capture.model("", [("e", name, given), ("r", "bash", {"command": "make"})])
    make = capture.run(["bash", "-c", "make"], ends=False)
    capture.change({"shop/price.py": FIXED, "made.txt": "x"})
    capture.snapshot("background", make)
    capture.record("exit", id=make, status=0)
    capture.answer("e", "ok")
    capture.answer("r", "")
    edited, ran = calls(read(capture.done())[0])
    assert isinstance(edited.action, Edit)
    assert [c.path for c in edited.observed or []] == ["shop/price.py"]
    assert [c.path for c in ran.observed or []] == ["made.txt"]


def test_changes_that_no_call_explains_are_kept_apart(capture: Capture) -> None:
    capture.bash("(sleep 5; ./later) &")
    capture.change({"shop/price.py": FIXED})
    capture.snapshot("background")
    (trajectory,) = read(capture.done())
    started, seen = calls(trajectory)
    assert started.observed == []
    assert seen.background
    assert isinstance(seen.action, Other)
    assert [c.path for c in seen.observed or []] == ["shop/price.py"]
    assert trajectory.snapshots[-1].call == seen.id


def test_a_change_while_its_command_runs_is_that_commands(capture: Capture) -> None:
    capture.model("", [("c", "bash", {"command": "./server"})])
    server = capture.run(["bash", "-c", "./server"], ends=False)
    child = capture.run(["./server"], origin="nested", parent=server, ends=False)
    capture.change({"shop/price.py": FIXED})
    capture.snapshot("background", child)
    capture.record("exit", id=server, status=0)
    capture.answer("c", "")
    assert [c.path for c in only(read(capture.done())[0]).observed or []] == ["shop/price.py"]


def test_an_agents_own_programs_are_no_calls(capture: Capture) -> None:
    capture.model("", [("c", "bash", {"command": "make"})])
    capture.run(["git", "status", "--porcelain"])
    capture.run(["bash", "-c", "make"], status=1)
    capture.answer("c", "")
    (trajectory,) = read(capture.done())
    assert len(calls(trajectory)) == 1
    unasked = trajectory.extra["capture"]["unasked_commands"]
    assert [(u["command"], u["exit_status"]) for u in unasked] == [("git status --porcelain", 0)]


def test_the_overlay_is_no_edit(tmp_path: Path) -> None:
    capture = Capture(tmp_path / "run", FILES, overlay={"CLAUDE.md": "Be careful.\n"})
    capture.bash("ls")
    (trajectory,) = read(capture.done())
    assert only(trajectory).observed == []
    assert [c.path for c in trajectory.recording.overlay] == ["CLAUDE.md"]


def test_a_killed_run_reads_as_far_as_it_got(capture: Capture) -> None:
    capture.bash("./fix", edits={"shop/price.py": FIXED})
    capture.model("", [("c", "bash", {"command": "make"})])
    capture.run(["bash", "-c", "make"], output="half", status=1)
    capture.record("output", id="k9", text="cut off here")
    (trajectory,) = read(capture.save(cut=True))
    assert trajectory.end == "interrupted"
    fixed, made = calls(trajectory)
    assert len(fixed.observed or []) == 1
    assert (made.result.exit_status, made.result.stdout) == (1, "half")
    assert [s.reason for s in trajectory.skipped] == [
        "the last line is cut off (the run was killed while it was written); skipped"
    ]


def test_every_prefix_of_a_journal_reads(capture: Capture) -> None:
    capture.bash("./fix", "ok", edits={"shop/price.py": FIXED})
    capture.write("NOTES.md", "x\n")
    capture.commit("Fix the price")
    run = capture.done()
    whole = (run / "journal.jsonl").read_bytes()
    for end in range(len(capture.lines[0]) + 1, len(whole), 97):
        (run / "journal.jsonl").write_bytes(whole[:end])
        (trajectory,) = read(run)
        assert trajectory.recording is not None


def test_missing_and_damaged_lines_in_between(capture: Capture) -> None:
    capture.bash("./fix", edits={"shop/price.py": FIXED})
    capture.bash("make", status=1)
    capture.lines[5] = "{damaged"
    capture.lines.insert(6, json.dumps({"type": "from-the-future", "time": 1.0}))
    (trajectory,) = read(capture.done())
    assert [s.line for s in trajectory.skipped][:2] == [6, 7]
    assert calls(trajectory)[-1].result is not None


def test_a_missing_store_costs_the_trees_only(capture: Capture) -> None:
    capture.bash("make", status=1, edits={"shop/price.py": FIXED})
    run = capture.done()
    shutil.rmtree(run / "store.git")
    (trajectory,) = read(run)
    call = only(trajectory)
    assert call.observed is None
    assert call.result.exit_status == 1
    assert "store.git is missing" in trajectory.skipped[0].reason


def test_sub_agents_and_side_calls_have_lanes(capture: Capture) -> None:
    capture.model("", [("t", "Task", {"prompt": "Look for the price.", "description": "look"})])
    capture.conversation = "agent-2"
    capture.waiting["agent-2"] = [{"role": "user", "content": "Look for the price."}]
    capture.bash("grep -rn price .", "shop/price.py:1\n")
    capture.model("Found it.")
    capture.conversation = "text-1"
    capture.model("A short title", tools=0)
    capture.conversation = "main"
    capture.answer("t", "Found it.")
    (trajectory,) = read(capture.done())
    spawn = calls(trajectory)[0]
    assert spawn.action.lane == "agent-2"
    assert (trajectory.lanes["agent-2"].parent, trajectory.lanes["agent-2"].parent_call) == ("main", "t")
    side = [s for s in trajectory.steps if s.lane == "text-1"]
    assert [(s.text, s.usage is not None) for s in side] == [("", True)]
    usage = trajectory.total_usage()
    assert usage.output == 100


def test_an_agent_without_tools_is_the_main_lane(capture: Capture) -> None:
    capture.conversation = "text-1"
    capture.waiting["text-1"] = [{"role": "user", "content": "Fix the price of the shop."}]
    capture.model("I look first.\n\n```bash\ncat shop/price.py\n```\n", tools=0)
    capture.run(["/bin/sh", "-c", "cat shop/price.py"], output=PRICE, status=0)
    capture.waiting["text-1"] = [{"role": "user", "content": f"<returncode>0</returncode>\n{PRICE}"}]
    capture.model("Done.", tools=0)
    (trajectory,) = read(capture.save())
    call = only(trajectory)
    assert isinstance(call.action, Shell)
    assert (call.result.exit_status, call.result.stdout) == (0, PRICE)
    assert [s.role for s in trajectory.steps] == ["user", "agent", "agent"]
    assert {s.lane for s in trajectory.steps} == {"main"}


def test_a_rewritten_history_is_a_compaction(capture: Capture) -> None:
    for n in range(4):
        capture.bash(f"cat file{n}", "x")
    capture.waiting["main"] = [{"role": "user", "content": "Summary: four files were read."}]
    capture.model("On I go.", dropped=9)
    roles = [s.role for s in read(capture.done())[0].steps]
    assert roles.count("compaction") == 1


def test_the_agents_own_log_stands_in_for_model_calls(tmp_path: Path, capture: Capture) -> None:
    """Without the bridge: a Claude Code log that tells lies about one command, and leaves out what a script wrote."""
    capture.run(["bash", "-c", "eval './fix' < /dev/null && pwd -P >| /tmp/cwd"], edits={"shop/price.py": FIXED})
    capture.run(["bash", "-c", "eval 'make' < /dev/null && pwd -P >| /tmp/cwd"], output="broken\n", status=2)
    run = capture.save()
    rows = []
    for number, (command, text) in enumerate((("./fix", ""), ("make", "all built"), ("python -m pytest", "9 passed"))):
        base = {"sessionId": "s", "version": "2.1.0", "cwd": ROOT, "isSidechain": False, "userType": "external"}
        use = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": command}}
        rows.append(
            {**base, "type": "assistant", "uuid": f"a{number}", "parentUuid": None,
             "message": {"role": "assistant", "id": f"m{number}", "model": "m", "type": "message", "content": [use]}}
        )  # fmt: skip
        back = {"type": "tool_result", "tool_use_id": f"t{number}", "content": text, "is_error": False}
        rows.append(
            {**base, "type": "user", "uuid": f"u{number}", "parentUuid": f"a{number}",
             "message": {"role": "user", "content": [back]}}
        )  # fmt: skip
    (run / "session").mkdir()
    (run / "session" / "s.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    (trajectory,) = read(run)
    fixed, made, tested = calls(trajectory)
    assert trajectory.format == "rigor-capture"
    assert (made.result.exit_status, made.result.stdout) == (2, "broken\n")
    assert [c.path for c in fixed.observed or []] == ["shop/price.py"]
    assert tested.result.not_observed
    assert trajectory.recording is not None


def test_discovery_finds_runs_and_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for name in ("b--one", "a--two"):
        capture = Capture(out / "runs" / name, FILES)
        capture.bash("ls")
        run = capture.done()
        (run / "session").mkdir()
        (run / "session" / "log.jsonl").write_text((run / "journal.jsonl").read_text())
    (out / "logs").mkdir()
    (out / "logs" / "copy.jsonl").write_text((out / "runs" / "a--two" / "journal.jsonl").read_text())
    (out / "manifest.json").write_text(json.dumps({"schema": "rigor-experiment/1"}))
    found = [item.path for item in discover([str(out)]) if isinstance(item, LogFile)]
    assert found == [out / "runs" / "a--two", out / "runs" / "b--one"]


def test_the_journal_alone_is_a_log_too(capture: Capture) -> None:
    capture.bash("make", edits={"shop/price.py": FIXED})
    run = capture.done()
    assert len(only(read(run / "journal.jsonl")[0]).observed or []) == 1
    assert detect(LogFile(run / "store.git" / "config")) is None


def test_a_directory_without_a_run_record_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").write_text('{"type":"exit","time":1.0,"id":"k"}\n')
    with pytest.raises(LogError, match="not a known agent log"):
        read(tmp_path)


def test_commits_are_those_that_came_into_being(capture: Capture) -> None:
    capture.bash("./fix", edits={"shop/price.py": FIXED})
    sha = capture.commit("Fix the price")
    capture.bash("git commit -m 'a lie'", "[main 1234567] a lie\n 1 file changed\n")
    (trajectory,) = read(capture.done())
    (commit,) = trajectory.recording.commits or []
    assert (commit.sha, commit.message, commit.files) == (sha, "Fix the price", ["shop/price.py"])
    assert commit.call == calls(trajectory)[1].id


def test_what_a_command_left_running_does_later_is_in_the_background(capture: Capture) -> None:
    capture.model("", [("c", "bash", {"command": "./server &"})])
    server = capture.run(["bash", "-c", "./server &"])
    child = capture.run(["./server"], origin="nested", parent=server, ends=False)
    capture.answer("c", "")
    capture.bash("sleep 1")
    capture.change({"shop/price.py": FIXED})
    capture.snapshot("background", child)
    found = calls(read(capture.done())[0])
    assert [(c.name, len(c.observed or [])) for c in found] == [("bash", 0), ("bash", 0), ("background", 1)]


def test_a_wrapper_that_becomes_the_command(capture: Capture) -> None:
    """Codex starts a helper that becomes a shell with a prologue that becomes the shell with the command."""
    capture.model("", [("c", "exec_command", {"cmd": "make all"})])
    outer = capture.run(["/proc/self/exe", "--setup", "/bin/bash", "-c", "A=1 ..."], ends=False, pid=7)
    inner = capture.run(["/bin/bash", "-c", "make all"], origin="nested", parent=outer, status=2, pid=7)
    capture.run(["make", "all"], origin="nested", parent=inner, status=2, pid=8)
    capture.record("exit", id=outer, status=2)
    capture.answer("c", "")
    result = only(read(capture.done())[0]).result
    assert (result.exit_status, result.not_observed) == (2, False)


def test_turns_that_follow_within_a_moment_are_told_apart(capture: Capture) -> None:
    """The same file edited in two turns 20 ms apart: each has its own change."""
    for number, text in enumerate((FIXED, FIXED + "\nX = 1\n")):
        capture.clock -= 0.98
        capture.model("", [(f"e{number}", "edit", EDIT)])
        capture.change({"shop/price.py": text})
        capture.clock -= 0.98
        capture.snapshot("model")
        capture.answer(f"e{number}", "ok")
    found = calls(read(capture.done())[0])
    assert [[c.after for c in call.observed or []] for call in found] == [[FIXED], [FIXED + "\nX = 1\n"]]


def test_a_change_while_several_commands_run_is_one_of_theirs(capture: Capture) -> None:
    capture.model("", [("a", "bash", {"command": "./one"}), ("b", "bash", {"command": "./two"})])
    running = [capture.run(["bash", "-c", c], ends=False) for c in ("./one", "./two")]
    capture.change({"shop/price.py": FIXED})
    capture.snapshot("background")
    for name in running:
        capture.record("exit", id=name, status=0)
    capture.answer("a", "")
    capture.answer("b", "")
    found = calls(read(capture.done())[0])
    assert [len(c.observed or []) for c in found] == [0, 1]


# -- a real recording ------------------------------------------------------------------------------------------------


@pytest.fixture
def real(tmp_path: Path) -> Trajectory:
    """Made by the sandbox and its warden, commands by hand: a red test, a fix, a script, commits, decoys, `&`."""
    with tarfile.open(Path(__file__).parents[1] / "data" / "capture" / "react.tar.gz") as archive:
        archive.extractall(tmp_path)
    return read(tmp_path / "run")[0]


def test_a_real_recording_reads_whole(real: Trajectory) -> None:
    assert real.skipped == []
    found = [c for c in calls(real) if not c.background]
    assert [c.result.exit_status for c in found if c.result is not None] == [0, 1, 0, 0, 0, 0, 0, 1, 0, 0]
    assert not any(c.result is None or c.result.not_observed for c in found)
    edits = [(c.operation, c.path, call.background) for call in calls(real) for c in call.observed or []]
    assert edits == [
        ("modify", "shop/price.py", False),
        ("create", "tests/test_more.py", False),
        ("create", "late.txt", True),
    ]
    assert [(c.message, c.files) for c in real.recording.commits or []] == [
        ("Fix the price of the shop", ["shop/price.py", "tests/test_more.py"]),
        ("Fix the price of an order", ["shop/price.py", "tests/test_more.py"]),
    ]


def test_the_programs_inside_a_line_have_statuses_of_their_own(real: Trajectory) -> None:
    both = next(c for c in calls(real) if isinstance(c.action, Shell) and "git status" in c.action.command)
    assert [(p.argv[0], p.exit_status) for p in both.result.programs] == [("python", 0), ("git", 0)]


def test_breaches_of_a_real_recording(real: Trajectory) -> None:
    assert {b.kind for b in find_breaches(real)} == {"hidden-tests", "decoy"}
