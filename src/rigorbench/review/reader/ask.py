"""Gets the answers on a session: those that are stored, and of the readers what is missing."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ...base.points import Points
from ...base.sanitize import one_line
from ...evidence.facts import Evidence
from .digest import Digest, digest
from .reading import Answer
from .request import BUDGET, PROMPT_VERSION, AnswerError, Backend, ReaderError, Reply, Request, build, build_points
from .store import AnswerStore

# Seconds that one request may wait in all, as the provider asks for.
LONGEST_WAIT = 600.0
# How the reason begins where a reader answers, and never in the form that was asked for.
UNUSABLE = "two answers could not be used"


class Asked(Struct):
    """What came of asking about one session."""

    digest: Digest
    answers: list[Answer]
    reader: str
    """Who answered, as the providers state it."""
    checked: str | None
    """What the check of these readers found; None: none of them was checked."""
    failed: list[str]
    """Why answers are missing, one line each; each names its reader."""
    by: list[str]
    """Who gave each of the answers."""
    points: Points | None
    """What was asked besides."""


class ReaderSpec(Struct, frozen=True, omit_defaults=True):
    """Who is asked, as a worker process needs to know it."""

    names: tuple[str, ...]
    readings: int = 1
    """Independent answers of each reader."""
    budget: int = BUDGET
    """Characters of a digest."""
    store: str | None = None
    """Directory of the answers; None: the user's."""
    tables: str = "{}"
    """The readers of rigor.toml, as JSON."""
    stored_only: bool = False
    """Nobody is asked, and the names are those that answers are stored under."""

    def open(self) -> Readers:
        """The readers; nothing is sent or started."""
        from .backends import open_reader
        from .table import ReaderTable

        opened = partial(open_reader, tables=msgspec.json.decode(self.tables, type=dict[str, ReaderTable]))
        return Readers(
            self.names,
            _nobody if self.stored_only else opened,
            AnswerStore(self.store),
            readings=self.readings,
            budget=self.budget,
            ask=not self.stored_only,
        )


def _nobody(name: str) -> Backend:
    raise ReaderError("nobody is asked here", lasting=True)


