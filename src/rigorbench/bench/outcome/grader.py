"""Runs files of tests inside the sandbox of the outcome, and reports what came of each test.

Stands alone (standard library and pytest): it is shown in the sandbox as a file and started with ``python -I``.

Isolated tests (``isolated`` in the order) import the repository through ``proxies.py``: the code under test runs in
another process, which cannot look into this one and learns no expected value. The tests are on no disk it can read.

Tests that cannot run so share the process with the code under test, which is kept from raising its own outcome:

* Nothing of the repository is importable before pytest is, and never instead of the standard library or of pytest:
  ``sitecustomize``, ``pytest.py`` or ``random.py`` in the repository have no effect. No plugin, option, ``conftest.py``
  or ini file but those named in the order is read; compiled files of the repository are ignored.
* Reports go to the file descriptor that was standard output when this file started, each signed with a key that came by
  standard input. What the code under test prints, or writes as a results file, is not looked at. A process that ends
  early has reported nothing for its remaining tests, which counts as failed.
* Beside the tests run some that must pass or must fail, under names made up for this run. After each test
  pytest's own functions, the test functions and those builtins that decide about equality are compared with what they
  were before the code under test was imported.

What this cannot prevent: code under test that searches the memory of its own process for the key, undoes every trace of
its interference before each comparison, or returns values that claim to be equal to anything.

The order (JSON, standard input): ``key`` (hexadecimal), ``files``, ``root``, ``ini``, ``path`` (places that are
importable, in this order, after the standard library and pytest), ``isolated`` (null, or ``sources``, the texts of the
files of tests by name, and ``data``, other files beside them in base 64), ``canaries`` (names of tests: one that must
fail and runs first, one that must pass, and one more that must fail; the latter two run last).
"""

from __future__ import annotations

import ast
import base64
import builtins
import functools
import hashlib
import hmac
import json
import os
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from typing import Any

# Whose functions decide what a test's outcome is.
_WATCHED = ("_pytest", "pytest", "pluggy", "unittest")
_BUILTINS = (
    "AssertionError BaseException Exception abs all any bool bytes dict enumerate filter float frozenset getattr "
    "hasattr hash id int isinstance issubclass iter len list map max min next object range repr reversed round set "
    "sorted str sum super tuple type zip __import__ compile exec eval"
).split()
_PR_SET_DUMPABLE = 4
Report = Callable[[dict[str, Any]], None]


