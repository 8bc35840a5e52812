"""The proof of a package: what was checked, what was seen, and the record that spares doing it again."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
import time
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct, field

SCHEMA: Final = "rigor-package-proof/1"
RECORD_SCHEMA: Final = "rigor-package-proofs/1"
# To be raised when the checks change: what was proved by fewer checks is proved again.
VERSION: Final = 1

Status = Literal["ok", "failed", "skipped"]


class Check(Struct, frozen=True):
    """``detail``: the evidence, in one line; ``problems``: what does not hold, a line each. A check is skipped when it
    is about something that the problem does not have."""

    name: str
    status: Status
    detail: str = ""
    problems: tuple[str, ...] = ()


class Tried(Struct, frozen=True):
    """What came of a submission of the package. ``cpu``, ``memory``: the most of any test point (seconds, bytes; the
    median over the judgings), without those under a sanitizer. ``judgings``: how many; ``agreed``: they came out equal;
    None: there was one only. ``holds``: its expectations do."""

    path: str
    label: str
    reference: bool
    verdict: str | None
    score: float | None
    judgings: int
    agreed: bool | None
    holds: bool
    cpu: float | None = None
    memory: int | None = None
    problems: tuple[str, ...] = ()


class Proof(Struct, frozen=True):
    """``package``: digest of the package; ``judge``: version of RigorBench; ``full``: points of the problem."""

    problem: str
    package: str
    proved: bool
    checks: tuple[Check, ...]
    submissions: tuple[Tried, ...] = ()
    full: float = 0.0
    judge: str = ""
    sandbox: str = ""
    machine: dict[str, str] = field(default_factory=dict)
    date: str = ""
    seconds: float = 0.0
    version: int = VERSION
    schema: str = SCHEMA


class _Record(Struct):
    schema: str
    packages: dict[str, Proof] = field(default_factory=dict)


def passed(name: str, detail: str) -> Check:
    return Check(name, "ok", detail)


def decide(name: str, detail: str, problems: list[str]) -> Check:
    """A check that failed when there are problems."""
    return Check(name, "failed" if problems else "ok", detail, tuple(problems))


def now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def read_record(path: Path) -> dict[str, Proof]:
    """Proofs by problem id; a record that is missing, damaged or of another schema counts as empty: all can be proved
    again."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=_Record)
    except (OSError, msgspec.DecodeError):
        return {}
    return found.packages if found.schema == RECORD_SCHEMA else {}


def check_writable(path: Path) -> None:
    """Raises: OSError when :func:`write_record` could not put the record there."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    os.close(descriptor)
    os.unlink(draft)


def write_record(path: Path, proofs: dict[str, Proof]) -> None:
    """Replace the file as a whole. Raises: OSError."""
    document = _Record(RECORD_SCHEMA, dict(sorted(proofs.items())))
    data = msgspec.json.format(msgspec.json.encode(document, order="sorted"), indent=1) + b"\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            os.fchmod(file.fileno(), 0o644)
        os.replace(draft, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise


def stands(proof: Proof | None, digest: str) -> bool:
    """Whether a record says that the package is proved as it is now, by the present checks."""
    return proof is not None and proof.proved and proof.package == digest and proof.version == VERSION
