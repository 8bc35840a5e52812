"""Every byte arrives, in order, with a copy for the journal; the command notices nothing."""

from __future__ import annotations

import hashlib
import os
import random
import select
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from rigorbench.base import journal
from rigorbench.sandbox.record.events import Events
from rigorbench.sandbox.record.tee import LIMIT, FileCopy, OutputCopy, Tee


class Loop:
    def __init__(self) -> None:
        self.events = Events()
        self.records: list[journal.OutputRecord] = []
        self.copy = OutputCopy("c1", self._write)

    def _write(self, record: journal.JournalRecord) -> None:
        assert isinstance(record, journal.OutputRecord)
        self.records.append(record)

    def spin(self, seconds: float = 0.05) -> None:
        """Handles events until there are none for so long."""
        poll = select.poll()
        poll.register(self.events.fileno(), select.POLLIN)
        while poll.poll(seconds * 1000):
            self.events.run()

    def text(self, stream: str = "out") -> str:
        return "".join(record.text for record in self.records if record.stream == stream)

    def omitted(self) -> int:
        return sum(record.omitted for record in self.records)


@pytest.fixture
def loop() -> Iterator[Loop]:
    made = Loop()
    yield made
    made.events.close()


def tee(loop: Loop, original: int, stream: str = "out") -> tuple[Tee, int]:
    made = Tee(loop.events, original, stream, loop.copy)  # type: ignore[arg-type]
    return made, made.entrance


ENDS = {"pipe": os.pipe, "socket": lambda: tuple(end.detach() for end in socket.socketpair())}


