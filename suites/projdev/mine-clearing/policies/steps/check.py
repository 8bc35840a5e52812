"""Compares the server with the example of the statement, and with itself before and after `undo`."""

import subprocess
import sys


def serve(*commands):
    text = "\n".join(["serve", *commands]) + "\n"
    done = subprocess.run(["build/code"], input=text, capture_output=True, text=True, timeout=20)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_example():
    lines = serve("make 3 6 2 2 5", "open 1 1", "show 1 1 3 6", "state")
    assert lines == ["field 3 6 2", "opened 10", "---1#1", "1111#1", "######", "playing 10 0 0 2"], lines


def test_the_borders_touch():
    lines = serve("new 1 5 1", "*....", "open 1 5", "open 1 3", "show 1 4 1 2", "show 1 1 1 5")
    assert lines == ["field 1 5 1", "opened 1", "opened 3", "won", "-1#1", "#1--1"], lines


def test_undo_takes_back_everything():
    lines = serve("new 2 4 1", "*...", "....", "mark 1 2", "open 1 1", "open 2 2", "undo", "state", "undo", "undo", "state")
    assert lines[1:] == ["marked", "mine 0", "lost", "error over", "undone", "playing 0 1 0 1", "undone", "nothing",
                         "playing 0 0 0 1"], lines


def test_errors():
    lines = serve("open 1 1", "dig", "new 1 3 1", "..*", "open 01 1", "open 2 1", "show 1 1 1 4")
    assert lines == ["error game", "error command", "field 1 3 1", "error command", "error cell", "error cell"], lines


def test_a_sweep_goes_on_while_a_life_is_left():
    lines = serve("new 3 5 3", "*.*..", ".....", ".....", "open 2 2", "mark 3 1", "mark 3 2", "sweep 2 2", "state")
    assert lines[4:] == ["swept 8 2", "playing 9 2 2 1"], lines


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
        sys.stdout.write(f"{name} passed\n")
