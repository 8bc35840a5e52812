"""One row of the registry holds everything about an agent; every other list of agents is compared with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rigorbench.bench.agents.registry import AGENTS, conventions, get_agent
from rigorbench.bench.agents.spec import AgentError
from rigorbench.session.formats import FOLDERS

ROOT = Path(__file__).parents[3]
# Programs whose sessions of users can be read, but which cannot be run.
READ_ONLY = set(
    "amazon-q antigravity cline crush droid goose grok kilo-code kimi kiro pi roo-code vscode-copilot".split()
)
CALLS = {"react": "by the engine", "swe": "bridge, through `inspect_swe`", "adapter": "bridge, by adapter"}


def test_names_and_aliases_are_unique() -> None:
    names = [name for spec in AGENTS.values() for name in (spec.name, *spec.aliases)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", AGENTS)
def test_a_row_is_complete(name: str) -> None:
    spec = AGENTS[name]
    assert (spec.package is None) == (spec.engine == "react")
    assert (spec.adapter is not None) == (spec.engine == "adapter")
    assert spec.package is None or spec.session_paths
    assert spec.network == bool(spec.passes) == bool(spec.note)
    assert all(get_agent(alias) is spec for alias in spec.aliases)
    assert conventions(name) is spec.conventions


def test_the_table_of_the_documentation_has_every_agent() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| (.+?) \| (.+?) \|", (ROOT / "docs" / "agents.md").read_text(), re.MULTILINE)
    assert [name for name, _, _ in rows] == sorted(AGENTS, key=[name for name, _, _ in rows].index)
    for name, title, calls in rows:
        spec = AGENTS[name]
        assert spec.engine == "react" or title == spec.title
        assert calls == ("its own service; needs network" if spec.network else CALLS[spec.engine])


def test_the_documentation_of_harnesses_says_where_each_agent_gets_them() -> None:
    text = (ROOT / "docs" / "harnesses.md").read_text(encoding="utf-8")
    section = text.split("\n| agent | instructions | skills |\n|---|---|---|\n")[1].split("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines()]
    listed = {name: row[1:] for row in rows for name in re.findall(r"`([\w-]+)`", row[0])}
    assert set(listed) == set(AGENTS)
    for name, (instructions, skills) in listed.items():
        reads = conventions(name)
        assert (f"`{reads.instructions}`" in instructions) if reads.instructions else instructions.startswith("none")
        assert skills == (f"`{reads.skills}`" if reads.skills else "none")


def test_the_engine_has_a_way_to_start_each_agent_of_inspect_swe() -> None:
    pytest.importorskip("inspect_swe", reason="inspect_swe is not installed")
    from rigorbench.bench.agents.launch import _SWE

    assert set(_SWE) == {name for name, spec in AGENTS.items() if spec.engine == "swe"}


def test_folders_of_sessions_are_those_of_known_agents() -> None:
    for place in FOLDERS:
        if place.agent not in READ_ONLY:
            get_agent(place.agent)


def test_an_unknown_agent_reads_nothing_and_cannot_be_run() -> None:
    assert conventions("nobody").instructions is None
    with pytest.raises(AgentError, match="nobody: no such agent; there are react, react-plan, claude-code"):
        get_agent("nobody")
