"""The ATIF export: valid by the reference models, and the way back loses nothing."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rigorbench.session import model
from rigorbench.session.logfile import LogError, LogFile
from rigorbench.session.model import Result, Shell, Source, Step, ToolCall, Trajectory
from rigorbench.session.readers.atif_own import KEY, restore, to_atif
from rigorbench.session.registry import discover, read_log
from rigorbench.session.usage import TokenUsage

atif = pytest.importorskip("atif", reason="the reference models are a development dependency")

DATA = Path(__file__).parent / "data"


def back(document: Any) -> Trajectory:
    return restore(document, lambda reason: None)


def check(trajectory: Trajectory) -> None:
    document = to_atif(trajectory)
    atif.Trajectory.model_validate(document)
    for found in (back(document), back(json.loads(json.dumps(document)))):
        for name in Trajectory.__struct_fields__:
            assert getattr(found, name) == getattr(trajectory, name), name


def logs(root: Path) -> list[LogFile]:
    return [log for log in discover([str(root)]) if isinstance(log, LogFile)]


def round_trips(root: Path) -> set[str]:
    formats = set()
    for log in logs(root):
        try:
            found = read_log(log)
        except LogError:
            continue
        for trajectory in found:
            formats.add(trajectory.format)
            check(trajectory)
    return formats


def test_every_sample_log_goes_there_and_back() -> None:
    assert {"swe-agent", "mini-swe-agent", "atif", "claude-code"} <= round_trips(DATA)


def test_every_command_line_agent_s_log_goes_there_and_back(shared_data: Path) -> None:
    assert len(round_trips(shared_data / "cli")) > 10


def test_every_log_of_the_corpus_goes_there_and_back(shared_data: Path) -> None:
    assert len(round_trips(shared_data / "sessions")) > 5


SOURCE = Source("a.jsonl", 3)


def small(**fields: Any) -> Trajectory:
    result = Result("Exit code 3\nout", exit_status=3, is_error=True, stdout="out", source=Source("b.jsonl", 9))
    call = ToolCall("c1", "Bash", {"command": "make"}, Shell("make"), SOURCE, result=result)
    step = Step("agent", SOURCE, text="Building.", calls=[call], usage=TokenUsage(5, 0, None, 7, 2), time=1700000000.25)
    return Trajectory("id-1", "some-format", Source("a.jsonl"), [step], **fields)


def test_what_others_look_for_stands_where_they_look() -> None:
    document = to_atif(small(agent="claude-code", cwd="/repo"))
    (step,) = document["steps"]
    (result,) = step["observation"]["results"]
    assert result["extra"]["exit_code"] == 3
    assert result["extra"]["is_error"] is True
    assert step["timestamp"] == "2023-11-14T22:13:20.250000Z"
    counts = {"prompt_tokens": 5, "completion_tokens": 7, "cached_tokens": 0}
    assert step["metrics"] == {**counts, "extra": {"reasoning_tokens": 2}}
    assert document["final_metrics"]["total_completion_tokens"] == 7
    about = {"cwds": ["/repo"], "git_branches": []}
    assert document["agent"] == {"name": "claude-code", "version": "unknown", "extra": about}


def test_texts_stand_once() -> None:
    long = "x" * 5000
    trajectory = small()
    call = trajectory.steps[0].calls[0]
    call.input, call.action = {"command": long + "c"}, Shell(long + "c", cwd="/elsewhere")
    call.result = Result(f"<output>{long}o</output>", stdout=long + "o")
    exported = json.dumps(to_atif(trajectory))
    assert exported.count(long) == 2
    check(trajectory)


def test_a_cut_export_still_tells_whose_it_is() -> None:
    trajectory = small()
    trajectory.steps = trajectory.steps * 50
    content = json.dumps(to_atif(trajectory)).encode()
    (found,) = read_log(LogFile(None, content=content[: len(content) // 2]))
    assert (found.id, found.format) == ("id-1", "some-format")
    assert 20 < len(found.steps) < 50
    assert found.skipped


def test_a_damaged_export_is_read_as_far_as_it_goes() -> None:
    document = json.loads(json.dumps(to_atif(small())))
    nameless = {"step_id": 2, "source": "agent", "message": "", "tool_calls": [{"function_name": 1}]}
    document["steps"] += [7, nameless, {"step_id": 3, "source": "agent", "message": {"no": "text"}}]
    document["extra"][KEY]["lanes"] = {"x": 5}
    found = back(document)
    assert found.steps[0] == small().steps[0]


def test_not_atif() -> None:
    with pytest.raises(LogError):
        read_log(LogFile(None, content=b'{"schema_version": "other", "steps": []}'))


# Trajectories as no reader makes them.

texts = st.text(max_size=12)
sources = st.builds(Source, st.sampled_from(["a.jsonl", "b.jsonl"]), st.none() | st.integers(1, 99))
# Of the fields with these types.
VALUES: dict[Any, st.SearchStrategy[Any]] = {
    str: texts,
    str | None: st.none() | texts,
    bool: st.booleans(),
    bool | None: st.none() | st.booleans(),
    int | None: st.none() | st.integers(0, 2**53),
    float | None: st.none() | st.floats(allow_nan=False, allow_infinity=False),
    Source: sources,
    Source | None: st.none() | sources,
}


def built(kind: type[Any], *left_out: str, **given: Any) -> st.SearchStrategy[Any]:
    """Objects with values in all fields of simple types, but for those ``left_out``."""
    types = get_type_hints(kind)
    simple = {n: VALUES[types[n]] for n in kind.__struct_fields__ if types[n] in VALUES and n not in left_out}
    return st.builds(kind, **{**simple, **given})


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
usages = built(TokenUsage)
lanes = st.sampled_from(["main", "one", "two", "three"])
changes = built(
    model.FileChange,
    operation=st.sampled_from(["create", "modify", "delete", "rename"]),
    hunks=st.lists(st.tuples(texts, texts), max_size=2),
)
items = built(model.PlanItem, status=st.sampled_from(["pending", "in_progress", "completed"]))
actions = st.one_of(
    built(model.Edit, changes=st.lists(changes, max_size=2)),
    built(model.Plan, items=st.lists(items, max_size=2), update=st.sampled_from(["replace", "add", "update"])),
    built(model.Spawn, lane=st.none() | lanes),
    *(built(kind) for kind in get_args(model.Action) if kind not in (model.Edit, model.Plan, model.Spawn)),
)
tool_calls = built(
    ToolCall,
    "background",
    id=st.sampled_from(["c1", "c2", "c3"]),
    name=st.sampled_from(["Bash", "Edit", "Write", "strange"]) | texts,
    input=json_values | st.fixed_dictionaries({"file_path": texts, "content": texts}),
    action=actions,
    result=st.none() | built(Result),
)
steps = built(
    Step,
    role=st.sampled_from(["user", "agent", "agent", "harness", "compaction", "interrupt"]),
    lane=lanes,
    calls=st.lists(tool_calls, max_size=3),
    usage=st.none() | usages,
)
known_lanes = built(model.Lane, id=lanes, parent=st.none() | lanes, parent_call=st.sampled_from([None, "c1", "c2"]))
trajectories = built(
    Trajectory,
    steps=st.lists(steps, max_size=4),
    lanes=st.dictionaries(lanes, known_lanes, max_size=4),
    usage=st.none() | usages,
    end=st.sampled_from([None, "completed", "interrupted", "limit", "error"]),
    skipped=st.lists(built(model.Skipped), max_size=2),
    extra=st.dictionaries(texts | st.just(KEY), json_values, max_size=3),
)


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(trajectories)
def test_any_trajectory_goes_there_and_back(trajectory: Trajectory) -> None:
    check(trajectory)


@pytest.mark.parametrize("seed", range(20))
def test_damaged_exports_never_crash(seed: int) -> None:
    dice = random.Random(seed)
    content = (DATA / "atif" / "job" / "fix-parser__Ab12Cd" / "agent" / "trajectory.json").read_bytes()
    (trajectory,) = read_log(LogFile(None, content=content))
    document = json.loads(json.dumps(to_atif(trajectory)))
    for _ in range(10):
        spoiled = {**document, "steps": shuffled(document["steps"], dice), "extra": shuffled(document["extra"], dice)}
        found = back({**spoiled, "agent": shuffled(document["agent"], dice)})
        assert isinstance(found.id, str)
        assert all(isinstance(step.text, str) and isinstance(step.source, Source) for step in found.steps)


def shuffled(value: Any, dice: random.Random) -> Any:
    """The value with some of what is in it of another type."""
    if dice.random() < 0.05:
        return dice.choice([None, True, -1, 1e300, "", "text", [], {}, [[]], {"id": 1}])
    if isinstance(value, dict):
        return {k: shuffled(v, dice) for k, v in value.items()}
    return [shuffled(v, dice) for v in value] if isinstance(value, list) else value
