"""What a check ran on: how much of the project, which part of it, whether it was there before, and what it can show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from ..base.code.words import KEYWORDS
from ..evidence.commands.classify import Classified, classify_line
from ..evidence.commands.names import kind_of_name
from ..evidence.commands.programs import programs
from ..evidence.edits.tests import VOCABULARY
from ..evidence.events import AnyEvent, EditEvent, ReadEvent, SearchEvent, TestRunEvent
from ..evidence.paths import is_absolute_outside, relative, role
from ..evidence.shell.wrappers import is_python
from ..evidence.testruns.ids import of_file, same_place, short
from .session import Session

_ASSERT = re.compile(r"^\s*assert\b|;\s*assert\b|\bassert\s*\(", re.MULTILINE)
# What ends a program with a failure without an assertion.
_FAILS = re.compile(r"\bthrow\b|\braise\b|\bexit\s*\(|\babort\s*\(|\bfail\s*\(|\bassert[A-Z]\w*\s*\(")


class CheckScope:
    """What the checks of a session ran on. ``production``: the edits that the work is about, in log order."""

    def __init__(self, session: Session, production: list[EditEvent]) -> None:
        self.session, self.production = session, production

    # -- how much

    def breadth(self, event: AnyEvent) -> int | None:
        """How much of the project a test run covers: 3 all, 2 a package or directory, 1 a file, 0 single tests.

        None: it is not known. What a program that is started by its path runs, only the program knows.
        """
        facts = self.session.evidence.checks.get(event.id)
        if facts is None:
            return 0
        targets = _targets(event, facts.targets)
        if is_program(event):
            if any(_is_one(target, made) for target in targets for made in self.made):
                return 0
            return 1 if any(map(is_file, targets)) else None
        if not facts.selective or not targets:
            return 2 if facts.targets and not facts.selective else 3
        if all(map(_is_directory, targets)):
            return 2
        return 1 if all(map(is_file, targets)) else 0

    # -- which part

    def elsewhere(self, event: AnyEvent) -> bool:
        """Whether a check ran in, or for, another part of the project than the one that was changed, or outside of it.

        Of a part beside the changed one ("packages/b", where "packages/a" was changed) the log does not show that it
        uses it, so such a check neither speaks for the change nor against what the agent did.
        """
        changed = [e.new_path or e.path for e in self.production]
        facts = self.session.evidence.checks.get(event.id)
        if facts is None or not changed:
            return False
        package = _package(event)
        if package is not None:
            names = {part for path in changed for part in path.split("/")[:-1]}
            return package not in (".", "") and package.rstrip("/").rsplit("/", 1)[-1] not in names
        cwd = facts.cwd
        root = self.session.evidence.root
        here = "" if cwd is None else relative(cwd, root, self.session.evidence.worktrees)
        if root is not None and isinstance(event, TestRunEvent) and is_absolute_outside(here, root):
            # Whose tests these are, and of which state, the log does not show, unless they are named.
            return not any(t.startswith(root) for t in facts.targets)
        places = [_join(here, target.split("::", 1)[0]) for target in facts.targets if "/" in target or here]
        places = [here] if here and not facts.targets else places
        return bool(places) and all(all(_beside(place, path) for path in changed) for place in places)

    def builds_change(self, event: AnyEvent) -> bool:
        """Whether a build or lint looks at what was changed: at the whole project, or at files of it."""
        sources: list[str] = []
        for part in _parts(event):
            if part.kind in ("build", "lint"):
                files = [a for a in part.command.args if not a.startswith("-") and is_file(a)]
                sources += [a for a in files if role(a) in ("production", "test")]
        edits = [e for e in self.production if e.operation != "create"] or self.production
        changed = [e.new_path or e.path for e in edits]
        return not sources or any(same_place(source, path) for source in sources for path in changed)

    # -- what was there before

    @cached_property
    def made(self) -> set[str]:
        """The files that the agent made in this session."""
        return {e.path for e in self.session.events if isinstance(e, EditEvent) and e.operation == "create"}

    @cached_property
    def _old_tests(self) -> list[str]:
        """Test files that were there before and still are: changed, read or found, and not made by the agent."""
        edits = [e for e in self.session.events if isinstance(e, EditEvent)]
        looks = [e for e in self.session.events if isinstance(e, ReadEvent | SearchEvent)]
        found = {e.path for e in edits if e.role == "test" and e.operation == "modify"}
        found |= {word.strip("'\"") for e in looks for word in e.target.split()}
        other = self.made | {e.path for e in edits if e.operation == "delete"}
        files = [path for path in found if role(path) == "test" and is_file(path)]
        return [path for path in files if not any(same_place(path, o) or f"/{o}/" in f"/{path}" for o in other)]

    def runs_old_tests(self, event: TestRunEvent) -> bool:
        """Whether the log shows that a test run includes tests that were there before.

        A file that it names and that the agent did not make was there before. Of a whole directory, a test file in it
        must be known and still there, or the agent must have written no test, and no source, which may hold some.
        """
        facts = self.session.evidence.checks.get(event.id)
        if facts is None or (is_program(event) and event.passed is None):
            return False
        targets = _targets(event, facts.targets)
        if targets and all(map(is_file, targets)):
            return any(not any(_is_one(file, made) for made in self.made) for file in targets)
        tested = any(e.role == "test" and self.session.facts(e).tests for e in self.session.project_edits)
        if not (tested or any(role(path) in ("test", "production") for path in self.made)):
            return True
        places = [t.removesuffix("...").rstrip("/.").removeprefix("./") for t in targets if _is_directory(t)]
        return len(places) == len(targets) and any(
            not places or any(place in path for place in places) for path in self._old_tests
        )

    # -- what it can show

    def assertions_off(self, event: AnyEvent) -> EditEvent | None:
        """The edit that made a program whose only checks are assertions, where a run switched these off; else None."""
        for part in _parts(event):
            program, words = part.command.program, part.command.args
            java = program == "java" and not any(w.startswith(("-ea", "-enableassertions")) for w in words)
            if java or (is_python(program) and not {"-O", "-OO"}.isdisjoint(words)):
                made = (e for e in self.session.events if isinstance(e, EditEvent) and e.operation == "create")
                named = (e for e in made if any(_is_one(word, e.path) for word in words))
                return next((e for e in named if self._only_asserts(e.path)), None)
        return None

    def _only_asserts(self, path: str) -> bool:
        edits = [e for e in self.session.events if isinstance(e, EditEvent) and e.path == path]
        changes = [self.session.facts(e).change for e in edits]
        text = "\n".join(t for c in changes for t in (c.after or "", *(new for _, new in c.hunks)))
        return _ASSERT.search(text) is not None and _FAILS.search(text) is None


def _parts(event: AnyEvent) -> tuple[Classified, ...]:
    command = getattr(event, "command", "")
    return classify_line(command) if isinstance(command, str) else ()


def _targets(event: AnyEvent, targets: Sequence[str]) -> list[str]:
    """What selects tests among the targets of a run: not the task that runs them, nor a subcommand of the runner."""
    row = programs().tests.get(getattr(event, "runner", ""))
    groups = programs().groups
    runners = groups.indirect - groups.script_runners - {"npm-script"}  # of which the script is no target
    tasks = {p.targets[0] for p in _parts(event) if p.targets and p.runner in runners}
    return [t for t in targets if t not in tasks and (row is None or t not in row.subcommands)]


def is_program(event: AnyEvent) -> bool:
    """Whether a test run is no command of a test runner, but a program or code that may run anything."""
    parts = [p for p in _parts(event) if p.kind == "test"]
    scripts = programs().groups.script_runners
    return bool(parts) and all(p.runner in scripts or (is_python(p.command.program) and not p.targets) for p in parts)


# By program, the options that name the package of a workspace, or the directory, for which it runs.
_WORKSPACE = ("-F", "--filter", "-w", "--workspace", "-C", "--cwd", "--dir", "--prefix", "workspace")
_PACKAGE = {
    "cargo": ("-p", "--package", "--manifest-path"),
    "make": ("-C", "--directory"),
    "mvn": ("-pl", "--projects"),
}


def _package(event: AnyEvent) -> str | None:
    """The package of a workspace, or the directory, that a command names for what it runs, without its scope."""
    for part in _parts(event):
        program, words = part.command.program, part.command.args
        options = _WORKSPACE if program in programs().groups.package_managers else _PACKAGE.get(program, ())
        for word, following in zip(words, [*words[1:], ""], strict=False):
            option, equals, value = word.partition("=")
            if option in options:
                return (value if equals else following).removesuffix("/Cargo.toml").rstrip("/").rsplit("/", 1)[-1]
            if part.runner == "gradle" and word.count(":") > 1:
                return word.split(":")[-2]  # ":b:test"
    return None


def _beside(place: str, path: str) -> bool:
    """Whether a place is in a directory beside the one of a changed file, below a common one; no directory of tests."""
    here, there = place.split("/"), path.split("/")
    common = next((n for n, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
    if not common or common >= len(here) or common >= len(there) - 1:
        return False
    return kind_of_name(here[common]) != "test" and "." not in here[common]


def _join(here: str, target: str) -> str:
    path = target.removesuffix("...").removeprefix("./").rstrip("/")
    return f"{here}/{path}".strip("/")


def _is_one(word: str, path: str) -> bool:
    """Whether a word of a command names a file: by its path, by its name, or as the class or program made from it."""
    name = path.rsplit("/", 1)[-1]
    own = word.rstrip("/").rsplit("/", 1)[-1]
    return own in (name, name.rsplit(".", 1)[0]) or own.rsplit(".", 1)[-1] == name.rsplit(".", 1)[0]


def _is_directory(target: str) -> bool:
    last = target.rstrip("/").rsplit("/", 1)[-1]
    return (
        "::" not in target and " " not in target and ("..." in target or "/" in target) and "." not in last.strip(".")
    )


def is_file(target: str) -> bool:
    """Whether a word that selects tests names a file."""
    last = target.rsplit("/", 1)[-1]
    return "::" not in target and " " not in target and "." in last


# Shorter names (``a``, ``id``) occur in any text.
_SHORTEST = 4
_WORD = re.compile(r"[^\W\d]\w{2,}")


class Concern:
    """What a session changed, by name, and the texts its calls showed; ``production`` as for :class:`CheckScope`."""

    def __init__(self, session: Session, production: Sequence[EditEvent]) -> None:
        self.session = session
        self.production = production

    @cached_property
    def contents_known(self) -> bool:
        """Whether the log shows the text of the edits, not only their paths."""
        changes = [self.session.facts(e).change for e in self.production]
        return bool(changes) and all(c.hunks or c.after is not None or c.operation == "delete" for c in changes)

    @cached_property
    def _files(self) -> frozenset[str]:
        """The names of the changed files of code, without their directories."""
        return frozenset(_base(e.path) for e in self.production)

    @cached_property
    def _edited(self) -> frozenset[str]:
        """The names of all files that the session changed."""
        return frozenset(_base(e.path) for e in self.session.events if isinstance(e, EditEvent))

    @cached_property
    def _relatives(self) -> _AnyOf:
        """Part of the name of a changed file, of its tests (``test_a.py``, ``a.test.ts``) and of its companions."""
        return _AnyOf((_stem(name) for name in self._files), edge=r"[^\W_]")

    @cached_property
    def _names(self) -> _AnyOf:
        """The changed files, with and without suffix, and the changed functions, methods and classes, as words."""
        symbols = (part for e in self.production for symbol in e.symbols for part in symbol.split("."))
        words = {*map(_stem, self._files), *symbols}
        return _AnyOf([*self._files, *(w for w in words if len(w) >= _SHORTEST)])

    @cached_property
    def _written(self) -> str:
        """The text that the change removed or wrote."""
        changes = [self.session.facts(e).change for e in self.production]
        return "\n".join(t for c in changes for t in ([t for hunk in c.hunks for t in hunk] or [c.after or ""]))

    @cached_property
    def _words(self) -> frozenset[str]:
        """The words of the text that the change removed or wrote, in strings and comments too; no keywords."""
        return frozenset(_WORD.findall(self._written)) - KEYWORDS

    @cached_property
    def _changed_text(self) -> str:
        """What the log shows of the changed files: names in it are what they depend on."""
        until = self.session.position[self.production[0].id] if self.production else None
        reads = (e for e in self.session.events[:until] if isinstance(e, ReadEvent) and _base(e.target) in self._files)
        return "\n".join({self._written, *map(self.session.reading.shown, reads)})

    def looks(self, event: ReadEvent) -> bool:
        """Whether a read is a look at what the change concerns, beyond the changed files themselves: at another file of
        the project that names something of the change, or that the changed files name."""
        name, inside = _base(event.target), f"{event.target.rstrip('/')}/"
        if name in self._edited or name in ("", ".", "..") or event.target.startswith(("/", "~")):
            return False
        if event.target[1:2] == ":" or any(e.path.startswith(inside) for e in self.production):  # a directory
            return False
        stem = _stem(name)
        names = self._relatives.is_in(name) or (len(stem) >= _SHORTEST and _AnyOf([stem]).is_in(self._changed_text))
        return (bool(stem) and names) or self._names.is_in(self.session.reading.shown(event))

    # -- checks

    @cached_property
    def _own_tests(self) -> dict[str, list[EditEvent]]:
        """The test files that the agent made, each with its edits, where the log shows their whole text."""
        found: dict[str, list[EditEvent]] = {}
        for event in self.session.events:
            if isinstance(event, EditEvent):
                facts = self.session.facts(event)
                whole = facts.change.after is not None
                if facts.tests and whole and (event.operation == "create" or event.path in found):
                    found[event.path] = [*found.get(event.path, []), event]
                elif event.path in found and not (facts.change.hunks and facts.tests):
                    del found[event.path]  # what is in it now is not known
                elif event.path in found:
                    found[event.path].append(event)
        return found

    def misses(self, event: AnyEvent) -> list[EditEvent]:
        """The edits that made the tests of a run, where none can fail by the change; [] for others.

        The run names test files that the agent made. Each of their tests uses nothing, or asserts only what is true
        anyway, or the file has no word in common with the change.
        """
        facts = self.session.evidence.checks.get(event.id)
        if not isinstance(event, TestRunEvent) or facts is None or not facts.targets or not self._own_tests:
            return []
        if any(event.runner in e.path for e in self.production):
            return []  # the runner itself was changed, so that any test tries it
        at, made = self.session.position[event.id], []
        for target in facts.targets:
            edits = next((e for path, e in self._own_tests.items() if self._is_in(target, path, e)), [])
            before = [e for e in edits if self.session.position[e.id] < at]
            if not before or self._can_fail(before):
                return []
            made.append(before[0])
        return made

    def _is_in(self, target: str, path: str, edits: Sequence[EditEvent]) -> bool:
        """Whether a selection names a test file, or a test in it."""
        if "." in _base(target.split("::", 1)[0]) or "/" in target:
            return of_file(target.split("::", 1)[0], _base(path))
        names = {short(t.name) for e in edits for t in self.session.facts(e).tests if t.name}
        return short(target) in names

    def _can_fail(self, edits: Sequence[EditEvent]) -> bool:
        """Whether a test of a file can fail by the change. ``edits``: those that made the file as it is.

        In Python, whether an assertion can fail is decided; elsewhere a test that uses anything at all may.
        """
        facts = [self.session.facts(e) for e in edits]
        last = max((n for n, f in enumerate(facts) if f.change.after is not None), default=0)
        text = "\n".join(t for f in facts[last:] for t in (f.change.after or "", *(new for _, new in f.change.hunks)))
        tests = [t for f in facts[last:] for t in f.tests if not t.skipped]
        if edits[0].path.endswith(".py") and "assert" in text:
            tests = [t for t in tests if t.has_assertion]
        modules = VOCABULARY | {_stem(name) for name in self._files}
        if not any(t.references - modules - {short(t.name or "")} for t in tests):
            return False
        if not self.contents_known or self._names.is_in(text) or self._places.is_in(text):
            return True
        return not self._words.isdisjoint(frozenset(_WORD.findall(text)) - VOCABULARY)

    def adds_idle_tests(self, edit: EditEvent) -> bool:
        """Whether an edit only adds tests that cannot fail by the change, or that are skipped."""
        facts = self.session.facts(edit)
        added = bool(facts.tests) and not any(t.edited for t in facts.tests)
        return added and not facts.removed_tests and not self._can_fail([edit])

    @cached_property
    def _places(self) -> _AnyOf:
        """The directories and packages of the changed files."""
        return _AnyOf(part for e in self.production for part in e.path.split("/")[:-1] if len(part) >= _SHORTEST)


def _base(path: str) -> str:
    return path.rsplit("/", 1)[-1]


def _stem(name: str) -> str:
    return name.lstrip(".").split(".", 1)[0]


class _AnyOf:
    """Any of some words, not inside a longer one; nothing, if there is none."""

    def __init__(self, words: Iterable[str], edge: str = r"\w") -> None:
        self.words = sorted({*filter(None, words)})
        self._edge = re.compile(edge).match

    def is_in(self, text: str) -> bool:
        # Looking for plain strings is many times faster than one expression for all of them.
        return any(self._stands_in(word, text) for word in self.words)

    def _stands_in(self, word: str, text: str) -> bool:
        at = text.find(word)
        while at >= 0:
            end = at + len(word)
            if not self._edge(text[at - 1 : at]) and not self._edge(text[end : end + 1]):
                return True
            at = text.find(word, at + 1)
        return False
