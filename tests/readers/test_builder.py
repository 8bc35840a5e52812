"""The shared builder of sessions: results and ids that come twice, lanes and their calls."""

from __future__ import annotations

import pytest

from rigorbench.session.logfile import LogFile
from rigorbench.session.model import MAIN_LANE, Other, Result, Source, Spawn, Step, ToolCall
from rigorbench.session.readers.shared.builder import SessionBuilder

LINE = Source("log", 7)


@pytest.fixture
def builder() -> SessionBuilder:
    return SessionBuilder(LogFile(None, name="log", content=b""))


def reasons(builder: SessionBuilder) -> list[str]:
    return [skipped.reason for skipped in builder.log.skipped]


def receive(call: ToolCall) -> None:
    call.result = Result("came back")


def test_a_second_result_is_reported(builder: SessionBuilder) -> None:
    call = builder.call(None, "a", "t", {}, Other(), LINE)
    assert builder.waiting_call("a", LINE) is call
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
    builder.link_lanes({"by-result": "b"})
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
