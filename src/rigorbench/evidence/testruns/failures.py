"""What failed and why, in a form that is the same when the same thing fails again."""

from __future__ import annotations

from functools import lru_cache

from .messages import messages, missing_tool
from .runners import recognise
from .runners.base import first_line
from .runners.clean import clean
from .traces import READERS, Failure

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
