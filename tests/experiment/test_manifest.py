"""The manifest: what it says, what it does not say, and what may be added to an experiment."""

from __future__ import annotations

import getpass
import socket
from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from rigorbench.bench.experiment.grid import make_cells
from rigorbench.bench.experiment.manifest import ManifestConflict, machine, merged, versions, without_home
from rigorbench.bench.experiment.records import MANIFEST_SCHEMA, Budget, Manifest, Subject

OUT = Path("out")


def _manifest(**changes: object) -> Manifest:
    made = Manifest(
        schema=MANIFEST_SCHEMA,
        id="e1",
        created=1.0,
        versions=versions(),
        machine=machine(),
        suite="rigor",
        command=["rigor", "run"],
        cells=make_cells(["t"], ["react"], ["baseline"], ["scripted/disciplined"], 1),
        budget=Budget(),
        sandbox="bwrap",
        tasks={"t": Subject("t", digest="a" * 64)},
        agents={"react": Subject("react", "1.0")},
        harnesses={"baseline": Subject("baseline", "1", "b" * 64, facts={"agents": {"react": {"digest": "c"}}})},
        models={"scripted/disciplined": Subject("scripted/disciplined", facts={"policies": {"t": "d"}})},
        scripted=["scripted/disciplined"],
    )
    return structs.replace(made, **changes)


def test_it_says_what_ran_on_what_and_names_neither_machine_nor_user():
    made = _manifest()
    text = msgspec.json.encode(made).decode()
    assert made.budget == Budget(3600.0, 5_000_000)
    assert "cached or not" in made.budget.metering
    assert {"rigorbench", "python", "kernel"} <= made.versions.keys()
    assert made.machine["cores"] >= 1
    assert made.machine["memory"] > 1 << 20
    assert made.scripted == ["scripted/disciplined"]
    assert socket.gethostname() not in text
    user = getpass.getuser()
    if user != "root":  # "root" is a word of the manifest itself
        assert user not in text


def test_paths_in_the_users_home_lose_it(monkeypatch):
    monkeypatch.setenv("HOME", "/home/dana")
    monkeypatch.setattr("getpass.getuser", lambda: "dana")
    command = ["run", "/home/dana/x", "--agent-path", "codex=/home/dana", "/home/danamore/x", "/srv/dana/d", "dana"]
    expected = ["run", "~/x", "--agent-path", "codex=~", "/home/danamore/x", "/srv/USER/d", "dana"]
    assert without_home(command) == expected


def test_programs_that_are_not_there_have_no_version(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not {"bwrap", "git"} & versions().keys()
    assert set(machine()) == {"os", "architecture", "cores", "memory", "python", "root"}


def test_the_first_call_makes_the_manifest_and_a_second_is_added_to_it():
    first = merged(None, _manifest(), OUT)
    more = _manifest(
        cells=make_cells(["t", "u"], ["react", "codex"], ["baseline", "nudge"], ["scripted/disciplined", "p/m"], 2),
        tasks={"t": Subject("t", digest="a" * 64), "u": Subject("u", digest="e" * 64)},
        agents={"react": Subject("react", "1.0"), "codex": Subject("codex", "2.0")},
        harnesses={
            "baseline": Subject("baseline", "1", "b" * 64, facts={"agents": {"codex": {"digest": "z"}}}),
            "nudge": Subject("nudge", "1", "f" * 64),
        },
        models={
            "scripted/disciplined": Subject("scripted/disciplined", facts={"policies": {"u": "y"}}),
            "p/m": Subject("p/m"),
        },
        command=["rigor", "run", "--repeats", "2"],
        versions={**first.versions, "inspect-ai": "9"},
    )
    both = merged(first, more, OUT)
    assert both.id == first.id
    assert len(both.cells) == 32
    assert both.cells[0] == first.cells[0]
    assert set(both.tasks) == {"t", "u"}
    assert both.harnesses["baseline"].facts["agents"] == {"react": {"digest": "c"}, "codex": {"digest": "z"}}
    assert both.models["scripted/disciplined"].facts["policies"] == {"t": "d", "u": "y"}
    entry = both.history[-1]
    assert len(entry["added"]) == 31
    assert entry["command"] == ["rigor", "run", "--repeats", "2"]
    assert entry["changed"]["inspect-ai"]["now"] == "9"
    assert merged(both, _manifest(), OUT).cells == both.cells
    assert msgspec.json.decode(msgspec.json.encode(both), type=Manifest) == both


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"tasks": {"t": Subject("t", digest="0" * 64)}}, "task t has changed"),
        ({"harnesses": {"baseline": Subject("baseline", "1", "0" * 64)}}, "harness baseline has changed"),
        (
            {
                "harnesses": {
                    "baseline": Subject("baseline", "1", "b" * 64, facts={"agents": {"react": {"digest": "q"}}})
                }
            },
            "harness baseline has changed for react",
        ),
        ({"agents": {"react": Subject("react", "2.0")}}, "agent react was version 1.0"),
        (
            {"models": {"scripted/disciplined": Subject("scripted/disciplined", facts={"policies": {"t": "q"}})}},
            "model scripted/disciplined has changed for t",
        ),
        ({"budget": Budget(60.0)}, "time limit 3600 s"),
        ({"budget": Budget(tokens=None)}, "token limit 5000000"),
        ({"budget": Budget(context=5)}, "context limit none, but 5"),
        ({"sandbox": "docker"}, "sandbox bwrap"),
        ({"suite": "other"}, "suite rigor"),
    ],
)
def test_what_would_not_compare_is_refused_with_a_remedy(changes, said):
    with pytest.raises(ManifestConflict, match=said) as caught:
        merged(_manifest(), _manifest(**changes), OUT)
    assert "another --out" in str(caught.value)
    assert "\n" not in str(caught.value)
