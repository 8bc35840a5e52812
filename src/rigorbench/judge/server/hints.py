"""Hints: those of the package are given at once; a question waits until a person answers it. Both use the run's budget.

Which hint of the package comes next depends on earlier requests only and not on verdicts: it tells nothing of hidden
tests that the feedback level does not show.
"""

from __future__ import annotations

import sqlite3
import time

from ..problems.problem import Problem
from .records import GivenHint, HintBudget, Refused, ServerError, Token
from .store import SubmissionStore

_LONGEST = 4000


class HintStore:
    """The hints in a server's store."""

    def __init__(self, store: SubmissionStore) -> None:
        self._store = store

    def budget(self, token: Token) -> HintBudget:
        used = len(self.of(token.run, token.problem))
        return HintBudget(token.hints, used, max(0, token.hints - used))

    def of(self, run: str | None = None, problem: str | None = None) -> list[GivenHint]:
        """Hints in the order in which they were asked for."""
        query = "SELECT * FROM hints WHERE run = ifnull(?, run) AND problem = ifnull(?, problem) ORDER BY id"
        return [_hint(row) for row in self._store.rows(query, (run, problem))]

    def ask(
        self, token: Token, problem: Problem, group: str | None, question: str | None, key: str | None
    ) -> GivenHint:
        """A hint of the package, for the group or the next one, or a question to a person.

        Args:
            key: the same key gives the same hint again.

        Raises:
            Refused: the budget is used up, or there is no such hint; it costs nothing.
        """
        names = [each.id.rpartition("/")[2] for each in problem.groups if each.full]
        if group is not None and group not in names:
            raise Refused(404, "no_group", f"no test group {group[:40]!r}; one of: {', '.join(names)}")
        if question is not None and not 0 < len(question.strip()) <= _LONGEST:
            raise Refused(400, "bad_question", f"a question has 1 to {_LONGEST} characters")
        with self._store.writing() as db:
            query = "SELECT * FROM hints WHERE run = ? AND problem = ? AND key = ?"
            before = db.execute(query, (*token.scope, key)).fetchone()
            if before is not None:
                return _hint(before)
            asked = self.of(*token.scope)
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

    def answer(self, number: int, text: str) -> GivenHint:
        """Answer a question. Raises: ServerError: there is none, or it has its answer."""
        if not 0 < len(text.strip()) <= _LONGEST:
            raise ServerError(f"an answer has 1 to {_LONGEST} characters")
        with self._store.writing() as db:
            rows = db.execute(
                "UPDATE hints SET text = ?, answered = ? WHERE id = ? AND text IS NULL RETURNING *",
                (text, time.time(), number),
            ).fetchall()
        if not rows:
            raise ServerError(f"no question {number} waits for an answer; without --answer they are listed")
        return _hint(rows[0])


def _hint(row: sqlite3.Row) -> GivenHint:
    names = ("id", "run", "problem", "question", "source", "text", "asked", "answered")
    return GivenHint(group=row["part"], **{name: row[name] for name in names})
