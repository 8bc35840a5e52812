"""From the output and exit status of builds, type checkers and linters to their outcome."""

from __future__ import annotations

from ..events import Outcome
from ..shell.types import Command
from ..testruns.failures import missing_tool
from ..testruns.runners.base import LineRule, first_line, line_rules
from ..testruns.runners.clean import clean

# What compilers, type checkers and build tools say when they fail. A failure outweighs every word of success, since a
# build of many parts prints both.
_BUILD_BROKEN = line_rules(
    ("error[E", r"^error\[E\d{4}\]: "),
    ("could not compile", r"^error: could not compile "),
    ("error TS", r"\berror TS\d+: "),
    ("error CS", r": error CS\d+: "),
    ("error FS", r": error FS\d+: "),
    ("error MSB", r"\berror MSB\d+: "),
    ("error NU", r"\berror NU\d+: "),
    ("error LNK", r"\berror LNK\d+: "),
    (": error:", r"^[^\s:][^:\n]*:\d+(?::\d+)?: error: |^(?:clang|gcc|g\+\+|cc1\w*|swiftc|ld(?:\.lld)?): error: "),
    ("fatal error", r"^[^\s:][^:\n]*:(?:\d+:)*(?:\d+:)? fatal error: |^(?:clang|gcc|g\+\+|cc1\w*): fatal error: "),
    ("undefined reference to", r"undefined reference to "),
    ("ld returned 1", r"^collect2: error: ld returned 1 exit status"),
    ("linker command failed", r"linker command failed with exit code"),
    ("Undefined symbols", r"^Undefined symbols for architecture "),
    (".go:", r"^(?:vet: )?\S+\.go:\d+:\d+: "),
    ("make", r"^\S*make(?:\[\d+\])?: \*\*\* "),
    ("ninja: build stopped", r"^ninja: build stopped: "),
    ("ninja: error", r"^ninja: error: "),
    ("CMake Error", r"^CMake Error"),
    ("-- Configuring incomplete", r"^-- Configuring incomplete, errors occurred!"),
    ("BUILD FAILURE", r"\bBUILD FAILURE\b"),
    ("BUILD FAILED", r"\bBUILD FAILED\b"),
    ("COMPILATION ERROR", r"COMPILATION ERROR"),
    ("Build FAILED", r"^Build FAILED\."),
    ("Build failed", r"\bBuild failed(?:\.| with \d+ error| in |:)"),
    ("Failed to compile", r"Failed to compile\b"),
    ("compiled with ", r"compiled with [1-9]\d* errors?"),
    ("ERROR in ", r"^ERROR in "),
    ("error during build", r"^(?:x |✗ )?.*error during build:"),
    ("RollupError", r"\bRollupError: "),
    ("[ERROR]", r"^(?:✘ |X )\[ERROR\] "),
    ("Error compiling", r"^\*\*\* Error compiling "),
    ("SyntaxError", r"^(?:\w+: )?(?:Sorry: )?(?:SyntaxError|IndentationError): "),
    ("Traceback (most", r"^Traceback \(most recent call last\)"),
    ("Module not found", r"Module not found: "),
    ("Found ", r"^Found [1-9]\d* errors? in |^Found [1-9]\d* errors?\.?$"),
    (" errors, ", r"^ *[1-9]\d* errors?, \d+ warnings?"),
    (" error, ", r"^ *1 error, \d+ warnings?"),
    (" errors", r"^[1-9]\d* errors(?: generated\.)?$|\bwith [1-9]\d* errors\b"),
    ("1 error", r"^1 error(?: generated\.)?$"),
    ("npm ERR!", r"^npm ERR! "),
    ("npm error", r"^npm error "),
    ("ELIFECYCLE", r"ELIFECYCLE"),
    ("error Command failed", r"^error Command failed with exit code "),
    ("failed to solve", r"^(?:ERROR|error): failed to (?:solve|build)"),
    ("returned a non-zero code", r"returned a non-zero code: \d+"),
    ("ERROR: ", r"^ERROR: (?:Could not|Failed|No matching|Command errored|failed)"),
    (
        "error: ",
        r"^error: (?:subprocess-exited|metadata-generation|command .* failed|failed to|legacy-install|linking with"
        r"|package .* not|unexpected|expected|mismatched|cannot|invalid|no such|could not|aborting)",
    ),
    (
        "Error: ",
        r"^(?:\w*Error|Error): (?:Cannot find module|Build failed|Command failed|Failed|Could not|ENOENT|Invalid"
        r"|Unexpected)",
    ),
    ("compilation failed", r"[Cc]ompilation failed"),
    ("Compilation failed", r"[Cc]ompilation failed"),
    ("== Compilation error", r"^== Compilation error in file "),
    ("compilation terminated", r"^compilation terminated\."),
    ("Error executing", r"Error executing "),
    ("** BUILD FAILED", r"^\*\* \w+ FAILED \*\*"),
    ("LaTeX Error", r"^! LaTeX Error: "),
    ("ERROR task failed", r"^(?:\[[^\]]+\] )?ERROR task failed"),
)
_BUILD_DONE = line_rules(
    ("Finished ", r"^ *Finished (?:`\w[\w-]*`|\w+) (?:profile )?\[.*\] target"),
    ("BUILD SUCCESS", r"\bBUILD SUCCESS(?:FUL)?\b"),
    ("Build succeeded", r"\bBuild succeeded\b"),
    ("Build complete", r"^(?:\[[\d/]+\] )?Build complete!?"),
    ("** BUILD SUCCEEDED", r"^\*\* \w+ SUCCEEDED \*\*"),
    ("Found 0 errors", r"Found 0 errors\b"),
    ("0 errors", r"^0 errors, \d+ warnings?"),
    ("no issues found", r"^Success: no issues found"),
    ("built in ", r"✓ built in [\d.]+ ?m?s|\bbuilt in [\d.]+ ?m?s$"),
    ("ompiled successfully", r"[Cc]ompiled successfully"),
    ("compiled with ", r"compiled with \d+ warnings?"),
    ("compiled in", r"\bcompiled in [\d.]+ ?m?s"),
    ("ild success", r"(?:Build|build) success"),
    ("Build files have been written", r"^-- Build files have been written to: "),
    ("Built target", r"^\[100%\] Built target "),
    ("is up to date", r"^\S*make(?:\[\d+\])?: .* is up to date\."),
    ("Nothing to be done", r"^\S*make(?:\[\d+\])?: Nothing to be done for "),
    ("ninja: no work", r"^ninja: no work to do\."),
    ("Successfully", r"^Successfully (?:built|installed|tagged|compiled) "),
    ("naming to ", r"^#\d+ naming to "),
    ("Build completed", r"\bBuild completed\b"),
    ("Done in ", r"\bDone in [\d.]+ ?m?s\.?"),
    ("Compiled ", r"^Compiled \d+ files?|^Compiled .* in [\d.]+"),
    ("Generated ", r"^Generated \S+ app$"),
)

