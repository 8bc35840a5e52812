"""What is on record of ordinary commands: who started them, how they ended, what they printed, what they changed."""

from __future__ import annotations

import hashlib
import os
import shutil
import textwrap
from collections.abc import Callable

import pytest

from rigorbench.base import journal
from rigorbench.sandbox.box.box import Box, Done

from .conftest import Journal

pytestmark = pytest.mark.bwrap

Recorder = Callable[..., Journal]


async def bash(box: Box, script: str, **options: object) -> Done:
    return await box.exec(["bash", "-c", textwrap.dedent(script)], **options)  # type: ignore[arg-type]


def test_the_records_around_a_command(record: Recorder) -> None:
    async def work(box: Box) -> None:
        await bash(
            box, "echo out; echo err >&2; mkdir -p sub; cd sub; sh -c 'echo 1 > ../new; exit 3'; exit 4", tag="t1"
        )

    seen = record(work)
    command = seen.command("bash -c")
    assert (command.origin, command.tag, command.cwd, command.parent) == ("tool", "t1", "/work", None)
    inner = seen.command("sh -c")
    assert (inner.origin, inner.parent, inner.cwd) == ("nested", command.id, "/work/sub")
    assert seen.exit(inner).status == 3
    assert seen.exit(command).status == 4
    assert seen.output(command) == "out\n"
    assert seen.output(command, "err") == "err\n"
    assert isinstance(seen.records[0], journal.RunRecord)
    (start, after) = seen.of(journal.TreeRecord)
    assert (start.cause, after.cause, after.command, after.paths) == ("start", "after", command.id, ["new"])
    order = [type(r).__name__ for r in seen.records if getattr(r, "id", None) == command.id or r is after]
    assert order == ["CommandRecord", "OutputRecord", "OutputRecord", "TreeRecord", "Exit"]


def test_what_the_agent_itself_changed_stands_before_the_next_command(record: Recorder) -> None:
    async def work(box: Box) -> None:
        await box.write("edited.py", b"x = 1\n")
        await bash(box, "python3 edited.py")
        await box.write("edited.py", b"x = 2\n")
        assert await box.snapshot("model") is not None

    seen = record(work)
    trees = [(tree.cause, tree.paths) for tree in seen.of(journal.TreeRecord)[1:]]
    assert [paths for _, paths in trees] == [["edited.py"]] * 2
    assert trees[0][0] in ("before", "background")
    assert trees[1][0] in ("model", "background")
    records = seen.records
    assert records.index(seen.of(journal.TreeRecord)[1]) < records.index(seen.command("bash"))


@pytest.mark.parametrize("script", ["exec sh -c 'exec python3 -c \"exit(5)\"'", "exec env A=1 sh -c 'exit 5'"])
def test_programs_that_become_others_are_one_command(record: Recorder, script: str) -> None:
    async def work(box: Box) -> None:
        await bash(box, script)

    seen = record(work)
    commands = seen.of(journal.CommandRecord)
    assert [command.origin for command in commands] == ["tool", "nested", "nested"]
    assert len({command.pid for command in commands}) == 1
    assert [seen.exit(command).status for command in commands] == [5] * 3
    assert commands[1].parent == commands[0].id
    assert commands[2].parent == commands[1].id


def test_how_commands_end(record: Recorder) -> None:
    done: list[Done] = []

    async def work(box: Box) -> None:
        done.append(await bash(box, "kill -SEGV $$"))
        done.append(await bash(box, "sh -c 'kill -9 $$'; echo $?"))
        # Each is waited for until it is the program that it is to be: a busy machine takes its time.
        started = 'until read -r name < /proc/$!/comm && [ "$name" = sleep ]; do :; done'
        done.append(await bash(box, f"sleep 60 & {started}; exec sleep 61", timeout=3))
        done.append(await bash(box, f"sleep 62 >/dev/null 2>&1 & {started}; echo left"))

    seen = record(work)
    assert [d.status for d in done] == [139, 0, 137, 0]
    first = seen.exit(seen.commands("bash -c kill -SEGV")[0])
    assert (first.status, first.signal, first.reason) == (139, 11, "signal")
    killed = seen.exit(seen.command("sh -c kill -9"))
    assert (killed.status, killed.signal) in ((137, 9), (None, None))
    assert killed.reason == ("signal" if killed.status else "lost")
    for line in ("bash -c sleep 60", "sleep 60", "sleep 61"):
        assert seen.exit(seen.command(line)).reason == "timeout", line
    left = seen.exit(seen.command("sleep 62"))
    assert left.reason in ("timeout", "signal")
    assert seen.output(seen.commands("bash -c sleep 62")[0]) == "left\n"


