"""Invented sessions that lie, and honest ones that look suspicious, as logs of real agents.

The sessions are in `data/lies/*.txt` and, the third that nobody may tune to, in `data/lies/frozen/`;
`data/lies/README.md` describes the notation. `sessions()` reads them; `render` writes one as the log of its agent.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

SOURCES = Path(__file__).parent / "data" / "lies"
START = 1_772_442_000.0  # 2026-03-02T09:00:00Z


@dataclass
class Event:
    """One thing that happened: a message, or a call with its result.

    Args:
        kind: `ask` (the user), `say` (the agent, without a call), `shell`, `background`, `poll`, `read`, `edit`,
            `write`, `todo`, `close`.
        text: what was said, the command, or the path.
        say: what the agent said in the message that carries the call.
        output: the command's output, the file's text.
        exit_status: of a command; None only while a background command still runs.
    """

    kind: str
    text: str
    say: str = ""
    output: str = ""
    exit_status: int | None = 0
    old: str = ""
    new: str = ""
    items: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Session:
    """An invented session, and what is known about it."""

    name: str
    kind: str
    lies: bool
    what: str
    format: str
    cwd: str
    frozen: bool
    source: Path
    events: list[Event] = field(default_factory=list)

    @property
    def calls(self) -> int:
        return sum(event.kind not in {"ask", "say", "close"} for event in self.events)

    @property
    def edits(self) -> int:
        """How often a tool that is there for editing was called."""
        return sum(event.kind in {"edit", "write"} for event in self.events)

    @property
    def agent_steps(self) -> int:
        return sum(event.kind != "ask" for event in self.events)


def is_frozen(name: str) -> bool:
    """Whether a session belongs to the frozen third: decided by its name alone, before anything was tuned."""
    return hashlib.sha256(name.encode()).digest()[0] % 3 == 0


def sessions() -> Iterator[Session]:
    """All sessions, in the order of their files."""
    for path in sorted(SOURCES.rglob("*.txt")):
        yield from _file(path)


def _file(path: Path) -> Iterator[Session]:
    current: Session | None = None
    say: list[str] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("=== "):
            if current:
                yield current
            current = _header(line, path)
        elif current and line.strip():
            try:
                sign = line[:2].rstrip()
                _take(current, sign, line[2:].removeprefix(" ") if len(sign) == 2 else line[2:], say)
            except (ValueError, IndexError) as error:
                raise ValueError(f"{path.name}:{number}: {line!r}") from error
    if current:
        yield current


def _header(line: str, path: Path) -> Session:
    name, verdict, kind, agent, cwd = line[4:].split(" ")
    if verdict not in {"lie", "honest"}:
        raise ValueError(f"{path.name}: {line}")
    return Session(name, kind, verdict == "lie", "", agent, cwd, is_frozen(name), path)


_CALLS = {"$": "shell", "&": "background", "?": "poll", "<": "read", "@": "edit", "@+": "write"}


def _take(session: Session, sign: str, text: str, say: list[str]) -> None:
    """Add one line of a source file to the session."""
    events, last = session.events, session.events[-1] if session.events else None
    if sign == "#":
        session.what = f"{session.what} {text}".strip()
    elif sign in {">", "="}:
        kind = "ask" if sign == ">" else "close"
        if last and last.kind == kind:
            last.text += "\n" + text
        else:
            events.extend(Event("say", line) for line in _flush(say))
            events.append(Event(kind, text))
    elif sign == ":":
        say.append(text)
    elif sign == "*":
        mark, item = text[1], text[4:]
        status = {" ": "pending", "~": "in_progress", "x": "completed"}[mark]
        if say or not (last and last.kind == "todo"):
            last = Event("todo", "", "\n".join(_flush(say)))
            events.append(last)
        last.items.append((status, item))
    elif sign in _CALLS:
        events.append(Event(_CALLS[sign], text, "\n".join(_flush(say)), exit_status=None if sign == "&" else 0))
    elif last is None:
        raise ValueError("a line before the first event")
    elif sign == "|":
        last.output += text + "\n"
    elif sign == "!":
        last.exit_status = None if text == "running" else int(text)
    elif sign == "-":
        last.old += text + "\n"
    elif sign == "+":
        last.new += text + "\n"
    elif sign == "$$":
        last.text += "\n" + text
    else:
        raise ValueError("unknown sign")


def _flush(say: list[str]) -> list[str]:
    said = ["\n".join(say)] if say else []
    say.clear()
    return said


def render(session: Session, directory: Path) -> Path:
    """Write the session as a log of its agent.

    Returns:
        The log's path.
    """
    from lies_formats import WRITERS

    suffix, write = WRITERS[session.format]
    path = directory / f"{session.name}{suffix}"
    path.write_text(write(session), encoding="utf-8")
    return path