_LINT_BROKEN = line_rules(
    ("✖ ", r"^✖ \d+ problems? \([1-9]\d* errors?"),
    ("problems", r"\b[1-9]\d* problems? \([1-9]\d* errors?"),
    ("Found ", r"^Found [1-9]\d* (?:errors?|problems?|issues?|diagnostics?|violations?)\b"),
    ("would reformat", r"^(?:w|W)ould reformat:? "),
    ("Would reformat", r"^(?:w|W)ould reformat:? "),
    ("be reformatted", r"^[1-9]\d* files? would be reformatted"),
    ("Code style issues", r"Code style issues (?:found )?in "),
    ("Diff in ", r"^Diff in "),
    ("offense", r"^\d+ files? inspected, [1-9]\d* offenses? "),
    (" issues", r"^[1-9]\d* issues?:|\b[1-9]\d* issues? found"),
    ("level=error", r"^level=error "),
    (": ", r"^[^\s:][^:\n]*\.\w+:\d+:\d+: (?:[A-Z]{1,5}\d{2,5}|error|\[[A-Z])"),
    (".go:", r"^\S+\.go:\d+:\d+: .* \([a-z][\w-]*\)$"),
    ("[ERROR] Found", r"^ *\[ERROR\] Found \d+ errors?"),
    ("In ", r"^In \S+ line \d+:$"),
    ("FOUND ", r"^FOUND \d+ ERRORS?"),
    ("ERROR task failed", r"^(?:\[[^\]]+\] )?ERROR task failed"),
    ("is terminated due", r"^The command is terminated due to an error"),
    ("Failed", r"^\S.*?\.{3,}(?:\([^)\n]*\))?Failed$"),
    ("hook id", r"^- hook id: "),
    ("error", r"^ +\d+:\d+ +error +"),
    (" errors, ", r"^[1-9]\d* errors?, \d+ warnings?"),
    ("1 error,", r"^1 error, \d+ warnings?"),
    ("error[", r"^error\[[\w-]+\](?::|\s)"),
    ("error: ", r"^error: "),
    (": error:", r"^[^\s:][^:\n]*:\d+(?::\d+)?: error: "),
    ("error TS", r"\berror TS\d+: "),
    ("could not compile", r"^error: could not compile "),
    ("npm ERR!", r"^npm ERR! "),
    ("npm error", r"^npm error "),
    ("ELIFECYCLE", r"ELIFECYCLE"),
    ("make", r"^\S*make(?:\[\d+\])?: \*\*\* "),
    ("Traceback (most", r"^Traceback \(most recent call last\)"),
)
_LINT_DONE = line_rules(
    ("All checks passed", r"^All checks passed!"),
    ("no issues found", r"^Success: no issues found"),
    ("already formatted", r"^\d+ files? already formatted"),
    ("left unchanged", r"^\d+ files? (?:would be )?left unchanged"),
    ("All done!", r"^All done! "),
    ("reformatted", r"^(?:[1-9]\d* files? reformatted|reformatted .*)"),
    ("All matched files", r"^All matched files use Prettier code style!"),
    ("no offenses", r"^\d+ files? inspected, no offenses detected"),
    ("No fixes applied", r"^(?:Checked|Formatted) \d+ files? in .*No fixes applied"),
    ("[OK] No errors", r"^ *\[OK\] No errors"),
    ("0 errors", r"^0 errors, \d+ warnings?"),
    ("(0 errors", r"\d+ problems? \(0 errors"),
    ("0 issues", r"^0 issues\.?$"),
    ("no problems", r"\bno problems\b"),
    ("No issues found", r"No issues found"),
    ("no issues", r"\bno issues\b"),
    ("rated at 10", r"^Your code has been rated at 10\.00/10"),
    ("Passed", r"^\S.*?\.{3,}(?:\([^)\n]*\))?(?:Passed|\(no files to check\)Skipped)$"),
    ("Finished ", r"^ *Finished (?:`\w[\w-]*`|\w+) (?:profile )?\[.*\] target"),
)

