"""Projects whose tests a shell command runs: the outcome of each test, and mutants of the changed units.

The outcomes are read from the output of the command; the test files show which tests exist.
"""

from __future__ import annotations

import re
from typing import Literal

from ...evidence.code.units import Unit, changed_units, test_functions, units
from ...evidence.paths import role
from ...evidence.replayed import TestRun, UnitCheck
from ...evidence.testruns.outcome import read_test_run
from ...evidence.testruns.results import SEPARATOR, read_results
from .compare import TreeTests
from .measure import Mutant, reverted
from .sandbox import CommandEnd

# Languages whose sources are compiled before anything runs: after one error no test of the project runs at all.
_COMPILED = ("rs", "java", "c", "cc", "cpp", "cxx", "h", "hh", "hpp")
_RUST_TEST = re.compile(r"#\[(?:\w+::)*test\b")
# Why a test file of a script language could not be loaded.
_NOT_LOADED = re.compile(
    r"^.*(?:does not provide an export named|Cannot find (?:module|package)|SyntaxError:|ReferenceError:).*$", re.M
)


def command_run(done: CommandEnd, tests: TreeTests) -> TestRun:
    """The outcomes of one run of a test command, by declared test (``file::name``).

    If the output names passing tests, a declared test that it does not name has not run: it is left out, or an error if
    the command failed. If the output names no passing test, every declared test that it does not report as failing has
    passed.
    """
    report = read_test_run(None, done.output, done.exit_status, timed_out=done.timed_out)
    run = TestRun(exit_status=done.exit_status, seconds=done.seconds)
    results = read_results(done.output)
    if report.never_ran or (report.outcome != "passed" and not report.failing and "failed" not in results.values()):
        run.problem = report.reason or "the test command failed without naming a test"
        if done.exit_status not in (0, None) and not results:
            run.problem += f": {' '.join(done.output.split())[-200:]}"
        return run
    files = test_files(tests)
    declared = {f"{p}::{t.name}": t.skipped for p in files for t in test_functions(p, tests.text(p) or "")}
    if "passed" not in results.values():
        failing = [*report.failing, *(n for n, r in results.items() if r == "failed")]
        for test, skipped in declared.items():
            failed = any(_names(one, test.partition("::")[2]) for one in failing)
            run.outcomes[test] = "failed" if failed else "skipped" if skipped else "passed"
        return run
    why = _NOT_LOADED.search(done.output)
    for name, result in results.items():
        path = next((f for f in files if name == f or name.endswith("/" + f)), None)
        if path is not None and result == "failed":
            run.broken[path] = why[0].strip()[:300] if why is not None else "the file cannot be loaded"
    for test, skipped in declared.items():
        path, _, name = test.partition("::")
        names = (name, _simple(name))
        hits = [r for r in results if r.replace(SEPARATOR, " ") == name] or [r for r in results if _simple(r) in names]
        inside = [r for r in hits if r.startswith(f"{path}::")]
        outcomes = {results[r] for r in inside or hits}
        outcome = next((o for o in ("failed", "passed", "skipped") if o in outcomes), None)
        if outcome is not None:
            run.outcomes[test] = outcome
        elif path not in run.broken:
            if done.exit_status != 0:
                run.outcomes[test] = "error"
            elif skipped:
                run.outcomes[test] = "skipped"
    return run


def test_files(tests: TreeTests) -> list[str]:
    """The files of a tree that contain tests; in Rust they may be beside the code."""
    return [
        p
        for p in tests.files
        if role(p, None) == "test" or (p.endswith(".rs") and _RUST_TEST.search(tests.text(p) or "") is not None)
    ]


