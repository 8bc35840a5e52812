"""Which sentence of an instruction is checked by which requirement, as the task file says it."""

from __future__ import annotations

import re
from collections import Counter

from ...bench.tasks.proofs import ProofCheck, TaskFault
from .facts import TwinFacts

NAME = "sentences"
CONTEXT, UNTESTED = "context", "untested"
_BLOCK = re.compile(r"^(?:(?: {4}|\t).*|```[\s\S]*?```)$", re.MULTILINE)
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)]|#+|\|)\s+")
_END = re.compile(r"(?<=[.!?:])[\"')]*\s+(?=[\"'`(]?[A-Z`\d])")
_CODE = re.compile(r"`[^`\n]*`")


def sentences(instruction: str) -> list[str]:
    """The sentences of an instruction; each item of a list and each heading begins a new one, code blocks are none."""
    found = []
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)]|#+)\s)", without_code(instruction)):
        text = " ".join(_BULLET.sub("", paragraph).split())
        hidden = _CODE.sub(lambda m: re.sub(r"[.!?:]", "_", m.group()), text)
        start = 0
        for end in [*(m.start() for m in _END.finditer(hidden)), len(text)]:
            if text[start:end].strip():
                found.append(text[start:end].strip())
            start = end
    return found


def without_code(instruction: str) -> str:
    """An instruction without its blocks of code."""
    return _BLOCK.sub("", instruction)


def check_sentences(facts: TwinFacts) -> ProofCheck:
    """Whether every sentence is mapped; a task file that maps none is not wrong, and the detail says so."""
    task = facts.suite_task.task
    said = sentences(facts.instruction)
    if not task.sentences:
        return ProofCheck(NAME, "ok", f"{len(said)} sentences, not mapped to hidden tests")
    problems: list[TaskFault] = []
    owners = {r.id for r in task.requirements} | {CONTEXT, UNTESTED}
    count: Counter[str] = Counter()
    for sentence in said:
        entries = [e for e in task.sentences if sentence.startswith(e.text)]
        if len(entries) != 1:
            what = f"{len(entries)} entries of sentences fit {sentence[:60]!r}"
            problems.append(TaskFault("task.toml", what, "name its requirements, or mark it context or untested"))
            continue
        of = entries[0].of
        count["tested" if set(of) - {CONTEXT, UNTESTED} else of[0] if of else ""] += 1
    for entry in task.sentences:
        if not any(sentence.startswith(entry.text) for sentence in said):
            problems.append(TaskFault("task.toml", f"sentences: the instruction has no {entry.text!r}", "correct it"))
        unknown = [name for name in entry.of if name not in owners]
        if unknown or not entry.of:
            what = f"sentences: {entry.text!r} belongs to {', '.join(unknown) or 'nothing'}"
            problems.append(TaskFault("task.toml", what, "ids of requirements, context or untested"))
    if problems:
        return ProofCheck(NAME, "failed", problems=tuple(problems))
    parts = (f"{count[kind]} {kind}" for kind in ("tested", CONTEXT, UNTESTED))
    return ProofCheck(NAME, "ok", f"{len(said)} sentences: {', '.join(parts)}")
