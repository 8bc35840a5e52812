"""A judge's own bias: scripted judges with a known one, and one that only has noise."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

from labels.label_builders import commit_sheet, label_all, plan_sheet, vote
from rigorbench.cli import main
from rigorbench.panel.agreement.ask_twice import ask_twice
from rigorbench.panel.agreement.bias import (
    Bias,
    asked_twice,
    own_model,
    padded,
    probes,
    reversed_items,
    reversed_questions,
    same_model,
)
from rigorbench.panel.labels.model import Sheet
from rigorbench.panel.model import Case, Rubric, Vote
from rigorbench.panel.rubrics import RUBRICS
from rigorbench.panel.votes import VoteStore

PLAN = RUBRICS["plan"]
CASES = [(plan_sheet(n, items=6).case, PLAN) for n in range(20)]
# (case, rubric, place of the question, place of the item or None, question, item) -> chance of yes
Chance = Callable[[Case, int, int | None, str, str | None], float]


class Scripted:
    """A judge that says yes by a chance, with a fixed seed; it sees the order of what it is asked."""

    method: Literal["judged", "estimated"] = "judged"

    def __init__(self, chance: Chance, seat: str = "scripted") -> None:
        self.chance, self.seat, self.model = chance, seat, f"test/{seat}"
        self.random = random.Random(seat)
        self.asked = 0

    async def vote(self, case: Case, rubric: Rubric) -> Vote:
        self.asked += 1
        questions = {q.id: n for n, q in enumerate(rubric.questions)}
        items = {item.id: n for n, item in enumerate(case.items)}

        def say(question: str, item: str | None) -> bool:
            place = items[item] if item is not None else None
            return self.random.random() < self.chance(case, questions[question], place, question, item)

        return vote(case, self.seat, say, rubric=rubric)


def measured(chance: Chance, directory: Path) -> dict[str, Bias]:
    judge = Scripted(chance)
    store = VoteStore(directory)
    asyncio.run(ask_twice([case for case, _ in CASES], [judge], store))
    apart = VoteStore(directory / "bias")
    found = asked_twice(
        judge.seat,
        judge.model,
        CASES,
        lambda case, rubric: next(iter(apart.find(case.digest, rubric.digest, counting=False)), None),
    )
    return {bias.name: bias for bias in found}


def covers(bias: Bias, value: float) -> bool:
    assert bias.value.low is not None, bias.value.reason
    assert bias.value.high is not None
    return bias.value.low <= value <= bias.value.high


def test_a_judge_with_noise_and_no_bias(tmp_path: Path) -> None:
    found = measured(lambda *_: 0.6, tmp_path)
    assert set(found) == {"item position", "question position", "length"}
    for bias in found.values():
        assert covers(bias, 0.0)
        # 2 x .6 x .4 of the answers change by chance alone; that is no bias.
        assert bias.changed == pytest.approx(0.48, abs=0.1)


def test_a_judge_that_likes_what_stands_first(tmp_path: Path) -> None:
    """Yes with .9 in the first half of the items, .3 in the second."""
    found = measured(lambda c, q, i, *_: 0.6 if i is None else 0.9 if i < 3 else 0.3, tmp_path)
    assert covers(found["item position"], 0.6)
    assert not covers(found["item position"], 0.0)
    assert covers(found["length"], 0.0)
    assert found["item position"].points == 20 * 6 * 4
    assert found["item position"].cases == 20


def test_a_judge_that_tires_of_questions(tmp_path: Path) -> None:
    """Of seven questions the first three are answered yes with .8, the others with .4; the middle one does not move."""
    found = measured(lambda c, q, *_: 0.8 if q < 3 else 0.4, tmp_path)
    assert covers(found["question position"], 0.4)
    assert not covers(found["question position"], 0.0)
    assert covers(found["item position"], 0.0)
    # single, target, size of six items each, and checked, ordered, length; serves stands in the middle.
    assert found["question position"].points == 20 * (3 * 6 + 3)


def test_a_judge_that_likes_long_plans(tmp_path: Path) -> None:
    found = measured(lambda c, *_: 0.8 if len(c.items[0].text) > 80 else 0.5, tmp_path)
    assert covers(found["length"], 0.3)
    assert not covers(found["length"], 0.0)
    assert covers(found["item position"], 0.0)


def test_a_deterministic_judge_without_bias_says_why_there_is_no_interval(tmp_path: Path) -> None:
    found = measured(lambda *_: 1.0, tmp_path)
    assert found["length"].value.value == 0.0
    assert found["length"].changed == 0.0
    assert "every resample" in found["length"].value.reason


def test_probes_change_nothing_but_what_they_test() -> None:
    case, rubric = CASES[0]
    found = probes(case, rubric)
    assert set(found) == {"plain", "items", "questions", "padded"}
    assert len({(c.digest, r.digest) for c, r in found.values()}) == 4
    assert {(i.id, i.text) for i in reversed_items(case).items} == {(i.id, i.text) for i in case.items}
    assert set(reversed_questions(rubric).questions) == set(rubric.questions)
    assert reversed_items(reversed_items(case)) == case
    for long, short in zip(padded(case).items, case.items, strict=True):
        assert long.id == short.id
        assert long.text.startswith(short.text)
        assert len(long.text) > len(short.text) + 80
    assert set(probes(commit_sheet(1).case, RUBRICS["commit_message"])) == {"plain", "questions"}
    assert set(probes(plan_sheet(1, items=1).case, rubric)) == {"plain", "questions"}


def test_nothing_is_asked_a_third_time_and_no_vote_counts_for_a_score(tmp_path: Path) -> None:
    judge = Scripted(lambda *_: 0.5)
    store = VoteStore(tmp_path)
    store.add(vote(CASES[0][0], "scripted", lambda q, i: True))
    summary = asyncio.run(ask_twice([CASES[0][0]], [judge], store))
    assert summary.voted + summary.cached == 4
    assert judge.asked == summary.voted
    assert len(store.all()) == 1
    assert len(VoteStore(tmp_path / "bias").all()) >= 4


@pytest.mark.parametrize(
    ("judge", "agent", "same"),
    [
        ("openai/gpt-5", "gpt-5", True),
        ("openai/gpt-5", "gpt-5-2025-08-07", True),
        ("anthropic/claude-sonnet-4-5", "claude-sonnet-4-5-20250929", True),
        ("anthropic/claude-sonnet-4.5", "claude-sonnet-4-5", True),
        ("openai:gpt-5", "gpt-5", True),
        ("local/llama3:8b", "llama3:8b", True),
        ("local/llama3:8b", "qwen3:8b", False),
        ("openai/gpt-5", "gpt-5-mini", False),
        ("openai/gpt-5", None, False),
        ("openai/gpt-5", "", False),
        ("google/gemini-2.5-pro", "models/gemini-2.5-pro-latest", True),
    ],
)
def test_names_of_one_model(judge: str, agent: str | None, same: bool) -> None:
    assert same_model(judge, agent) == same


def own(chance: Callable[[str, str], float]) -> dict[tuple[str, str], Bias]:
    """Three judges of models a, b, c on 45 sessions of agents on these models; ``chance(judge, agent)`` of yes."""
    sessions: dict[str, tuple[str, str | None]] = {}
    votes: list[Vote] = []
    draw = random.Random(5)
    for n in range(45):
        agent = "abc"[n % 3]
        sheet: Sheet = plan_sheet(n, items=4, model=agent)
        sessions[sheet.digest] = (sheet.session, agent)
        for judge in "abc":
            say = chance(judge, agent)
            votes.append(vote(sheet.case, judge, lambda q, i, say=say: draw.random() < say, model=f"p/{judge}"))  # type: ignore[misc]
    return {(b.judge, b.name): b for b in own_model(votes, sessions)}


def test_a_judge_that_favours_its_own_model() -> None:
    found = own(lambda judge, agent: 0.9 if judge == agent == "a" else 0.5)
    # The standard error is .027; the interval is that of this seed.
    assert found["a", "own model"].value.value == pytest.approx(0.4, abs=0.12)
    assert not covers(found["a", "own model"], 0.0)
    assert not covers(found["a", "own model, beyond"], 0.0)
    for other in "bc":
        # Nothing of their own: what differs is that judge a is lenient with a.
        assert covers(found[other, "own model"], 0.0)
    assert found["a", "own model"].cases == 15


def test_a_judge_that_is_lenient_with_everybody_does_not_favour_its_own() -> None:
    found = own(lambda judge, agent: 0.8 if judge == "a" else 0.5)
    assert covers(found["a", "own model"], 0.3)
    assert covers(found["a", "own model, beyond"], 0.0)


def test_without_sessions_of_its_model_there_is_no_value() -> None:
    found = own_model([vote(plan_sheet(1).case, seat, lambda q, i: True) for seat in "ab"], {})
    assert found == []
    sheet = plan_sheet(1, model="elsewhere")
    votes = [vote(sheet.case, seat, lambda q, i: True) for seat in "ab"]
    for bias in own_model(votes, {sheet.digest: ("s", "elsewhere")}):
        assert bias.value.value is None
        assert "no session of an agent on this model" in bias.value.reason


def test_the_command_measures_what_was_asked_without_a_model(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    sheets = [plan_sheet(n, items=6) for n in range(5)]
    label_all(tmp_path / "labels", "ada", sheets, lambda *_: True)
    judge = Scripted(lambda c, q, i, *_: float(i is None or i < 3))
    asyncio.run(ask_twice([s.case for s in sheets], [judge], VoteStore(tmp_path / "votes")))
    words = ["panel", "validate", "--labels", str(tmp_path / "labels"), "--votes", str(tmp_path / "votes")]
    assert main([*words, "--json"]) == 0
    found = {b["name"]: b for b in json.loads(capfd.readouterr().out)["bias"]}
    assert found["item position"]["value"]["value"] == 1.0
    assert main(words) == 0
    assert "says yes more often when an item stands earlier" in capfd.readouterr().out.replace("\n", " ")


def test_the_command_asks_the_judges_of_a_panel(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Three seats on scripted servers: one says yes to the items that stand first, one to all, one to none."""
    pytest.importorskip("pydantic_ai", reason="pydantic-ai is not installed")
    from scripted_judges import always, points, reply

    from scripted_server import serve

    def first(system: str, user: str) -> str:
        asked = points(user)
        items = list(dict.fromkeys(item for _, item in asked if item is not None))
        half = len(items) / 2
        said = {(q, i): i is None or items.index(i) < half for q, i in asked}
        return reply({q if i is None else f"{q}:{i}": yes for (q, i), yes in said.items()})

    sheets = [plan_sheet(n, items=4) for n in range(4)]
    label_all(tmp_path / "labels", "ada", sheets, lambda *_: True)
    with serve(first) as one, serve(always(True)) as two, serve(always(False)) as three:
        seats = [("first", "local/one", one.url), ("all", "local/two", two.url), ("none", "local/three", three.url)]
        panel = tmp_path / "panel.toml"
        panel.write_text(
            "".join(f'[[seats]]\nname = "{n}"\nmodel = "{m}"\nbase_url = "{u}"\n' for n, m, u in seats),
            encoding="utf-8",
        )
        words = ["panel", "validate", "--labels", str(tmp_path / "labels"), "--votes", str(tmp_path / "votes")]
        assert main([*words, "--bias", "--panel", str(panel), "--json"]) == 0, capfd.readouterr().err
        asked = len(one.requests)
        first_time = capfd.readouterr().out
        assert main([*words, "--bias", "--panel", str(panel), "--json"]) == 0
        assert asked == len(one.requests) == 4 * 4
    found = {(b["judge"], b["name"]): b["value"]["value"] for b in json.loads(first_time)["bias"]}
    assert found["first", "item position"] == 1.0
    assert found["all", "item position"] == 0.0
    again = capfd.readouterr().out
    assert again == first_time
    assert main([*words, "--json"]) == 0
    assert capfd.readouterr().out == first_time
    assert not VoteStore(tmp_path / "votes").all()
