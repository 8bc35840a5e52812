"""The manipulation check: did the agent load the harness? The capture journal decides, never the agent's words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any

from ....base.journal import AnyRecord, CommandRecord, Model, RunRecord
from ...agents.registry import conventions
from ...experiment.records import Manipulation
from ...harness.harness import Harness, SkillMarks
from ...harness.overlay import normal, resolve

_READERS = frozenset("cat head tail less more sed awk grep egrep rg bat nl wc view".split())
NOT_SHOWN = "not shown"
_SHOWN = 3  # pieces of evidence that are listed for each thing looked for


def loaded(harness: Harness, agent: str, records: Sequence[tuple[int, AnyRecord]]) -> Manipulation:
    """Whether `agent` loaded `harness` in a run, given as the records of its journal with their lines.

    What to look for comes from the journal's first record, else from the harness itself.
    ``loaded`` is None if it is unknown: the harness has nothing to load, or no model call was recorded (an agent that
    does not run through the bridge) and no recorded program read its files.

    Raises:
        HarnessError: it is unknown what to look for.
    """
    facts = next((record.harness for _, record in records if isinstance(record, RunRecord)), {})
    markers, files, skills = _markers(harness, agent, facts)
    if not markers and not files and not skills:
        return Manipulation(None, reason=f"{harness.name} has nothing that an agent could load")
    texts = list(_texts(records))
    if texts:
        shown = {name: _shown(texts, marks) for name, marks in skills.items()}
        found = _in_model_calls(harness, texts, markers, files, shown)
        found.skills = shown
        return found
    evidence: list[str] = []
    own = conventions(agent).instructions
    names = [*files, *(facts.get("instruction_files") or ([own] if own is not None else []))]
    for line, record in records:
        read = _reads(record, names) if isinstance(record, CommandRecord) else None
        if isinstance(record, CommandRecord) and read is not None:
            evidence.append(f"journal line {line}: {PurePosixPath(record.argv[0]).name} reads {read}")
    if evidence:
        return Manipulation(True, evidence[: 2 * _SHOWN], "no model call was recorded, but a program read it")
    return Manipulation(None, reason=f"no model call of {agent} was recorded, so it is unknown what the model was sent")


def _in_model_calls(
    harness: Harness,
    texts: list[tuple[int, str, str]],
    markers: list[str],
    files: dict[str, str],
    shown: dict[str, str],
) -> Manipulation:
    evidence: list[str] = []
    if markers or files:
        seen = [_find(texts, marker) for marker in markers]
        for marker, lines in zip(markers, seen, strict=True):
            cut = marker if len(marker) <= 60 else marker[:57] + "..."
            evidence += [f"journal line {line}: {cut!r} in a {role} message" for line, role in lines[:_SHOWN]]
        unread = []
        for name, marker in files.items():
            lines = _find(texts, marker) if marker else []
            evidence += [f"journal line {line}: a line of {name} in a {role} message" for line, role in lines[:_SHOWN]]
            if not lines:
                unread.append(name)
        found = sum(bool(lines) for lines in seen)
        if markers and not found:
            return Manipulation(False, evidence, f"no model call shows the text of {harness.name}")
        if unread:
            return Manipulation(False, evidence, f"never read: {', '.join(unread)}")
        if found < len(markers):
            return Manipulation(True, evidence, f"only {found} of {len(markers)} marks found: the text may be cut")
        return Manipulation(True, evidence, "")
    missed = [name for name, state in shown.items() if state == NOT_SHOWN]
    if len(missed) == len(shown):
        return Manipulation(False, evidence, f"no model call shows a skill of {harness.name}")
    return Manipulation(True, evidence, f"{len(shown) - len(missed)} of {len(shown)} skills show in a model call")


def _shown(texts: list[tuple[int, str, str]], marks: SkillMarks) -> str:
    """How a skill shows in the model calls; that a model was offered it, programs say in a message or in a tool."""
    if marks.read and _find(texts, marks.read):
        return "read"
    return "offered" if marks.offered and _find(texts, marks.offered) else NOT_SHOWN


def _markers(
    harness: Harness, agent: str, facts: dict[str, Any]
) -> tuple[list[str], dict[str, str], dict[str, SkillMarks]]:
    if "markers" in facts:
        skills = {name: SkillMarks(*texts) for name, texts in facts.get("skills", {}).items()}
        return facts["markers"], facts.get("read_files", {}), skills
    overlay = resolve(harness, agent)
    return list(overlay.markers), dict(overlay.read_files), dict(overlay.skills)


def _texts(records: Iterable[tuple[int, AnyRecord]]) -> Iterator[tuple[int, str, str]]:
    """Line, role and text of all that was sent to a model, tools included; what it wrote itself is no evidence."""
    for line, record in records:
        if isinstance(record, Model):
            for message in record.input:
                role = message.get("role")
                if isinstance(role, str) and role != "assistant":
                    yield line, role, normal(" ".join(_content(message.get("content"))))
            for tool in record.declared or ():
                yield line, "tool's", normal(tool.get("description", ""))


def _content(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from _content(part)
    elif isinstance(value, dict):
        for key in ("text", "content"):
            yield from _content(value.get(key))


def _find(texts: list[tuple[int, str, str]], marker: str) -> list[tuple[int, str]]:
    text_of_marker = normal(marker)
    return [(line, role) for line, role, text in texts if text_of_marker in text]


def _reads(command: CommandRecord, names: list[str]) -> str | None:
    if not command.argv or PurePosixPath(command.argv[0]).name not in _READERS:
        return None
    words = [word.removeprefix("./") for word in command.argv[1:]]
    return next((name for name in names if any(w == name or w.endswith(f"/{name}") for w in words)), None)
