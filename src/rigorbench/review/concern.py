"""What the change of a session is about, and which looks at the code and which checks have to do with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from ..base.code.words import KEYWORDS
from ..evidence.edits.tests import VOCABULARY
from ..evidence.events import AnyEvent, EditEvent, ReadEvent, TestRunEvent
from ..evidence.testruns.ids import of_file, short
from .session import Session

# Shorter names (``a``, ``id``) occur in any text.
_SHORTEST = 4
_WORD = re.compile(r"[^\W\d]\w{2,}")


class Concern:
    """The names of what a session changed, and the texts that its calls showed.

    Args:
        production: the edits that the work is about, in log order.
    """

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
        reads = (e for e in self.session.events[:until] if isinstance(e, ReadEvent))
        return "\n".join({self._written, *(self.shown(e) for e in reads if _base(e.target) in self._files)})

    def shown(self, event: AnyEvent) -> str:
        """What the call of an event printed; "" where that is not known."""
        return self.session.reading.shown(event)

    def looks(self, event: ReadEvent) -> bool:
        """Whether a read is a look at what the change concerns, beyond the changed files themselves: at another file of
        the project that names something of the change, or that the changed files name."""
        name = _base(event.target)
        if name in self._edited or name in ("", ".", "..") or event.target.startswith(("/", "~")):
            return False
        stem = _stem(name)
        names = self._relatives.is_in(name) or (len(stem) >= _SHORTEST and _AnyOf([stem]).is_in(self._changed_text))
        return (bool(stem) and names) or self._mentions(self.shown(event))

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
        if not self.contents_known or self._mentions(text) or self._places.is_in(text):
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

    def _mentions(self, *texts: str) -> bool:
        return any(self._names.is_in(text) for text in texts)


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
