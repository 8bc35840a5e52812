"""The relay between two parties, played by threads that hold their ends of its pipes."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

import pytest

from rigorbench.judge.engine.relay import Relay, _Process

Play = Callable[[int, int], None]


class Talk:
    def __init__(self, program: Play, interactor: Play, *, limit: int = 1 << 20, idle: float = 30.0) -> None:
        self.stopped: list[str] = []
        self.relay = Relay({"program": limit, "interactor": limit}, idle, lambda: True, self._stop)
        threads = [
            threading.Thread(target=self._play, args=(side, play))
            for side, play in ((self.relay.program, program), (self.relay.interactor, interactor))
        ]
        for thread in threads:
            thread.start()
        self.relay.run()
        for thread in threads:
            thread.join()
        self.transcript = self.relay.transcript()
        self.relay.close()

    def _stop(self, reason: str) -> None:
        self.stopped.append(reason)
        # Whoever is stopped ends: here by having nothing more to read and nowhere to write.
        self.relay.program.close_relay_ends()
        self.relay.interactor.close_relay_ends()

    def _play(self, side: _Process, play: Play) -> None:
        try:
            play(side.stdin, side.stdout)
        except (OSError, EOFError):
            pass
        finally:
            side.close_process_ends()
            self.relay.exited(side.name)


def say(descriptor: int, text: str) -> None:
    data = text.encode()
    while data:
        data = data[os.write(descriptor, data) :]


def hear(descriptor: int, lines: int = 1) -> str:
    data = b""
    while data.count(b"\n") < lines:
        chunk = os.read(descriptor, 1)
        if not chunk:
            raise EOFError
        data += chunk
    return data.decode()


def hear_all(descriptor: int) -> bytes:
    data = b""
    while chunk := os.read(descriptor, 1 << 16):
        data += chunk
    return data


def test_words_go_both_ways_and_are_kept() -> None:
    def program(stdin: int, stdout: int) -> None:
        say(stdout, "5\n")
        hear(stdin)
        say(stdout, "7\n")
        hear_all(stdin)

    def interactor(stdin: int, stdout: int) -> None:
        hear(stdin)
        say(stdout, "higher\n")
        hear(stdin)
        say(stdout, "right\n")

    talk = Talk(program, interactor)
    assert talk.transcript.splitlines() == ["> 5", "< higher", "> 7", "< right"]
    assert talk.relay.first == "interactor"
    assert talk.stopped == []


def test_who_ended_first() -> None:
    def ends(stdin: int, stdout: int) -> None:
        say(stdout, "bye\n")

    seen: list[bytes] = []
    talk = Talk(ends, lambda stdin, stdout: seen.append(hear_all(stdin)))
    assert talk.relay.first == "program"
    assert seen == [b"bye\n"]
    talk = Talk(lambda stdin, stdout: seen.append(hear_all(stdin)), ends)
    assert talk.relay.first == "interactor"


def test_closing_only_the_output_is_no_end() -> None:
    """The interactor has said all, and waits for the program to finish."""

    def interactor(stdin: int, stdout: int) -> None:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stdout)
        os.close(null)
        assert hear_all(stdin) == b"done\n"

    def program(stdin: int, stdout: int) -> None:
        assert hear_all(stdin) == b""
        say(stdout, "done\n")

    talk = Talk(program, interactor)
    assert talk.relay.first == "program"
    assert talk.transcript == "> done"


def test_an_interactor_that_is_gone_breaks_no_pipe() -> None:
    wrote: list[int] = []

    def program(stdin: int, stdout: int) -> None:
        hear_all(stdin)
        for _ in range(100):
            say(stdout, "x" * 4096)
            wrote.append(4096)

    talk = Talk(program, lambda stdin, stdout: None)
    assert sum(wrote) == 409600
    assert talk.relay.first == "interactor"


@pytest.mark.parametrize("who", ["program", "interactor"])
def test_a_flood_is_stopped(who: str) -> None:
    def floods(stdin: int, stdout: int) -> None:
        while True:
            say(stdout, "x" * 4096)

    def reads(stdin: int, stdout: int) -> None:
        hear_all(stdin)

    talk = Talk(floods if who == "program" else reads, reads if who == "program" else floods, limit=100_000)
    assert talk.stopped == [who]


def test_both_waiting_is_seen() -> None:
    def waits(stdin: int, stdout: int) -> None:
        hear(stdin)

    talk = Talk(waits, waits, idle=0.3)
    assert talk.stopped == ["idle"]


def test_a_long_transcript_is_cut_in_the_middle() -> None:
    def program(stdin: int, stdout: int) -> None:
        for number in range(5000):
            say(stdout, f"{number}\n")

    talk = Talk(program, lambda stdin, stdout: (hear_all(stdin), None)[1])
    assert talk.transcript.startswith("> 0\n> 1\n")
    assert talk.transcript.endswith("> 4999")
    assert "\n...\n" in talk.transcript
    assert len(talk.transcript) < 20_000
