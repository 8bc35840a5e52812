"""The readings of the sample sessions, which a language model gave once: examples/readings, and those of the demo."""

from __future__ import annotations

from pathlib import Path

from rigorbench.api import extract, read
from rigorbench.cli.demo import READER
from rigorbench.review.reader.digest import digest
from rigorbench.review.reader.request import BUDGET, PROMPT_VERSION, Reply
from rigorbench.review.reader.store import AnswerStore

ROOT = Path(__file__).resolve().parents[1]


def answers() -> dict[Path, Path]:
    """Log -> the file of the answer about it."""
    demo = ROOT / "src" / "rigorbench" / "cli" / "demo"
    found = {log: demo / f"{log.stem}.answer.json" for log in sorted(demo.glob("*.jsonl"))}
    for file in sorted((ROOT / "examples" / "readings").glob("*.json")):
        found[ROOT / "examples" / "sessions" / file.name.removesuffix(".json")] = file
    return found


def keep(store: str) -> None:
    """Stores the answers under the digests that the sessions have now, as of the reader "stored"."""
    for log, file in answers().items():
        text = digest(extract(read(log)[0]), BUDGET)
        AnswerStore(store).add(text.sha256, PROMPT_VERSION, "stored", Reply(file.read_text("utf-8"), READER))
