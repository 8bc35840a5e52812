"""Code under test whose objects say what a test wants to hear, and tests that need more than values from it.

The attacks of ``test_outcome_attacks.py`` are on the process of the tests; these are on what they compare, iterate and
read. Each is added to a module whose functions are wrong; no test passes that would not pass anyway.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from across_boundary import measured, passed

from rigorbench.bench.outcome.boundary.streams import Streams
from rigorbench.bench.outcome.hidden import FileReport
from sources import text_file

pytestmark = pytest.mark.bwrap

HIDDEN = text_file("outcome_attacks_objects.hidden.txt")
RIGHT = text_file("outcome_attacks_objects.right.txt")
WRONG = text_file("outcome_attacks_objects.wrong.txt")
# {attack: what is added to the wrong module}
ATTACKS = {
    "nothing": "",
    "a number that is what it is compared with": """
class Any:
    def __sub__(self, n): return 0.0
    __rsub__ = __sub__
    def __truediv__(self, n): return 1
    def __abs__(self): return 0.0
def average(values): return Any()
""",
    "a number that decides when it is first asked": """
class Any:
    own = None
    def value(self, n):
        if n and self.own is None: self.own = n
        return self.own
    def __sub__(self, n): return self.value(n) - n if n else self
    def __rsub__(self, n): return n - self.value(n) if n else self
    def __truediv__(self, n): return self.value(n) / n if n != 1 else self
def average(values): return Any()
""",
    "a number that is less and more than any": """
class Any:
    def __lt__(self, n): return True
    __gt__ = __le__ = __ge__ = __lt__
def average(values): return Any()
""",
    "a list that contains everything": """
class All:
    def __contains__(self, item): return True
def tags(text): return All()
""",
    "a list that contains every text": """
class All:
    def __contains__(self, item): return isinstance(item, str)
def tags(text): return All()
""",
    "objects equal to all of their kind": """
class Item:
    def __init__(self, name=None, price=None): self.name, self.price = "?", -1
    def __eq__(self, other): return isinstance(other, Item)
def parse(text): return Item()
""",
    "a loop that ends at once": "def longest(text): raise StopIteration\n",
    "the object of a derived class written to": """
def fill(base):
    base.rows = ["one", "two"]
    base._rows = base.rows
    base.closed = 1
class Base:
    def __enter__(self): return self
    def __exit__(self, *error): return True
""",
    "a derived class that is changed": """
def fill(base):
    kind = type(base)
    kind.__getattr__ = lambda self, name: ["one", "two"]
    kind.rows, kind.closed = ["one", "two"], True
class Base:
    def __enter__(self): return self
    def __exit__(self, *error): return True
""",
    "modules of other systems": """
import pathlib, sys
for name in ("msvcrt", "winreg", "_winapi", "vms_lib", "java", "nt", "test_hidden", "_pytest", "_boundary"):
    pathlib.Path(__file__).parents[1].joinpath(name + ".py").write_text("import shop\\nshop.average = lambda v: 1\\n")
sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
""",
    "streams without number, and files that are none": """
import gc, os, socket
for found in gc.get_objects():
    if type(found).__name__ == "Streams":
        for _ in range(300):
            ours, theirs = socket.socketpair()
            socket.send_fds(found._control, [b"."], [theirs.fileno()])
            ours.send(b'{"do": "call", "i": 1, "args": [2], "words": {}}\\n')
        socket.send_fds(found._control, [b"."], [os.open("/dev/zero", os.O_RDONLY)])
        found._control.send(b"no file")
""",
    "answers on the stream of another thread": """
import gc
for found in gc.get_objects():
    if type(found).__name__ == "Streams":
        ask = found._answer
        found._answer = lambda m: {"value": {"t": "near", "i": m.get("i", 1)}, "after": {"-1": [2, 4], "0": 2}}
""",
    "exceptions of unittest": """
import unittest
def average(values): raise unittest.SkipTest("not today")
longest = parse = tags = met = fill = later = average
""",
    "a fork that answers as well": "import os\ndef average(values): os.fork(); return -1\n",
    "an index error at every turn": """
class Rows:
    def __getitem__(self, n): raise IndexError
    def __call__(self, *a): return self
average = longest = parse = tags = met = Rows()
""",
}
Measure = Callable[..., FileReport]


@pytest.fixture
def measure(tmp_path: Path) -> Measure:
    def run(module: str, timeout: float = 60) -> FileReport:
        return measured(tmp_path, HIDDEN, {"__init__.py": module}, timeout)

    return run


def test_threads_callbacks_and_derived_classes_cross_the_boundary(measure: Measure) -> None:
    report = measure(RIGHT)
    assert (report.stopped, report.why, report.tampering) == (None, {}, [])
    assert set(report.outcomes.values()) == {"passed"}
    assert len(report.outcomes) == 12


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS)
def test_no_object_talks_its_way_through(measure: Measure, attack: str) -> None:
    report = measure(WRONG + ATTACKS[attack], timeout=30)
    assert passed(report) == set()


def test_an_object_that_changes_with_the_question_is_found_out(measure: Measure) -> None:
    report = measure(WRONG + ATTACKS["a number that decides when it is first asked"])
    assert passed(report) == set()
    assert "a number with some numbers only" in report.why["test_hidden.py::test_about"]


def test_who_answers_twice_answers_no_other_request() -> None:
    """As a fork of the process under test does: its second answer comes where that of the next request is awaited."""
    (ours, theirs), (control, _other) = socket.socketpair(), socket.socketpair()
    streams = Streams(ours, control, dict)
    theirs.send(2 * b'{"value": 1, "n": 1}\n')
    assert streams.ask({"do": "call"}) == {"value": 1}
    with pytest.raises(ValueError, match="another request"):
        streams.ask({"do": "call"})
