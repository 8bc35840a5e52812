"""Who read the runs of an experiment.

Answers are in ``OUT/readings``, one store for all runs; ``readers.json`` beside them says whose count.
"""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from ....base.files import read_json, write_json
from ....review.reader.ask import Readers, ReaderSpec
from ....review.reader.request import PROMPT_VERSION
from ....review.reader.store import AnswerStore

# Of an experiment.
READINGS = "readings"
_READERS = "readers.json"


def readers_of(run: Path) -> Readers | None:
    """Those who read the experiment of a run; only their stored answers count. None: nobody read it."""
    runs = run.absolute().parent
    store = runs.parent / READINGS
    spec = read_json(store / _READERS, ReaderSpec) if runs.name == "runs" else None
    return None if spec is None else replace(spec, store=str(store)).open()


def name_readers(out: Path, spec: ReaderSpec) -> ReaderSpec:
    """Notes whose answers count from now on, with what a check found of each, and returns how they are asked."""
    spec = replace(spec, store=str(out / READINGS))
    readers, checks = spec.open(), AnswerStore()
    for key in readers.keys.values():
        line = checks.check_of(key, PROMPT_VERSION)
        if line is not None and readers.store.check_of(key, PROMPT_VERSION) != line:
            readers.store.add_check(key, PROMPT_VERSION, line)
    (out / READINGS).mkdir(parents=True, exist_ok=True)
    noted = ReaderSpec(tuple(readers.keys.values()), spec.readings, spec.budget, stored_only=True)
    write_json(out / READINGS / _READERS, noted)
    return spec
