"""Labels on disk: in a directory, one file ``NAME.jsonl`` per labeller, which is only appended to.

A file contains the cases as they were shown and the answers, so it can be copied, merged and compared with judges
without the logs. The last answer to a question counts. A killed process leaves at most one incomplete line, which is
ignored.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import time
from pathlib import Path
from typing import cast

from msgspec import Struct

from ...base.jsonl import Lines
from .model import FORMS, LABEL_SCHEMA, Answers, Label, Sheet, Value, value_of

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class LabelError(ValueError):
    """Labels that cannot be read or written. One line that names the file and the remedy."""


class Labels(Struct):
    """The contents of a directory.

    Attributes:
        answers: labeller -> case -> (question, item) -> answer.
        sheets: digest -> case.
        problems: lines that do not count, one message each.
        old: number of answers to questions whose wording has changed since.
    """

    answers: dict[str, dict[str, dict[tuple[str, str | None], Value | None]]]
    sheets: dict[str, Sheet]
    problems: list[str]
    old: int = 0

    def by(self, labeller: str, case: str) -> Answers:
        return self.answers.get(labeller, {}).get(case, {})


def check_name(name: str) -> str:
    """Raises: LabelError if a labeller's name cannot be a file name."""
    if not _NAME.fullmatch(name) or name.endswith("."):
        raise LabelError(
            f"labeller {name!r}: must be at most 64 letters, digits, '.', '_' and '-', and begin with a letter or digit"
        )
    return name


def load(directory: Path) -> Labels:
    """Everything in a directory.

    Raises:
        LabelError: there is no such directory, or a file cannot be read.
    """
    if not directory.is_dir():
        raise LabelError(f"{directory}: no such directory; label something with `rigor label PATH --out {directory}`")
    labels = Labels({}, {}, [])
    for path in sorted(directory.glob("*.jsonl")):
        lines = _lines(path)
        try:
            records = lines.records()
        except OSError as error:
            raise LabelError(f"{path}: {error.strerror}") from None
        for record in records:
            if record.schema != LABEL_SCHEMA:
                labels.problems.append(f"{path}: a line of schema {record.schema!r} is not counted")
            elif isinstance(record, Sheet):
                labels.sheets[record.digest] = record
            else:
                _add_label(labels, record, path)
        labels.problems += lines.damaged
    return labels


def _add_label(labels: Labels, label: Label, path: Path) -> None:
    form = FORMS[label.kind]
    if label.rubric != form.rubric:
        labels.old += 1
        return
    ask = next((a for a in form.asks if a.id == label.question), None)
    try:
        if ask is None:
            raise ValueError(f"{label.kind}: no question {label.question!r}")
        answer = value_of(ask, label.answer)
    except ValueError as error:
        labels.problems.append(f"{path}: not counted: {error}")
        return
    mine = labels.answers.setdefault(label.labeller, {}).setdefault(label.case, {})
    mine[label.question, label.item] = answer


class LabelFile:
    """The file of one labeller, which one process at a time can write."""

    def __init__(self, directory: Path, labeller: str) -> None:
        """Raises: LabelError if the file cannot be written or another process writes it."""
        self.labeller = check_name(labeller)
        self.path = directory / f"{labeller}.jsonl"
        try:
            # Not readable for other users: excerpts are as private as their sessions.
            directory.mkdir(0o700, parents=True, exist_ok=True)
            # A lock file of its own: the lines themselves are locked for each write.
            self._lock = os.open(directory / f".{labeller}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise LabelError(f"{directory}: cannot be written ({error.strerror}); choose another --out") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            raise LabelError(f"{self.path}: another process uses this name; stop it first") from None
        self._file = _lines(self.path)
        try:
            records = self._file.records()
        except OSError as error:
            self.close()
            raise LabelError(f"{self.path}: {error.strerror}") from None
        if not records and len(self._file.damaged) > 1:
            self.close()
            raise LabelError(f"{self.path}: exists and contains no labels; choose another --labeller or --out")
        self._known = {r.digest: r for r in records if isinstance(r, Sheet)}

    def keep(self, sheet: Sheet) -> None:
        """Store a case, unless it is stored as it is. Raises: LabelError."""
        if self._known.get(sheet.digest) != sheet:
            self._append(sheet)
            self._known[sheet.digest] = sheet

    def answer(self, sheet: Sheet, question: str, item: str | None, answer: Value | None) -> None:
        """Store an answer; it is on disk when this returns.

        Raises:
            LabelError: it cannot be written.
            ValueError: the sheet has no such question or item, or this is no answer to it.
        """
        for ask, part in sheet.points():
            if ask.id == question and (part.id if part is not None else None) == item:
                break
        else:
            raise ValueError("no such question")
        value = value_of(ask, answer)
        self.keep(sheet)
        rubric = FORMS[sheet.kind].rubric
        self._append(
            Label(
                labeller=self.labeller,
                kind=sheet.kind,
                case=sheet.digest,
                rubric=rubric,
                question=question,
                item=item,
                answer=value,
                time=round(time.time(), 3),
            )
        )

    def _append(self, record: Sheet | Label) -> None:
        try:
            self._file.append(record)
        except OSError as error:
            raise LabelError(f"{self.path}: cannot be written ({error.strerror}); the answer is not saved") from None

    def close(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self._lock)


def _lines(path: Path) -> Lines[Sheet | Label]:
    return Lines(path, cast(type[Sheet | Label], Sheet | Label))
