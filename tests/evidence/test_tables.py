"""The tables of programs, wrappers, runners and messages are consistent, and no list elsewhere repeats them."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from pathlib import Path

import pytest

import rigorbench.evidence
from rigorbench.evidence.commands import classify  # noqa: F401 (registers the rules)
from rigorbench.evidence.commands.programs import RULES, ProgramGroups, programs
from rigorbench.evidence.shell import wrappers as shell_wrappers
from rigorbench.evidence.shell.tables import programs as shell_programs
from rigorbench.evidence.shell.tables import wrappers
from rigorbench.evidence.shell.wrappers import is_python
from rigorbench.evidence.tables import load
from rigorbench.evidence.testruns.runners import RUNNERS

EVIDENCE = Path(rigorbench.evidence.__file__).parent
MODULES = [p for room in ("shell", "commands", "testruns", "builds") for p in sorted((EVIDENCE / room).rglob("*.py"))]
# What only some place of a line does: no command of its own has to be classified.
UNCLASSIFIED = set("a.out ansi2txt c8 fold install json_pp nyc robocopy rsync sponge tar tsd unzip".split())

# Runners of which no output is among the samples. The set may only become smaller.
WITHOUT_SAMPLE = set(
    "alcotest boost cabal cucumber julia-test junit karma lein meson platformio prove rebar3 "
    "stestr tasty testcafe zig-test".split()
)


def known(program: str) -> bool:
    table = programs()
    return (
        program in table.kinds
        or program in table.test_programs
        or program in table.tool_programs
        or program in wrappers().rows
        or is_python(program)
    )


def runners() -> set[str]:
    """Every name that a runner has, in the classifier or in the registry."""
    table = programs()
    names = {n for r in RUNNERS for n in (r.name, *r.aliases)}
    names |= {row.runner or row.name for row in table.tests.values()}
    names |= {row.runner or row.name for row in table.tools.values()}
    return names | {"npm-script", "script", "gtest", "python"}


def test_a_program_is_in_one_place() -> None:
    document = load(str(EVIDENCE / "commands" / "programs.py"), "programs.toml")
    table = programs()
    found = Counter(name for names in document["kinds"].values() for name in names.split())
    for row in (*table.tests.values(), *table.tools.values()):
        found.update(row.programs)
    assert [name for name, count in found.items() if count > 1] == []


def test_a_subcommand_has_one_kind() -> None:
    for tool in programs().tools.values():
        listed = [
            s for kind in ("test", "build", "lint", "install", "probe", "service", "run") for s in getattr(tool, kind)
        ]
        assert len(listed) == len(set(listed)), tool.name


def test_every_rule_exists_and_is_used() -> None:
    assert {tool.rule for tool in programs().tools.values()} - {""} == set(RULES)
    assert {row.rule for row in wrappers().rows.values()} - {""} == set(shell_wrappers._RULES)


def test_options_refer_to_rows() -> None:
    assert {tool.options for tool in programs().tools.values()} - {""} <= set(programs().tests)


@pytest.mark.parametrize("group", [name for name in ProgramGroups.__struct_fields__ if name != "script_launchers"])
def test_a_group_has_only_known_names(group: str) -> None:
    names = getattr(programs().groups, group)
    unknown = {n for n in names if not (known(n) or n in runners())}
    assert unknown <= UNCLASSIFIED


def test_script_launchers_are_wrappers() -> None:
    assert set(wrappers().rows) >= programs().groups.script_launchers


def test_the_shell_reader_knows_only_known_programs() -> None:
    groups = shell_programs()
    names = groups.node_tools | groups.infallible | groups.passing | groups.computing | set(groups.directories)
    assert {n for n in names if not known(n)} <= UNCLASSIFIED


def test_no_name_of_a_runner_means_two() -> None:
    names = Counter(n.lower() for r in RUNNERS for n in {r.name, *r.aliases})
    assert [name for name, count in names.items() if count > 1] == []


def test_a_runner_known_by_its_closing_lines_has_a_sample() -> None:
    sections = load(str(EVIDENCE / "testruns" / "runners" / "closing_lines.py"), "closing_lines.toml")
    index = json.loads(
        (Path(__file__).parents[1] / "data" / "runner-output" / "index.json").read_text(encoding="utf-8")
    )
    rows = {name for section in sections.values() for name in section}
    assert rows - {name.split("/")[0] for name in index} == WITHOUT_SAMPLE


@pytest.mark.parametrize("path", sorted(EVIDENCE.rglob("*.toml")), ids=lambda p: f"{p.parent.name}/{p.name}")
def test_every_pattern_compiles(path: Path) -> None:
    """Patterns stand in single quotes; placeholders are those of the closing lines."""
    text = re.sub(r"^failing_name = .*", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for pattern in re.findall(r"= '''(.*)'''$|= '([^'\n]*)'$", text, re.MULTILINE):
        re.compile(re.sub(r"\{(?:total|passed|failed|errors|skipped|good:[^}]*|bad:[^}]*)\}", "x", "".join(pattern)))


@pytest.mark.parametrize("path", MODULES, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_no_list_elsewhere_repeats_programs(path: Path) -> None:
    """Five or more programs or runners side by side are a list, which belongs in a table."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names_of_runners = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.keyword) and n.arg == "aliases"}
    for node in ast.walk(tree):
        if id(node) in names_of_runners:
            continue
        words: list[str] = []
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value.split()
        elif isinstance(node, ast.Tuple | ast.List | ast.Set):
            words = [e.value for e in node.elts if isinstance(e, ast.Constant) and isinstance(e.value, str)]
        elif isinstance(node, ast.Dict):
            words = [e.value for e in node.keys if isinstance(e, ast.Constant) and isinstance(e.value, str)]
        names = [w for w in words if known(w) or w in runners()]
        line = getattr(node, "lineno", 0)
        assert len(words) < 5 or 5 * len(names) < 4 * len(words), f"{path.name}:{line}: {names}"