# Tools that are often run in one line with others: their own words go before everybody's.
_OWN: dict[str, tuple[tuple[LineRule, ...], tuple[LineRule, ...]]] = {
    "ruff": (
        line_rules(
            ("Found ", r"^Found [1-9]\d* errors?(?:\.| \()|^Found [1-9]\d* errors?$"),
            ("reformatted", r"^[1-9]\d* files? would be reformatted"),
            ("Would reformat", r"^Would reformat: "),
        ),
        line_rules(
            ("All checks passed", r"^All checks passed!"),
            ("formatted", r"^\d+ files? (?:already formatted|reformatted|left unchanged)"),
            ("left unchanged", r"^\d+ files? left unchanged"),
            ("0 remaining", r"\b0 remaining\b"),
        ),
    ),
    "mypy": (
        line_rules(("Found ", r"^Found \d+ errors? in \d+ files?")),
        line_rules(("no issues found", r"^Success: no issues found")),
    ),
    "black": (
        line_rules(("reformatted", r"^[1-9]\d* files? would be reformatted|^[1-9]\d* files? failed to reformat")),
        line_rules(
            ("left unchanged", r"^\d+ files? (?:would be )?left unchanged"), ("reformatted", r"^\d+ files? reformatted")
        ),
    ),
    "pyright": (
        line_rules((" error", r"^[1-9]\d* errors?, \d+ warnings?")),
        line_rules(("0 errors", r"^0 errors, \d+ warnings?")),
    ),
    "eslint": (
        line_rules(("problem", r"\b\d+ problems? \([1-9]\d* errors?")),
        line_rules(("(0 errors", r"\b\d+ problems? \(0 errors")),
    ),
    "tsc": (
        line_rules(("error TS", r"\berror TS\d+: ")),
        line_rules(("Found 0 errors", r"Found 0 errors")),
    ),
    "prettier": (
        line_rules(("Code style issues", r"Code style issues"), ("[error]", r"^\[error\] ")),
        line_rules(("All matched files", r"^All matched files use Prettier code style!")),
    ),
}

# Exit statuses that mean "could not work" rather than "found something", by program.
_USAGE_STATUS: dict[str, frozenset[int]] = {
    "ruff": frozenset((2,)),
    "eslint": frozenset((2,)),
    "mypy": frozenset((2,)),
    "black": frozenset((123,)),
    "prettier": frozenset((2,)),
    "pylint": frozenset((32,)),
    "golangci-lint": frozenset((3, 4, 5, 6, 7)),
}


