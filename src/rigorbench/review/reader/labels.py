"""What people say of sessions: forms to be filled in, and the labels that come back.

People see the digest that a reader sees, and answer the same points: grades and facts.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from msgspec import Struct

from ...base.errors import GivenError
from ...base.jsonl import Lines
from ...base.sanitize import one_line
from .digest import Digest
from .reading import FACTS
from .request import GRADES, PROMPT_VERSION, question

SCHEMA = "rigor-label/2"
# What may be chosen, and what it means; what is left open is not answered.
_GRADE: dict[str, int | None] = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "none": None}
_FACT: dict[str, bool | None] = {"yes": True, "no": False, "unknown": None}
POINTS: dict[str, Mapping[str, object]] = {**dict.fromkeys(GRADES, _GRADE), **dict.fromkeys(FACTS, _FACT)}
_SHA256 = re.compile(r"[0-9a-f]{64}")
_EXPLAINED = re.compile(r"^- (\w+): (.*(?:\n  .*)*)", re.MULTILINE)
# The labelling interface of a Label Studio project: the digest, and a choice for each point beside it.
_CONFIG = """\
<View>
  <Style>.htx-text {{ white-space: pre-wrap; font-family: monospace; }}</Style>
  <View style="display: flex; gap: 2em">
    <View style="flex: 3; max-height: 85vh; overflow: auto"><Text name="session" value="$text"/></View>
    <View style="flex: 2; max-height: 85vh; overflow: auto">
{points}
      <Header size="5" value="Why, in a sentence or two"/>
      <TextArea name="why" toName="session" rows="3" maxSubmissions="1"/>
    </View>
  </View>
</View>
"""
_POINT = """\
      <Header size="5" value={title}/>
      <Choices name="{name}" toName="session" choice="single" showInline="true">{choices}</Choices>"""


class Label(Struct, kw_only=True, omit_defaults=True):
    """What one person says of one session. Points that were left open are missing."""

    schema: str = SCHEMA
    digest: str
    """SHA-256 of the text that was shown."""
    prompt: int
    """Version of the question."""
    labeller: str
    grades: dict[str, int | None]
    """By name. None: it did not arise."""
    facts: dict[str, bool | None]
    """By name. None: the digest does not show it."""
    why: str = ""


class LabelError(GivenError):
    """A file or a line that is no label. One line."""


def write_forms(directory: Path, form: str, digests: Iterator[Digest]) -> list[Path]:
    """Writes the forms of sessions, one by one: neither a session's name nor a score is in them. Raises: OSError."""
    directory.mkdir(parents=True, exist_ok=True)
    tasks = ({"sha256": d.sha256, "prompt": str(PROMPT_VERSION), "text": d.text} for d in digests)
    if form == "csv":
        path = directory / "sessions.csv"
        # With a mark by which Excel knows that it is UTF-8.
        with path.open("w", encoding="utf-8-sig", newline="") as file:
            sheet = csv.DictWriter(file, ("sha256", "prompt", "labeller", *POINTS, "why", "text"), restval="")
            sheet.writeheader()
            sheet.writerows(tasks)
        return [path]
    interface, path = directory / "label-studio.xml", directory / "label-studio.json"
    interface.write_text(_interface(), encoding="utf-8")
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        for number, task in enumerate(tasks):
            file.write((",\n" if number else "\n") + json.dumps({"data": task}))
        file.write("\n]\n")
    return [interface, path]


def _interface() -> str:
    told = {name: f"{name}: {' '.join(text.split())}" for name, text in _EXPLAINED.findall(question())}
    points = []
    for name, values in POINTS.items():
        choices = "".join(f"<Choice value={quoteattr(value)}/>" for value in values)
        points.append(_POINT.format(name=name, title=quoteattr(told.get(name, name)), choices=choices))
    return _CONFIG.format(points="\n".join(points))


