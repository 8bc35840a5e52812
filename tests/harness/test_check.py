"""The manipulation check: whether the agent loaded the harness, told from the journal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from rigorbench.base.journal import JOURNAL, SCHEMA, AnyRecord, CommandRecord, Exit, Model, RunRecord, read_records
from rigorbench.bench.experiment.records import Manipulation
from rigorbench.bench.harness import Harness, HarnessError, HarnessWorkspace, load_harness, prepare
from rigorbench.bench.run.scoring import manipulation
from rigorbench.bench.tasks.suite import SuiteTask

NUDGE = "Work like a careful engineer: plan before you edit, test what you change, and commit in small steps."


def model(*messages: dict[str, Any], answer: str = "Yes.") -> Model:
    output = {"role": "assistant", "content": answer}
    return Model(2.0, "m1", "main", "scripted/x", input=list(messages), output=output)


def loaded(harness: Harness, agent: str, records: list[Any]) -> Manipulation:
    return manipulation.loaded(harness, agent, list(enumerate(records, 1)))


def start(facts: dict[str, Any] | None = None) -> RunRecord:
    return RunRecord(1.0, SCHEMA, "r", "/work", harness=facts or {})


@pytest.fixture
def rigor(task: SuiteTask, tmp_path: Path, sources: dict[str, Path]) -> HarnessWorkspace:
    return prepare(task, load_harness("agent-rigor"), "claude-code", tmp_path / "w", sources=sources)


def test_the_text_in_a_system_message_shows_that_it_was_loaded() -> None:
    records: list[AnyRecord] = [start(), model({"role": "system", "content": f"Project rules:\n\n{NUDGE}\n"})]
    result = loaded(load_harness("nudge"), "react", records)
    assert result.loaded is True
    assert result.evidence == [
        "journal line 2: 'Work like a careful engineer: plan before you edit, test ...' in a system message"
    ]
    assert result.reason == ""


@pytest.mark.parametrize(
    "content",
    [
        NUDGE.replace(" ", "\n  "),
        [{"type": "text", "text": f"<reminder>{NUDGE}</reminder>"}],
        [{"type": "tool_result", "content": [{"type": "text", "text": NUDGE}]}],
    ],
)
def test_wrapping_and_parts_do_not_hide_it(content: Any) -> None:
    assert loaded(load_harness("nudge"), "codex", [model({"role": "user", "content": content})]).loaded is True


def test_without_the_text_it_was_not_loaded() -> None:
    result = loaded(load_harness("nudge"), "codex", [start(), model({"role": "user", "content": "Do it."})])
    assert (result.loaded, result.reason) == (False, "no model call shows the text of nudge")


def test_what_the_model_says_itself_is_no_evidence() -> None:
    records = [model({"role": "assistant", "content": NUDGE}, {"role": "user", "content": "Do it."}, answer=NUDGE)]
    assert loaded(load_harness("nudge"), "codex", records).loaded is False


def test_a_text_that_was_cut_is_loaded_in_part() -> None:
    placebo = load_harness("placebo=4000")
    from rigorbench.bench.harness import resolve

    text = resolve(placebo, "codex").appended[0].data.decode()
    whole = loaded(placebo, "codex", [model({"role": "user", "content": text})])
    part = loaded(placebo, "codex", [model({"role": "user", "content": text[:2000]})])
    assert (whole.loaded, whole.reason) == (True, "")
    assert (part.loaded, part.reason) == (True, "only 1 of 2 marks found: the text may be cut")


def test_a_harness_without_content_has_nothing_to_load() -> None:
    result = loaded(load_harness("baseline"), "codex", [start(), model({"role": "user", "content": "Do it."})])
    assert (result.loaded, result.reason) == (None, "baseline has nothing that an agent could load")


def test_a_file_that_must_be_read_has_to_show_in_a_tool_result(rigor: HarnessWorkspace) -> None:
    told = {"role": "user", "content": (rigor.path / "CLAUDE.md").read_text()}
    core = (rigor.path / ".agents/SYSTEM_CORE.md").read_text()
    harness = load_harness("agent-rigor")
    only_told = loaded(harness, "claude-code", [start(rigor.facts), model(told)])
    assert (only_told.loaded, only_told.reason) == (False, "never read: .agents/SYSTEM_CORE.md")
    read = {
        "role": "tool",
        "tool_call_id": "1",
        "content": "\n".join(f"{n}\t{x}" for n, x in enumerate(core.split("\n"))),
    }
    both = loaded(harness, "claude-code", [start(rigor.facts), model(told), model(read)])
    assert both.loaded is True
    assert "journal line 3: a line of .agents/SYSTEM_CORE.md in a tool message" in both.evidence


def test_the_journal_itself_says_what_to_look_for(rigor: HarnessWorkspace) -> None:
    told = {"role": "user", "content": (rigor.path / "CLAUDE.md").read_text()}
    facts = msgspec.json.decode(msgspec.json.encode(rigor.facts))
    result = loaded(load_harness("agent-rigor"), "claude-code", [start(facts), model(told)])
    assert result.reason == "never read: .agents/SYSTEM_CORE.md"
    with pytest.raises(HarnessError, match="--harness-source"):
        loaded(load_harness("agent-rigor"), "claude-code", [start(), model(told)])


def test_without_model_calls_it_cannot_be_told() -> None:
    records: list[AnyRecord] = [start(), CommandRecord(2.0, "c1", 7, ["pytest", "-q"]), Exit(3.0, "c1", 0)]
    result = loaded(load_harness("nudge"), "cursor", records)
    assert (result.loaded, result.evidence) == (None, [])
    assert result.reason == "no model call of cursor was recorded, so it is unknown what the model was sent"


@pytest.mark.parametrize(
    ("argv", "verdict"),
    [
        (["cat", "/work/.cursor/rules/harness.mdc"], True),
        (["/usr/bin/head", "-5", "./.cursor/rules/harness.mdc"], True),
        (["rm", ".cursor/rules/harness.mdc"], None),
        (["cat", "README.md"], None),
    ],
)
def test_a_program_seen_reading_the_file_is_evidence_without_model_calls(argv: list[str], verdict: bool | None) -> None:
    assert loaded(load_harness("nudge"), "cursor", [start(), CommandRecord(2.0, "c1", 7, argv)]).loaded is verdict


def test_a_run_directory_is_read_up_to_the_line_that_the_kill_cut(tmp_path: Path) -> None:
    lines = [
        msgspec.json.encode(start()),
        b'{"type":"output","time":1.5,"id":"c1","text":"x"}',
        b'{"type":"model","time":1.6,"id":3}',
        msgspec.json.encode(model({"role": "system", "content": NUDGE})),
        b'{"type":"model","time":3.0,"id":"m2","con',
    ]
    (tmp_path / JOURNAL).write_bytes(b"\n".join(lines))
    result = manipulation.loaded(load_harness("nudge"), "codex", list(read_records(tmp_path / JOURNAL)))
    assert result.loaded is True
    assert result.evidence[0].startswith("journal line 4: ")