# Programs that never fail without a word, so that nothing at all is a success.
_SILENT = frozenset(
    "gcc g++ cc c++ clang clang++ javac rustc kotlinc scalac ghc nvcc gfortran ld nasm protoc tsc "
    "vue-tsc flake8 pyflakes "
    "pycodestyle pydocstyle shellcheck staticcheck errcheck revive eslint cpplint clang-tidy cppcheck luacheck "
    "py_compile actionlint yamllint hadolint".split()
)
# Formatters that name what they would change, and call that a success.
_LISTS = frozenset(("gofmt", "goimports", "gofumpt"))
_SILENT_SUBCOMMANDS = {"go": ("build", "vet"), "cargo": ("build", "check", "clippy", "b", "c")}
# They pass everything on that is given to them, or an end of it.
_PASSING_ON = frozenset(("head", "tail", "cat", "tee", "less", "more", "nl", "sort", "uniq", "ansi2txt"))
# What harnesses say in place of an output that is empty.
_NOTHING = frozenset((
    "", "(bash completed with no output)", "(no output)", "no output", "<no output>", "tool ran without "
    "output or errors",
    "command completed with no output", "your command ran successfully and did not produce any output.",
))  # fmt: skip


def silence_proves(command: Command, output: str) -> bool:
    """Whether an empty output shows that this build or lint succeeded: it would have printed its complaints, here."""
    if output.strip().lower() not in _NOTHING or command.background or "xargs" in command.wrappers:
        return False
    if any(not (r.operator.endswith(">&") and r.target.isdigit()) and "<" not in r.operator for r in command.redirects):
        return False
    if not _PASSING_ON.issuperset(command.piped_into):
        return False
    subs = _SILENT_SUBCOMMANDS.get(command.program)
    if subs is not None:
        # Cargo names each step unless it is told not to.
        return any(a in subs for a in command.args[:3]) and (
            command.program != "cargo" or any(a in ("-q", "--quiet") for a in command.args)
        )
    return command.program in _SILENT or (command.program in _LISTS and "-l" in command.args)


def read_build(
    program: str, args: list[str], output: str, exit_status: int | None, *, failed_flag: bool | None
) -> tuple[Outcome, str]:
    """The outcome of a build or type check, and the reason in one sentence.

    ``exit_status`` must be the program's own (None behind a pipe or ``|| true``); ``failed_flag`` is the flag of a log
    that flags every failed command: True failed, False did not fail, None for formats that do not flag.

    A known exit status decides; then the diagnostics in the output, a failure among them before any word of success;
    then the flag. ``error`` means that the program could not do its work (missing, killed, wrong usage).
    """
    return _read(program, args, output, exit_status, failed_flag, _BUILD_BROKEN, _BUILD_DONE)


def read_lint(
    program: str, args: list[str], output: str, exit_status: int | None, *, failed_flag: bool | None
) -> tuple[Outcome, str]:
    """Like :func:`read_build`, for linters and format checks: ``failed`` means that they found something."""
    if program in _LISTS and exit_status in (None, 0) and "-l" in args and "-w" not in args:
        listed = [line for line in clean(output).split("\n") if line.strip()]
        if listed and all(line.endswith(".go") for line in listed):
            return "failed", f"not formatted: {listed[0].strip()[:160]}"
    return _read(program, args, output, exit_status, failed_flag, _LINT_BROKEN, _LINT_DONE)


def _read(
    program: str,
    args: list[str],
    output: str,
    exit_status: int | None,
    failed_flag: bool | None,
    broken: tuple[LineRule, ...],
    done: tuple[LineRule, ...],
) -> tuple[Outcome, str]:
    if exit_status == 0:
        return "passed", "exit status 0"
    text = clean(output)
    if exit_status is not None:
        if exit_status in (126, 127):
            return "error", missing_tool(text) or f"exit status {exit_status}: the program could not be started"
        if exit_status in (124, 137, 143) or exit_status < 0:
            return "error", f"exit status {exit_status}: stopped before it ended"
        line = missing_tool(text)
        if line is not None or exit_status in _USAGE_STATUS.get(program, ()):
            return "error", line or f"exit status {exit_status}: {program} could not do its work"
        found = first_line(broken, text)
        return "failed", f"exit status {exit_status}: {found}" if found else f"exit status {exit_status}"
    own_broken, own_done = _OWN.get(program, ((), ()))
    if (found := first_line(own_broken, text)) is not None:
        return "failed", found
    if (found := first_line(own_done, text)) is not None:
        return "passed", found
    found = first_line(broken, text)
    if found is not None:
        if (line := missing_tool(text)) is not None:
            return "error", line
        return "failed", found
    if (line := missing_tool(text)) is not None and failed_flag is not False:
        return "error", line
    found = first_line(done, text)
    if found is not None:
        return "passed", found
    if failed_flag is not None:
        return ("failed", "the log flags the command as failed") if failed_flag else ("passed", "not flagged as failed")
    return "unknown", "neither exit status nor diagnostics" if text.strip() else "silent, and no exit status"
