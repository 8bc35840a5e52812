"""One ATIF document in memory to a trajectory: our own export restored, or what others wrote."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...logfile import LogError, LogFile
from ...model import Trajectory
from .own import is_own


def read_document(document: Mapping[str, Any]) -> Trajectory:
    """The trajectory of one document in memory.

    Raises:
        LogError: if the document is not ATIF.
    """
    from .document import import_document
    from .restore import restore

    if not is_document(document):
        raise LogError("<atif>", "has no ATIF schema_version; not an ATIF document")
    log = LogFile(None, name="<atif>", content=b"")
    if is_own(document):
        return restore(document, lambda reason: log.skip(None, reason))
    trajectory = import_document(document, log)
    trajectory.skipped = log.skipped
    return trajectory


def is_document(value: Any) -> bool:
    """Whether a value is an ATIF document, by its schema version."""
    if not isinstance(value, Mapping):
        return False
    version = str(value.get("schema_version", ""))
    # Some writers leave the name out.
    return version.startswith("ATIF") or (
        version.lstrip("v")[:2] == "1."
        and isinstance(value.get("agent"), dict)
        and isinstance(value.get("steps"), list)
    )
