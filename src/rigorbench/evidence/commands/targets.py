"""The commands behind the project's scripts and targets (``npm run check``, ``make test``), as the session shows them.

A name is no proof of what runs: ``npm run test-type`` may be the compiler. The runner of scripts prints the command in
front of its output, or the manifest was read or written in the session.
"""

from __future__ import annotations

import json
import posixpath
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from msgspec.structs import replace as copy

from ...base.patterns import lazy
from ..code.memory import unnumbered
from ..shell.types import SimpleCommand, StatusLink
from ..shell.values import operands
from .classify import Classified, classify_line
from .formatters import formats
from .programs import programs

# What runners of scripts print in front of a command, with the script's name: npm and pnpm, mise, task, deno.
_ECHO = lazy(
    r"^(?:> (?:\S+@\S* )?(?P<a>[\w:.@/-]+)(?: /\S*)?\n> (?P<ac>\S.*)|\[(?P<b>[\w:.-]+)\] \$ (?P<bc>\S.*)"
    r"|task: \[(?P<c>[\w:.-]+)\] (?P<cc>\S.*)|Task (?P<d>[\w:.-]+) (?P<dc>\S.*))$",
    re.MULTILINE,
)
_ECHO_STARTS = ("> ", "[", "task: [", "Task ")
# yarn and bun print the command alone.
_YARN_ECHO = lazy(r"^\$ (\S.*)$", re.MULTILINE)
_SCRIPTS_BLOCK = lazy(r'"(?:scripts|tasks)"\s*:\s*\{([^{}]*)')
_SCRIPT_ENTRY = lazy(r'"([\w:.@/-]+)"\s*:\s*"((?:[^"\\]|\\.)*)"')
# Names of manifests, by the kind of runner that reads them.
_MANIFESTS = {
    "package": lazy(r"(?:package|deno|composer)\.jsonc?$"),
    "make": lazy(r"(?:GNU)?[Mm]akefile$|.*\.mk$"),
    "just": lazy(r"\.?[Jj]ustfile$"),
    "mise": lazy(r"\.?mise(?:\.local)?\.toml$"),
}
_QUOTES = lazy(r"[\"'\\]")
_LARGEST = 100_000
_MAX_DEPTH = 4
_KNOWN = frozenset(("lint", "build", "install", "noop", "edit", "probe", "read", "search", "wait"))