def test_fifty_megabytes_arrive_unchanged(loop: Loop) -> None:
    reading, writing = os.pipe()
    _, entrance = tee(loop, writing)
    chunk = random.Random(1).randbytes(1 << 20)
    sent, got = hashlib.sha256(), hashlib.sha256()

    def write() -> None:
        for number in range(50):
            piece = chunk[number:] + chunk[:number]
            sent.update(piece)
            view = memoryview(piece)
            while view:
                view = view[os.write(entrance, view[: number * 999 + 1]) :]
        os.close(entrance)

    def read() -> None:
        while data := os.read(reading, 1 << 16):
            got.update(data)

    threads = [threading.Thread(target=write), threading.Thread(target=read)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        loop.spin()
    os.close(reading)
    assert got.digest() == sent.digest()
    assert loop.omitted() == (50 << 20) - LIMIT


@pytest.mark.parametrize("kind", ENDS)
def test_a_reader_that_does_not_read_stops_the_writer_and_not_us(loop: Loop, kind: str) -> None:
    reading, writing = ENDS[kind]()
    _, entrance = tee(loop, writing)
    os.set_blocking(entrance, False)
    written = 0
    for _ in range(1000):
        loop.spin(0.001)
        try:
            written += os.write(entrance, b"x" * 4096)
        except BlockingIOError:
            break
    else:
        pytest.fail("nothing ever stopped the writer")
    os.close(entrance)
    got = 0
    while data := _read_soon(loop, reading):
        got += len(data)
    os.close(reading)
    assert got == written


def _read_soon(loop: Loop, fd: int) -> bytes:
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    while not poll.poll(0):
        loop.events.run()
    return os.read(fd, 65536)


@pytest.mark.parametrize("kind", ENDS)
def test_a_reader_that_leaves_ends_the_writer(loop: Loop, kind: str) -> None:
    reading, writing = ENDS[kind]()
    made, entrance = tee(loop, writing)
    os.close(reading)
    loop.spin()
    with pytest.raises(BrokenPipeError):
        os.write(entrance, b"x")
    os.close(entrance)
    assert made.closed


def test_the_end_is_passed_on_when_the_last_writer_leaves(loop: Loop) -> None:
    reading, writing = os.pipe()
    made, entrance = tee(loop, writing)
    background = os.dup(entrance)  # a child that lives on
    os.write(entrance, b"first ")
    os.close(entrance)
    loop.spin()
    made.drain()
    loop.copy.finish()
    assert os.read(reading, 100) == b"first "
    assert not made.closed
    os.write(background, b"later")
    loop.spin()
    os.close(background)
    loop.spin()
    assert os.read(reading, 100) == b"later"
    assert os.read(reading, 100) == b""
    os.close(reading)
    assert made.closed
    assert loop.text() == "first later"


def test_what_is_drained_is_there_before_the_end_is_told(loop: Loop) -> None:
    reading, writing = os.pipe()
    made, entrance = tee(loop, writing)
    for letter in b"abc":
        os.write(entrance, bytes([letter]))
        loop.events.run()  # letters come slowly, so the tee waits for more
    made.drain()
    assert os.read(reading, 100) == b"abc"
    os.close(entrance)
    loop.spin()
    os.close(reading)


def test_the_copy_keeps_the_beginning_and_the_end(loop: Loop) -> None:
    reading, writing = os.pipe()
    made, entrance = tee(loop, writing)
    sent = b"".join(b"%07d\n" % number for number in range(100_000))

    def write() -> None:
        view = memoryview(sent)
        while view:
            view = view[os.write(entrance, view[:10_000]) :]
        os.close(entrance)

    thread = threading.Thread(target=write)
    thread.start()
    got = 0
    while not made.closed:
        loop.spin(0.001)
        while select.select([reading], [], [], 0)[0] and (data := os.read(reading, 1 << 20)):
            got += len(data)
    thread.join()
    os.close(reading)
    kept = loop.text()
    assert kept.startswith("0000000\n0000001\n")
    assert kept.endswith("0099999\n")
    assert len(kept) == LIMIT
    assert loop.omitted() == len(sent) - LIMIT
    first = next(record for record in loop.records if record.omitted)
    assert first.text.encode() in sent


def test_a_flood_on_one_stream_does_not_wash_away_the_other() -> None:
    records: list[journal.OutputRecord] = []
    copy = OutputCopy("c1", records.append)  # type: ignore[arg-type]
    copy.add("out", b"a" * LIMIT)
    copy.add("err", b"what went ")
    copy.add("out", b"b" * LIMIT)
    copy.add("err", b"wrong\n")
    copy.add("out", b"c" * (LIMIT // 2) + b"end")
    copy.finish()
    kept = {name: "".join(r.text for r in records if r.stream == name) for name in ("out", "err")}
    assert kept["err"] == "what went wrong\n"
    assert kept["out"].endswith("cend")
    assert sum(map(len, kept.values())) == LIMIT
    assert sum(r.omitted for r in records) == LIMIT * 5 // 2 + 3 + len(kept["err"]) - LIMIT


def test_streams_are_told_apart(loop: Loop) -> None:
    ends = [os.pipe(), os.pipe()]
    made = [tee(loop, ends[0][1], "out"), tee(loop, ends[1][1], "err")]
    for number in range(3):
        os.write(made[0][1], b"out%d " % number)
        loop.spin()
        os.write(made[1][1], b"err%d " % number)
        loop.spin()
    for (_, entrance), (reading, _) in zip(made, ends, strict=True):
        os.close(entrance)
        loop.spin()
        os.close(reading)
    assert [record.stream for record in loop.records] == ["out", "err"] * 3
    assert loop.text("err") == "err0 err1 err2 "


def test_bytes_that_are_no_text_are_replaced_and_characters_kept_whole(loop: Loop) -> None:
    reading, writing = os.pipe()
    _, entrance = tee(loop, writing)
    for byte in "é€𝄞".encode() + b"\xff\xfe" + "ü".encode() + b"\xe2\x82":
        os.write(entrance, bytes([byte]))
        loop.spin(0.001)
    os.close(entrance)
    loop.spin()
    os.close(reading)
    assert loop.text() == "é€𝄞\ufffd\ufffdü\ufffd"


def test_a_pipe_of_its_own_reader_keeps_its_flags(loop: Loop) -> None:
    reading, writing = os.pipe()
    keep = os.dup(writing)
    _, entrance = tee(loop, writing)
    assert os.get_blocking(keep), "the original's other owners must not find it changed"
    assert os.get_blocking(entrance)
    os.close(entrance)
    os.close(keep)
    loop.spin()
    assert os.read(reading, 1) == b""
    os.close(reading)


def test_output_into_a_file_is_read_at_the_end(loop: Loop, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"of before\n")
    fd = os.open(path, os.O_WRONLY | os.O_APPEND)
    seen = FileCopy(os.dup(fd), "both", loop.copy)
    os.write(fd, b"new line\n")
    os.close(fd)
    seen.finish()
    loop.copy.finish()
    assert loop.text("both") == "new line\n"


def test_a_huge_file_is_read_at_both_ends_only(loop: Loop, tmp_path: Path) -> None:
    path = tmp_path / "log"
    fd = os.open(path, os.O_WRONLY | os.O_CREAT)
    seen = FileCopy(os.dup(fd), "out", loop.copy)
    os.write(fd, b"first")
    os.pwrite(fd, b"last", 1 << 40)  # a terabyte with a hole: reading it would never end
    os.close(fd)
    seen.finish()
    loop.copy.finish()
    assert loop.text().startswith("first")
    assert loop.text().endswith("last")
    assert loop.omitted() == (1 << 40) + 4 - LIMIT