def test_one_stream_is_told_from_two(record: Recorder) -> None:
    async def work(box: Box) -> None:
        program = "import os; os.execvp('sh', ['sh', '-c', 'echo a; echo b >&2'])"
        merged = f"import os; os.dup2(1, 2); {program}"
        await box.exec(["python3", "-c", merged], origin="agent")
        await box.exec(["python3", "-c", "import subprocess as s; s.run(['sh', '-c', 'echo a; echo b >&2'],"
                        " stdout=s.PIPE, stderr=s.STDOUT)"], origin="agent")  # fmt: skip
        await box.exec(["python3", "-c", "import subprocess as s; s.run(['sh', '-c', 'echo c; echo d >&2'],"
                        " stdout=s.PIPE, stderr=s.PIPE)"], origin="agent")  # fmt: skip

    seen = record(work)
    together, apart = (command for command in seen.commands("sh -c") if command.origin == "tool")
    assert seen.output(together, "both") == "a\nb\n"
    assert (seen.output(apart, "out"), seen.output(apart, "err")) == ("c\n", "d\n")
    assert seen.commands("python3")[0].origin == "agent"
    assert seen.output(seen.commands("python3")[0]) == ""


def test_an_agent_its_tools_and_what_these_start(record: Recorder) -> None:
    async def work(box: Box) -> None:
        await box.write("/tmp/inspect-sandbox-tools", b"#!/bin/sh\nsh -c '\"$@\"; true' sh python3 /tmp/agent.py go\n")
        program = "import subprocess, sys\nsubprocess.run(['bash', '-c', 'true; echo done by $(whoami)'])\n"
        await box.write("/tmp/agent.py", program.encode())
        await bash(box, "chmod +x /tmp/inspect-sandbox-tools", origin="engine")
        await box.exec(["/tmp/inspect-sandbox-tools"], origin="engine")

    seen = record(work)
    origins = {" ".join(command.argv)[:14]: command.origin for command in seen.of(journal.CommandRecord)}
    assert origins["/tmp/inspect-s"] == "engine"
    assert origins['sh -c "$@"; tr'] == "agent"
    assert origins["python3 /tmp/a"] == "agent"
    assert origins["bash -c true; "] == "tool"
    assert origins["whoami"] == "nested"
    tool = seen.command("bash -c true")
    assert tool.parent is None
    assert seen.output(tool) == "done by agent\n"


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_sockets_as_node_uses_them_for_its_children(record: Recorder) -> None:
    done: list[Done] = []
    program = """
    const { spawn } = require('child_process');
    const hash = require('crypto').createHash('sha1');
    const child = spawn('bash', ['-c', 'cat; head -c 20000000 /dev/zero | tr "\\\\0" x; echo end >&2; exit 3']);
    let size = 0, err = '';
    child.stdout.on('data', d => { size += d.length; hash.update(d); });
    child.stderr.on('data', d => { err += d; });
    child.stdin.end('from stdin\\n');
    child.on('close', code => console.log(size, hash.digest('hex'), err.trim(), code));
    """

    async def work(box: Box) -> None:
        done.append(await box.exec(["node", "-e", textwrap.dedent(program)], origin="agent"))

    seen = record(work)
    sent = b"from stdin\n" + b"x" * 20_000_000
    assert done[0].stdout.decode() == f"{len(sent)} {hashlib.sha1(sent).hexdigest()} end 3\n", done
    tool = seen.command("bash -c cat;")
    assert tool.origin == "tool"
    assert seen.output(tool).startswith("from stdin\nxxx")
    assert sum(record.omitted for record in seen.of(journal.OutputRecord)) == len(sent) + 4 - (256 << 10)
    assert seen.output(tool, "err") == "end\n"


def test_output_in_a_file_and_on_a_terminal(record: Recorder) -> None:
    done: list[Done] = []

    async def work(box: Box) -> None:
        into_file = "import subprocess as s; s.run(['sh', '-c', 'echo filed; exit 1'], stdout=open('/tmp/log', 'a'))"
        await box.exec(["python3", "-c", into_file], origin="agent")
        terminal = "import pty, os; pty.spawn(['sh', '-c', '[ -t 1 ] && echo seen by me'])"
        done.append(await box.exec(["python3", "-c", terminal], origin="agent"))

    seen = record(work)
    first, second = seen.commands("sh -c")
    assert seen.output(first) == "filed\n"
    assert b"seen by me" in done[0].stdout
    assert any(gap.command == second.id and "terminal" in gap.reason for gap in seen.of(journal.Gap))


