"""The shared builder of sessions: results that come late, early, twice or never; lanes and their calls."""

from __future__ import annotations

import pytest

from rigorbench.session.logfile import LogFile
from rigorbench.session.model import (
    MAIN_LANE,
    Edit,
    FileChange,
    Other,
    Result,
    Source,
    Spawn,
    Step,
    ToolCall,
    Trajectory,
)
from rigorbench.session.readers.shared.builder import SessionBuilder, with_subagents

LINE = Source("log", 7)


@pytest.fixture
def builder() -> SessionBuilder:
    return SessionBuilder(LogFile(None, name="log", content=b""))


def reasons(builder: SessionBuilder) -> list[str]:
    return [skipped.reason for skipped in builder.log.skipped]


def finished(builder: SessionBuilder) -> Trajectory:
    return builder.finish(Trajectory("id", "test", LINE, []))


def receive(call: ToolCall) -> None:
    call.result = Result("came back")


def test_an_answer_goes_on_until_it_is_closed(builder: SessionBuilder) -> None:
    step = builder.answer(LINE)
    assert builder.answer(LINE) is step
    builder.say("user", "go on", LINE)
    other = builder.answer(LINE)
    assert other is not step
    assert [s.role for s in builder.steps] == ["agent", "user", "agent"]
    builder.say("harness", "elsewhere", LINE, lane="side")
    assert builder.answer(LINE) is other


def test_an_answer_with_a_key_is_one_step_wherever_its_records_are(builder: SessionBuilder) -> None:
    step = builder.answer(LINE, key="a")
    assert builder.answer(LINE, key="b") is not step
    assert builder.answer(LINE, key="a") is step


def test_a_result_joins_its_call_whichever_comes_first(builder: SessionBuilder) -> None:
    builder.deliver("early", LINE, receive)
    early = builder.call(None, "early", "t", {}, Other(), LINE)
    late = builder.call(None, "late", "t", {}, Other(), LINE)
    builder.deliver("late", LINE, receive)
    for call in (early, late):
        assert call.result is not None
    finished(builder)
    assert reasons(builder) == []


def test_results_without_a_call_are_reported(builder: SessionBuilder) -> None:
    builder.deliver("never", LINE, receive)
    builder.deliver(None, LINE, receive)
    finished(builder)
    assert reasons(builder) == [
        "a tool result does not say whose it is; skipped",
        "a tool result without its call (never); skipped",
    ]
    assert {skipped.line for skipped in builder.log.skipped} == {7}


def test_a_second_result_is_reported(builder: SessionBuilder) -> None:
    call = builder.call(None, "a", "t", {}, Other(), LINE)
    assert builder.waiting_call("a", LINE) is call
    assert call is not None
    receive(call)
    assert builder.waiting_call("a", LINE) is None
    assert builder.waiting_call("b", LINE) is None
    assert reasons(builder) == [
        "a second result of the call (a); skipped",
        "a tool result without its call (b); skipped",
    ]


@pytest.mark.parametrize(("rule", "calls", "reports"), [("report", 1, 1), ("ignore", 1, 0), ("keep", 2, 0)])
def test_a_repeated_id_is_treated_as_the_format_says(rule: str, calls: int, reports: int) -> None:
    class Builder(SessionBuilder):
        repeated_calls = rule  # type: ignore[assignment]

    builder = Builder(LogFile(None, name="log", content=b""))
    first = builder.call(None, "a", "t", {}, Other("first"), LINE)
    second = builder.call(None, "a", "t", {}, Other("second"), LINE)
    assert len(builder.steps) == 1
    assert len(builder.steps[0].calls) == calls
    assert len(reasons(builder)) == reports
    assert builder.calls["a"] is (second if rule == "keep" else first)


def test_a_record_is_new_once(builder: SessionBuilder) -> None:
    assert [builder.is_new(i) for i in ("a", "a", None, None)] == [True, False, True, True]


def test_a_whole_file_written_over_a_known_one_is_no_new_file(builder: SessionBuilder) -> None:
    builder.note_file("read.py")
    edits = [Edit([FileChange(path, "create")]) for path in ("read.py", "new.py", "new.py")]
    for edit in edits:
        builder.note_edit(edit)
    assert [edit.changes[0].operation for edit in edits] == ["modify", "create", "modify"]


def test_lanes_are_linked_by_call_by_result_and_by_prompt(builder: SessionBuilder) -> None:
    for identity in ("by-call", "by-result", "by-prompt", "gone"):
        builder.call(None, identity, "Task", {}, Spawn(f"do {identity}"), LINE)
        builder.deliver(identity, LINE, receive)
    builder.add_lane("a", parent_call="by-call")
    builder.add_lane("b")
    builder.add_lane("c", prompt="do by-prompt\n")
    inner = builder.begin(LINE, lane="a")
    builder.call(inner, "inner", "Task", {}, Spawn("deeper"), LINE)
    builder.add_lane("d", prompt="deeper")
    assert builder.link_lanes({"by-result": "b"}) is False  # the sub-agent of "gone" is not in the log
    started = {identity: call.action.lane for identity, call in builder.calls.items() if isinstance(call.action, Spawn)}
    assert started == {"by-call": "a", "by-result": "b", "by-prompt": "c", "gone": None, "inner": "d"}
    assert {lane.id: lane.parent for lane in builder.lanes.values()} == {
        "a": MAIN_LANE,
        "b": MAIN_LANE,
        "c": MAIN_LANE,
        "d": "a",
    }


def test_steps_of_subagents_are_placed_by_time_or_after_their_call(builder: SessionBuilder) -> None:
    for number, time in enumerate((10.0, 20.0, 30.0)):
        builder.call(builder.begin(LINE, time), f"c{number}", "Task", {}, Spawn(""), LINE)
    builder.add_lane("timed")
    builder.add_lane("untimed", parent_call="c0")
    builder.agent_files = [
        [Step("agent", LINE, "timed", time=15.0), Step("agent", LINE, "timed")],
        [Step("agent", LINE, "untimed")],
    ]
    builder.interleave()
    assert [step.lane for step in builder.steps] == [MAIN_LANE, "untimed", "timed", "timed", MAIN_LANE, MAIN_LANE]


def test_the_log_of_a_subagent_alone_is_a_session(builder: SessionBuilder) -> None:
    builder.add_lane("only")
    builder.say("harness", "prompt", LINE, lane="only")
    assert builder.lone_subagent() == "only"
    assert builder.steps[0].lane == MAIN_LANE
    assert builder.lone_subagent() is None


def test_what_the_reader_states_goes_before_what_was_collected(builder: SessionBuilder) -> None:
    builder.model, builder.cwd = "first", "/work"
    builder.at(5.0)
    builder.at(None)
    builder.at(3.0)
    trajectory = builder.finish(Trajectory("id", "test", LINE, [], model="stated"))
    assert (trajectory.model, trajectory.cwd) == ("stated", "/work")
    assert (trajectory.started_at, trajectory.ended_at) == (3.0, 5.0)
    assert list(trajectory.lanes) == [MAIN_LANE]


def test_steps_of_subagents_follow_the_call_that_started_them() -> None:
    call = ToolCall("a", "Task", {}, Spawn("p", lane="sub"), LINE)
    steps = [Step("agent", LINE, calls=[call]), Step("agent", LINE)]
    inner = Step("agent", LINE, "sub")
    assert with_subagents(steps, lambda step, call, action: [inner]) == [steps[0], inner, steps[1]]
