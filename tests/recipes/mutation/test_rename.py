"""Renamed symbols, and the likeness of texts."""

from __future__ import annotations

import pytest

from rigorbench.recipes.mutation import MutationError, mentioned, rename, similarity

SHELF = '''\
"""A shelf. Its `_spoken` name is in a text."""
from json import JSONEncoder

from ._tools import _trim, open_all

_SIZE = 3


class Shelf:
    _kind = "shelf"

    def __init__(self):
        self._notes = []
        self._spoken = 1
        self.shown = 2

    def add(self, note, _hint=None):
        short = _trim(note)  # see _trim
        total = f"{len(self._notes)} of {_SIZE}"
        pairs = [(short, one) for one in self._notes]
        self._notes.append(short)
        return self._read("text", total), pairs

    def _read(self, kind, text):
        return getattr(self, "_read_%s" % kind)(text)

    def _read_text(self, text):
        count = 0

        def step():
            nonlocal count
            count += 1

        step()
        return text * count


class Encoder(JSONEncoder):
    def _floats(self):
        return None
'''
TOOLS = """\
def _trim(text):
    result = text.strip()
    return result


def open_all():
    inner = 1
    return locals()


def _tested():
    return 1
"""


def _results(tree):
    tools = {}
    exec(tree["shelf/_tools.py"], tools)
    code = tree["shelf/core.py"]
    line = next(line for line in code.splitlines() if line.startswith("from ._tools"))
    name = line.split()[3].rstrip(",")
    space = {name: tools[name], "__name__": "core"}
    exec(code.replace(line, ""), space)
    return space["Shelf"]().add(" one "), space["Shelf"].__dict__.keys() & {"add"}, tools["open_all"]()


def test_renamed_symbols_keep_what_the_package_does():
    tree = {"shelf/core.py": SHELF, "shelf/_tools.py": TOOLS, "shelf/core.pyi": "def _tested(): ..."}
    found = rename(tree, 5, mentioned(["the test calls `_hidden()`"]))
    assert sorted(found.private) == ["_read", "_trim"]
    assert sorted(name for _, _, name in found.local) == ["pairs", "result", "short", "total"]
    assert "  # see " + found.private["_trim"] in found.tree["shelf/core.py"]
    assert _results(found.tree) == _results(tree)
    assert found == rename(tree, 5, mentioned(["the test calls `_hidden()`"]))
    assert found.private != rename(tree, 6, ()).private
    assert "_trim" not in rename(tree, 5, {"_trim"}).private


def test_rename_names_the_file_that_is_not_python():
    with pytest.raises(MutationError, match=r"b\.py: line 1: not Python"):
        rename({"a.py": "x = 1\n", "b.py": "def\n"}, 1, ())


def test_similarity_gives_the_nearest_sentence_and_its_place():
    ours = "Hello. The shelf forgets the last note when it is closed twice."
    upstream = {
        "CHANGES": "1.2\n---\n\n- Notes are sorted by their date of creation now.\n"
        "- The shelf forgets the last\n  note, when it is closed TWICE!\n",
        "README": "A shelf keeps notes for you and others.",
    }
    found = similarity(ours, upstream)
    assert found is not None
    assert (found.name, found.line, found.ratio) == ("CHANGES", 5, 1.0)
    assert found.sentence == "The shelf forgets the last note when it is closed twice."
    other = similarity("Closing loses data in some cases, as of today.", upstream)
    assert other is not None
    assert other.ratio < 0.6
    assert similarity("Too short.", upstream) is None
    assert similarity(ours, {}) is None