class Readers:
    """One reader or several, asked alike, with the store of their answers.

    Args:
        open: makes the backend of a name, or raises ReaderError; it sends and starts nothing. Of a name that it does
            not know, stored answers count: a person's, say.
        ask: False: only stored answers count, and nobody is asked.
        sleep: how waiting is done.
    """

    def __init__(
        self,
        names: Sequence[str],
        open: Callable[[str], Backend],
        store: AnswerStore,
        *,
        readings: int = 1,
        budget: int = BUDGET,
        ask: bool = True,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.names, self.store, self.readings, self.budget = list(names), store, readings, budget
        self._open, self._asks, self._sleep = open, ask, sleep
        self._opened: dict[str, Backend] = {}
        # What every further request would get as well.
        self._broken: dict[str, str] = {}
        # Under which name the answers of each are stored: with what else changes them.
        self.keys = {name: self._key(name) for name in self.names}

    def _key(self, name: str) -> str:
        try:
            self._opened[name] = self._open(name)
        except ReaderError as error:
            self._broken[name] = str(error)
            return name
        return self._opened[name].name

    def read(self, evidence: Evidence, points: Points | None = None) -> Asked:
        """The answers on a session, and to the points besides. A reader that fails is a reason, never an exception."""
        text = digest(evidence, self.budget)
        found, failed = self._all(build(text, points))
        by = [who for who, _ in found]
        lines = {name: self.store.check_of(self.keys[name], PROMPT_VERSION) for name in self.names}
        checked = "; ".join(f"{name}: {line or 'not checked'}" for name, line in lines.items())
        one = lines[self.names[0]] if len(lines) == 1 else checked
        answers = [answer for _, answer in found]
        said = ", ".join(dict.fromkeys(by))
        return Asked(text, answers, said, one if any(lines.values()) else None, failed, by, points)

    def read_points(self, points: Points, system: str) -> tuple[list[tuple[str, Answer]], list[str]]:
        """Who answered a request for points alone, with the answers, and why some are missing."""
        return self._all(build_points(points, system))

    def _all(self, request: Request) -> tuple[list[tuple[str, Answer]], list[str]]:
        found: list[tuple[str, Answer]] = []
        failed = []
        for name in self.names:
            answers, why = self._answers(name, request)
            found += [(identity(name, reply), answer) for reply, answer in answers]
            failed += [f"{name}: {why}"] if why else []
        return found, failed

    def missing(self, evidence: Evidence, points: Points | None = None) -> tuple[Request, dict[str, int]]:
        """The request about a session, and how many answers each reader would be asked for."""
        request = build(digest(evidence, self.budget), points)
        have = {name: len(self._stored(name, request)) for name in self.names}
        return request, {name: self.readings - number for name, number in have.items() if number < self.readings}

    def price(self, name: str, tokens: int) -> float | str | None:
        """US dollars of a request of so many tokens; words, where a program of the user's pays; None: unknown."""
        backend = self._opened.get(name)
        known: Callable[[int], float | None] | None = getattr(backend, "price", None)
        return "as the program charges" if backend is not None and known is None else known and known(tokens)

    def _stored(self, name: str, request: Request) -> list[tuple[Reply, Answer]]:
        key = (request.digest_sha256, PROMPT_VERSION, self.keys[name])
        return self.store.answers(*key, request.answer)[: self.readings]

    def _answers(self, name: str, request: Request) -> tuple[list[tuple[Reply, Answer]], str]:
        """The answers of one reader, and why some are missing ("": none are)."""
        found: list[tuple[Reply, Answer]] = []
        try:
            found = self._stored(name, request)
            if len(found) == self.readings:
                return found, ""
            if not self._asks:
                return found, "not every answer is stored" if found else "no answer is stored"
            with self.store.asking(request.digest_sha256):
                # Another process may have asked meanwhile.
                found = self._stored(name, request)
                while len(found) < self.readings:
                    reply, answer = self._ask(name, request)
                    self.store.add(request.digest_sha256, PROMPT_VERSION, self.keys[name], reply)
                    found.append((reply, answer))
        except ReaderError as error:
            return found, one_line(str(error), 300)
        except OSError as error:
            return found, f"{self.store.directory}: answers cannot be kept there ({error.strerror or error})"
        return found, ""

    def _ask(self, name: str, request: Request) -> tuple[Reply, Answer]:
        """Asks once, and once more where the answer cannot be used. Raises: ReaderError."""
        first = self._reply(name, request)
        try:
            return first, request.answer(first.text)
        except AnswerError as error:
            second = self._reply(name, request.again(error))
        used = ("input_tokens", "output_tokens", "cost", "seconds")
        spent = {name: (getattr(first, name), getattr(second, name)) for name in used}
        both = replace(second, **{n: None if a is None or b is None else a + b for n, (a, b) in spent.items()})
        try:
            return both, request.answer(both.text)
        except AnswerError as error:
            raise ReaderError(f"{UNUSABLE}; the last: {error}") from None

    def _reply(self, name: str, request: Request) -> Reply:
        """The reply to one request; waits where the provider says how long. Raises: ReaderError."""
        if name in self._broken:
            raise ReaderError(self._broken[name], lasting=True)
        waited = 0.0
        while True:
            try:
                return self._opened[name].ask(request)
            except ReaderError as error:
                if error.lasting:
                    self._broken[name] = str(error)
                pause = max(error.retry_after or 0.0, 1.0)
                if error.lasting or error.retry_after is None or waited + pause > LONGEST_WAIT:
                    raise
                waited += pause
                self._sleep(pause)


def identity(name: str, reply: Reply) -> str:
    """Who answered, as the provider states it; the configured name where it states nothing."""
    stated = [one_line(part, 80) for part in (reply.model, reply.program) if part and part.strip()]
    return " by ".join(stated) or name
