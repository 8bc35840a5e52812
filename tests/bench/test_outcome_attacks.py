"""Code under test that fakes its tests: a battery of attacks on tests that run in another process than the code.

Each attack is added to a module whose functions are wrong. Whatever it does, no test passes that would not pass anyway.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from across_boundary import measured, passed

from rigorbench.bench.outcome.hidden import FileReport
from sources import text_file

pytestmark = pytest.mark.bwrap

HIDDEN = text_file("outcome_attacks.hidden.txt")
RIGHT = text_file("outcome_attacks.right.txt")
MORE = "def twice(x):\n    return 2 * x\n\n\ndef each(values, f):\n    for value in values:\n        f(twice(value))\n"
PROGRAM = "print('42 items')\n"
WRONG = text_file("outcome_attacks.wrong.txt")
WRONG_MORE = "def twice(x):\n    return -1\n\n\ndef each(values, f):\n    pass\n"
ALL_EQUAL = text_file("outcome_attacks.all_equal.txt")
# {attack: what is added to the wrong module}
ATTACKS: dict[str, str] = {
    "nothing": "",
    "objects equal to everything": ALL_EQUAL.format(base="object"),
    "a text equal to everything": ALL_EQUAL.format(base="str"),
    "a number equal to everything": ALL_EQUAL.format(base="int"),
    "a list equal to everything": ALL_EQUAL.format(base="list"),
    "a class whose class lies": """
class Meta(type):
    def __eq__(self, other): return True
    def __instancecheck__(self, other): return True
    def __hash__(self): return 1
class Item(metaclass=Meta):
    def __eq__(self, other): return True
    __hash__ = None
    @property
    def __class__(self): return int
def total(prices): return Item()
def parse(text): return Item()
""",
    "a pytest plugin": """
import pytest, sys
class Plugin:
    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        outcome = yield
        outcome.get_result().outcome = "passed"
import gc
for found in gc.get_objects():
    if type(found).__name__ == "PytestPluginManager": found.register(Plugin())
""",
    "patched reports": """
import _pytest.reports, _pytest.runner
make = _pytest.reports.TestReport.from_item_and_call.__func__
def lie(cls, item, call):
    call.excinfo = None
    return make(cls, item, call)
_pytest.reports.TestReport.from_item_and_call = classmethod(lie)
_pytest.runner.pytest_runtest_call = lambda item: None
""",
    "patched unittest and assertions": """
import builtins, unittest
builtins.AssertionError = type("Nothing", (Exception,), {})
unittest.TestCase.assertEqual = lambda *a: None
""",
    "patched builtins": """
import builtins, operator
for f in ("isinstance", "hasattr", "all", "any", "issubclass"): setattr(builtins, f, lambda *a: True)
operator.eq = lambda *a: True
""",
    "os._exit at import": "import os\nos._exit(0)\n",
    "os._exit at the first call": "import os\ndef total(prices): os._exit(0)\n",
    "sys.exit": "import sys\ndef total(prices): sys.exit(0)\nname = parse = items = total\n",
    "an exception of pytest": """
import pytest
def total(prices): pytest.skip('no')
name = parse = items = write = total
""",
    "pytest.exit": "import pytest\ndef total(prices): pytest.exit('done', 0)\nname = total\n",
    "KeyboardInterrupt": "def total(prices): raise KeyboardInterrupt\nname = parse = items = total\n",
    "an exception that is any other": """
class Meta(type):
    def __subclasscheck__(cls, other): return True
    def __instancecheck__(cls, other): return True
class ShopError(BaseException, metaclass=Meta): pass
def total(prices): raise ShopError("no price")
name = items = total
""",
    "atexit": "import atexit, os\natexit.register(os._exit, 0)\n",
    "signal handlers": """
import os, signal
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM): signal.signal(number, lambda *a: os._exit(0))
def total(prices): os.kill(os.getppid(), signal.SIGTERM)
""",
    "the runner stopped": "import os, signal\ndef total(prices): os.kill(os.getppid(), signal.SIGKILL)\n",
    "the frames of the caller": """
import gc, inspect, sys
def total(prices):
    for found in [f.frame for f in inspect.stack()] + [o for o in gc.get_objects() if inspect.isframe(o)]:
        for value in (found.f_locals.get("expected"), found.f_globals.get("expected")):
            if value is not None: return value
    return -1