class Targets:
    """What is known of the scripts and targets."""

    def __init__(self) -> None:
        # By kind of runner and name of the script: the command, by the directory of its manifest.
        self._commands: dict[tuple[str, str], dict[str, str]] = {}

    def learn(self, path: str, text: str) -> None:
        """Takes in a manifest, or the part of one, that the session shows."""
        directory, name = posixpath.split(path)
        kind = _manifest_kind(name)
        if kind is None or len(text) > _LARGEST:
            return
        for script, command in _READERS[kind](unnumbered(text)).items():
            self._commands.setdefault((kind, script), {})[directory] = command

    def edited(self, path: str, text: str | None) -> None:
        """Takes in an edit of a manifest: what was known of it is out of date. ``text``: the whole of it."""
        directory, name = posixpath.split(path)
        kind = _manifest_kind(name)
        if kind is None:
            return
        for (other, _), places in self._commands.items():
            if other == kind:
                places.pop(directory, None)
                places.pop("", None)
        if text is not None:
            self.learn(path, text)

    def expand(self, parts: Sequence[Classified], output: str) -> tuple[Classified, ...]:
        """The commands of a line, with the checks of a script in place of the script where they are known."""
        if not any(_asked(p) for p in parts):
            return tuple(parts)
        echoed = _echoes(output)
        for name, command in echoed.items():
            own = _without_arguments(command, name, parts)
            for kind in ("package", "mise", "task") if own else ():
                self._commands.setdefault((kind, name), {})[""] = own
        # Of several, it is not known whose echo is shown: the log of a long line may have lost its beginning.
        alone = sum(not {p.command.program, *p.command.wrappers}.isdisjoint(("yarn", "bun")) for p in parts) == 1
        found: list[Classified] = []
        for part in parts:
            found += self._behind(part, echoed, output if alone else "") or (part,)
        return tuple(found)

    def _behind(self, part: Classified, echoed: dict[str, str], output: str) -> list[Classified] | None:
        """The checks behind a command; None if it is no script, or what it runs is not known well enough."""
        asked = _asked(part)
        if asked is None:
            return None
        text = echoed.get(asked[1])
        if text is None and part.command.program in ("yarn", "bun") and (match := _YARN_ECHO.search(output)):
            text = match[1]
        inner = list(self._flat(text, asked, part.command.cwd, 0) if text else self._known(asked, part.command.cwd, 0))
        if not inner:
            return None
        formatting = [formats(p.command) for p in inner]
        if any(formatting) and all(f or p.kind == "noop" for p, f in zip(inner, formatting, strict=True)):
            return [copy(part, kind="run")]
        tests = [p for p in inner if p.kind == "test"]
        checks = [p for p in inner if p.kind in ("test", "lint", "build")]
        if not checks or not (tests or all(f or p.kind in _KNOWN for p, f in zip(inner, formatting, strict=True))):
            return None
        last = tests[-1] if tests else checks[-1]
        return [self._placed(p, part, whole=p is last) for p in checks if p.kind != "test" or p is last]

    def _placed(self, inner: Classified, part: Classified, *, whole: bool) -> Classified:
        """A check as a part of the line. ``whole``: it goes under the command as the agent wrote it."""
        outer, status = part.command, _weaker(inner.command.status, part.command.status)
        if whole:
            groups = programs().groups
            runner = part.runner if inner.runner in groups.script_runners else inner.runner
            if inner.kind != "test":
                several = groups.several_checks | groups.task_runners
                known = inner.command.program not in several and inner.command.cwd is None
                runner = inner.command.program if known else None
            selected = bool(part.targets) and part.kind == inner.kind
            return copy(
                part,
                command=copy(outer, status=status),
                kind=inner.kind,
                runner=(runner or part.runner) if inner.kind == "test" else runner,
                targets=part.targets if selected else inner.targets,
                selective=part.selective or inner.selective,
            )
        return copy(
            inner,
            command=copy(
                inner.command,
                status=status,
                piped_into=[*inner.command.piped_into, *outer.piped_into],
                redirects=[*inner.command.redirects, *outer.redirects],
                background=outer.background,
                cwd=outer.cwd,
            ),
        )

    def _known(self, asked: tuple[str, str], cwd: str | None, depth: int) -> Iterator[Classified]:
        """The commands of a script that an earlier part of the session shows."""
        places = self._commands.get(asked, {})
        here = places.get(posixpath.normpath(cwd)) if cwd else None
        texts = [here] if here is not None else list(dict.fromkeys(places.values()))
        if len(texts) == 1:
            yield from self._flat(texts[0], asked, cwd, depth)

    def _flat(self, text: str, asked: tuple[str, str], cwd: str | None, depth: int) -> Iterator[Classified]:
        """The commands of a script, with those of the scripts that it calls in their places."""
        for part in classify_line(text):
            inner = _asked(part)
            if inner is None or inner == asked or depth >= _MAX_DEPTH:
                yield part
                continue
            behind = list(self._known(inner, cwd, depth + 1))
            yield from [_linked(p, part.command) for p in behind] if behind else (part,)


def _linked(part: Classified, outer: SimpleCommand) -> Classified:
    """A command of a script that another script calls: their places in their lines both count."""
    status = _weaker(part.command.status, outer.status)
    return part if status == part.command.status else copy(part, command=copy(part.command, status=status))


def _weaker(one: StatusLink, other: StatusLink) -> StatusLink:
    """What the exit status of a line proves about a command inside one of its commands."""
    return next((link for link in ("none", "if_zero") if link in (one, other)), "exact")


def _without_arguments(echo: str, script: str, parts: Sequence[Classified]) -> str:
    """An announced command without what this call added to it (``npm test -- -t total``); "": not known."""
    for part in parts:
        asked = _asked(part)
        if asked is None or asked[1] != script:
            continue
        args, added = part.command.args, []
        if "--" in args:
            added = args[args.index("--") + 1 :]
        elif script in args and part.command.program != "npm":  # which keeps options for itself
            added = args[args.index(script) + 1 :]
        if added:
            bare, end = _QUOTES.sub("", echo), " " + _QUOTES.sub("", " ".join(added))
            return bare.removesuffix(end) if bare.endswith(end) else ""
    return echo


