"""Sets of constructs that a rule can forbid, for each language that has them: ``presets.toml`` beside this file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

from msgspec import Struct


class ConstructSet(Struct, frozen=True):
    """A named set of constructs; the comment in the file says what each key has."""

    what: str
    std_types: frozenset[str] = frozenset()
    std_functions: frozenset[str] = frozenset()
    std_methods: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()
    keywords: frozenset[str] = frozenset()
    modules: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    nodes: frozenset[str] = frozenset()


PRESETS: Final = {
    name: ConstructSet(table.pop("what"), **{kind: frozenset(words.split()) for kind, words in table.items()})
    for name, table in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items()
}
