"""The registry of tables, and the places that list them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="needs the extra report")

from rigorbench.bench.pages.tables.build import RENDERERS, TABLES, is_ours
from rigorbench.bench.pages.tables.table import FORMATS

DOCS = Path(__file__).resolve().parents[2] / "docs" / "report.md"


def test_the_docs_list_the_tables_of_the_registry() -> None:
    section = DOCS.read_text(encoding="utf-8").split("\n## The tables\n")[1].split("\n\n")[0]
    rows = re.findall(r"^\| (.+?) \| .+ \|$", section, re.M)
    numbers = {f"table-{n}": number for n, number in enumerate(("I", "II", "III", "IV", "V", "VI", "VII"), 1)}
    assert rows == ["table", *(numbers.get(spec.stem, spec.stem) for spec in TABLES)]


def test_each_table_has_a_name_of_its_own() -> None:
    assert len(TABLES) == len({spec.stem for spec in TABLES})


def test_every_file_of_a_table_is_known_as_ours() -> None:
    assert (*RENDERERS, "html") == FORMATS
    names = [
        f"tables/{spec.stem}{suffix}.{kind}" for spec in TABLES for suffix in ("", "-scripted") for kind in RENDERERS
    ]
    assert all(map(is_ours, names))
    assert not is_ours("tables/table-8.md")
    assert not is_ours("tables/../table-2.md")
