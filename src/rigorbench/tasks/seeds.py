"""The seeds that a release names: ``seeds.json`` in the directory of a suite, sealed until a date.

A release publishes names (``2026.2-a``), and results name these. The seeds behind them are sealed with a key (see
:mod:`rigorbench.tasks.sealed`), so that nobody can draw the variants and train on them before the date. The date is
a promise: whoever made the release opens the seeds then.
"""

from __future__ import annotations

import json
import secrets
from datetime import date
from pathlib import Path
from typing import Any

from msgspec import Struct, field, structs

from ..base.files import read_json, write_record
from .sealed import KEY_FILE, SealError, cipher, find_key

FILE = "seeds.json"
SCHEMA = "rigor-seeds/1"


class Release(Struct, frozen=True, omit_defaults=True):
    """The seeds of one release.

    Attributes:
        name: of the release.
        until: the date on which the seeds are opened.
        names: of its variants.
        sealed: the seeds by their names, encrypted; None once they are open.
        seeds: by their names, once they are open.
    """

    name: str
    until: date
    names: list[str]
    sealed: str | None = None
    seeds: dict[str, str] = field(default_factory=dict)

    @property
    def overdue(self) -> bool:
        return self.sealed is not None and date.today() >= self.until


class _File(Struct):
    schema: str
    releases: list[Release] = field(default_factory=list)


def releases_of(suite: Path) -> list[Release]:
    """The releases of a suite.

    Raises:
        SealError: the file cannot be read.
    """
    if not (suite / FILE).is_file():
        return []
    found = read_json(suite / FILE, _File)
    if found is None or found.schema != SCHEMA:
        raise SealError(f"{suite / FILE}: not readable as {SCHEMA}; restore it from its last commit")
    return found.releases


def seed_of(suite: Path, name: str) -> str:
    """The seed that a release of the suite calls by a name; any other text is a seed itself.

    Raises:
        SealError: the seed is sealed, and the environment has no key or another one.
    """
    release = next((r for r in releases_of(suite) if name in r.names), None)
    if release is None:
        return name
    if release.sealed is None:
        return release.seeds[name]
    key = find_key()
    if key is None:
        raise SealError(
            f"{suite / FILE}: {name} is sealed until {release.until}; set {KEY_FILE} to the file of its key, "
            "or give a seed of your own"
        )
    return _opened(suite, release, key)[name]


def seal_seeds(suite: Path, name: str, count: int, until: date, key: str) -> Release:
    """Draw the seeds of a release, and write them sealed into the suite.

    Raises:
        SealError: the release exists, the key is none, or the file cannot be read.
        OSError: the file cannot be written.
    """
    known = releases_of(suite)
    if any(release.name == name for release in known):
        raise SealError(f"{suite / FILE}: the release {name} has its seeds; choose another name")
    names = [f"{name}-{chr(ord('a') + number)}" for number in range(count)]
    # Long enough that nobody finds a seed by drawing many.
    seeds = {one: secrets.token_hex(16) for one in names}
    release = Release(name, until, names, cipher(key).encrypt(json.dumps(seeds).encode()).decode())
    write_record(suite / FILE, _File(SCHEMA, [*known, release]))
    return release


def open_seeds(suite: Path, name: str, key: str) -> Release:
    """Write the seeds of a release in plain text into the suite.

    Raises:
        SealError: there is no such release, it is open, or the key is not its key.
        OSError: the file cannot be written.
    """
    known = releases_of(suite)
    release = next((r for r in known if r.name == name), None)
    if release is None or release.sealed is None:
        why = "no such release" if release is None else "its seeds are open already"
        raise SealError(f"{suite / FILE}: {name}: {why}; there are {', '.join(r.name for r in known) or 'none'}")
    plain = structs.replace(release, sealed=None, seeds=_opened(suite, release, key))
    write_record(suite / FILE, _File(SCHEMA, [plain if r.name == name else r for r in known]))
    return plain


def _opened(suite: Path, release: Release, key: str) -> dict[str, str]:
    from cryptography.fernet import InvalidToken

    try:
        found: Any = json.loads(cipher(key).decrypt((release.sealed or "").encode()))
    except (InvalidToken, ValueError):
        raise SealError(
            f"{suite / FILE}: the seeds of {release.name} are damaged, or sealed with another key"
        ) from None
    return {str(one): str(seed) for one, seed in found.items()}