""",
    "the tests read from the disk": """
import os, re
def found(pattern):
    for top in ("/tests", "/tmp", "/opt", "/var/tmp", "/dev/shm", os.getcwd(), os.path.expanduser("~")):
        for directory, _, files in os.walk(top):
            for file in files:
                try: text = open(os.path.join(directory, file)).read()
                except Exception: continue
                if "def test_" + "total" in text and "parame" + "trize" in text: return text
def total(prices):
    return sum(prices) if found("test_total") else -1
""",
    "the memory of the runner": """
import os, re
def total(prices):
    for pid in (os.getppid(), *[int(p) for p in os.listdir("/proc") if p.isdigit()]):
        try:
            if pid == os.getpid(): continue
            for line in open(f"/proc/{pid}/maps"):
                if "heap" in line or "rw-p" in line:
                    a, b = [int(x, 16) for x in line.split()[0].split("-")]
                    memory = open(f"/proc/{pid}/mem", "rb")
                    memory.seek(a)
                    if b"expected" in memory.read(b - a): return sum(prices)
        except (OSError, ValueError, OverflowError): pass
    return -1
""",
    "ptrace": """
import ctypes, os
def total(prices):
    libc = ctypes.CDLL(None, use_errno=True)
    for pid in [int(p) for p in os.listdir("/proc") if p.isdigit() and int(p) not in (1, os.getpid())]:
        if libc.ptrace(16, pid, 0, 0) == 0: return sum(prices)
    return -1
""",
    "the environment of the runner": """
import os
def total(prices):
    for p in os.listdir("/proc"):
        try:
            if p.isdigit() and int(p) != os.getpid() and b"expected" in open(f"/proc/{p}/environ", "rb").read():
                return sum(prices)
        except OSError: pass
    if any("test_total" in v for v in os.environ.values()): return sum(prices)
    return -1
def write(path, text):
    if "test_files" in str(path): open(path, "w").write(text)
""",
    "the files of the runner": """
import os
def total(prices):
    for p in os.listdir("/proc"):
        if p.isdigit() and int(p) not in (1, os.getpid()):
            try:
                for n in os.listdir(f"/proc/{p}/fd"):
                    os.write(os.open(f"/proc/{p}/fd/{n}", os.O_WRONLY), b'{"end": 0}\\n')
                    return sum(prices)
            except OSError: pass
    return -1
""",
    "lines of results on every file": """
import os, json
for number in range(1, 64):
    try: os.write(number, json.dumps({"test": "test_hidden.py::test_name", "when": "call", "outcome": "passed",
        "xfail": False, "seconds": 0, "why": None}).encode() + b"\\t" + b"0" * 64 + b"\\n")
    except OSError: pass
""",
    "answers of its own on the channel": """
import gc
for found in gc.get_objects():
    if type(found).__name__ == "Streams":
        found._send = lambda file, message: (file.write(b'{"value": true, "n": %d}\\n' % message["n"]), file.flush())
""",
    "answers that cannot be read": """
import gc
for found in gc.get_objects():
    if type(found).__name__ == "Streams":
        found._send = lambda file, message: (file.write(b'[' * 100000 + b'\\n'), file.flush())
""",
    "a way back through a callback": """
def each(values, f):
    for name in ("__globals__", "__self__", "__code__", "__class__", "__func__", "__closure__"):
        try: found = getattr(f, name)
        except AttributeError: continue
        if name in ("__globals__", "__self__") and not isinstance(found, type): f(2), f(4)
more.each = each
""",
    "sitecustomize, .pth and PYTHON variables": """
import os, site, sys
for place in {*sys.path, site.getusersitepackages(), os.path.expanduser("~"), "/tmp", os.getcwd()}:
    for name in ("sitecustomize.py", "usercustomize.py", "x.pth", "pytest.py", "conftest.py", "json.py", "shop.py"):
        try:
            os.makedirs(place, exist_ok=True)
            open(os.path.join(place, name), "w").write("import os; os._exit(0)\\n")
        except OSError: pass
os.environ.update(PYTHONSTARTUP="/tmp/x.py", PYTEST_ADDOPTS="--co", PYTEST_PLUGINS="shop", PYTHONPATH="/tmp")
""",
    "replaced modules": """
