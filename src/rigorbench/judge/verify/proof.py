"""The proof of a package: the checks and their results, and the record by which unchanged packages are skipped."""

from __future__ import annotations

import errno
import hashlib
import os
import tempfile
import time
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct, field, structs

from ...base.files import read_json, write_record
from ..problems.files import digest
from ..problems.metadata import CLASSIFICATION
from ..problems.statement import DIRECTORIES
from ..problems.yamlfile import read_yaml

SCHEMA: Final = "rigor-package-proof/1"
RECORD_SCHEMA: Final = "rigor-package-proofs/1"
# Increase it when the checks change: packages that were proved by fewer checks are then proved again.
VERSION: Final = 1

_NOT_JUDGED: Final = frozenset((*CLASSIFICATION, "exercise", "hints"))

Status = Literal["ok", "failed", "skipped"]


class PackageCheck(Struct, frozen=True):
    """One check."""

    name: str
    status: Status
    """"skipped" if the problem does not have what the check is about."""
    detail: str = ""
    problems: tuple[str, ...] = ()
    """What is wrong, one line each."""


class Tried(Struct, frozen=True):
    """The results of one submission of the package."""

    path: str
    label: str
    reference: bool
    verdict: str | None
    score: float | None
    judgings: int
    """How often it was judged."""
    agreed: bool | None
    """The results were equal; None: there was only one."""
    holds: bool
    """Its expectations are met."""
    cpu: float | None = None
    memory: int | None = None
    """The largest of any test point without a sanitizer (seconds, bytes; median over the judgements)."""
    problems: tuple[str, ...] = ()


class PackageProof(Struct, frozen=True):
    """The proof of a package; `package`: its digest, `notes`: parts of it that were left out, one line each."""

    problem: str
    package: str
    proved: bool
    checks: tuple[PackageCheck, ...]
    submissions: tuple[Tried, ...] = ()
    full: float = 0.0
    judge: str = ""
    sandbox: str = ""
    machine: dict[str, str] = field(default_factory=dict)
    date: str = ""
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    version: int = VERSION
    schema: str = SCHEMA
    judged: str = ""
    """Digest of what is judged, which is the package without statement, review and classification; "": not known."""


class _Record(Struct):
    schema: str
    packages: dict[str, PackageProof] = field(default_factory=dict)


def decide(name: str, detail: str, problems: list[str]) -> PackageCheck:
    """A check that failed if there are problems."""
    return PackageCheck(name, "failed" if problems else "ok", detail, tuple(problems))


def now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def read_record(path: Path) -> dict[str, PackageProof]:
    """Proofs by problem id. A record that is missing, damaged or of another schema is read as empty."""
    found = read_json(path, _Record)
    return found.packages if found is not None and found.schema == RECORD_SCHEMA else {}


def check_writable(path: Path) -> None:
    """Raises: OSError when :func:`write_proofs` could not put the record there."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=path.parent).close()


def write_proofs(path: Path, proofs: dict[str, PackageProof]) -> None:
    """Replace the file as a whole. Raises: OSError."""
    write_record(path, _Record(RECORD_SCHEMA, dict(sorted(proofs.items()))))


def judged_digest(root: Path) -> str:
    """The digest of a package without what no submission is judged by: statement, review and classification.

    Raises: PackageError.
    """
    settings = {key: value for key, value in read_yaml(root / "problem.yaml", []).items() if key not in _NOT_JUDGED}
    own = msgspec.json.encode(settings, order="deterministic")
    rest = digest(root, without=(*DIRECTORIES, "review.toml", "problem.yaml"))
    return hashlib.sha256(rest.encode() + own).hexdigest()


def with_statement(proof: PackageProof, package: str, checks: list[PackageCheck]) -> PackageProof:
    """The proof of a package of which nothing but the statement or the review has changed since.

    `package`: its digest now. `checks`: those that read them, made anew.
    """
    return structs.replace(
        proof,
        package=package,
        checks=tuple(
            ({check.name: check for check in proof.checks} | {check.name: check for check in checks}).values()
        ),
        proved=all(check.status != "failed" for check in checks),
    )


def is_current(proof: PackageProof | None, package: str) -> bool:
    """Whether the package with this digest was proved by the present version of the checks."""
    return proof is not None and proof.proved and proof.package == package and proof.version == VERSION
