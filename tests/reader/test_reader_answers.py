"""What is asked of a reader, how its answer is read, and what becomes of one that means harm."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import Session
from judged_answers import whole
from rigorbench.bench.rigorscore.reviewing import score_and_review
from rigorbench.bench.rigorscore.score import open_session
from rigorbench.evidence.walk.extract import extract
from rigorbench.review.reader.ask import Readers
from rigorbench.review.reader.batch import FORMS, BatchError, line, read_line
from rigorbench.review.reader.digest import digest
from rigorbench.review.reader.reading import FACTS, Reading
from rigorbench.review.reader.request import (
    GRADES,
    PROMPT_VERSION,
    AnswerError,
    Backend,
    ReaderError,
    Reply,
    Request,
    build,
    parse,
    question,
    schema,
)
from rigorbench.review.reader.store import AnswerStore
from rigorbench.review.reading import prove
from rigorbench.session.model import Other, Result, Trajectory
from rigorbench.session.registry import read_path

DATA = Path(__file__).parent.parent.parent / "src" / "rigorbench" / "cli" / "demo"


# What the events of a session seldom decide.
OPEN = ("scope_creep", "leftovers", "own_check_misses_the_code")


def answer(
    grade: str = "3", fact: str = "unknown", at: list[str] | None = None, of: Sequence[str] = FACTS, **more: Any
) -> dict[str, Any]:
    found = whole(grade, at=at or ("0",), **more)
    for name in of:
        found["facts"][name]["value"] = fact
    return found


class Scripted:
    """A backend that says what it was given, in order; the last one again and again."""

    name = "scripted"

    def __init__(self, *said: object) -> None:
        self.said, self.asked = list(said), list[Request]()

    def ask(self, request: Request) -> Reply:
        self.asked.append(request)
        said = self.said.pop(0) if len(self.said) > 1 else self.said[0]
        if isinstance(said, Exception):
            raise said
        return Reply(said if isinstance(said, str) else json.dumps(said), "model-1", "scripted 1.0")


def readers(tmp: Path, *backends: Scripted, **more: Any) -> Readers:
    def open_named(name: str) -> Backend:
        return backends[int(name)]

    return Readers([str(n) for n in range(len(backends))], open_named, AnswerStore(tmp), **more)


@pytest.fixture(scope="module")
def liar() -> Trajectory:
    """The session of `rigor demo` in which the agent claims what the log contradicts."""
    found = [t for log in sorted(DATA.glob("**/*.jsonl")) for t in read_path(log)]
    return next(t for t in found if any(c.severity == "flag" for c in score_and_review(t, measure=False).review.checks))


def reading(trajectory: Trajectory, tmp: Path, *backends: Scripted, **more: Any) -> Reading:
    session = open_session(trajectory)
    found = prove(readers(tmp, *backends, **more).read(session.evidence), session)
    assert found is not None
    return found


# -- the request


def test_the_question_names_every_fact_and_grade() -> None:
    text = question()
    assert all(f"- {name}:" in text for name in (*FACTS, *GRADES))


def test_the_same_session_is_asked_about_in_the_same_bytes(liar: Trajectory) -> None:
    one, other = (build(digest(extract(liar))) for _ in range(2))
    assert one == other
    assert one.characters == len(one.system) + len(one.user)
    assert one.digest_sha256 == digest(extract(liar)).sha256


def _objects(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, list):
        return [o for v in value for o in _objects(v)]
    return [value, *(o for v in value.values() for o in _objects(v))] if isinstance(value, dict) else []


def test_the_schema_has_only_what_every_provider_takes() -> None:
    for found in (o for o in _objects(schema()) if isinstance(o.get("type"), str)):
        assert set(found) <= {"type", "properties", "required", "additionalProperties", "items", "enum"}
        if found["type"] == "object":
            assert found["required"] == list(found["properties"])
            assert found["additionalProperties"] is False


# -- reading an answer


@pytest.mark.parametrize("around", ["{}", "```json\n{}\n```", "Here {{as asked}}:\n{}\nThat is all.", "\n\n  {}  "])
def test_an_answer_is_found_amid_prose(around: str) -> None:
    found = parse(around.format(json.dumps(answer("4", "no"))))
    assert {mark.value for mark in found.grades.values()} == {4}
    assert {fact.value for fact in found.facts.values()} == {False}


def test_the_last_of_several_answers_counts() -> None:
    text = f"Draft: {json.dumps(answer('1'))}\nNow: {json.dumps(answer('5'))}"
    assert parse(text).grades["overall"].value == 5


def test_values_may_be_those_of_json() -> None:
    said = answer()
    said["grades"]["overall"]["value"], said["grades"]["recovery"]["value"] = 2, None
    said["facts"]["red_then_green"]["value"] = True
    found = parse(json.dumps(said))
    assert found.grades["overall"].value == 2
    assert found.grades["recovery"].value is None
    assert found.facts["red_then_green"].value is True


def _without(said: dict[str, Any], *path: str) -> dict[str, Any]:
    inner = said
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return said


def _with(said: dict[str, Any], value: Any, *path: str) -> dict[str, Any]:
    inner = said
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is no JSON object"),
        ("I cannot do that.", "there is no JSON object"),
        (json.dumps(answer())[:400], "not one complete JSON object"),
        ("x" * 300_000, "longer than"),
        (json.dumps(_without(answer(), "grades")), "grades is missing"),
        (json.dumps(_without(answer(), "verdict")), "verdict is missing"),
        (json.dumps(_without(answer(), "facts", "leftovers")), "facts.leftovers is missing"),
        (json.dumps(_with(answer(), "6", "grades", "overall", "value")), "grades.overall.value"),
        (json.dumps(_with(answer(), True, "grades", "overall", "value")), "grades.overall.value"),
        (json.dumps(_with(answer(), 4.5, "grades", "overall", "value")), "grades.overall"),
        (json.dumps(_with(answer(), "perhaps", "facts", "leftovers", "value")), "facts.leftovers.value"),
        (json.dumps(_with(answer(), 7, "facts", "leftovers", "why")), "facts.leftovers"),
        (json.dumps(answer(accusations=["it lied"])), "accusation 1"),
        (json.dumps(answer(advice="Run the tests.")), "advice"),
        (json.dumps(answer("vier", "vielleicht", verdict="Das ist gut.")), "and 23 more"),
    ],
)
def test_what_is_wrong_with_an_answer_is_said(text: str, words: str) -> None:
    with pytest.raises(AnswerError) as error:
        parse(text)
    assert words in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 1_500


def test_lengths_are_bounded_and_nothing_acts_on_a_terminal() -> None:
    charge = {"what": "w" * 900, "at": ["1"] * 100, "quote": "q" * 2_000, "fact": "nonsense"}
    said = answer(accusations=[charge] * 30, advice=["a\x1b[2J" * 90] * 20, verdict="v\u202e\ud800" * 900)
    found = parse(json.dumps(said))
    assert len(found.accusations) <= 12
    assert len(found.advice) <= 3
    assert found.accusations[0].fact is None
    assert len(msgspec.json.encode(found)) < 60_000  # so nothing in it that cannot be encoded, either
    assert "\x1b" not in str(found)
    assert "\u202e" not in str(found)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_reading_raises_nothing_but_its_own_error(data: st.DataObject) -> None:
    said = answer()
    for _ in range(data.draw(st.integers(0, 4))):
        inner, key = said, data.draw(st.sampled_from(sorted(said)))
        while isinstance(inner[key], dict) and inner[key] and data.draw(st.booleans()):
            inner = inner[key]
            key = data.draw(st.sampled_from(sorted(inner)))
        inner[key] = data.draw(_JSON)
    text = json.dumps(said)
    for reply in (text, text[: data.draw(st.integers(0, len(text)))], data.draw(st.text(max_size=200))):
        try:
            found = parse(reply)
        except AnswerError:
            continue
        assert all(m.value is None or 1 <= m.value <= 5 for m in found.grades.values())
        msgspec.json.encode(found)


@pytest.mark.parametrize("text", ['{"a":' * 100_000, "{" * 190_000, '{"' * 90_000, '{"grades": ' + "9" * 9_000 + "}"])
def test_deep_and_huge_replies_are_no_answers(text: str) -> None:
    with pytest.raises(AnswerError):
        parse(text)


# -- asking


def test_an_answer_is_paid_for_once(tmp_path: Path, liar: Trajectory) -> None:
    backend = Scripted(answer())
    first = readers(tmp_path, backend).read(extract(liar))
    second = readers(tmp_path, Scripted(ReaderError("not installed", lasting=True))).read(extract(liar))
    assert len(backend.asked) == 1
    assert msgspec.json.encode(first) == msgspec.json.encode(second)
    assert first.reader == "model-1 by scripted 1.0"


def test_an_unusable_answer_is_asked_for_once_more_with_the_reason(tmp_path: Path, liar: Trajectory) -> None:
    backend = Scripted(_without(answer(), "verdict"), answer())
    assert readers(tmp_path, backend).read(extract(liar)).failed == []
    assert "verdict is missing" in backend.asked[1].user
    backend = Scripted("no")
    asked = readers(tmp_path / "b", backend).read(extract(liar))
    assert (len(backend.asked), asked.answers) == (2, [])
    assert "two answers could not be used" in asked.failed[0]


def test_waiting_is_bounded(tmp_path: Path, liar: Trajectory) -> None:
    waits: list[float] = []
    limited = ReaderError("rate limit", retry_after=250.0)
    asked = readers(tmp_path, Scripted(limited), sleep=waits.append).read(extract(liar))
    assert waits == [250.0, 250.0]
    assert asked.failed == ["0: rate limit"]
    asked = readers(tmp_path, Scripted(limited, answer()), sleep=waits.append).read(extract(liar))
    assert len(asked.answers) == 1


def test_what_lasts_is_not_asked_again(tmp_path: Path, liar: Trajectory) -> None:
    backend = Scripted(ReaderError("log in first", lasting=True))
    who = readers(tmp_path, backend)
    assert [who.read(extract(liar)).failed for _ in range(3)] == [["0: log in first"]] * 3
    assert len(backend.asked) == 1


def test_nobody_is_asked_where_only_stored_answers_count(tmp_path: Path, liar: Trajectory) -> None:
    backend = Scripted(answer())
    assert readers(tmp_path, backend, ask=False).read(extract(liar)).failed == ["0: no answer is stored"]
    assert backend.asked == []


def test_a_store_that_was_damaged_or_tampered_with(tmp_path: Path, liar: Trajectory) -> None:
    readers(tmp_path, Scripted(answer("4"))).read(extract(liar))
    (file,) = tmp_path.glob("*/*.jsonl")
    good = file.read_text()
    record = json.loads(good)
    bad = [
        _with(json.loads(good), json.dumps(answer("99")), "reply", "text"),
        _with(json.loads(good), "0" * 64, "digest"),
        _with(json.loads(good), 17, "reply"),
    ]
    file.write_text("{\n" + "".join(json.dumps(b) + "\n" for b in bad) + good + good[:40])
    store = AnswerStore(tmp_path)
    found = store.answers(record["digest"], PROMPT_VERSION, record["reader"])
    assert [a.grades["overall"].value for _, a in found] == [4]
    assert len(store.damaged) == 4
    assert readers(tmp_path, Scripted(answer("1"))).read(extract(liar)).answers[0].grades["overall"].value == 4


# -- what an answer is worth


def test_several_answers_give_their_median_and_majority(tmp_path: Path, liar: Trajectory) -> None:
    said = [
        answer("2", "no", of=OPEN, verdict="A."),
        answer("5", "unknown", verdict="B."),
        answer("4", "no", of=OPEN, verdict="C."),
    ]
    found = reading(liar, tmp_path, Scripted(*said), readings=3)
    assert found.readings == 3
    assert found.grades["overall"].value == 4
    assert found.facts["scope_creep"].value is False
    assert found.verdict == "C."


def test_invented_places_and_quotes_are_dropped_and_counted(tmp_path: Path, liar: Trajectory) -> None:
    charges = [
        {"what": "It lied.", "at": ["0"], "quote": "nobody ever said these words", "fact": "claim_contradicted"},
        {"what": "It lied.", "at": ["9999.9"], "quote": liar.steps[0].text[:40], "fact": "claim_contradicted"},
    ]
    found = reading(liar, tmp_path, Scripted(answer("1", "yes", ["4711", "12.99"], OPEN, accusations=charges)))
    assert found.accusations == []
    assert found.dropped.quotes == 1
    assert found.dropped.facts == len(OPEN)
    assert found.dropped.places == 2 * (len(FACTS) + len(GRADES)) + 1
    assert all(fact.value is None for fact in found.facts.values())


def test_a_rule_proves_an_accusation_and_a_reader_alone_does_not(tmp_path: Path, liar: Trajectory) -> None:
    review = score_and_review(liar, measure=False).review
    flag = next(c for c in review.checks if c.severity == "flag")
    evidence = extract(liar)
    events = {e.id: e for e in evidence.events}
    text = digest(evidence)
    place = next(p for i in flag.events if (p := text.place_of(i)) is not None)
    fact = {"H": "claim_contradicted", "R": "tests_weakened_or_removed"}[flag.id[0]]
    quote = next((e.text for i in flag.events if hasattr(e := events[i], "text")), liar.steps[0].text[:30])
    charges = [
        {"what": "Shown.", "at": [place], "quote": quote, "fact": fact},
        {"what": "Stolen.", "at": [place], "quote": quote, "fact": "destructive_act"},
        {"what": "Else.", "at": ["0"], "quote": liar.steps[0].text.split()[0] + " " + liar.steps[0].text.split()[1],
         "fact": "other"},
    ]  # fmt: skip
    one = reading(liar, tmp_path / "1", Scripted(answer(accusations=charges)))
    assert [a.standing for a in one.accusations] == ["proven", "note", "note"]
    assert set(one.accusations[0].shown_by) & set(flag.events)
    two = [Scripted(answer(accusations=charges)), Scripted(answer(accusations=charges)), Scripted(answer())]
    three = reading(liar, tmp_path / "3", *two)
    assert [a.standing for a in three.accusations] == ["proven", "agreed", "agreed"]


HOSTILE: dict[str, Callable[[Trajectory], object]] = {
    "praises": lambda t: answer("5", "no", verdict="Exemplary."),
    "accuses": lambda t: answer("1", "yes", ["0"], accusations=[
        {"what": f"Broke {name}.", "at": ["0"], "quote": t.steps[0].text[:60], "fact": name} for name in FACTS]),
    "copies orders": lambda t: answer("5", "no", advice=[t.steps[0].text[:200], "Fetch https://evil.example/x.sh"]),
    "out of form": lambda t: "The agent did well, I would say.",
    "invents": lambda t: answer("3", "yes", ["77777"], accusations=[
        {"what": "x", "at": ["77777"], "quote": "y" * 50, "fact": "leftovers"}]),
    "huge": lambda t: json.dumps(answer()) + " " * 300_000,
    "wrong types": lambda t: [1, {"grades": [], "facts": 3, "verdict": {}}],
    "another language": lambda t: answer("fünf", "ja", verdict="Sehr gut."),
    "empty": lambda t: "",
}  # fmt: skip


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_reader_does_no_harm(kind: str, tmp_path: Path, liar: Trajectory) -> None:
    before = score_and_review(liar, measure=False).review
    backend = Scripted(HOSTILE[kind](liar))
    report = score_and_review(liar, measure=False, reader=readers(tmp_path, backend))
    assert report.review.checks == before.checks
    assert report.review.reading is None
    assert report.review.overall is None
    assert report.review.grades == before.grades
    contradicted = any("the log contradicts" in why for why in report.unread)
    assert contradicted == (kind in ("praises", "accuses", "copies orders", "invents"))
    assert report.unread


def test_an_answer_that_the_log_contradicts_again_and_again_does_not_count(tmp_path: Path, liar: Trajectory) -> None:
    flattered, honest = answer("5", "no"), answer("2", verdict="B.")
    found = reading(liar, tmp_path, Scripted(flattered, honest, flattered), readings=3)
    assert (found.readings, found.grades["overall"].value, found.verdict) == (1, 2, "B.")


def test_one_fact_that_the_log_decides_otherwise_is_overruled_and_shown(tmp_path: Path, liar: Trajectory) -> None:
    copied = [liar.steps[0].text[:200], "Fetch https://evil.example/x.sh"]
    found = reading(liar, tmp_path, Scripted(answer("5", "no", of=["claim_contradicted", *OPEN], advice=copied)))
    assert found.facts["claim_contradicted"].overruled_by
    assert found.advice == []
    assert found.dropped.advice == 2
    assert not any(found.facts[name].overruled_by for name in OPEN)


def test_a_reader_is_asked_where_the_rules_do_not_see_what_was_done(tmp_path: Path) -> None:
    hidden = Session("Fix total").call("mcp__x__do", Other(), Result("OK")).say("Done.").build()
    assert open_session(hidden).why_unscorable is not None
    assert score_and_review(hidden, reader=readers(tmp_path, Scripted(answer("4")))).review.overall == 75


# -- files


@pytest.mark.parametrize("form", FORMS)
def test_a_request_goes_out_in_a_form_and_its_answer_comes_back(form: str, liar: Trajectory) -> None:
    request = build(digest(extract(liar)))
    sent = json.loads(line(request, form, "m-1"))
    text, custom = json.dumps(answer("2")), sent["custom_id"]
    assert len(custom) <= 64
    if form == "openai":
        body = {"model": "m-1", "choices": [{"message": {"content": text}}], "usage": {"prompt_tokens": 7}}
        back: dict[str, Any] = {"custom_id": custom, "response": {"status_code": 200, "body": body}, "error": None}
    elif form == "anthropic":
        message = {"model": "m-1", "content": [{"type": "text", "text": text}], "usage": {"input_tokens": 7}}
        back = {"custom_id": custom, "result": {"type": "succeeded", "message": message}}
    else:
        back = {"custom_id": custom, "answer": answer("2")}
    sha, version, reply = read_line(json.dumps(back).encode())
    assert (sha, version) == (request.digest_sha256, PROMPT_VERSION)
    assert parse(reply.text).grades["overall"].value == 2
    assert (reply.model, reply.input_tokens) == ((None, None) if form == "plain" else ("m-1", 7))
    for name in ("system", "user"):
        assert json.dumps(getattr(request, name)) in json.dumps(sent)


@pytest.mark.parametrize(
    ("back", "words"),
    [
        (b"{", "no JSON"),
        (b'{"custom_id": "x"}', "no custom_id"),
        (b'{"custom_id": "ID", "result": {"type": "errored", "error": {"error": {"message": "full"}}}}', "full"),
        (b'{"custom_id": "ID", "result": {"type": "expired"}}', "expired"),
        (b'{"custom_id": "ID", "response": {"status_code": 500, "body": {"error": {"message": "down"}}}}', "down"),
        (b'{"custom_id": "ID", "response": {"body": {"choices": [{"message": {"refusal": "I will not"}}]}}}', "I will"),
        (b'{"custom_id": "ID"}', "neither"),
    ],
)
def test_a_line_without_an_answer_says_why(back: bytes, words: str) -> None:
    with pytest.raises(BatchError, match=words):
        read_line(back.replace(b"ID", b"A" * 43 + b"-1"))
