"""Tokens, submissions and verdicts in SQLite. They are on disk before they are confirmed, so a kill loses none.

One process at a time serves a directory and holds a lock on it. Others may read it and issue tokens.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from ...base.decoding import decoder
from ..judgement import Judgement
from ..problems.problem import Problem
from ..submission import Submission
from .content import packed, unpacked
from .records import (
    Earlier,
    GivenHint,
    HintBudget,
    Refused,
    ServerError,
    ServerSettings,
    StoredSubmission,
    SubmissionBudget,
    Token,
)
from .view import shown

DATABASE = "judge.sqlite"
_LONGEST_HINT = 4000
_VERSION = 3
# The next to be judged: the oldest of the run with the fewest running, then of the run whose last turn is longest ago.
# So a run with a hundred submissions delays another run's single one by at most one.
_NEXT = """
SELECT min(id) FROM submissions AS q WHERE state = 'queued' AND not_before <= ? AND problem IN ({problems}) GROUP BY run
ORDER BY (SELECT count(*) FROM submissions AS r WHERE r.state = 'running' AND r.run = q.run),
    (SELECT max(turn) FROM submissions AS t WHERE t.run = q.run), min(id) LIMIT 1
"""


class SubmissionStore:
    """`directory`: of the database and the contents of submissions."""

    def __init__(self, directory: Path, settings: ServerSettings | None = None) -> None:
        self.directory, self.settings = directory, settings or ServerSettings()
        self._lock = threading.RLock()
        path = directory / DATABASE
        if sqlite3.sqlite_version_info < (3, 35):
            raise ServerError(f"SQLite {sqlite3.sqlite_version} is too old for the judge; it needs 3.35")
        try:
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
            self._db.row_factory = sqlite3.Row
            self._db.execute("PRAGMA journal_mode = WAL")
            # A submission is confirmed (201) only after it is on disk.
            self._db.execute("PRAGMA synchronous = FULL")
            with self.writing() as db:
                version = db.execute("PRAGMA user_version").fetchone()[0]
                if version == 0:
                    for statement in Path(__file__).with_suffix(".sql").read_text("utf-8").split(";\n"):
                        db.execute(statement)
                    db.execute(f"PRAGMA user_version = {_VERSION}")
                elif version != _VERSION:
                    raise ServerError(f"{directory}: written by another version of RigorBench; give another --data")
        except sqlite3.Error as error:
            raise ServerError(f"{path}: {error}; give another --data directory") from None

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction in which nobody else writes."""
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        with self._lock:
            return self._db.execute(query, values).fetchall()

    def close(self) -> None:
        with self._lock:
            self._db.close()

    # -- problems and tokens -----------------------------------------------------------------------------------------

    def keep_problems(self, problems: Sequence[Problem]) -> None:
        """Store what is served, for processes that issue tokens without the packages."""
        rows = [(p.id, p.name, p.digest, p.limits.submissions, p.feedback) for p in problems]
        with self.writing() as db:
            db.execute("DELETE FROM problems")
            db.executemany("INSERT INTO problems VALUES (?, ?, ?, ?, ?)", rows)

    def known_problems(self) -> dict[str, tuple[int | None, str]]:
        """The problems that were served last: id -> (budget, feedback) of the package."""
        return {row["id"]: (row["budget"], row["feedback"]) for row in self.rows("SELECT * FROM problems ORDER BY id")}

    def issue(self, token: Token) -> str:
        """A new secret for `token`. Only its hash is stored."""
        secret = f"rj_{secrets.token_urlsafe(32)}"
        repository = None if token.repository is None else str(token.repository)
        values = (
            *(_hash(secret), token.run, token.problem, token.budget, token.feedback, repository, time.time()),
            token.hints,
        )
        with self.writing() as db:
            db.execute("INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
        return secret

    def token(self, secret: str) -> Token | None:
        for row in self.rows("SELECT * FROM tokens WHERE hash = ?", (_hash(secret),)):
            values = {name: row[name] for name in Token.__struct_fields__}
            return Token(**values | {"repository": None if row["repository"] is None else Path(row["repository"])})
        return None

    # -- submitting --------------------------------------------------------------------------------------------------

    def budget(self, token: Token) -> SubmissionBudget:
        query = "SELECT count(*) FROM submissions WHERE run = ? AND problem = ?"
        used, limit = self.rows(query, token.scope)[0][0], token.budget
        return SubmissionBudget(limit, used, None if limit is None else max(0, limit - used))

    def repeated(self, token: Token, key: str) -> StoredSubmission | None:
        """The submission of an earlier request with this key."""
        return self._one("key = ?", token, key)

    def check_room(self, token: Token) -> None:
        """Raises: Refused: no budget is left, or the queue is full."""
        budget = self.budget(token)
        if budget.remaining == 0:
            raise Refused(403, "budget_exhausted", f"all {budget.limit} submissions of this run are used")
        # The run's submissions that wait, as far as its author may know: a refusal must not show which are judged.
        now, first = time.time(), self.settings.first_shown
        if token.feedback == "none":
            # All of the time that judging one may take.
            query = "SELECT count(*) FROM submissions WHERE run = ? AND created > ?"
            waiting: int = self.rows(query, (token.run, now - self.settings.longest))[0][0]
        else:
            query = "SELECT * FROM submissions WHERE run = ? AND state != 'aborted' ORDER BY id DESC LIMIT ?"
            rows = self.rows(query, (token.run, self.settings.queue_per_run))
            waiting = sum(not shown(self._entry(row), first, now)[0].over for row in rows)
        if waiting >= self.settings.queue_per_run:
            raise Refused(429, "queue_full", "too many submissions of this run are waiting", retry_after=5)
        query = "SELECT count(*) FROM submissions WHERE state IN ('queued', 'running')"
        if token.feedback != "none" and self.rows(query)[0][0] >= self.settings.queue:
            raise Refused(429, "queue_full", "too many submissions are waiting", retry_after=10)

    def accept(
        self, token: Token, language: str, request: bytes, content: str, submission: Submission, key: str | None = None
    ) -> StoredSubmission:
        """Store a submission whose content is already on disk.

        `request`: SHA-256 of the request, to recognise a repeated one. `content`: name of the directory of its files.
        `key`: the client's Idempotency-Key. Raises: Refused: see `check_room`.
        """
        now = time.time()
        with self.writing() as db:
            # Again, now that nobody else writes.
            self.check_room(token)
            values = (
                *token.scope, key, request, language, content,
                packed(submission, self.directory / "content" / content), "queued", now,
            )  # fmt: skip
            cursor = db.execute(
                "INSERT INTO submissions (run, problem, key, request, language, content, submission, state, created) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                values,
            )
            row = db.execute("SELECT * FROM submissions WHERE id = ?", (cursor.lastrowid,)).fetchone()
        return self._entry(row)

    def get(self, token: Token, number: int) -> StoredSubmission | None:
        """The submission with this number, if it belongs to the token's run and problem."""
        return self._one("id = ?", token, number)

    def _one(self, condition: str, token: Token, value: Any) -> StoredSubmission | None:
        query = f"SELECT * FROM submissions WHERE {condition} AND run = ? AND problem = ?"
        return next((self._entry(row) for row in self.rows(query, (value, *token.scope))), None)

    def entries(
        self, *, run: str | None = None, problem: str | None = None, most: int | None = None
    ) -> list[StoredSubmission]:
        """Submissions in the order of their arrival; with `most`, the last ones."""
        query = (
            "SELECT * FROM submissions WHERE run = ifnull(?, run) AND problem = ifnull(?, problem) "
            "ORDER BY id DESC LIMIT ?"
        )
        rows = self.rows(query, (run, problem, -1 if most is None else most))
        return [self._entry(row) for row in reversed(rows)]

    def abort(self, token: Token, number: int) -> StoredSubmission | None:
        """Abort a submission: it gets no verdict, and counts. Returns its new state.

        One on which judging is over can be aborted until that is shown (without feedback: always): otherwise the answer
        would show it.
        """
        now = time.time()
        with self.writing() as db:
            entry = self.get(token, number)
            if entry is None or (token.feedback != "none" and shown(entry, self.settings.first_shown, now)[0].over):
                return entry
            db.execute("UPDATE submissions SET state = 'aborted', finished = ? WHERE id = ?", (now, number))
            return self.get(token, number)

    # -- hints -------------------------------------------------------------------------------------------------------
    # Those of the package are given at once; a question waits until a person answers it. Both use the run's budget.
    # Which hint of the package comes next depends on earlier requests only and not on verdicts: it tells nothing of
    # hidden tests that the feedback level does not show.

    def hint_budget(self, token: Token) -> HintBudget:
        used = len(self.hints(*token.scope))
        return HintBudget(token.hints, used, max(0, token.hints - used))

    def hints(self, run: str | None = None, problem: str | None = None) -> list[GivenHint]:
        """Hints in the order in which they were asked for."""
        query = "SELECT * FROM hints WHERE run = ifnull(?, run) AND problem = ifnull(?, problem) ORDER BY id"
        return [_hint(row) for row in self.rows(query, (run, problem))]

    def ask_hint(
        self, token: Token, problem: Problem, group: str | None, question: str | None, key: str | None
    ) -> GivenHint:
        """A hint of the package, for the group or the next one, or a question to a person.

        `key`: the same key gives the same hint again. Raises: Refused: the budget is used up, or there is no such hint;
        it costs nothing.
        """
        names = [each.id.rpartition("/")[2] for each in problem.groups if each.full]
        if group is not None and group not in names:
            raise Refused(404, "no_group", f"no test group {group[:40]!r}; one of: {', '.join(names)}")
        if question is not None and not 0 < len(question.strip()) <= _LONGEST_HINT:
            raise Refused(400, "bad_question", f"a question has 1 to {_LONGEST_HINT} characters")
        with self.writing() as db:
            query = "SELECT * FROM hints WHERE run = ? AND problem = ? AND key = ?"
            before = db.execute(query, (*token.scope, key)).fetchone()
            if before is not None:
                return _hint(before)
            asked = self.hints(*token.scope)
            if len(asked) >= token.hints:
                what = f"all {token.hints} hints of this run are used" if token.hints else "this run has no hints"
                raise Refused(403, "hints_exhausted", what)
            now = time.time()
            values: tuple[object, ...] = (group, question, "person", None, now, None)
            if question is None:
                given = {hint.text for hint in asked}
                left = [h for h in problem.hints if h.text not in given and group in (None, h.group)]
                if not left:
                    where = "" if group is None else f" for {group}"
                    raise Refused(404, "no_hint", f"the problem has no further hint{where}; a person can be asked")
                values = (left[0].group, None, "package", left[0].text, now, now)
            row = db.execute(
                "INSERT INTO hints (run, problem, key, part, question, source, text, asked, answered) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *",
                (*token.scope, key, *values),
            ).fetchall()[0]
        return _hint(row)

    def answer_hint(self, number: int, text: str) -> GivenHint:
        """Answer a question. Raises: ServerError: there is none, or it has its answer."""
        if not 0 < len(text.strip()) <= _LONGEST_HINT:
            raise ServerError(f"an answer has 1 to {_LONGEST_HINT} characters")
        with self.writing() as db:
            rows = db.execute(
                "UPDATE hints SET text = ?, answered = ? WHERE id = ? AND text IS NULL RETURNING *",
                (text, time.time(), number),
            ).fetchall()
        if not rows:
            raise ServerError(f"no question {number} waits for an answer; without --answer they are listed")
        return _hint(rows[0])

    # -- judging -----------------------------------------------------------------------------------------------------

    def recover(self) -> list[int]:
        """Put back what was running when the last server died; what was interrupted too often fails and is returned."""
        with self.writing() as db:
            db.execute(
                "UPDATE submissions SET state = 'queued', interruptions = interruptions + 1 WHERE state = 'running'"
            )
            rows = db.execute(
                "UPDATE submissions SET state = 'failed', finished = ?, error = ? "
                "WHERE state = 'queued' AND interruptions > ? RETURNING id",
                (time.time(), "judging was interrupted each time", self.settings.interruptions),
            ).fetchall()
            return [row[0] for row in rows]

    def claim(self, problems: Sequence[str]) -> StoredSubmission | None:
        """The next submission to be judged. It is running from now on."""
        now = time.time()
        query = _NEXT.format(problems=", ".join("?" * len(problems)))
        if not self.rows("SELECT 1 FROM submissions WHERE state = 'queued' LIMIT 1"):
            return None  # the usual case, without writing
        with self.writing() as db:
            found = db.execute(query, (now, *problems)).fetchone()
            if found is None:
                return None
            row = db.execute(
                "UPDATE submissions SET state = 'running', started = ifnull(started, ?), "
                "turn = (SELECT max(turn) + 1 FROM submissions) WHERE id = ? RETURNING *",
                (now, found[0]),
            ).fetchall()[0]
        return self._entry(row)

    def due(self, problems: Sequence[str]) -> float | None:
        """When the next submission to one of these problems may be judged; None: none waits."""
        marks = ", ".join("?" * len(problems))
        query = f"SELECT min(not_before) FROM submissions WHERE state = 'queued' AND problem IN ({marks})"
        when: float | None = self.rows(query, problems)[0][0]
        return when

    def running(self, number: int) -> bool:
        return bool(self.rows("SELECT 1 FROM submissions WHERE id = ? AND state = 'running'", (number,)))

    def finish(self, number: int, judgement: Judgement) -> bool:
        """Store a verdict. False: the submission is not running any more (aborted), and the verdict is dropped."""
        return self._end(number, "state = 'done', error = NULL, judgement = ?", (msgspec.json.encode(judgement),))

    def fail(self, number: int, error: str, *, final: bool, pause: float, judgement: Judgement | None) -> bool:
        """The judge failed: try again after `pause` seconds, or not at all (`final`)."""
        blob = None if judgement is None else msgspec.json.encode(judgement)
        state = "'failed'" if final else "'queued'"
        change = f"state = {state}, attempts = attempts + 1, error = ?, judgement = ?, not_before = ?"
        return self._end(number, change, (error, blob, time.time() + pause))

    def release(self, number: int) -> bool:
        """Put a submission back as if it had not been started, because the server stops."""
        return self._end(number, "state = 'queued'", ())

    def _end(self, number: int, change: str, values: tuple[Any, ...]) -> bool:
        query = f"UPDATE submissions SET {change}, finished = ? WHERE id = ? AND state = 'running'"
        with self.writing() as db:
            return db.execute(query, (*values, time.time(), number)).rowcount == 1

    def contents(self) -> set[str]:
        return {row[0] for row in self.rows("SELECT content FROM submissions WHERE pruned IS NULL")}

    # -- upkeep --------------------------------------------------------------------------------------------------------

    def prune(self, number: int) -> bool:
        """Note that the files of a submission are deleted. False: it is not over, or they already are."""
        query = (
            "UPDATE submissions SET pruned = ? WHERE id = ? AND pruned IS NULL AND state NOT IN ('queued', 'running')"
        )
        with self.writing() as db:
            return db.execute(query, (time.time(), number)).rowcount == 1

    def replace(self, number: int, judgement: Judgement) -> bool:
        """A new verdict; the old one, or why there was none, is kept. False: it is not over, or was aborted."""
        with self.writing() as db:
            kept = db.execute(
                "INSERT INTO earlier (submission, state, finished, judgement, error) "
                "SELECT id, state, finished, judgement, error FROM submissions "
                "WHERE id = ? AND state IN ('done', 'failed')",
                (number,),
            ).rowcount
            if kept == 1:
                db.execute(
                    "UPDATE submissions SET state = 'done', started = NULL, finished = ?, judgement = ?, error = NULL "
                    "WHERE id = ?",
                    (time.time(), msgspec.json.encode(judgement), number),
                )
            return kept == 1

    def earlier(self, number: int) -> tuple[Earlier, ...]:
        """The verdicts of a submission that later ones replaced, oldest first."""
        rows = self.rows("SELECT * FROM earlier WHERE submission = ? ORDER BY number", (number,))
        return tuple(Earlier(r["state"], r["finished"], _judgement(r["judgement"]), r["error"]) for r in rows)

    def _entry(self, row: sqlite3.Row) -> StoredSubmission:
        over = row["state"] in ("done", "aborted", "failed")
        same = set(StoredSubmission.__struct_fields__) - {"submission", "finished", "judgement"}
        return StoredSubmission(
            submission=unpacked(row["submission"], self.directory / "content" / row["content"]),
            finished=row["finished"] if over else None,
            judgement=_judgement(row["judgement"]),
            **{name: row[name] for name in same},
        )


def _judgement(blob: bytes | None) -> Judgement | None:
    return None if blob is None else decoder(Judgement).decode(blob)


def _hash(secret: str) -> bytes:
    # The secret has 256 random bits, so no salt and no slow hash are needed.
    return hashlib.sha256(secret.encode()).digest()


def _hint(row: sqlite3.Row) -> GivenHint:
    names = ("id", "run", "problem", "question", "source", "text", "asked", "answered")
    return GivenHint(group=row["part"], **{name: row[name] for name in names})
