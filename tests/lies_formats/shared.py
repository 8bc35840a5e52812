"""What the writers share: identifiers that follow from the session, times, token counts."""

from __future__ import annotations

import hashlib
import json
import uuid
from datetime import UTC, datetime
from typing import Any

from lies import START, Event, Session

Json = dict[str, Any]


def ident(session: Session, *parts: object, length: int = 24) -> str:
    return hashlib.sha256("/".join([session.name, *map(str, parts)]).encode()).hexdigest()[:length]


def uuid_of(session: Session, *parts: object) -> str:
    return str(uuid.UUID(ident(session, *parts, length=32)))


def stamp(second: float) -> str:
    return datetime.fromtimestamp(START + second, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def full_path(session: Session, path: str) -> str:
    return path if path.startswith("/") else f"{session.cwd}/{path}"


def tokens_of(position: int, event: Event) -> tuple[int, int, int]:
    """Plausible counts: (prompt, cached, output)."""
    prompt = 9_000 + 420 * position
    spoken = len(event.say) + len(event.text) + len(event.old) + len(event.new)
    return prompt, prompt - 400, 20 + spoken // 4


def numbered(text: str) -> str:
    return "\n".join(f"{number:6}→{line}" for number, line in enumerate(text.splitlines(), 1))


def by_shell(event: Event) -> str:
    """An edit, a look or a search as an agent does it that has only a shell."""
    if event.kind == "read":
        return f"cat {event.text}"
    if event.kind == "write":
        return f"cat > {event.text} <<'EOF'\n{event.new}EOF"
    if event.kind == "edit":
        return (
            "python3 - <<'PY'\nfrom pathlib import Path\n"
            f"p = Path({event.text!r})\ns = p.read_text()\nold = {event.old!r}\nnew = {event.new!r}\n"
            "assert old in s\np.write_text(s.replace(old, new, 1))\nPY"
        )
    return event.text