def read_labels(data: bytes, labeller: str | None = None) -> Iterator[Label | LabelError]:
    """The labels in a filled form: the JSON, JSON_MIN or CSV export of Label Studio, or the sheet.

    ``labeller``: who labelled; None: whom the file names.

    Raises:
        LabelError: it is none of these.
    """
    try:
        text = data.decode("utf-8-sig")
        for where, row in _tasks(text) if text.lstrip()[:1] in ("[", "{") else _sheet(text):
            try:
                label = _label(row, labeller)
            except LabelError as error:
                yield LabelError(f"{where}: {error}")
            else:
                if label is not None:
                    yield label
    except UnicodeDecodeError:
        raise LabelError("not UTF-8; save the sheet as CSV in UTF-8") from None
    except (csv.Error, json.JSONDecodeError, RecursionError) as error:
        raise LabelError(f"cannot be read ({error})") from None


def _sheet(text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    header = text.partition("\n")[0]
    if "sha256" not in header:
        raise LabelError("neither an export of Label Studio nor a sheet with a column sha256")
    # Cells may hold a digest of any budget.
    csv.field_size_limit(10_000_000)
    sheet = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=header.count))
    for row in sheet:
        yield f"line {sheet.line_num}", row


def _tasks(text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    found = json.loads(text)
    for number, task in enumerate(found if isinstance(found, list) else [found], 1):
        task = task if isinstance(task, dict) else {}
        annotations = task.get("annotations")
        # JSON_MIN has the answers beside the data.
        rows = [task] if not isinstance(annotations, list) else (_annotated(task, a) for a in annotations)
        yield from ((f"task {number}", row) for row in rows if row is not None)


def _annotated(task: Mapping[str, Any], annotation: Any) -> dict[str, Any] | None:
    if not isinstance(annotation, dict) or annotation.get("was_cancelled"):
        return None
    who, data, results = (annotation.get("completed_by"), task.get("data"), annotation.get("result"))
    who = who.get("email") or who.get("id") if isinstance(who, dict) else who
    row = {**data, "annotator": who} if isinstance(data, dict) else {}
    for result in results if isinstance(results, list) else ():
        if isinstance(result, dict) and isinstance(value := result.get("value"), dict):
            row[str(result.get("from_name"))] = value.get("choices") or value.get("text")
    return row


def _label(row: Mapping[str, Any], labeller: str | None) -> Label | None:
    """The label of a row; None: nothing is answered. Raises: LabelError."""
    # Label Studio has some cells as lists of one.
    cells = {k: " ".join(map(str, v)) if isinstance(v, list) else str(v) for k, v in row.items() if v is not None}
    digest, prompt = cells.get("sha256", ""), cells.get("prompt", "")
    if not _SHA256.fullmatch(digest) or not re.fullmatch(r"[0-9]{1,6}", prompt):
        raise LabelError("no session: sha256 and prompt must be as they were exported")
    chosen = {name: value for name in POINTS if (value := cells.get(name, "").strip().lower())}
    if not chosen:
        return None
    who = one_line(labeller or cells.get("labeller") or cells.get("annotator") or "", 80)
    if not who:
        raise LabelError("no labeller; say with --labeller NAME who labelled")
    for name, value in chosen.items():
        if value not in POINTS[name]:
            raise LabelError(f"{name}: {value[:40]!r} is none of {', '.join(POINTS[name])}")
    grades = {name: _GRADE[chosen[name]] for name in GRADES if name in chosen}
    facts = {name: _FACT[chosen[name]] for name in FACTS if name in chosen}
    why = one_line(cells.get("why", ""), 1_000)
    return Label(digest=digest, prompt=int(prompt), labeller=who, grades=grades, facts=facts, why=why)


def load(path: Path) -> tuple[list[Label], list[str]]:
    """The labels in a file or directory, of each labeller the last on a session; and what cannot be read.

    Raises: LabelError when there are none.
    """
    found: dict[tuple[str, str, int], Label] = {}
    problems: list[str] = []
    for file in sorted(path.glob("*.jsonl")) if path.is_dir() else [path]:
        lines = Lines(file, Label)
        found |= {(one.labeller, one.digest, one.prompt): one for one in lines.records() if one.schema == SCHEMA}
        problems += lines.damaged
    if not found and not problems:
        raise LabelError(f"{path}: no labels there; `rigor labels import FILE --out DIR` stores some")
    return list(found.values()), problems
