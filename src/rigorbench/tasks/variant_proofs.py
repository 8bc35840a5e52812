"""The record of proved variants: ``variants.json`` in the directory of a suite of recipes.

It names for each seed the tasks that were drawn and proved, by their digests. An entry is valid while the same seed
draws the same task and the checks are the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct, field

from ..base.files import read_json, write_record
from . import proofs
from .suite import SuiteTask

FILE = "variants.json"
SCHEMA = "rigor-variants/1"


class Entry(Struct, frozen=True):
    """One proved variant; ``seconds``: of work of its proof."""

    digest: str
    version: int
    date: str
    seconds: float


class _File(Struct):
    schema: str
    seeds: dict[str, dict[str, Entry]] = field(default_factory=dict)


def recorded(suite: Path, seed: str, task: SuiteTask) -> Entry | None:
    """The valid entry of a task that a seed draws."""
    entry = _read(suite).get(seed, {}).get(task.id)
    valid = entry is not None and (entry.digest, entry.version) == (task.digest, proofs.VERSION)
    return entry if valid else None


def record(suite: Path, seed: str, proved: Iterable[tuple[SuiteTask, proofs.Proof]]) -> None:
    """Add the proofs of tasks that a seed draws. Raises: OSError."""
    seeds = _read(suite)
    new = {task.id: Entry(proof.digest, proof.version, proof.date, proof.seconds) for task, proof in proved}
    write_record(suite / FILE, _File(SCHEMA, {**seeds, seed: {**seeds.get(seed, {}), **new}}))


def _read(suite: Path) -> dict[str, dict[str, Entry]]:
    found = read_json(suite / FILE, _File)
    return found.seeds if found is not None and found.schema == SCHEMA else {}
