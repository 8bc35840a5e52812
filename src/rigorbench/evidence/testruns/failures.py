"""What failed and why, in a form that stays the same when the same thing fails again."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from .runners import recognise
from .runners.base import LineRule, first_line, line_rules
from .runners.clean import clean
from .runners.missing import missing_tool
from .runners.traces import READERS, Failure, normalise

__all__ = ["Failure", "infrastructure", "missing_tool", "normalise", "read_failure", "signature"]

_MAX_SIGNATURE = 600


@lru_cache(maxsize=8)
def read_failure(output: str) -> Failure | None:
    """The first failure that ``output`` shows, or None when it shows none."""
    text = clean(output)
    for read in READERS:
        failure = read(text)
        if failure is not None and (failure.exception or failure.message):
            return failure
    return None


def signature(failing: list[str], failure: Failure | None, fallback: str) -> str:
    """What makes two failures the same: the failing tests, else exception, message and frame, else ``fallback``.

    The order in which tests are listed does not matter. Long lists are shortened with a digest of the whole.
    """
    if failing:
        names = sorted(set(failing))
        whole = "tests: " + ", ".join(names)
        if len(whole) <= _MAX_SIGNATURE:
            return whole
        digest = hashlib.blake2s("\n".join(names).encode("utf-8", "replace"), digest_size=6).hexdigest()
        return f"tests: {', '.join(names[:3])[:300]}, ... {len(names)} in all ({digest})"
    if failure is not None:
        head = failure.exception or "failure"
        where = f" at {failure.frame}" if failure.frame else ""
        return f"{head}: {failure.message}{where}" if failure.message else f"{head}{where}"
    return fallback


# What goes wrong around the code under test, by kind; each pattern is searched in the lines that contain its mark.
_SURROUNDINGS: tuple[tuple[str, tuple[LineRule, ...]], ...] = (
    (
        "rate limit",
        line_rules(
            ("429", r"429 Too Many Requests"),
            ("ate limit", r"[Rr]ate limit (?:exceeded|reached)|API rate limit"),
            ("RateLimitError", r"RateLimitError"),
            ("rate_limit_error", r"rate_limit_error"),
            ("toomanyrequests", r"toomanyrequests"),
        ),
    ),
    (
        "network",
        line_rules(
            ("resolve host", r"Could not resolve host"),
            ("name resolution", r"Temporary failure in name resolution"),
            ("Name or service", r"Name or service not known"),
            ("getaddrinfo", r"getaddrinfo (?:ENOTFOUND|EAI_AGAIN)"),
            ("unreachable", r"Network is unreachable"),
            ("No route to host", r"No route to host"),
            ("curl: (", r"^curl: \((?:5|6|7|28|35|56)\)"),
            ("unable to access", r"^fatal: unable to access 'https?:"),
            ("npm ", r"^npm (?:ERR!|error) (?:network|code E(?:NOTFOUND|TIMEDOUT|CONNRESET|CONNREFUSED|AI_AGAIN))"),
            ("HTTPSConnectionPool(", r"HTTPSConnectionPool\("),
            ("new connection", r"Failed to establish a new connection"),
            ("dial tcp", r"dial tcp:? (?:lookup|\d)"),
            ("proxyconnect", r"proxyconnect tcp"),
            ("failed to ", r"failed to (?:download|fetch) (?:from )?`?https?:"),
            ("fetch URL", r"Could not fetch URL"),
            ("ReadTimeoutError(", r"ReadTimeoutError\("),
            ("onnection timed out", r"[Cc]onnection timed out after"),
            ("spurious", r"spurious network error"),
            ("transfer artifact", r"Could not transfer artifact"),
            ("net::ERR_", r"net::ERR_(?:NAME|INTERNET|CONNECTION)"),
            ("TLS handshake", r"TLS handshake timeout"),
        ),
    ),
    (
        "disk full",
        line_rules(
            ("No space left", r"No space left on device"),
            ("ENOSPC", r"\bENOSPC\b"),
            ("quota exceeded", r"Disk quota exceeded"),
            ("not enough space", r"not enough space on the disk"),
        ),
    ),
    (
        "permission",
        line_rules(
            ("Read-only file", r"Read-only file system"),
            ("EROFS", r"\bEROFS\b"),
            ("andbox", r"[Ss]andbox[ :].{0,60}(?:denied|blocked|not permitted|violation)"),
            ("os error 1)", r"Operation not permitted \(os error 1\)"),
            ("bwrap: ", r"^bwrap: "),
            (
                "Docker daemon",
                r"Cannot connect to the Docker daemon|permission denied while trying to connect to the Docker",
            ),
            ("EACCES", r"\bEACCES: permission denied"),
            ("EPERM", r"\bEPERM: operation not permitted"),
        ),
    ),
)
# The words with which harnesses report that they stopped a command.
_STOPPED = line_rules(
    ("ommand", r"^(?:\W{0,3}(?:Error: |<error>)?)(?:The )?(?:last |previous )?[Cc]ommand .{0,200}?timed out\b"),
    ("ommand", r"^(?:Error: )?[Cc]ommand (?:execution )?timed out"),
    ("timed out", r"^\[?(?:Process|Command|Execution) .{0,40}timed out"),
    ("timed out after ", r"timed out after \d+(?:\.\d+)? ?(?:ms|milliseconds|seconds|s|m|minutes)\.?$"),
    ("TIMED OUT", r"EXECUTION TIMED OUT"),
    ("TimeoutExpired: ", r"TimeoutExpired: Command"),
)
_EDGE = 1200


def infrastructure(output: str, exit_status: int | None) -> str | None:
    """Why this failure says nothing about the code (rate limit, network, harness timeout, missing tool, disk, sandbox).

    None when tests ran and reported: what a failing test prints may well speak of timeouts and refused connections.
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
    # The harness has the first or the last word; in between the program speaks.
    edge = text if len(text) < 2 * _EDGE else f"{text[:_EDGE]}\n{text[-_EDGE:]}"
    if (line := first_line(_STOPPED, edge)) is not None:
        return f"timeout: {line}"
    for kind, rules in _SURROUNDINGS:
        if (line := first_line(rules, text)) is not None:
            return f"{kind}: {line}"
    return None
