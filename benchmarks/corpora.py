"""The logs that are measured: real ones as they are, and synthetic ones made by repeating real ones with fresh ids."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path

DATA = Path(__file__).parents[2] / "shared" / "data"
SAMPLES = Path(__file__).parents[1] / "examples" / "sessions"

_UUID = re.compile(rb"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
_CLAUDE_ID = re.compile(rb'"(?:toolu|msg|req|srvtoolu)_[0-9A-Za-z]+"')
_CODEX_ID = re.compile(rb"\b(?:call|msg|rs|resp|ctc|fc)_[0-9A-Za-z]{6,}")


def claude_logs(data: Path) -> list[Path]:
    """The real Claude Code sessions, as they are."""
    return sorted((data / "sessions" / "claude-code-jsonl").glob("*.jsonl"))


def codex_logs(data: Path) -> list[Path]:
    """The rollouts of a scripted model driving the real Codex CLI, two generations of it."""
    return sorted(data.glob("cli/codex*/*/session/.codex/sessions/**/rollout-*.jsonl"))


def codex_corpus(sources: list[Path], target: Path, megabytes: float) -> list[Path]:
    """Copies of rollouts in ``target``, ``megabytes`` in all.

    Every copy gets fresh ids, and the names that the sample project uses (``duration``, ``slotkit``) a number, so that
    no text of one copy is met again in another: nothing remembered of one session helps with the next.
    """
    made: list[Path] = []
    size = 0.0
    number = 0
    while size < megabytes * 1e6:
        number += 1
        for source in sources:
            content = numbered(fresh(source.read_bytes(), number, keep=None), number)
            stem = source.name.removesuffix(".jsonl")[: -len("00000000-0000-0000-0000-000000000000")]
            path = target / f"{number:05d}" / f"{stem}{_identity(number, source.name)}.jsonl"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            made.append(path)
            size += len(content)
    return made


def long_claude_session(source: Path, target: Path, megabytes: float) -> Path:
    """One session of ``megabytes``: the lines of a real one again and again, with fresh ids but one session id."""
    content = source.read_bytes().rstrip(b"\n") + b"\n"
    found = re.search(rb'"sessionId":"([^"]+)"', content)
    session = found[1] if found is not None else b""
    path = target / f"{session.decode() or 'session'}.jsonl"
    with path.open("wb") as out:
        number = 0
        while out.tell() < megabytes * 1e6:
            number += 1
            out.write(numbered(fresh(content, number, keep=session), number))
    return path


def many_small(sources: list[Path], target: Path, count: int) -> Path:
    """A directory tree of ``count`` small logs, 500 to a directory: ``sources`` again and again, as hard links."""
    originals = target.with_name(target.name + "-originals")
    originals.mkdir(parents=True)
    held = [Path(shutil.copyfile(source, originals / f"{n}-{source.name}")) for n, source in enumerate(sources)]
    for number in range(count):
        directory = target / f"{number // 500:04d}"
        if number % 500 == 0:
            directory.mkdir(parents=True)
        source = held[number % len(held)]
        (directory / f"{number:06d}-{source.name}").hardlink_to(source)
    return target


def smallest(paths: list[Path], count: int) -> list[Path]:
    return sorted(paths, key=lambda p: (p.stat().st_size, p.name))[:count]


def ordinary(paths: list[Path]) -> Path:
    """The session of median size."""
    return sorted(paths, key=lambda p: (p.stat().st_size, p.name))[len(paths) // 2]


def densest(paths: list[Path]) -> Path:
    """The session of which most is kept once it is read: the largest share of its bytes are texts of calls."""
    from rigorbench import read

    def share(path: Path) -> float:
        calls = [c for t in read(path) for s in t.steps for c in s.calls]
        kept = sum(len(str(c.input)) + (len(c.result.text) if c.result is not None else 0) for c in calls)
        return kept / path.stat().st_size

    return max((p for p in paths if p.stat().st_size > 1e6), key=share)


def total_megabytes(paths: list[Path]) -> float:
    return sum(p.stat().st_size for p in paths) / 1e6


def fresh(content: bytes, number: int, *, keep: bytes | None) -> bytes:
    """The same log with other ids: equal ids stay equal to each other."""
    mark = f"{number:06x}".encode()

    def uuid(match: re.Match[bytes]) -> bytes:
        text = match.group()
        return text if text == keep else mark + text[6:]

    content = _UUID.sub(uuid, content)
    content = _CLAUDE_ID.sub(lambda m: m.group()[:-1] + mark + b'"', content)
    return _CODEX_ID.sub(lambda m: m.group() + mark, content)


def numbered(content: bytes, number: int) -> bytes:
    """Names of the sample project made different in every copy."""
    mark = str(number).encode()
    return content.replace(b"slotkit", b"slotkit" + mark).replace(b"duration", b"duration" + mark)


def _identity(number: int, name: str) -> str:
    # Seeded: the same corpus every time.
    digits = random.Random(f"{number}/{name}").getrandbits(128)
    text = f"{digits:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
