"""Which lines of an output the command line itself printed or rewrote, and which ones the test runner wrote."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence

from ...base.code.assertions import at_word, either
from ...base.patterns import lazy
from ..commands.classify import Classified
from ..commands.programs import programs
from ..shell.parse import printed
from .runners import recognise
from .runners.clean import clean

# A line without one of these cannot be mistaken for a runner's verdict.
_VERDICT = either(  # in lower case
    "pass", at_word(r"ok\b"), r"tests?\b", "success", "fail", "error", r"examples?\b", r"specs?\b"
)
_DIGIT = lazy(r"\d")
_STDOUT = frozenset((">", ">>", ">|", "1>", "1>>", "&>", "&>>", ">&"))
_SHOWN = ("/dev/stdout", "/dev/stderr", "/dev/tty", "&", "1", "2", ">(")
# Longer texts are data: nobody types a verdict into them.
_LONGEST = 200_000

_GOOD = lazy(r"pass|\bok\b|success|\^ok|✓|green", re.IGNORECASE)
_BAD = lazy(r"fail|err|not ok|exception|panic|✗|✘|\bF\b", re.IGNORECASE)


def _redirected_to(test: Classified, after: Sequence[Classified]) -> set[str] | None:
    """The files that received a test's output in place of the terminal (``> log``, ``| tee log >/dev/null``).

    None: the output was shown. ``after``: the commands that follow it in the line.
    """
    files: set[str] = set()
    hidden = False
    for part in (test, *_stages(after)):
        for redirect in part.command.redirects:
            if redirect.operator in _STDOUT and not redirect.target.startswith(_SHOWN):
                hidden = True
                files.add(posixpath.basename(redirect.target))
        hidden = hidden or (part is not test and _swallows(part))
        if part is not test and part.command.program == "tee":
            files.update(posixpath.basename(a) for a in part.command.args if not a.startswith("-"))
    return files if hidden else None


def _swallows(part: Classified) -> bool:
    """Whether a command reads its input and shows none of it."""
    program, args = part.command.program, part.command.args
    if program in programs().groups.swallowing:
        return True
    if program in ("grep", "egrep", "fgrep", "rg"):
        return any(
            a in ("--quiet", "--count") or (a[:1] == "-" and a[1:2] != "-" and ("q" in a or "c" in a)) for a in args
        )
    return program in ("head", "tail") and any(a in ("-0", "-n0", "-c0") for a in [*args, "".join(args[:2])])


def _stages(after: Sequence[Classified]) -> Iterable[Classified]:
    """The commands at the start of ``after`` that are further stages of a pipeline."""
    for part in after:
        if part.command.piped_from is None:
            return
        yield part


def runner_output(line: str, parts: Sequence[Classified], output: str, written: Iterable[str] = ()) -> str:
    """The part of an output that a test runner may have written.

    Lines that occur in the command line, or in a text in ``written`` (by the agent; tests are started through it), were
    printed by those. If every test sent its output to a file and no command shows that file, no verdict in the output
    is a test's.
    """
    tests = [n for n, p in enumerate(parts) if p.kind == "test"]
    others = len(parts) > max(1, len(tests))
    sources = [t for t in written if len(t) < _LONGEST]
    if others and len(line) < _LONGEST:
        sources.append(line)
    if not output or not (sources or others):
        return output
    text = clean(output)
    printable = [p for part in parts if part.kind != "test" and (p := printed(part.command))]
    kept = (
        [row for row in text.split("\n") if not _is_self_printed(row, sources, printable)]
        if sources
        else text.split("\n")
    )
    rest = "\n".join(kept) if len(kept) < text.count("\n") + 1 else output
    if tests and others:
        waits = any(p.command.program in ("wait", "sleep", "fg") for p in parts)
        redirected = [
            set() if parts[n].command.background and not waits else _redirected_to(parts[n], parts[n + 1 :])
            for n in tests
        ]
        if all(t is not None for t in redirected):
            files = {f for t in redirected if t for f in t}
            shown = any(
                posixpath.basename(arg) in files
                for n, p in enumerate(parts)
                if n not in tests
                for arg in p.command.args
            )
            if not shown and (summary := recognise(clean(rest))) is not None and summary.runner:
                return ""
    return rest


def _is_self_printed(row: str, sources: Sequence[str], printable: Sequence[str]) -> bool:
    if not sources and not printable:
        return False
    words = row.strip()
    if len(words) < 4 or not _DIGIT.search(words) or not _VERDICT.search(words.lower()):
        return False
    return any(words in source for source in sources) or any(words in text for text in printable)


def line_distortion(test: Classified, after: Sequence[Classified]) -> str | None:
    """Why the output of a line is not what its test runner wrote; None if it is.

    The reason is a program that the test is piped into, or one that shows the file to which its output went.
    """
    through = list(_stages(after))
    if files := _redirected_to(test, after):
        for n, part in enumerate(after[len(through) :], len(through)):
            if any(posixpath.basename(a) in files for a in part.command.args):
                through += [part, *_stages(after[n + 1 :])]
    return next((why for part in through if (why := distortion(part, test.runner)) is not None), None)


def cut_short(test: Classified, after: Sequence[Classified], output: str) -> str | None:
    """Why the end of a runner's output is missing (``| head -20`` showed 20 lines); None if it is not.

    It matters for runners without a closing summary: the lines that are left out may be those of failures.
    """
    if test.runner not in programs().groups.line_per_test_runners:
        return None
    for part in _stages(after):
        words = " ".join(part.command.args)
        if part.command.program == "head" and (number := _HEAD_LINES.fullmatch(words)) is not None:
            shown = int(number[1] or 10)
            if len(output.rstrip("\n").split("\n")) >= shown:
                return f"head shows only the first {shown} lines"
    return None


_HEAD_LINES = lazy(r"(?:-n ?|--lines[= ]|-)?(\d{1,6})?")


def distortion(part: Classified, runner: str | None) -> str | None:
    """Why this command does not show what a runner wrote; None if it only selects lines."""
    program, args = part.command.program, part.command.args
    words = " ".join(a for a in args if not a.startswith("-"))
    if program in ("grep", "egrep", "fgrep", "rg"):
        flags = "".join(a[1:] for a in args if a.startswith("-") and not a.startswith("--"))
        if "v" in flags or "--invert-match" in args:
            hides = re.search(r"fail|err|\bF\b|not ok", words, re.IGNORECASE)
            return f"{program} takes the failures out" if hides else None
        if "o" in flags or "--only-matching" in args:
            return f"{program} shows parts of the runner's lines"
        if runner in programs().groups.line_per_test_runners and _GOOD.search(words) and not _BAD.search(words):
            return f"{program} keeps only the good lines"
    return None


_STATUS_WORD = lazy(r"\$(?:\?|\{PIPESTATUS\[0\]\})")
_ASSIGNED = lazy(r"(?:^|[;&\n]\s*|\s)(\w+)=\$(?:\?|\{PIPESTATUS\[0\]\})")


def printed_status(line: str, parts: Sequence[Classified], index: int, output: str) -> int | None:
    """The exit status of the test at ``index``, if the line itself prints it (``pytest; echo "exit: $?"``).

    None: the line does not print it, or prints another command's.
    """
    test = parts[index].command
    following = parts[index + 1 : index + 4]
    if not following or test.background:
        return None
    piped = bool(test.piped_into)
    stages = sum(1 for _ in _stages(following))
    echo = next((p.command for p in following[stages:] if p.command.program in ("echo", "printf")), None)
    if echo is None:
        return None
    words = " ".join(echo.args)
    status = _STATUS_WORD.search(words)
    if status is not None:
        if following[stages].command is not echo or (piped and status[0] == "$?"):
            return None
        before, after = words[: status.start()], words[status.end() :]
    else:
        saved = next((m for m in _ASSIGNED.finditer(line) if f"${m[1]}" in words or f"${{{m[1]}}}" in words), None)
        if saved is None:
            return None
        if piped and "PIPESTATUS" not in saved[0]:
            return None
        before, _, after = words.replace(f"${{{saved[1]}}}", f"${saved[1]}").partition(f"${saved[1]}")
    if "$" in before + after:
        return None
    before, after = before.rsplit("\\n", 1)[-1], after.split("\\n", 1)[0]
    pattern = re.compile(rf"^{re.escape(before.lstrip())}(\d{{1,3}}){re.escape(after.rstrip())}\s*$", re.MULTILINE)
    found = pattern.findall(clean(output))
    return int(found[-1]) if found else None
