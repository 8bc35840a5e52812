"""The first exception, panic, crash or compiler error in an output, in a form that can be compared between runs."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

import msgspec
from msgspec import Struct

from ...base.patterns import lazy
from ..tables import load
from .messages import messages, missing_tool
from .runners import recognise
from .runners.base import first_line, last
from .runners.clean import clean


class FailedTest(Struct, frozen=True):
    """A failure, without what varies between runs."""

    exception: str | None
    """Its class, or the tool's error code ("TS2304", "E0308", "compile error")."""
    message: str
    """Its first line."""
    frame: str | None
    """The innermost frame inside the repository as ``file:function`` (the file alone where the output does not name the
    function); None where the output shows no frame."""


_MAX_MESSAGE = 300

_UUID = lazy(r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b")
_TIME = lazy(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?|\b\d\d:\d\d:\d\d(?:[.,]\d+)?"
)
_HEX = lazy(r"\b0x[0-9a-fA-F]+\b|\b[0-9a-f]{12,}\b")
_PATH = lazy(
    r"(?:(?<![\w/.])|(?<=file://))(?:[A-Za-z]:[\\/]|/)(?:[^\s'\"`:,;()<>\[\]\\/]+[\\/])+([^\s'\"`:,;()<>\[\]\\/]*)"
)
_TEMPORARY = lazy(
    r"\b(?:tmp|temp|pytest-of-\w+|pytest-\d+|pytest)[-_.]?[A-Za-z0-9_]*\d[A-Za-z0-9_]*\b|\btmp[a-z0-9_]{6,10}\b"
)
_NUMBER = lazy(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def normalise(message: str) -> str:
    """The first line of ``message`` with placeholders for numbers, addresses, times, ids and absolute paths."""
    line = message.strip().split("\n", 1)[0].strip()[:_MAX_MESSAGE]
    if "-" in line:
        line = _UUID.sub("UUID", line)
        line = _TIME.sub("TIME", line)
    if "/" in line or "\\" in line:
        line = _PATH.sub(lambda m: m[1] or "/", line)
    line = _HEX.sub("HEX", line)
    if "tmp" in line or "temp" in line or "pytest" in line:
        line = _TEMPORARY.sub("TMP", line)
    return _NUMBER.sub("N", line)


# --- frames --------------------------------------------------------------------------------------------------------


def _frame(path: str, function: str | None) -> str | None:
    """``file:function`` of a frame, or None when the file belongs to a library, the interpreter or the toolchain."""
    path = path.removeprefix("file://").strip()
    if not path or any(mark in path for mark in messages().libraries):
        return None
    if path.startswith("/") or path[1:3] in (":\\", ":/"):
        # The root of the repository is not known here; the last two parts name a file well enough.
        path = "/".join(path.replace("\\", "/").split("/")[-2:])
    path = path.removeprefix("./")
    return f"{path}:{function}" if function else path


# --- Python --------------------------------------------------------------------------------------------------------

_PY_FRAME = lazy(r'^ *File "([^"\n]+)", line \d+(?:, in (.+))?$', re.M)
# The exception is at the left margin under indented frames; a line that a program printed there is not.
_PY_LAST = lazy(r"^[ \t][^\n]*\n([A-Za-z_][\w.]{0,150})(?:: (.*))?$", re.M)
_E_LINE = lazy(r"^E +(\S.*)$", re.M)
_E_EXCEPTION = lazy(
    r"([A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit|Warning|Failed|DoesNotExist|Iteration)):? ?(.*)$"
)
_PYTEST_PLACE = lazy(r"^(\S+\.py):\d+: ?(?:in (\S+)|([A-Za-z_][\w.]*)?)", re.M)
_DEF = lazy(r"^>? *(?:async )?def (\w+)", re.M)
_SHORT_SUMMARY = lazy(r"^(?:FAILED|ERROR) \S+::.*? - ([A-Za-z_][\w.]*)(?:: (.*))?$", re.M)


def _python(text: str) -> FailedTest | None:
    if "\nE  " in text or text.startswith("E  "):
        return _pytest(text)
    at = text.find("Traceback (most recent call last)")
    if at < 0:
        if "short test summary info" in text and (short := _SHORT_SUMMARY.search(text)):
            return FailedTest(short[1].rsplit(".", 1)[-1], normalise(short[2] or ""), None)
        return _syntax_error(text)
    # A chain of exceptions prints several tracebacks; the caller saw the last one.
    end = _end_of_chain(text, at)
    error = last(_PY_LAST.finditer(text, at, end))
    if error is None:
        return None
    frame = None
    for match in _PY_FRAME.finditer(text, at, error.start()):
        frame = _frame(match[1], match[2]) or frame
    return FailedTest(error[1].rsplit(".", 1)[-1], normalise(error[2] or ""), frame)


_CHAIN = lazy(r"\s*\n(?:During handling of the above|The above exception was)")


def _end_of_chain(text: str, at: int) -> int:
    """Where the first chain of tracebacks ends: at the first exception line that no link to a further one follows."""
    while True:
        error = _PY_LAST.search(text, at + 1)
        if error is None:
            return len(text)
        link = _CHAIN.match(text, error.end())
        if link is None:
            return error.end()
        at = link.end()


def _pytest(text: str) -> FailedTest | None:
    first = _E_LINE.search(text)
    if first is None:
        return None
    match = _E_EXCEPTION.match(first[1])
    # The block of this failure ends with the line of the location after the E lines; its frames are before that.
    start = max(text.rfind("\n____", 0, first.start()), 0)
    border = min(
        (at for at in (text.find("\n____", first.end()), text.find("\n====", first.end())) if at >= 0),
        default=len(text),
    )
    after = _PYTEST_PLACE.search(text, first.end(), border)
    end = after.end() if after else first.end()
    frame = None
    entry = start
    for place in _PYTEST_PLACE.finditer(text, start, end):
        function = place[2]
        if function is None:
            # Each entry of a long traceback shows its function from the first line on (but for comprehensions).
            definitions = _DEF.findall(text, max(entry, place.start() - 6000), place.start())
            function = definitions[-1] if definitions else None
        entry = place.end()
        frame = _frame(place[1], function) or frame
    if match is None:
        text_of = first[1]
        name = "AssertionError" if text_of.startswith("assert") else None
        return FailedTest(name, normalise(text_of), frame)
    return FailedTest(match[1].rsplit(".", 1)[-1], normalise(match[2]), frame)


_SYNTAX = lazy(r"^(?:\w+: )?(SyntaxError|IndentationError): (.*)$", re.M)


def _syntax_error(text: str) -> FailedTest | None:
    if "SyntaxError: " not in text and "IndentationError: " not in text:
        return None
    match = _SYNTAX.search(text)
    if match is None:
        return None
    places = _PY_FRAME.findall(text[: match.start()])
    return FailedTest(match[1], normalise(match[2]), _frame(places[-1][0], None) if places else None)


# --- JavaScript ----------------------------------------------------------------------------------------------------

_JS_ERROR = lazy(r"^[^\S\n]*(?:Uncaught |\w*: )?([A-Z]\w*(?:Error|Exception)\w*|Error)(?: \[\w+\])?: (\S.*)$", re.M)
_JS_FRAME = lazy(r"^[^\S\n]+(?:at|❯) (?:async )?(?:(\S.*?) \(?)?((?:file://)?[^\s()]+?\.[cm]?[jt]sx?):\d+:\d+\)?", re.M)
_JEST_LOAD = lazy(r"● Test suite failed to run\n\s*\n[^\S\n]+(\S.*)")
_JEST_EXPECT = lazy(r"^[^\S\n]+(expect\(.*)$", re.M)


def _javascript(text: str) -> FailedTest | None:
    if ":" not in text or not ("Error" in text or "expect(" in text or "failed to run" in text):
        return None
    load = _JEST_LOAD.search(text) if "Test suite failed to run" in text else None
    if load is not None and not _JS_ERROR.match(load[1]):
        return FailedTest("load error", normalise(load[1]), None)
    error = _JS_ERROR.search(text)
    expect = _JEST_EXPECT.search(text) if "expect(" in text and "  ● " in text else None
    if expect is not None and (error is None or expect.start() < error.start()):
        name, message, at = "AssertionError", expect[1], expect.end()
    elif error is not None:
        name, message, at = error[1], error[2], error.end()
    else:
        return None
    frame = None
    for match in _JS_FRAME.finditer(text, at, at + 6000):
        frame = _frame(match[2], (match[1] or "").strip() or None)
        if frame is not None:
            break
    if frame is None and expect is None and _JS_FRAME.search(text) is None and "Error:" not in text:
        return None
    return FailedTest(name, normalise(message), frame)


# --- Go, Java, Ruby -------------------------------------------------------------------------------------------------

_GO_PANIC = lazy(r"^(?:panic|fatal error): (.+)$", re.M)
_GO_FRAME = lazy(r"^([\w./*()-]+?)\([^\n]*\)\n\t(\S+\.go):\d+", re.M)
_GO_ERROR = lazy(r"^(?:vet: )?([^\s:]+\.go):\d+:\d+: (.+)$", re.M)
_GO_TEST = lazy(r"^ +(\w+_test\.go):\d+: (.*)$", re.M)
_GO_TEST_AFTER = lazy(r"(?:\n +--- FAIL: [^\n]*)*\n +(\w+_test\.go):\d+: ([^\n]*)")
_GO_ASSERT = lazy(r"^\s+Error: +\t?(\S.*)$", re.M)


def _go(text: str) -> FailedTest | None:
    if ".go:" not in text:
        return None
    panic = _GO_PANIC.search(text) if ("panic: " in text or "fatal error: " in text) else None
    if panic is not None:
        frame = None
        for match in _GO_FRAME.finditer(text, panic.end()):
            if not match[1].startswith(("testing.", "runtime.", "panic", "created by")):
                frame = _frame(match[2], match[1].rsplit("/", 1)[-1])
                if frame is not None:
                    break
        return FailedTest("panic", normalise(panic[1].removesuffix(" [recovered]")), frame)
    if error := _GO_ERROR.search(text):
        return FailedTest("compile error", normalise(error[2]), _frame(error[1], None))
    # With -v a test's messages are before its verdict, otherwise after it.
    verdict = max(text.find("--- FAIL: "), 0)
    after = _GO_TEST_AFTER.match(text, text.find("\n", verdict)) if verdict else None
    if test := (
        after
        or (last(_GO_TEST.finditer(text, max(0, verdict - 4000), verdict)) if verdict else None)
        or _GO_TEST.search(text)
    ):
        asserted = _GO_ASSERT.search(text, test.end()) if not test[2].strip() else None
        return FailedTest(None, normalise(asserted[1] if asserted else test[2]), _frame(test[1], None))
    return None


_JAVA = lazy(
    r"^(?:\[ERROR\] +)?(?:Exception in thread \"[^\"\n]*\" |Caused by: )?((?:[a-z_][\w]*\.)+[A-Z][\w$]*(?:Error"
    r"|Exception|Failure)?)"
    r"(?::[ \n]?(.*))?$",
    re.M,
)
_JAVA_FRAME = lazy(r"^\s+at (?:[\w.]+/)*([\w.$]+)\.([\w$<>]+)\(([\w$]+\.(?:java|kt|scala|groovy)):\d+\)", re.M)


def _java(text: str) -> FailedTest | None:
    if "\tat " not in text and "    at " not in text:
        return None
    if ".java:" not in text and ".kt:" not in text and ".scala:" not in text and ".groovy:" not in text:
        return None
    error = _JAVA.search(text)
    if error is None:
        return None
    frame = None
    for match in _JAVA_FRAME.finditer(text, error.end()):
        if not match[1].startswith(messages().java_libraries):
            frame = f"{match[3]}:{match[2]}"
            break
    return FailedTest(error[1].rsplit(".", 1)[-1], normalise(error[2] or ""), frame)


_RSPEC_ERROR = lazy(r"^ *([A-Z][\w:]*(?:Error|Exception|NotFound)):\n +(.+)$", re.M)
_RSPEC_FAILURE = lazy(r"^ +Failure/Error: (.+)$", re.M)
_RSPEC_PLACE = lazy(r"^ +# (\S+\.rb):\d+", re.M)


def _rspec(text: str) -> FailedTest | None:
    failed = _RSPEC_FAILURE.search(text) if ".rb:" in text else None
    if failed is None:
        return None
    error, place = _RSPEC_ERROR.search(text), _RSPEC_PLACE.search(text, failed.end())
    name, message = (error[1], error[2]) if error else (None, failed[1])
    return FailedTest(name, normalise(message), _frame(place[1], None) if place else None)


# --- what one expression reads -------------------------------------------------------------------------------------


class _Row(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of ``failures.toml``, which explains the keys."""

    marks: tuple[str, ...]
    pattern: str
    exception: str | None = None


def _reader(row: _Row) -> Callable[[str], FailedTest | None]:
    pattern = lazy(row.pattern, re.M)

    def read(text: str) -> FailedTest | None:
        match = pattern.search(text) if any(mark in text for mark in row.marks) else None
        if match is None:
            return None
        found = {name: value for name, value in match.groupdict().items() if value}
        frame = _frame(found["f"], found.get("n")) if "f" in found else None
        name = found.get("e") or found.get("e2") or row.exception
        return FailedTest(name, normalise(found.get("m") or found.get("m2") or ""), frame)

    return read


_TABLE = {
    section: [_reader(row) for row in rows.values()]
    for section, rows in msgspec.convert(load(__file__, "failures.toml"), dict[str, dict[str, _Row]]).items()
}
READERS: tuple[Callable[[str], FailedTest | None], ...] = (
    _python, *_TABLE["first"], _go, _java, _javascript, *_TABLE["second"], _rspec, *_TABLE["last"],
)  # fmt: skip


_MAX_SIGNATURE = 600


@lru_cache(maxsize=8)
def read_failure(output: str) -> FailedTest | None:
    """The first failure that ``output`` shows, or None when it shows none."""
    text = clean(output)
    for read in READERS:
        failure = read(text)
        if failure is not None and (failure.exception or failure.message):
            return failure
    return None


def signature(failing: list[str], failure: FailedTest | None, fallback: str) -> str:
    """A text that is equal for equal failures: the failing tests, else exception, message and frame, else ``fallback``.

    The order in which tests are listed does not matter. Long lists are shortened with a digest of the whole.
    """
    if failing:
        names = sorted(set(failing))
        whole = "tests: " + ", ".join(names)
        if len(whole) <= _MAX_SIGNATURE:
            return whole
        from hashlib import blake2s

        digest = blake2s("\n".join(names).encode("utf-8", "replace"), digest_size=6).hexdigest()
        return f"tests: {', '.join(names[:3])[:300]}, ... {len(names)} in all ({digest})"
    if failure is not None:
        head = failure.exception or "failure"
        where = f" at {failure.frame}" if failure.frame else ""
        return f"{head}: {failure.message}{where}" if failure.message else f"{head}{where}"
    return fallback


_EDGE = 1200


def infrastructure(output: str, exit_status: int | None) -> str | None:
    """Why a failure is not about the code (rate limit, network, harness timeout, missing tool, disk, sandbox).

    None if tests ran and reported: a failing test may well print something about timeouts and refused connections.
    """
    text = clean(output)
    if exit_status in (126, 127):
        return f"missing tool: {missing_tool(text) or f'exit status {exit_status}'}"
    summary = recognise(text)
    if summary is not None and not summary.never_ran and (summary.final or summary.failing):
        return None
    if exit_status == 124:
        return "timeout: exit status 124"
    if exit_status != 0 and (line := missing_tool(text)) is not None:
        return f"missing tool: {line}"
    # The harness writes the first or the last lines; what is between them is the program's.
    edge = text if len(text) < 2 * _EDGE else f"{text[:_EDGE]}\n{text[-_EDGE:]}"
    if (line := first_line(messages().stopped, edge)) is not None:
        return f"timeout: {line}"
    for kind, rules in messages().infrastructure.items():
        if (line := first_line(rules, text)) is not None:
            return f"{kind}: {line}"
    return None
