"""The name of one finding, by which it can be excluded: the same in every reading of the session."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from ..evidence.events import AnyEvent
from .findings import quote

_BYTES = 6


def fingerprint(session: str, check: str, events: Sequence[AnyEvent]) -> str:
    """ "V-narrow:5f0c2b9d31aa": the check, and a digest of the session's id and of what the events quote.

    Ids of events, steps and lines are no part of it: they change when a log is copied, continued or read by another
    version.
    """
    words = [session, *(f"{event.__struct_config__.tag} {quote(event)}" for event in events)]
    return f"{check}:{blake2b(chr(0).join(words).encode('utf-8', 'replace'), digest_size=_BYTES).hexdigest()}"
