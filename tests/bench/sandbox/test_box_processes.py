"""Commands in a sandbox: how they start, how they end, and that nothing of them stays."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rigorbench.sandbox.box.box import Box
from rigorbench.sandbox.box.spec import BoxSpec
from rigorbench.sandbox.kit.errors import SandboxGoneError, UnknownUserError
from sources import text_file

from .conftest import InBox, sh

pytestmark = pytest.mark.bwrap


async def running(box: Box) -> list[str]:
    """Command lines of all processes but process 1, the runner, and the ``ps`` itself."""
    listed = (await box.exec(["ps", "-eo", "args="])).stdout.decode().splitlines()
    return [line for line in listed if not line.startswith(("/run/init", "rigor-runner", "ps -eo"))]


def test_streams_input_directory_environment_and_status(in_box: InBox) -> None:
    async def work(box: Box) -> None:
        done = await box.exec(sh("cat; echo err >&2; pwd; exit 3"), input=b"in\n", cwd="/usr")
        assert (done.status, done.stdout, done.stderr) == (3, b"in\n/usr\n", b"err\n")
        await box.exec(["mkdir", "-p", "a/b"])
        assert (await box.exec(["pwd"], cwd="a/b")).stdout == b"/work/a/b\n"
        assert (await box.exec(["pwd"])).stdout == b"/work\n"
        environment = (await box.exec(["env"], env={"X": "1 =\n"})).stdout.decode()
        names = {line.split("=", 1)[0] for line in environment.splitlines() if "=" in line[1:]}
        assert names == {"PATH", "HOME", "LANG", "USER", "SHELL", "K", "X"}
        assert "K=v" in environment

    os.environ["RIGOR_SECRET_OF_THE_HOST"] = "x"
    in_box(work, env=(("K", "v"),))


@pytest.mark.parametrize("size", [0, 1, 65536, 65537, 1 << 20, (1 << 20) + 1, 5 << 20])
def test_input_of_any_size_arrives(in_box: InBox, size: int) -> None:
    async def work(box: Box) -> bytes:
        return (await box.exec(["wc", "-c"], input=b"x" * size)).stdout

    assert int(in_box(work)) == size


def test_statuses_as_a_shell_states_them(in_box: InBox) -> None:
    async def work(box: Box) -> None:
        assert (await box.exec(sh("kill -TERM $$"))).status == 128 + signal.SIGTERM
        assert (await box.exec(sh("kill -KILL $$"))).status == 128 + signal.SIGKILL
        missing = await box.exec(["no-such-program"])
        assert (missing.status, missing.error) == (127, 2)
        assert b"no-such-program" in missing.stderr
        refused = await box.exec(["/etc/passwd"])
        assert refused.status == 126
        assert refused.error == 13
        nowhere = await box.exec(["true"], cwd="no/such/directory")
        assert nowhere.status == 127
        assert nowhere.error == 2

    in_box(work)


def test_signals_and_files_are_those_of_a_fresh_program(in_box: InBox) -> None:
    async def work(box: Box) -> None:
        status = (await box.exec(["cat", "/proc/self/status"])).stdout.decode()
        fields = dict(line.split(":\t") for line in status.splitlines())
        # 32 and 33 are the C library's own: no program can set them, so they stay as whoever started us had them.
        assert int(fields["SigIgn"], 16) & ~(0b11 << 31) == 0
        assert int(fields["SigBlk"], 16) == 0
        assert fields["NoNewPrivs"].strip() == "1"
        assert {fields[f"Cap{kind}"].strip() for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {"0" * 16}
        files = (await box.exec(["ls", "/proc/self/fd"], input=b"x")).stdout.split()
        assert files == [b"0", b"1", b"2", b"3"]  # 3 is the directory that ls reads

    in_box(work)


def test_the_last_output_is_kept_and_a_chatty_program_goes_on(in_box: InBox) -> None:
    async def work(box: Box) -> None:
        done = await box.exec(sh("seq 300000; echo done > finished; echo x >&2"), output_limit=1000)
        assert done.stdout.endswith(b"299999\n300000\n")
        assert len(done.stdout) == 1000
        assert done.omitted > 1_000_000
        assert done.stderr == b"x\n"
        assert done.status == 0
        assert await box.read("finished") == b"done\n"

    in_box(work)


# Each leaves processes that do not want to die; {n} is a number by which they are found.
STUBBORN = {
    "ignores": "trap '' TERM INT HUP; sleep {n}; sleep {n}",
    "double fork": "(setsid nohup sleep {n} >/dev/null 2>&1 &) ; sleep {n}",
    "daemon": "setsid -f sleep {n}; (sleep {n} & disown) ; sleep {n}",
    "scrubbed": "env -i /bin/sh -c 'sleep {n} & exec env -i sleep {n}'",
    "stopped": "sleep {n} & kill -STOP $!; sleep {n}",
    "output held": "(sleep {n} &) ; (sleep {n} >&2 &) ; sleep {n}",
}


def test_a_time_limit_ends_the_whole_tree_and_nothing_else(in_box: InBox) -> None:
    async def end(box: Box, number: int, script: str) -> None:
        begun = time.monotonic()
        done = await box.exec(sh(script.format(n=number)), timeout=0.6)
        assert (done.timed_out, done.status) == (True, 137), script
        assert time.monotonic() - begun < 0.6 + 2, script

    async def work(box: Box) -> None:
        await box.exec(sh("sleep 7777 & (setsid sleep 7778 &)"))  # servers of an earlier command
        other = asyncio.create_task(box.exec(sh("sleep 7779 & sleep 2; echo survived")))
        await asyncio.gather(*(end(box, 8880 + n, script) for n, script in enumerate(STUBBORN.values())))
        left = await running(box)
        assert not [line for line in left if "888" in line], left
        assert {n for n in ("7777", "7778", "7779") if any(n in line for line in left)} == {"7777", "7778", "7779"}
        assert (await other).stdout == b"survived\n"

    in_box(work)


def test_a_chain_of_forks_that_never_stands_still_ends(in_box: InBox) -> None:
    """Each link lives for a moment only, so whoever kills what a list shows comes too late."""
    chain = "import os\nwhile True:\n    if os.fork():\n        os._exit(0)\n    os.setsid()"

    async def work(box: Box) -> None:
        begun = time.monotonic()
        done = await box.exec(sh(f'python3 -c "{chain}" 8888; sleep 8888'), timeout=0.5)
        assert done.timed_out
        assert time.monotonic() - begun < 12
        for _ in range(3):
            assert not [line for line in await running(box) if "8888" in line]

    in_box(work)


def test_a_cancelled_command_is_ended_with_all_it_started(in_box: InBox) -> None:
    async def work(box: Box) -> None:
        task = asyncio.create_task(box.exec(sh("echo $$ > started; (sleep 8888 &) ; sleep 8888")))
        while True:
            try:
                await box.read("started")
                break
            except FileNotFoundError:
                await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        for _ in range(100):
            if not (left := [line for line in await running(box) if "8888" in line]):
                return
            await asyncio.sleep(0.05)
        raise AssertionError(left)

    in_box(work)


def test_a_background_server_serves_the_next_command(in_box: InBox) -> None:
    server = (
        "import http.server; http.server.HTTPServer(('127.0.0.1', 8123), http.server.SimpleHTTPRequestHandler)"
        ".serve_forever()"
    )
    client = (
        "import time, urllib.request\n"
        "for _ in range(100):\n"
        "    try: print(urllib.request.urlopen('http://127.0.0.1:8123/page').read().decode()); break\n"
        "    except OSError: time.sleep(.1)"
    )

    async def work(box: Box) -> bytes:
        await box.write("page", b"served")
        await box.exec(sh(f'python3 -c "{server}" >log 2>&1 & echo $! > pid'))
        out = (await box.exec(["python3", "-c", client])).stdout
        assert (await box.exec(sh("kill $(cat pid)"))).status == 0
        return out

    assert in_box(work) == b"served\n"


def test_orphans_are_buried(in_box: InBox) -> None:
    async def work(box: Box) -> bytes:
        await box.exec(sh("for i in 1 2 3 4 5; do (sleep 0.05 &) ; done"))
        await asyncio.sleep(0.5)
        return (await box.exec(["ps", "-eo", "stat="])).stdout

    assert b"Z" not in in_box(work)


def test_who_kills_all_he_can_kills_only_himself(in_box: InBox) -> None:
    async def work(box: Box) -> None:
        await box.exec(sh("kill -9 -1; sleep 8888"), timeout=1)
        assert not [line for line in await running(box) if "8888" in line]
        assert (await box.exec(["echo", "still here"])).stdout == b"still here\n"

    in_box(work)


def test_users(in_box: InBox) -> None:
    async def work(box: Box) -> None:
        assert (await box.exec(["whoami"])).stdout == b"agent\n"
        assert (await box.exec(["id", "-u"], user="agent")).stdout != b"0\n"
        for user in ("root", "0", "nobody", "no such user"):
            with pytest.raises(UnknownUserError, match="agent"):
                await box.exec(["true"], user=user)
        await box.exec(["touch", "made"])
        owner = Path(box.spec.directory, "work", "made").stat().st_uid
        assert owner == (61000 if os.geteuid() == 0 else os.geteuid())  # not root on the host, either

    in_box(work)


def test_after_its_end_nothing_runs_and_files_of_the_host_stay(tmp_path: Path) -> None:
    async def main() -> None:
        box = await Box.start(BoxSpec(str(tmp_path)))
        await box.exec(sh("echo kept > file; sleep 8888 & (setsid sleep 8889 &)"))
        waiting = asyncio.create_task(box.exec(["sleep", "8890"]))
        await asyncio.sleep(0.2)
        await box.stop()
        await box.stop()
        assert (await waiting).status == 137
        with pytest.raises(SandboxGoneError):
            await box.exec(["true"])
        assert not Path(f"/proc/{box.pid}").exists()
        assert (tmp_path / "work" / "file").read_text() == "kept\n"

    asyncio.run(main())


def test_many_commands_leave_no_file_open(in_box: InBox) -> None:
    async def work(box: Box) -> tuple[int, int]:
        await box.exec(["true"], input=b"x")
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(20):
            await asyncio.gather(*(box.exec(["true"], input=b"x", timeout=20) for _ in range(3)))
            with pytest.raises(FileNotFoundError):
                await box.read("nothing")
        return before, len(os.listdir("/proc/self/fd"))

    before, after = in_box(work)
    assert after <= before


RUN = text_file("box_processes.run.txt")


def descendants(pid: int) -> set[int]:
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
    found = {pid}
    while more := {p for p, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_run_leaves_no_process(tmp_path: Path, number: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", RUN, str(tmp_path / "box")], stdout=subprocess.PIPE) as run:
        inits = [int(word) for word in run.stdout.readline().split()]
        below = descendants(run.pid)
        assert set(inits) <= below
        assert len(below) > 8
        run.send_signal(number)
        run.wait()
    deadline = time.monotonic() + 10
    while (left := [p for p in below if Path(f"/proc/{p}").exists()]) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left


def test_a_killed_supervisor_takes_the_sandbox_with_it(in_box: InBox) -> None:
    async def work(box: Box) -> None:
        await box.exec(sh("(setsid sleep 8888 &)"))
        supervisor = os.getpid()
        for pid in descendants(os.getpid()):
            name = Path(f"/proc/{pid}/comm").read_text().strip()
            if name == "rigor-sandbox" and box.pid in descendants(pid):
                supervisor = pid
        below = descendants(supervisor)
        assert supervisor != os.getpid()
        assert box.pid in below
        os.kill(supervisor, signal.SIGKILL)
        with pytest.raises(SandboxGoneError):
            await box.exec(["true"])
        deadline = time.monotonic() + 10
        while [p for p in below if Path(f"/proc/{p}").exists()]:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.05)

    in_box(work)


def test_a_dead_sandbox_says_so(in_box: InBox) -> None:
    async def work(box: Box) -> None:
        os.kill(box.pid, signal.SIGKILL)
        for _ in range(200):
            if box.gone:
                break
            await asyncio.sleep(0.02)
        with pytest.raises(SandboxGoneError, match="ended by itself"):
            await box.exec(["true"])

    in_box(work)


def test_an_interrupt_of_the_terminal_does_not_reach_the_sandbox(tmp_path: Path) -> None:
    program = (
        "import asyncio, json, os, signal, sys\n"
        "from rigorbench.sandbox.box.box import Box\n"
        "from rigorbench.sandbox.box.spec import BoxSpec\n"
        "async def main():\n"
        "    async with await Box.start(BoxSpec(sys.argv[1])) as box:\n"
        "        signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "        task = asyncio.create_task(box.exec(['sleep', '0.5']))\n"
        "        await asyncio.sleep(0.2)\n"
        "        os.killpg(0, signal.SIGINT)\n"
        "        print(json.dumps((await task).status))\n"
        "asyncio.run(main())\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, timeout=60, start_new_session=True, check=True)
    assert json.loads(done.stdout) == 0


RECORDED = text_file("box_processes.recorded.txt")


def test_a_killed_run_keeps_what_was_recorded(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", RECORDED, str(tmp_path)], stdout=subprocess.PIPE) as run:
        assert run.stdout.readline() == b"ready\n"
        while not (tmp_path / "box" / "work" / "b").exists():
            time.sleep(0.01)
        below = descendants(run.pid)
        run.kill()
        run.wait()
    deadline = time.monotonic() + 20
    while [p for p in below if Path(f"/proc/{p}").exists()] and time.monotonic() < deadline:
        time.sleep(0.05)
    text = (tmp_path / "run" / "journal.jsonl").read_text()
    assert text.endswith("\n")
    records = [json.loads(line) for line in text.splitlines()]
    kinds = [record["type"] for record in records]
    assert kinds[0] == "run"
    assert "end" not in kinds  # that is how a reader sees that the run was killed
    commands = [record["argv"][-1] for record in records if record["type"] == "command"]
    assert "echo first > a; echo said" in commands
    assert "echo second > b; sleep 1000" in commands
    assert any(record.get("text") == "said\n" for record in records)
    changed = {path for record in records if record["type"] == "tree" for path in record.get("paths", [])}
    assert changed == {"a", "b"}  # the second by the snapshot after the kill