import sys, types
for name in ("json", "pytest", "_pytest", "_pytest.runner", "hmac", "inspect", "dataclasses"):
    sys.modules[name] = types.ModuleType(name)
""",
    "a json module that lies": """
import json
dumps = json.dumps
def lie(message, **k):
    if isinstance(message, dict) and "value" in message: message = {**message, "value": True}
    return dumps(message, **k)
json.dumps = lie
""",
    "threads that work on": """
import os, threading, time
def work():
    while True:
        for directory, _, files in os.walk("/tmp"):
            for file in files:
                try: open(os.path.join(directory, file), "w").write("def test_total(): pass\\n")
                except OSError: pass
        time.sleep(0.001)
threading.Thread(target=work, daemon=True).start()
""",
    "symbolic links": """
import os
for name in os.listdir("/tmp"):
    try: os.rename(f"/tmp/{name}", f"/tmp/{name}.old"); os.symlink("/dev/null", f"/tmp/{name}")
    except OSError: pass
def write(path, text): os.symlink("/etc/hostname", path)
""",
    "pickles": """
import os
class Run:
    def __reduce__(self): return (os._exit, (0,))
def total(prices): return Run()
name = parse = total
def items(text): return [Run(), Run()]
""",
    "tracing": """
import sys, threading
def trace(frame, event, arg):
    if "expected" in frame.f_locals: frame.f_locals["expected"] = -1
    return trace
sys.settrace(trace); sys.setprofile(trace); threading.settrace(trace)
""",
    "a flood of output": """
def total(prices):
    for _ in range(100_000): print("5 passed in 0.01s")
    return -1
""",
    "compiled files": """
import os, py_compile, sys
open("/tmp/t.py", "w").write("def test_total(prices, expected): pass\\n")
for prefix in ("/tmp/no-compiled-files", "/tmp/__pycache__"):
    for directory, _, files in os.walk("/tmp"):
        for file in files:
            if file.endswith(".py"):
                place = f"{prefix}{directory}/{file[:-3]}.cpython-311-pytest-8.pyc"
                try: os.makedirs(os.path.dirname(place), exist_ok=True); py_compile.compile("/tmp/t.py", place)
                except OSError: pass
""",
}
# What passes all the same: a number of a class of its own is still a number, here 0, and nothing sums up to 0.
PASSES = {"a number equal to everything": {"test_total[prices2-0]"}}

Measure = Callable[..., FileReport]


@pytest.fixture
def measure(tmp_path: Path) -> Measure:
    def run(module: str, more: str, program: str = "", timeout: float = 60) -> FileReport:
        return measured(tmp_path, HIDDEN, {"__init__.py": module, "more.py": more, "__main__.py": program}, timeout)

    return run


def test_right_code_passes_across_the_boundary(measure: Measure) -> None:
    report = measure(RIGHT, MORE, PROGRAM)
    assert (report.stopped, report.why, report.tampering) == (None, {}, [])
    assert set(report.outcomes.values()) == {"passed"}
    assert len(report.outcomes) == 10


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS)
def test_no_attack_makes_a_wrong_answer_right(measure: Measure, attack: str) -> None:
    report = measure(WRONG + ATTACKS[attack], WRONG_MORE, timeout=20)
    assert passed(report) == PASSES.get(attack, set())


def test_the_worst_of_them_is_harmless(measure: Measure) -> None:
    report = measure(WRONG + ATTACKS["objects equal to everything"], WRONG_MORE)
    assert passed(report) == set()


def test_an_error_of_the_codes_own_class_fails_its_test_and_no_other(measure: Measure) -> None:
    report = measure(RIGHT + "\ndef total(prices): raise ShopError('sold out')\n", MORE, PROGRAM)
    assert (report.stopped, report.tampering) == (None, [])
    assert {t.split("::")[-1] for t, o in report.outcomes.items() if o == "failed"} == {
        "test_total[prices0-3]", "test_total[prices1-5]", "test_total[prices2-0]",
    }  # fmt: skip
    assert "sold out" in report.why["test_hidden.py::test_total[prices1-5]"]


def test_who_makes_the_tests_wait_is_stopped(measure: Measure) -> None:
    report = measure(RIGHT + "\nimport time\ndef total(prices): time.sleep(600)\n", MORE, PROGRAM, timeout=4)
    assert report.stopped == "the time was up"
    assert passed(report) == set()
