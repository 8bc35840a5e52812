"""Inspect logs (``.eval`` archives and JSON), through Inspect's own reader: one trajectory per sample."""

from __future__ import annotations

import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from ....base.extras import install
from ...logfile import LogError, LogFile
from ...model import Trajectory
from ...reader import Reader

# What Inspect's reader raises on damaged logs.
_DAMAGE = (
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    OSError,
    EOFError,
    RuntimeError,
    NotImplementedError,
    zipfile.BadZipFile,
    zlib.error,
)


class InspectReader(Reader):
    format = "inspect"

    def matches(self, log: LogFile) -> bool:
        head = log.head
        if head.startswith(b"PK\x03\x04"):
            return b"_journal/" in head or b"header.json" in head
        if not head[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") or b'"eval"' not in head:
            return False
        if b'"plan"' not in head and b'"samples"' not in head and b'"status"' not in head:
            return False
        value = log.head_document
        about = value.get("eval") if isinstance(value, dict) else None
        return isinstance(about, dict) and "task" in about and ("dataset" in about or "run_id" in about)

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        api = _inspect(log)
        kind = "eval" if log.head.startswith(b"PK\x03\x04") else "json"
        if log.path is not None and _is_plain(log.path, kind):
            yield from _read(log, api, str(log.path), kind)
            return
        # Inspect reads files only: what came compressed or from standard input goes through a temporary one.
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / f"log.{kind}"
            path.write_bytes(log.content())
            yield from _read(log, api, str(path), kind)


def _inspect(log: LogFile) -> Any:
    try:
        return import_module("inspect_ai.log")
    except ImportError:
        raise LogError(log.name, f"is an Inspect log, which Inspect itself must read; {install('inspect')}") from None


def _is_plain(path: Path, kind: str) -> bool:
    with path.open("rb") as stream:
        start = stream.read(2)
    return start == b"PK" if kind == "eval" else start not in (b"\x1f\x8b", b"\x28\xb5")


def _read(log: LogFile, api: Any, path: str, kind: str) -> Iterator[Trajectory]:
    from .samples import trajectory_of

    try:
        if kind == "json":
            # One document: there is no reading of a sample without reading all.
            header = api.read_eval_log(path, resolve_attachments=True, format=kind)
            summaries = []
        else:
            header = api.read_eval_log(path, header_only=True, format=kind)
            summaries = api.read_eval_log_sample_summaries(path, format=kind)
    except _DAMAGE as error:
        raise LogError(log.name, f"cannot be read by Inspect ({_line(error)}); is the log cut off?") from None
    for sample in header.samples or ():
        yield trajectory_of(log, header, sample)
    for summary in summaries:
        try:
            sample = api.read_eval_log_sample(
                path, id=summary.id, epoch=summary.epoch, resolve_attachments=True, format=kind
            )
        except _DAMAGE as error:
            log.skip(None, f"sample {summary.id} (epoch {summary.epoch}) cannot be read ({_line(error)}); skipped")
            continue
        yield trajectory_of(log, header, sample)


def _line(error: BaseException) -> str:
    text = str(error).strip().split("\n", 1)[0]
    return (text or type(error).__name__)[:160]


READERS: tuple[Reader, ...] = (InspectReader(),)