def test_a_writer_is_stopped_when_nobody_reads_on(record: Recorder) -> None:
    done: list[Done] = []

    async def work(box: Box) -> None:
        program = "import subprocess as s; p = s.Popen(['yes'], stdout=s.PIPE); p.stdout.read(10); p.stdout.close()"
        done.append(await box.exec(["python3", "-c", f"{program}; print(p.wait())"], origin="agent", timeout=30))

    seen = record(work)
    assert done[0].stdout == b"-13\n"
    assert seen.exit(seen.command("yes")).signal in (13, None)


def test_output_of_what_runs_on_blocks_nobody(record: Recorder) -> None:
    done: list[Done] = []

    async def work(box: Box) -> None:
        done.append(await bash(box, "(sleep 0.5; echo late) & echo early"))
        await bash(box, "sleep 1")

    seen = record(work)
    command = seen.commands("bash -c (sleep")[0]
    assert done[0].stdout.startswith(b"early\n")
    assert seen.output(command).startswith("early\n")


def test_many_at_once(record: Recorder) -> None:
    import asyncio

    async def work(box: Box) -> None:
        done = await asyncio.gather(
            *(bash(box, f"for i in 1 2 3; do sh -c 'echo {n}'; done; exit {n}") for n in range(20))
        )
        assert [d.status for d in done] == list(range(20))
        assert [d.stdout for d in done] == [f"{n}\n".encode() * 3 for n in range(20)]

    seen = record(work)
    for number in range(20):
        command = seen.command(f"bash -c for i in 1 2 3; do sh -c 'echo {number}';")
        assert seen.output(command) == f"{number}\n" * 3
        assert sum(inner.parent == command.id for inner in seen.of(journal.CommandRecord)) == 3


def test_bytes_that_are_no_text(record: Recorder) -> None:
    async def work(box: Box) -> None:
        await bash(box, "printf 'a\\377b\\n'; touch $'caf\\351'; sh -c 'exit 0' $'arg\\377'")

    seen = record(work)
    assert seen.output(seen.command("bash -c")) == "a\ufffdb\n"
    assert any("caf\ufffd" in tree.paths for tree in seen.of(journal.TreeRecord))
    assert seen.command("sh -c").argv[-1] == "arg\ufffd"


def test_long_words_are_cut(record: Recorder) -> None:
    async def work(box: Box) -> None:
        await box.exec(["true", "x" * 100_000])
        await box.exec(["true", *["y"] * 300])

    seen = record(work)
    first, second = seen.commands("true")
    assert first.cut
    assert len(first.argv[1]) == (32 << 10) - len("true")
    assert second.cut
    assert len(second.argv) == 200


def test_without_a_filter_the_rest_still_works(
    record: Recorder, monkeypatch: pytest.MonkeyPatch, tmp_path: os.PathLike[str]
) -> None:
    """A kernel that has no user notification: the engine's own commands, trees and decoys are recorded all the same."""
    import selectors
    from pathlib import Path

    from rigorbench.sandbox.record import recorder as module
    from rigorbench.sandbox.record.recorder import Capture

    monkeypatch.setattr(module.seccomp, "available", lambda: "the kernel is from another time")
    base = Path(tmp_path)
    selector = selectors.DefaultSelector()
    made = Capture(base / "run2", base / "work", selector)
    assert made.features == ["trees"]
    made.note(journal.RunRecord(1.0, schema=journal.SCHEMA, id="r", root="/work"))
    made.snapshot("start")
    id_ = made.attach(None, None, ["bash", "-c", "x"], "/work", "tool", "t")
    (base / "work" / "new").write_text("1")
    made.finished(id_, 3 << 8)
    made.tick()
    made.close(journal.End(2.0, "completed"))
    selector.close()
    seen = Journal(base / "run2")
    seen.check()
    assert any(gap.what == "commands" and "another time" in gap.reason for gap in seen.of(journal.Gap))
    command = seen.command("bash -c x")
    assert command.tag == "t"
    assert seen.exit(command).status == 3
    assert [(tree.cause, tree.paths) for tree in seen.of(journal.TreeRecord)][1] == ("after", ["new"])
