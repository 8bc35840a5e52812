"""Programs that run another program: ``timeout 60 uv run python -m pytest`` is a run of pytest.

:func:`unwrap` takes such programs off the front of an argument vector until the one that does the work is left.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import takewhile

from msgspec import Struct, field

from ...base.patterns import lazy
from .tables import Wrapper, programs, wrappers


class Unwrapped(Struct):
    """What is left after unwrapping."""

    words: list[str]
    """The program as written, and its arguments."""
    wrappers: list[str] = field(default_factory=list)
    """What was taken off, outermost first."""
    env: dict[str, str] = field(default_factory=dict)
    """Variables that wrappers set."""
    directory: str | None = None
    """Where a wrapper runs the program."""
    script: str | None = None
    """Shell text to parse in place of the program (``bash -c TEXT``)."""
    pipefail: bool = False
    errexit: bool = False
    """Options of the shell that runs ``script``."""


_ASSIGNMENT = lazy(r"[A-Za-z_]\w*=")
_PYTHON = lazy(r"(?:python|pypy)[\d.]*w?$|py$")
_WHICH = lazy(r"\$\(\s*(?:which|command\s+-v|type\s+-[pP])\s+([\w./-]+)\s*\)$")
_WINDOWS_PATH = lazy(r"(?:[A-Za-z]:|\.{0,2}|[\w.-]+)(?:\\[\w .-]+)+$")


def program_name(word: str) -> str:
    """The bare name of a program: no directory, no ``.exe``; ``$(which x)`` is x."""
    if "$(" in word:
        match = _WHICH.match(word)
        if match:
            word = match.group(1)
        elif word.startswith("$("):
            return word
    if "\\" in word and _WINDOWS_PATH.match(word):
        word = word.rsplit("\\", 1)[1]
    name = word.rsplit("/", 1)[-1] if "/" in word else word
    if name[-4:].lower() in (".exe", ".cmd", ".bat"):
        name = name[:-4]
    return name or word


def is_python(name: str) -> bool:
    return _PYTHON.match(name) is not None


def is_shell(name: str) -> bool:
    row = wrappers().rows.get(name)
    return row is not None and row.rule == "shell"


def unwrap(words: list[str]) -> Unwrapped:
    """Takes wrappers off ``words`` (not empty; quotes already removed)."""
    result = Unwrapped(words)
    table = wrappers()
    # Each round takes at least one word off, so this ends.
    while words:
        name = program_name(words[0])
        row = table.rows.get(name)
        if row is not None:
            rest = _RULES.get(row.rule, _generic)(words, result)
        elif is_python(name) or (name.startswith("$") and words[1:2] == ["-m"]):
            rest = _python(words, result)
        else:
            rest = None
        if rest is None or len(rest) >= len(words) or (not rest and result.script is None):
            break
        words = result.words = rest
        if result.script is not None:
            break
    return result


def _generic(words: list[str], result: Unwrapped) -> list[str] | None:
    """Gets past a wrapper as its row describes."""
    table = wrappers()
    label = name = program_name(words[0])
    wrapper = table.rows[name]
    if wrapper.script_options:
        return _given(words, result, _after(words, wrapper.script_options))
    i, directory = _options(words, 1, wrapper)
    while label in table.with_subcommands:
        sub = words[i] if i < len(words) else ""
        if sub == "tool" and name == "uv" and words[i + 1 : i + 2] == ["run"]:
            i, sub = i + 1, "run"
        inner = table.rows.get(f"{label} {sub}")
        if inner is None:
            if name in ("yarn", "pnpm", "bun"):
                return _node_tool(name, words, i, result)
            return None
        wrapper, label = inner, f"{label} {sub}"
        i, inner_directory = _options(words, i + 1, wrapper)
        directory = inner_directory or directory
    if name == "uv" and words[i - 1 : i] == ["--module"]:
        i -= 1
    if (wrapper.remote or name in ("mise", "rtx")) and words[i - 1] != "--" and "--" in words[i:]:
        i = words.index("--", i) + 1  # kubectl exec pod -- cmd, mise exec node@20 -- cmd
    else:
        i += wrapper.skip
    while i < len(words) and _ASSIGNMENT.match(words[i]):
        key, _, value = words[i].partition("=")
        result.env[key] = value
        i += 1
    if name == "dotenv" and words[i : i + 1] == ["run"]:
        i, _ = _options(words, i + 1, wrapper)
    rest = words[i:]
    if not rest:
        return None
    if rest[0] in ("-m", "--module") and name in ("uv", "coverage") and len(rest) > 1:
        result.wrappers.append(label)
        rest = rest[1:]
        label = "python -m"
    elif name == "coverage":
        return None  # `coverage run script.py`: the classifier knows Python scripts
    elif rest[0].startswith("-") and name not in ("xargs",):
        return None
    if wrapper.package and rest[0].rfind("@") > 0:
        rest = [rest[0][: rest[0].rfind("@")], *rest[1:]]
    result.wrappers.append(label)
    result.directory = directory or result.directory
    return rest


def _options(words: list[str], i: int, wrapper: Wrapper) -> tuple[int, str | None]:
    """The index of the first word from ``i`` that is no option (or its value), and the directory an option named."""
    directory = None
    while i < len(words):
        word = words[i]
        if word == "--":
            return i + 1, directory
        if not word.startswith(("-", "+")) or word == "-":
            break
        if word in ("-m", "--module"):  # uv run -m, coverage run -m: the module is the program
            break
        name, equals, value = word.partition("=")
        i += 1
        if (name in wrapper.valued or name in wrapper.cwd) and not equals:
            value = words[i] if i < len(words) else ""
            i += 1
        if name in wrapper.cwd and value:
            directory = value
    return i, directory


def _node_tool(name: str, words: list[str], i: int, result: Unwrapped) -> list[str] | None:
    """``yarn jest``, ``pnpm run vitest``: a tool from node_modules rather than a script."""
    label = name
    if words[i : i + 1] == ["run"]:
        i, label = i + 1, f"{name} run"
    if i < len(words) and words[i] in programs().node_tools:
        result.wrappers.append(label)
        return words[i:]
    return None


def _python(words: list[str], result: Unwrapped) -> list[str] | None:
    i = 1
    while i < len(words) and words[i].startswith("-"):
        word = words[i]
        if word in ("-m", "-Im", "-um", "-sm", "-Bm"):
            if i + 1 < len(words):
                result.wrappers.append("python -m")
                return words[i + 1 :]
            return None
        if word in ("-", "-c"):
            return None
        i += 2 if word in ("-W", "-X", "--check-hash-based-pycs") else 1
    return None


def _shell(words: list[str], result: Unwrapped) -> list[str] | None:
    """``bash -euo pipefail -c SCRIPT``."""
    i, takes_script = 1, False
    pipefail = errexit = False
    while i < len(words) and words[i][:1] in ("-", "+") and len(words[i]) > 1:
        word = words[i]
        i += 1
        if word == "--":
            break
        if word.startswith("--"):
            i += word in ("--rcfile", "--init-file")
            continue
        takes_script = takes_script or "c" in word
        errexit = errexit or "e" in word
        if word.endswith(("o", "O")):
            pipefail = pipefail or words[i : i + 1] == ["pipefail"]
            i += 1
    if not takes_script or i >= len(words):
        return None
    result.wrappers.append(f"{program_name(words[0])} -c")
    result.script, result.pipefail, result.errexit = words[i], pipefail, errexit
    return []


def _eval(words: list[str], result: Unwrapped) -> list[str] | None:
    if len(words) < 2:
        return None
    result.wrappers.append("eval")
    result.script = " ".join(words[1:])
    return []


def _ssh(words: list[str], result: Unwrapped) -> list[str] | None:
    i, _ = _options(words, 1, wrappers().rows["ssh"])
    if i + 1 >= len(words):
        return None
    result.wrappers.append("ssh")
    result.script = " ".join(words[i + 1 :])
    return []


def _after(words: Sequence[str], options: Collection[str]) -> int | None:
    """The place after the first of these options."""
    return next((i for i, word in enumerate(words[1:-1], 2) if word.lower() in options), None)


def _given(words: list[str], result: Unwrapped, at: int | None, *, whole: bool = False) -> list[str] | None:
    """The word after an option (``whole``: and those after it) is shell text; None: there is no such option."""
    if at is None:
        return None
    result.wrappers.append(f"{program_name(words[0])} {words[at - 1]}")
    result.script = " ".join(words[at:]) if whole else words[at]
    return []


def _nix(words: list[str], result: Unwrapped) -> list[str] | None:
    """``nix develop -c pytest -q``, ``nix shell nixpkgs#x --command pytest``."""
    if (at := _after(words, ("-c", "--command"))) is None:
        return None
    result.wrappers.append(f"nix {words[1]}")
    return words[at:]


def _windows_shell(words: list[str], result: Unwrapped) -> list[str] | None:
    return _given(words, result, _after(words, ("/c", "/k", "-command", "-c")), whole=True)


def _npx(words: list[str], result: Unwrapped) -> list[str] | None:
    options = list(takewhile(lambda word: word.startswith("-"), words[1:]))
    at = _after([*words[:1], *options, ""], ("-c", "--call"))
    found = None if at is None or at >= len(words) else _given(words, result, at)
    return _generic(words, result) if found is None else found


def _command(words: list[str], result: Unwrapped) -> list[str] | None:
    """``command -v x`` only shows where x is; ``command x`` runs it."""
    if len(words) < 2 or words[1] in ("-v", "-V"):
        return None
    return _generic(words, result)


_RULES: dict[str, Callable[[list[str], Unwrapped], list[str] | None]] = {
    "shell": _shell,
    "eval": _eval,
    "ssh": _ssh,
    "nix": _nix,
    "windows_shell": _windows_shell,
    "npx": _npx,
    "command": _command,
}