# Bodies that compile whatever the function returns, and fail (or give a useless value) when they run.
_BODIES = {
    "rust": [b"{ unimplemented!() }"],
    "java": [b"{ throw new UnsupportedOperationException(); }"],
    "cpp": [b"{ throw 0; }"],
    "script": [b"{ return undefined; }", b"{ return Object.create(null); }"],
}
_FAMILIES = {
    **dict.fromkeys(("rs",), "rust"),
    **dict.fromkeys(("java",), "java"),
    **dict.fromkeys(("c", "cc", "cpp", "cxx", "h", "hh", "hpp"), "cpp"),
    **dict.fromkeys(("js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"), "script"),
}
_NESTED = re.compile(rb"\([^(){}\[\]]*\)|\{[^(){}\[\]]*\}|\[[^(){}\[\]]*\]|\"[^\"]*\"|'[^']*'|/\*.*?\*/|//[^\n]*", re.S)
_INLINE_TESTS = re.compile(r"^#\[cfg\(test\)\]", re.M)


def is_compiled(path: str) -> bool:
    return path.rsplit(".", 1)[-1].lower() in _COMPILED


def has_mutants(path: str) -> bool:
    """Whether mutants can be made for units of this file."""
    return path.rsplit(".", 1)[-1].lower() in _FAMILIES


def command_mutants(path: str, before: str | None, after: str) -> list[Mutant]:
    """One per changed unit of a file that is not in Python, without the tests that Rust has beside the code.

    A class is only reverted, never emptied: its methods are units of their own.
    """
    old = {} if before is None else units(path, before)
    new = units(path, after)
    data = after.encode("utf-8", "surrogatepass")
    inline = _INLINE_TESTS.search(after) if path.endswith(".rs") else None
    end = len(after[: inline.start()].encode("utf-8", "surrogatepass")) if inline is not None else len(data)
    result: list[Mutant] = []
    for name in changed_units(path, before, after):
        unit = new.get(name)
        if unit is None or unit.start >= end:
            continue
        texts: list[str] = []
        origin = None if before is None or name not in old else before.encode("utf-8", "surrogatepass")
        script = unit.kind == "function" and not is_compiled(path)
        if origin is not None and script and _arity(origin, old[name]) > _arity(data, unit):
            # Nobody gives it the callback any more that it would call: when it ends, if it does, is left to chance.
            origin = None
        if origin is not None and before is not None:
            texts.append(reverted(path, before, data, old[name], unit, new, old))
        if unit.kind == "function" and not (texts and script):
            texts += _emptied(path, data, unit)
        texts = [t for t in texts if t != after]
        if texts:
            how: Literal["reverted", "mutated"] = "mutated" if origin is None else "reverted"
            result.append(Mutant(path, unit, texts, UnitCheck(path, name, how)))
    return result


def _arity(data: bytes, unit: Unit) -> int:
    """How many parameters the header of a function has."""
    header = data[unit.start : unit.start if unit.body is None else unit.body[0]]
    names = header[header.find(b"(") + 1 : header.rfind(b")")]
    while (flat := _NESTED.sub(b"", names)) != names:
        names = flat
    return sum(bool(name.strip()) for name in names.split(b","))


def _emptied(path: str, data: bytes, unit: Unit) -> list[str]:
    """The file with a function's body replaced; a function that was empty before is left alone."""
    if unit.body is None:
        return []
    first, last = unit.body
    body = data[first:last]
    if body.startswith(b"{"):
        if not body.strip(b"{} \t\r\n"):
            return []
        bodies = _BODIES[_FAMILIES[path.rsplit(".", 1)[-1].lower()]]
    else:  # the expression of an arrow function
        bodies = [b"undefined", b"Object.create(null)"]
    return [(data[:first] + b + data[last:]).decode("utf-8", "surrogatepass") for b in bodies]


def _names(failing: str, name: str) -> bool:
    """Whether a runner's id of a failing test is that of the declared test ``name``."""
    simple = name.rsplit(".", 1)[-1]
    tail = failing.replace("::", " ").replace("#", " ").replace("/", " ").replace(".", " ").split()
    return failing == name or failing.endswith(name) or bool(tail and tail[-1] == simple)


def _simple(name: str) -> str:
    """The bare name: ``tests/roads.rs::far::a_road`` -> ``a_road``, ``RoadTests.testFar`` -> ``testFar``."""
    if " " in name and SEPARATOR not in name and "::" not in name:
        return name
    return re.split(r"::|\.|#|/", name.rsplit(SEPARATOR, 1)[-1])[-1]
