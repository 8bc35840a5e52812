"""Why a file is no log that can be read: what it is instead, and the remedy."""

from __future__ import annotations

from codecs import getincrementaldecoder

import orjson
from msgspec import Struct

from .logfile import HEAD_BYTES, LogFile

# How UTF-16 text begins: with a byte order mark, or with JSON of which every second byte is NUL.
_UTF_16 = (b"\xff\xfe", b"\xfe\xff", b"{\x00", b"[\x00", b"\x00{", b"\x00[")
_LOG_SUFFIXES = (".json", ".jsonl", ".ndjson", ".traj", ".gz", ".zst")


class Unknown(Struct, frozen=True):
    """What a file of no known format is.

    Attributes:
        what: in a few words, for counting.
        remedy: the rest of the message.
        suspicious: it may well be a log, so that leaving it out silently would hide a loss.
    """

    what: str
    remedy: str
    suspicious: bool = True

    @property
    def reason(self) -> str:
        return f"is {self.what}; {self.remedy}"


_OTHER = Unknown("not a known agent log", "`rigor doctor --formats` lists what can be read", suspicious=False)
_WIDE = Unknown("UTF-16 text", "convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)")
_CUT = Unknown("cut off before its format shows", "fetch the whole file")
_BINARY = Unknown("binary data", "give the log that the agent itself wrote, unpacked")
_MESSAGES = Unknown(
    "a bare list of chat messages", "give the file that the agent itself wrote (mini-swe-agent: *.traj.json)"
)


def why_unknown(log: LogFile) -> Unknown:
    """What a log is that no reader knows."""
    if log.is_directory:
        return _OTHER
    head = log.head
    if not head.strip(b"\x00 \t\r\n"):
        return Unknown("empty", "nothing to read", suspicious=log.name.endswith(_LOG_SUFFIXES))
    if head.startswith(_UTF_16):
        return _WIDE
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith((b'{"', b"[")):
        whole = len(head) < HEAD_BYTES
        if start.startswith((b'{"', b'[{"')) and whole and not log.head_objects and not _is_json(head):
            return _CUT
        value = log.head_document
        if isinstance(value, list) and value and _is_message(value[0]):
            return _MESSAGES
    return _BINARY if log.name.endswith(_LOG_SUFFIXES) and not _is_text(head) else _OTHER


def _is_text(head: bytes) -> bool:
    """Whether it is UTF-8, of which the end may be cut inside a character."""
    try:
        getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return b"\x00" not in head


def _is_message(value: object) -> bool:
    return isinstance(value, dict) and "role" in value and "content" in value


def _is_json(text: bytes) -> bool:
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True
