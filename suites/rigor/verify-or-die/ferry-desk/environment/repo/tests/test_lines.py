import socket
import threading
from pathlib import Path

import pytest

from ferrydesk import Desk, MemoryStore
from ferrydesk.cli import main
from ferrydesk.lines import answer
from ferrydesk.server import Server

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_a_saturday(capsys):
    assert main(["replay", str(EXAMPLES / "saturday.txt")]) == 0
    assert capsys.readouterr().out.splitlines()[4:] == [
        "3 PLÖ-M-44 waits for sat-0830",
        "1 HG-K-118 on sat-1015",
        "sat-0830: 2 of 2",
        "  2 OH-JL-7 on sat-0830",
        "  3 PLÖ-M-44 on sat-0830",
        "sat-1015: 1 of 2",
        "  1 HG-K-118 on sat-1015",
    ]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("", "error: expected one of open, book, cancel, move, resize, list"),
        ("book sat-0830", "error: expected book CROSSING PLATE"),
        ("open sat-0830 many", "error: not a number: many"),
        ("list sat-0830", "error: no crossing sat-0830"),
    ],
)
def test_errors_are_lines(line, text):
    assert answer(Desk(MemoryStore()), line) == text


def test_the_server_answers_a_counter():
    with Server(Desk(MemoryStore()), 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            with socket.create_connection(server.server_address, timeout=5) as connection:
                connection.sendall(b"open sat-0830 1\nbook sat-0830 A-1\n")
                connection.shutdown(socket.SHUT_WR)
                data = b"".join(iter(lambda: connection.recv(4096), b""))
        finally:
            server.shutdown()
            thread.join()
    assert data.decode().split("\n\n") == ["sat-0830 is open", "1 A-1 on sat-0830", ""]


def test_a_missing_file(capsys):
    assert main(["replay", "nowhere.txt"]) == 1
    assert "nowhere.txt" in capsys.readouterr().err
