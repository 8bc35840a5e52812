"""Every attack fails safely: it is seen for what it is, nothing of it stays, and the next run is as the first."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import threading
from pathlib import Path

import msgspec
import pytest
from cell_places import SMALL, OpenCell, Place, Programs

from rigorbench.sandbox.cell import layout
from rigorbench.sandbox.cell.spec import CellLimits, CellRun, CellSpec, Measured
from rigorbench.sandbox.kit.mount import Mount

IDLE = msgspec.structs.replace(SMALL, wall=0.12)


def outcome(measured: Measured, limits: CellLimits = SMALL) -> str:
    if measured.oom or (limits.memory is not None and (measured.memory or 0) > limits.memory):
        return "memory"
    if measured.killed is not None:
        return measured.killed
    return f"signal {measured.signal}" if measured.signal is not None else f"exit {measured.exit_code}"


@pytest.mark.parametrize(
    ("words", "with_groups", "without"),
    [
        (["burn"], "cpu", "cpu"),
        (["fork_bomb"], "cpu or memory", "cpu"),
        (["memory_static"], "memory", "memory"),
        (["memory_heap"], "memory", "memory"),
        (["memory_gradual"], "memory", "memory"),
        (["output_flood"], "output", "output"),
        (["output_flood", "reopen"], "output", "output"),
        (["disk", "big"], "disk", "disk"),
        (["disk", "signal"], "disk", "disk"),
        (["disk", "tmp"], "disk", "disk"),
        (["disk", "many-big"], "disk", "disk"),
        (["disk", "files"], "files", "files"),
        (["disk", "deep"], "files", "files"),
        (["disk", "deleted"], "disk", "disk or memory"),
        (["disk", "mapped"], "disk", "disk or memory"),
        (["disk", "allocated"], "exit 0", "exit 0"),
        (["hoard", "memfd"], "memory", "memory or cpu"),
        (["fake_messages"], "exit 7", "exit 7"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_it_is_ended_by_the_limit_it_exceeds(place: Place, words: list[str], with_groups: str, without: str) -> None:
    # Directories in directories cost time: on a busy machine a limit on CPU could end it before the count does.
    limits = msgspec.structs.replace(SMALL, cpu=1.0) if words == ["disk", "deep"] else SMALL
    measured = place.attack(*words, limits=limits)
    assert outcome(measured, limits) in (with_groups if place.controlled else without).split(" or ")
    assert len(measured.stdout) <= SMALL.output
    assert b"REACHED" not in measured.stdout
    place.check()


def test_all_processes_count_together(any_place: Place) -> None:
    if not any_place.controlled:
        measured = any_place.attack("memory_children", limits=IDLE)
        assert outcome(measured) == "wall"  # it may have no children there, and waits for them
    else:
        assert outcome(any_place.attack("memory_children")) == "memory"
        assert outcome(any_place.attack("burn_after_exit")) == "cpu"
        assert outcome(any_place.attack("output_flood", "child")) == "output"
        assert outcome(any_place.attack("hoard", "pipes")) == "memory"
        assert outcome(any_place.attack("hoard", "sockets")) == "memory"
    any_place.check()


@pytest.mark.parametrize("how", ["sleep", "stop", "stop-parent", "select", "read", "stopped-child", "vfork", "pause"])
def test_idleness_ends_at_the_wall(place: Place, how: str) -> None:
    measured = place.attack("idle", how, limits=IDLE)
    assert (measured.killed, measured.oom) == ("wall", False)
    assert measured.cpu < 0.1
    place.check()


def test_errors_are_kept_to_a_limit_and_do_not_kill(place: Place) -> None:
    measured = place.attack("output_flood", "stderr")
    assert measured.killed == "cpu"
    assert len(measured.stderr) == SMALL.errors
    place.check()


def test_processes_and_threads_are_counted(any_place: Place) -> None:
    # The kernel does not count the threads of root itself, which is who the namespace's user is where root plays it.
    if any_place.controlled or any_place.cell.process.uid is not None or os.geteuid() != 0:
        threads = any_place.attack("thread_bomb", limits=msgspec.structs.replace(SMALL, memory=200 << 20, cpu=5))
        assert int(threads.stdout) <= 16
    if any_place.controlled:
        assert 0 < int(any_place.attack("zombies").stdout) <= 16
        assert any_place.attack("zombies", "orphans", limits=msgspec.structs.replace(SMALL, cpu=5)).stdout == b"300\n"
    else:
        assert int(any_place.attack("zombies").stdout) == 0
    any_place.check()


@pytest.mark.parametrize("how", ["inotify", "files"])
def test_stocks_of_the_kernel_are_given_back(place: Place, how: str) -> None:
    first, *later = (int(place.attack("hoard", how).stdout) for _ in range(3))
    assert first > 0
    # Other processes of the user take and give back one or two meanwhile; what is kept would be all of it.
    assert min(later) > first / 2
    place.check()


@pytest.mark.parametrize("name", ["escape", "process_one", "raise_limits", "kill_all", "leave", "input_rewrite"])
def test_what_is_tried_does_not_work(any_place: Place, name: str) -> None:
    measured = any_place.attack(name)
    assert measured.stdout.splitlines()[-1] in (b"tried", b"left")
    assert b"REACHED" not in measured.stdout
    any_place.check()


def test_who_makes_the_supervisor_its_tracer_is_ended(any_place: Place) -> None:
    measured = any_place.attack("trace_me")
    assert (measured.signal, measured.killed, measured.stdout) == (signal.SIGKILL, None, b"")
    any_place.check()
    # An orphan that does so harms nobody else.
    assert any_place.attack("trace_me", "orphan").stdout == b"went on\n"
    any_place.check()


def test_nothing_survives_its_session(any_place: Place) -> None:
    assert any_place.attack("fork_setsid", fresh=False).stdout == b"left\n"
    survivor = Path(any_place.cell.work, "survivor")
    before = survivor.stat().st_size if survivor.exists() else 0
    any_place.cell.clear()
    any_place.check()
    assert (survivor.stat().st_size if survivor.exists() else 0) <= before


def test_odd_names_and_locked_directories_are_counted_and_cleared(any_place: Place, tmp_path: Path) -> None:
    measured = any_place.attack("disk", "names")
    assert (measured.exit_code, measured.killed) == (0, None)
    assert measured.files == 17
    any_place.check()
    assert Path("/etc/passwd").stat().st_size > 0


def test_a_file_with_holes_is_as_large_as_it_says(place: Place) -> None:
    measured = place.attack("disk", "sparse")
    assert b"REACHED" not in measured.stdout
    assert measured.disk <= SMALL.disk + 4096 if SMALL.disk is not None else False
    place.check()


def test_input_stays_as_it_is(any_place: Place, tmp_path: Path) -> None:
    secret = tmp_path / "07-secret-case.in"
    secret.write_bytes(b"the input")
    secret.chmod(0o666)
    with secret.open("rb") as file:
        measured = any_place.attack("input_rewrite", stdin=file.fileno())
        assert b"REACHED" not in measured.stdout
        assert b"secret" not in measured.stdout
    assert secret.read_bytes() == b"the input"
    with secret.open("rb") as file:
        file.seek(4)
        assert any_place.cell.run(CellRun(("/bin/cat",), stdin=file.fileno())).stdout == b"input"


def test_answers_are_unread(place: Place, tmp_path: Path) -> None:
    answer = tmp_path / "answer.ans"
    answer.write_text("42")
    answer.chmod(0o644)
    import rigorbench

    own = [str(answer), "/etc/shadow", str(rigorbench.__file__), str(Path(__file__)), f"/proc/{os.getpid()}/environ"]
    measured = place.attack("read_files", *own)
    assert measured.stdout == b"tried\n"


def test_nothing_that_can_be_seen_holds_a_word_of_ours(
    open_cell: OpenCell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not Path("/usr/bin/python3").exists():
        pytest.skip("no python3 below /usr to dig with")
    monkeypatch.setenv("RIGOR_SECRET_TOKEN", "hunter2-is-secret")
    (tmp_path / "answer").write_text("hunter2-is-secret")
    code = tmp_path / "code"
    code.mkdir()
    shutil.copy(Path(__file__).parents[1] / "attacks" / "dig.py", code)
    spec = CellSpec(mounts=(Mount(str(code), "/code"),))
    words = ("hunter2-is-secret", "validator_flags", socket.gethostname() + "\n", "BEGIN RSA PRIVATE")
    with open_cell(spec) as cell:
        measured = cell.run(CellRun(("/usr/bin/python3", "-I", "/code/dig.py", *words), CellLimits(cpu=20, wall=120)))
    assert measured.stderr == b""
    assert measured.stdout == b"looked at True\n"


def test_neither_the_host_nor_the_judge_is_named(place: Place, open_cell: OpenCell) -> None:
    """What the kernel tells about mounts, groups, its own start: no number of a process, no home, no interpreter."""
    paths = ["mountinfo", "mounts", "cgroup", "environ", "cmdline", "status", "maps"]
    told = [f"/proc/self/{name}" for name in paths] + ["/proc/cmdline", "/proc/sys/kernel/random/boot_id", "/proc/keys"]
    text = place.cell.run(CellRun(("/bin/cat", *told), CellLimits(cpu=5, wall=60))).stdout.decode()
    assert "/usr" in text
    names = [str(os.getpid()), str(place.cell.process.monitor.pid), str(Path.home()) + "/", socket.gethostname() + "\n"]
    words = re.findall(r"[\w.-]+|/", text)
    for name in names[:2]:
        # As a part of a name; it may well be the number of a mount.
        assert not [word for word in words if re.search(rf"[a-z-]+-{name}(\D|$)", word)], name
    assert [name for name in names[2:] if name in text and socket.gethostname() != "judge"] == []
    for secret in ("/proc/cmdline", "/proc/sys/kernel/random/boot_id"):
        assert Path(secret).read_text() not in text


def test_no_directory_of_the_host_is_named(place: Place) -> None:
    """The kernel names for each mount of a namespace the directory that it shows."""
    if layout.kernel() < (5, 2):
        pytest.skip("mounts cannot be hidden before Linux 5.2")
    told = [f"/proc/{who}/{name}" for who in ("self", "thread-self") for name in ("mountinfo", "mounts")]
    measured = place.cell.run(CellRun(("/bin/cat", *told, "/proc/self/mountstats"), CellLimits(cpu=5, wall=60)))
    assert (measured.exit_code, measured.stdout) == (0, b"")


def test_a_program_and_those_that_it_starts_have_no_capability_and_can_get_none(place: Place) -> None:
    measured = place.cell.run(CellRun(("/bin/grep", "^Cap", "/proc/self/status"), CellLimits(cpu=5, wall=60)))
    assert measured.stdout.split()[1::2] == [b"0" * 16] * 5


def test_nothing_is_written_outside(any_place: Place, programs: Programs, tmp_path: Path) -> None:
    target = tmp_path / "outside"
    target.write_text("as it was")
    target.chmod(0o666)
    measured = any_place.attack("write_outside", str(target))
    reached = [line for line in measured.stdout.decode().splitlines() if line.startswith("REACHED")]
    if os.geteuid() == 0 and any_place.cell.process.uid is None:
        # Root plays somebody else here: /proc/sys belongs to it all the same.
        reached = [line for line in reached if " /proc/sys" not in line]
    assert reached == []
    assert target.read_text() == "as it was"
    any_place.check()


def test_there_is_no_network(place: Place, tmp_path: Path) -> None:
    name = f"rigor-judge-{os.getpid()}"
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as abstract,
        socket.socket(socket.AF_UNIX) as named,
    ):
        abstract.bind(f"\0{name}")
        abstract.listen()
        named.bind(str(tmp_path / "s"))
        named.listen()
        measured = place.attack("network", str(server.getsockname()[1]), name, str(tmp_path / "s"))
        assert measured.stdout == b"tried\n"
        for one in (server, abstract, named):
            one.setblocking(False)
            with pytest.raises(BlockingIOError):
                one.accept()


def test_the_environment_tells_nothing(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIGOR_SECRET_TOKEN", "hunter2")
    text = place.attack("sniff", "word").stdout.decode()
    assert "hunter2" not in text
    assert f"host {socket.gethostname()}\n" not in text or socket.gethostname() == "judge"
    assert "/code/sniff\nword\nPATH=/usr/local/bin:/usr/bin:/bin\nHOME=/tmp\nLANG=C.UTF-8\nhost judge\n" in text
    for path in ("/etc/shadow", "/etc/resolv.conf", "/proc/1/environ", "/proc/1/cmdline"):
        assert f"== {path}\n== " in text or text.endswith(f"== {path}\n")


def test_two_cells_at_once_do_not_meet(place: Place, open_cell: OpenCell, programs: Programs) -> None:
    programs("neighbour")
    ready = threading.Event()
    heard: list[Measured] = []
    read, write = os.pipe()
    with open_cell(CellSpec(mounts=(Mount(programs("witness"), "/code"),))) as other:
        listener = CellRun(("/code/neighbour", "listen"), limits=SMALL, stdout=write)
        thread = threading.Thread(target=lambda: heard.append(other.run(listener, started=ready.set)))
        thread.start()
        try:
            assert ready.wait(60)
            os.close(write)
            with os.fdopen(read, "rb") as said:
                assert said.readline() == b"listening\n"
                measured = place.attack("neighbour")
        finally:
            other.cancel()
            thread.join(60)
    assert measured.stdout == b"tried\n"
    assert heard[0].killed == "cancelled"
    place.check()


def test_who_writes_to_a_given_descriptor_is_held_to_the_limit_too(place: Place) -> None:
    read, write = os.pipe()
    taken: list[int] = []

    def drain() -> None:
        while piece := os.read(read, 65536):
            taken.append(len(piece))

    thread = threading.Thread(target=drain)
    thread.start()
    try:
        measured = place.attack("output_flood", stdout=write, limits=msgspec.structs.replace(SMALL, cpu=20))
    finally:
        os.close(write)
        thread.join(60)
        os.close(read)
    assert measured.killed == "output"
    assert measured.output > SMALL.output
    assert measured.stdout == b""
    place.check()


def test_a_program_cannot_outlive_cancel(place: Place) -> None:
    running = threading.Event()
    heard: list[Measured] = []
    place.build("idle")
    run = CellRun(("/code/idle", "stop"), limits=SMALL)
    place.attack("witness")
    thread = threading.Thread(target=lambda: heard.append(place.cell.run(run, started=running.set)))
    thread.start()
    assert running.wait(60)
    place.cell.cancel()
    thread.join(60)
    assert (heard[0].killed, heard[0].signal) == ("cancelled", signal.SIGKILL), heard
    place.check()
