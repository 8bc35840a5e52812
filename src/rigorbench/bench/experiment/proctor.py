"""Proctored experiments: everything that results rest on, listed with digests and signed by who watched the runs.

``OUT/proctor.json`` lists the files (:class:`ProctorRecord`), ``OUT/proctor.json.sig`` is a signature of it by OpenSSH
(``ssh-keygen -Y sign``, namespace ``rigor-results``). Reports are left out: they are made from the files again.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from ...base.errors import GivenError
from ...base.files import write_json
from ...base.journal import STORE
from .store import MANIFEST, load_manifest

RECORD = "proctor.json"
SIGNATURE = f"{RECORD}.sig"
SCHEMA = "rigor-proctor/1"
NAMESPACE = "rigor-results"
# What is made from the other files, and the record itself.
_LEFT_OUT = frozenset({"report", RECORD, SIGNATURE})


class ProctorError(GivenError):
    """Nothing could be signed or checked. One line with the remedy."""


class ProctorRecord(Struct):
    """What was signed. ``files``: path -> SHA-256; of a run's object store one digest over all its files."""

    schema: str
    experiment: str
    files: dict[str, str]


class ProctorProblem(Struct, frozen=True):
    """``file``: relative to the experiment; ``what`` is wrong with it."""

    file: str
    what: str


def sign(out: Path, key: Path) -> ProctorRecord:
    """Write the record of an experiment, and its signature by a private key of OpenSSH.

    Raises: ExperimentError, ProctorError.
    """
    record = ProctorRecord(SCHEMA, load_manifest(out).id, dict(_digests(out)))
    # ssh-keygen asks before it replaces a signature.
    (out / SIGNATURE).unlink(missing_ok=True)
    write_json(out / RECORD, record)
    _keygen("sign", "-f", str(key), "-n", NAMESPACE, str(out / RECORD))
    return record


def verify(out: Path, key: Path) -> list[ProctorProblem]:
    """What does not match the signed record, the record itself first; empty: everything does.

    ``key``: the public key of who signed. A signature by any other key is worth nothing: who changes results can sign
    them anew. Raises: ProctorError.
    """
    try:
        data = (out / RECORD).read_bytes()
    except OSError as error:
        raise ProctorError(f"{out / RECORD}: {error.strerror}; `rigor verify OUT --sign KEY` makes it") from None
    problem = _signed(out, data, key)
    if problem is not None:
        return [problem]
    try:
        record = msgspec.json.decode(data, type=ProctorRecord)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return [ProctorProblem(RECORD, "is signed, but is no record of an experiment")]
    if record.schema != SCHEMA:
        return [ProctorProblem(RECORD, f"has the schema {record.schema[:40]!r}, which this version does not know")]
    now = dict(_digests(out))
    changed = [ProctorProblem(f, "was changed") for f, d in record.files.items() if f in now and now[f] != d]
    missing = [ProctorProblem(f, "is missing") for f in record.files if f not in now]
    added = [ProctorProblem(f, "was added after the signature") for f in now if f not in record.files]
    return sorted([*changed, *missing, *added], key=lambda p: p.file)


def _signed(out: Path, data: bytes, key: Path) -> ProctorProblem | None:
    if not (out / SIGNATURE).is_file():
        return ProctorProblem(SIGNATURE, "is missing: the record is not signed")
    try:
        public = key.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ProctorError(f"{key}: cannot be read as a public key ({error})") from None
    if "PRIVATE KEY" in public or "\n" in public or len(public.split()) < 2:
        raise ProctorError(f"{key}: not one public key of OpenSSH, such as proctor.pub")
    with tempfile.TemporaryDirectory(prefix="rigor-verify-") as place:
        allowed = Path(place) / "signers"
        allowed.write_text(f'proctor namespaces="{NAMESPACE}" {public}\n', encoding="utf-8")
        words = ["-f", str(allowed), "-I", "proctor", "-n", NAMESPACE, "-s", str(out / SIGNATURE)]
        try:
            _keygen("verify", *words, given=data)
        except ProctorError as error:
            if "ssh-keygen:" not in str(error):
                raise
            return ProctorProblem(SIGNATURE, f"is no signature of {RECORD} by this key")
    return None


def _keygen(what: str, *words: str, given: bytes = b"") -> None:
    try:
        done = subprocess.run(["ssh-keygen", "-Y", what, *words], input=given, capture_output=True, check=False)
    except FileNotFoundError:
        raise ProctorError("ssh-keygen is not installed; install OpenSSH (apt install openssh-client)") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise ProctorError(f"ssh-keygen: {said[-1][:200] if said else f'exit status {done.returncode}'}")


def _digests(out: Path) -> Iterator[tuple[str, str]]:
    """(path, digest) of everything that counts, in order. Links are listed as what they say, and never followed."""
    try:
        names = sorted(e.name for e in os.scandir(out) if e.name not in _LEFT_OUT)
        for name in names:
            todo = [name]
            while todo:
                at = todo.pop()
                path = out / at
                if path.is_symlink() or not path.is_dir():
                    yield at, _digest(path)
                elif path.name == STORE:
                    inside = sorted(p for p in path.rglob("*") if p.is_symlink() or not p.is_dir())
                    listed = "".join(f"{p.relative_to(path)} {_digest(p)}\n" for p in inside)
                    yield at, hashlib.sha256(listed.encode("utf-8", "surrogateescape")).hexdigest()
                else:
                    todo += sorted((f"{at}/{entry.name}" for entry in os.scandir(path)), reverse=True)
    except OSError as error:
        raise ProctorError(f"{error.filename or out}: {error.strerror}") from None
    if MANIFEST not in names:
        raise ProctorError(f"{out}: no {MANIFEST}")


def _digest(path: Path) -> str:
    if path.is_symlink():
        return f"link to {os.readlink(path)}"
    if not path.is_file():
        return "no file"
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