def _asked(part: Classified) -> tuple[str, str] | None:
    """The kind of runner and the name of the script or target that a command runs; None if it runs none."""
    command = part.command
    words = [a for a in command.args if not a.startswith("-") and "=" not in a]
    if command.program in programs().groups.package_managers or command.program == "composer":
        if part.kind == "install" or (command.program == "bun" and words[:1] != ["run"]):
            return None
        return ("package", script_name(part))
    if command.program == "deno" and words[:1] == ["task"]:
        return ("package", words[1]) if len(words) > 1 else None
    if command.program in ("make", "gmake"):
        goals = [w for w in words if not w.isdigit()]
        return ("make", goals[0]) if len(goals) == 1 else None
    if command.program in ("mise", "rtx") and words[:1] in (["run"], ["r"], ["task"]):
        return ("mise", words[1]) if len(words) > 1 else None
    if command.program in ("just", "task"):
        return (command.program, words[0]) if words else None
    return None


def script_name(part: Classified) -> str:
    """The script of package.json that an npm, yarn, pnpm or bun command runs; "test" if it names none."""
    own = list(takewhile(lambda arg: arg != "--", part.command.args))
    words = operands(own, programs().tools["npm"].valued)
    if words[:1] in (["run"], ["run-script"]):
        words = words[1:]
    return {"t": "test", "tst": "test"}.get(words[0], words[0]) if words else "test"


def package_scripts(text: str) -> dict[str, str]:
    """The scripts of a package.json, or of a fragment of one."""
    try:
        scripts = json.loads(text).get("scripts")
    except (ValueError, AttributeError):
        return {name: value.replace('\\"', '"') for name, value in _SCRIPT_ENTRY.findall(text)}
    return {k: v for k, v in scripts.items() if isinstance(v, str)} if isinstance(scripts, dict) else {}


def recipe(text: str, target: str) -> str | None:
    """The recipe of a target in a makefile or justfile; None if it has none there, or only prerequisites."""
    match = re.search(
        rf"^{re.escape(target)}\b[^:=\n]*:(?!=)([^\n]*)\n((?:[ \t]+[^\n]*(?:\n|$)|[ \t]*\n)*)", text, re.MULTILINE
    )
    if match is None or match[1].split("#")[0].strip() or not match[2].strip():
        return None
    return match[2]


def _fragment(text: str) -> dict[str, str]:
    """The scripts that a shown part of a package.json contains; dependencies look alike, and only the block tells."""
    block = _SCRIPTS_BLOCK.search(text)
    return package_scripts(block[1]) if block is not None else {}


def _recipes(text: str) -> dict[str, str]:
    names = re.findall(r"^([\w.-]+)[^:=\n]*:(?!=)", text, re.MULTILINE)
    found = {name: body for name in dict.fromkeys(names) if (body := recipe(text, name)) is not None}
    return {name: "\n".join(line.strip().lstrip("@-+") for line in body.split("\n")) for name, body in found.items()}


def _mise_tasks(text: str) -> dict[str, str]:
    try:
        tasks = tomllib.loads(text).get("tasks", {})
    except tomllib.TOMLDecodeError:
        return {}
    found: dict[str, str] = {}
    for name, task in tasks.items() if isinstance(tasks, dict) else ():
        run = task.get("run") if isinstance(task, dict) else task
        lines = [line for line in (run if isinstance(run, list) else [run]) if isinstance(line, str)]
        if lines:
            found[name] = "\n".join(lines)
    return found


def _manifest_kind(name: str) -> str | None:
    return next((kind for kind, pattern in _MANIFESTS.items() if pattern.match(name)), None)


_READERS: dict[str, Callable[[str], dict[str, str]]] = {
    "package": _fragment, "make": _recipes, "just": _recipes, "mise": _mise_tasks,
}  # fmt: skip


def _echoes(output: str) -> dict[str, str]:
    """The commands by script that an output announces; a shortened one ("…") says too little."""
    if not output.startswith(_ECHO_STARTS) and not any(f"\n{start}" in output for start in _ECHO_STARTS):
        return {}
    found: dict[str, str] = {}
    for match in _ECHO.finditer(output):
        name = match["a"] or match["b"] or match["c"] or match["d"]
        command = match["ac"] or match["bc"] or match["cc"] or match["dc"]
        if not command.endswith("…"):
            found.setdefault(name, command.strip())
    return found