def main() -> int:
    order = json.load(sys.stdin.buffer)
    report = _reporter(bytes.fromhex(order.pop("key")))
    isolated = order.pop("isolated", None)
    if isolated is not None:
        # No other process of this user may trace this one, or read its memory, its environment or its files.
        import ctypes

        if ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
            raise OSError("this process cannot be kept out of the sight of others")
    os.environ.update(PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", PYTEST_ADDOPTS="", PYTEST_PLUGINS="")
    sys.dont_write_bytecode = True
    _protect_imports()
    import unittest.case

    import pytest

    assert unittest.case is not None  # imported to be watched

    places = [p for p in order["path"] if os.path.isdir(p)]
    sys.path[:] = [p for p in sys.path if p]
    # Programs that the tests start find the project as well.
    os.environ["PYTHONPATH"] = os.pathsep.join(places)
    if isolated is not None:
        _isolate(order, isolated["sources"], isolated["data"], places)
    else:
        sys.path += places
    sys.argv = ["pytest"]
    arguments = [*order["files"], "-c", order["ini"], "--rootdir", order["root"], "--confcutdir", order["root"]]
    arguments += ["-p", "no:cacheprovider", "-p", "no:junitxml", "-q", "--tb=no", "--continue-on-collection-errors"]
    if isolated is not None:
        arguments += ["--noconftest", "--import-mode=importlib"]
    plugin = _Plugin(report, order["canaries"], isolated=isolated is not None)
    status = int(pytest.main(arguments, plugins=[plugin]))
    report({"end": status})
    # Threads and exit handlers of the code under test have no say any more.
    os._exit(0)


def _reporter(key: bytes) -> Report:
    """Write signed lines to what was standard output; from now on that and standard input lead nowhere."""
    channel = os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    chain = hmac.new(key, digestmod=hashlib.sha256)
    process = os.getpid()
    # Kept here, so that replacing os.write later changes nothing.
    write, getpid, dumps = os.write, os.getpid, json.dumps

    def report(record: dict[str, Any]) -> None:
        if getpid() != process:  # a fork of the code under test that came back into the runner
            return
        data = dumps(record).encode()
        chain.update(data)
        line = data + b"\t" + chain.hexdigest().encode() + b"\n"
        while line:
            line = line[write(channel, line) :]

    return report


def _protect_imports() -> None:
    """The standard library and what is installed beside pytest are found before anything of the repository."""
    places = [p for p in sys.path if p]
    names = set(sys.stdlib_module_names)
    for place in places:
        if os.path.isdir(place) and place.endswith("site-packages"):
            names.update(entry.split(".")[0] for entry in os.listdir(place) if not entry.endswith("-info"))

    class First:
        @staticmethod
        def find_spec(
            name: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
        ) -> ModuleSpec | None:
            return PathFinder.find_spec(name, places, target) if path is None and name in names else None

    sys.meta_path.insert(0, First)


def _isolate(order: dict[str, Any], sources: dict[str, str], data: dict[str, str], places: list[str]) -> None:
    """Take the tests from memory and the modules of the repository from another process.

    Names of tests contain what they expect, so no name of a test, as variable or directory, is shown to others either.
    """
    import tempfile
    from importlib.util import module_from_spec, spec_from_file_location

    import _pytest.assertion.rewrite as rewrite
    import _pytest.runner
    import _pytest.tmpdir

    here = os.path.dirname(os.path.abspath(__file__))
    spec = spec_from_file_location("proxies", os.path.join(here, "proxies.py"))
    assert spec is not None
    assert spec.loader is not None
    proxies = module_from_spec(spec)
    spec.loader.exec_module(proxies)
    proxies.install([sys.executable, "-I", os.path.join(here, "under_test.py")], places)
    directory = tempfile.mkdtemp(prefix="tests-")
    # pytest wants a file of tests; its text is not there.
    for name, content in {**dict.fromkeys(sources, ""), **data}.items():
        os.makedirs(os.path.dirname(os.path.join(directory, name)), exist_ok=True)
        with open(os.path.join(directory, name), "wb") as file:
            file.write(base64.b64decode(content))
    order.update(files=[os.path.join(directory, n) for n in sources], root=directory)

    def rewritten(path: Any, config: Any) -> Any:
        text = sources[os.path.relpath(path, directory)].encode()
        tree = ast.parse(text, filename=str(path))
        rewrite.rewrite_asserts(tree, text, str(path), config)
        return os.stat(path), compile(tree, str(path), "exec", dont_inherit=True)

    replaced: list[tuple[Any, str, Any]] = [
        (rewrite, "_rewrite_test", rewritten),
        (rewrite, "_read_pyc", lambda *_, **__: None),
        (_pytest.runner, "_update_current_test_var", lambda *_: None),
        (_pytest.tmpdir, "_mk_tmp", lambda request, factory: factory.mktemp("test", numbered=True)),
    ]
    for owner, name, function in replaced:
        if not hasattr(owner, name):
            raise RuntimeError(f"this version of pytest has no {name}")
        setattr(owner, name, function)


class _Plugin:
    def __init__(self, report: Report, canaries: Sequence[str], *, isolated: bool = False) -> None:
        self.isolated = isolated
        self.report = report
        self.canaries = canaries
        self.before = _Standing()
        self.said: set[str] = set()

    def pytest_load_initial_conftests(self) -> None:
        # After pytest has put its own compatibility shims in place, and before anything else is imported.
        self.before.watch()
        # From now on compiled files are not looked for: the repository may hold some that differ from their source.
        if not self.isolated:
            sys.pycache_prefix = "/tmp/no-compiled-files"

    def pytest_collection_modifyitems(self, session: Any, config: Any, items: list[Any]) -> None:
        import pytest

        written = {path: {} if self.isolated else _as_written(path, config) for path in {item.path for item in items}}
        for item in items:
            function = getattr(item.obj, "__func__", item.obj)
            if isinstance(function, types.FunctionType):
                self.before._watch_code(function, item.nodeid)
            # A method may have the name of a function of its file.
            is_method = getattr(item, "cls", None) is not None
            name = getattr(item, "originalname", item.name)
            expected = None if is_method else written[item.path].get(name)
            # A thread of the code under test may have been at them before they were watched.
            if expected is not None and getattr(function, "__code__", None) != expected:
                self.said.add(item.nodeid)
                self.report({"changed": item.nodeid})
        module = next((m for item in items if (m := item.getparent(pytest.Module)) is not None), None)
        if module is not None:
            first, *last = (
                pytest.Function.from_parent(module, name=name, callobj=callback)
                for name, callback in zip(self.canaries, (_fails, _passes, _fails), strict=True)
            )
            items[:] = [first, *items, *last]

    def pytest_internalerror(self, excrepr: Any) -> None:
        self.report({"collect": "pytest", "outcome": "failed", "why": str(excrepr)[-300:]})

    def pytest_collectreport(self, report: Any) -> None:
        if report.outcome != "passed":
            self.report({"collect": report.nodeid, "outcome": report.outcome, "why": _last_line(report)})

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.report(
            {
                "test": report.nodeid,
                "when": report.when,
                "outcome": report.outcome,
                "xfail": hasattr(report, "wasxfail"),
                "seconds": round(report.duration, 3),
                "why": None if report.outcome == "passed" else _last_line(report),
            }
        )

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.check()

    def pytest_sessionfinish(self) -> None:
        self.check()

    def check(self) -> None:
        for name in self.before.changed():
            if name not in self.said:
                self.said.add(name)
                self.report({"changed": name})


def _as_written(path: Any, config: Any) -> dict[str, types.CodeType]:
    """The code of a file's test functions, from the file itself; decorated ones (but for marks) are another matter."""
    from _pytest.assertion.rewrite import _rewrite_test

    _, module = _rewrite_test(path, config)
    codes = {c.co_name: c for c in module.co_consts if isinstance(c, types.CodeType)}
    body = ast.parse(path.read_bytes()).body
    # Of two with one name the last counts.
    last = {node.name: node for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    return {
        name: codes[name]
        for name, node in last.items()
        if name in codes and all(ast.unparse(d).startswith("pytest.mark.") for d in node.decorator_list)
    }


def _passes() -> None:
    assert 1 + 1 == 2


def _fails() -> None:
    assert 1 + 1 == 3


def _last_line(report: Any) -> str | None:
    longrepr = getattr(report, "longrepr", None)
    if isinstance(longrepr, tuple):
        return str(longrepr[-1])[:300]
    crash = getattr(longrepr, "reprcrash", None)
    text = str(getattr(crash, "message", None) or longrepr or "").strip()
    return text.splitlines()[-1][:300] if text else None


class _Standing:
    """What the watched functions were; each kept by reference, so that an identity cannot be reused."""

    def __init__(self) -> None:
        self.members: list[tuple[dict[str, Any] | types.MappingProxyType[str, Any], str, Any, str]] = []
        self.codes: list[tuple[types.FunctionType, Any, Any, str]] = []

    def watch(self) -> None:
        for module_name, module in sorted(sys.modules.items()):
            if module_name.split(".")[0] in _WATCHED and isinstance(module, types.ModuleType):
                space = vars(module)
                for name, value in list(space.items()):
                    if isinstance(value, types.FunctionType | type | types.BuiltinFunctionType):
                        self.members.append((space, name, value, f"{module_name}.{name}"))
                    if isinstance(value, types.FunctionType) and value.__module__ == module_name:
                        self._watch_code(value, f"{module_name}.{name}")
                    elif isinstance(value, type) and value.__module__ == module_name:
                        for key, member in list(vars(value).items()):
                            if isinstance(
                                member,
                                types.FunctionType | property | staticmethod | classmethod | functools.cached_property,
                            ):
                                self.members.append((vars(value), key, member, f"{module_name}.{name}.{key}"))
                            for function in _functions(member):
                                self._watch_code(function, f"{module_name}.{name}.{key}")
        for name in _BUILTINS:
            self.members.append((vars(builtins), name, vars(builtins)[name], f"builtins.{name}"))
        for owner, name in ((os, "_exit"), (json, "dumps"), (hmac.HMAC, "update")):
            self.members.append((vars(owner), name, vars(owner)[name], f"{owner.__name__}.{name}"))

    def _watch_code(self, function: types.FunctionType, name: str) -> None:
        self.codes.append((function, function.__code__, function.__defaults__, name))

    def changed(self) -> Iterator[str]:
        for space, name, value, described in self.members:
            if space.get(name) is not value:
                yield described
        for function, code, defaults, described in self.codes:
            if function.__code__ is not code or function.__defaults__ is not defaults:
                yield described


def _functions(member: object) -> Iterator[types.FunctionType]:
    for found in (member, getattr(member, "__func__", None), getattr(member, "fget", None)):
        if isinstance(found, types.FunctionType):
            yield found


if __name__ == "__main__":
    sys.exit(main())
