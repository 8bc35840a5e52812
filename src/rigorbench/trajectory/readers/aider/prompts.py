"""Aider's log of prompts and answers (``--llm-history-file``): times, and outputs that the chat history omits."""

from __future__ import annotations

import re
from pathlib import Path

from ..shared.values import iso_time

_ENTRY = re.compile(r"^(TO LLM|LLM RESPONSE) (\d{4}-\d\d-\d\dT\S+)$", re.MULTILINE)
_RAN = "USER I ran this command:\nUSER \n"
_GOT = "USER And got this output:\nUSER \n"
_LIMIT = 400_000_000


class Prompts:
    """Answers by their text, each with its time and the output that the next prompt reports."""

    def __init__(self, text: str) -> None:
        self._answers: dict[str, list[int]] = {}
        self._entries = [(m[1], iso_time(m[2]), m.end()) for m in _ENTRY.finditer(text)]
        self._starts = [m.start() for m in _ENTRY.finditer(text)]
        self._text = text
        for index, (kind, _, _) in enumerate(self._entries):
            if kind == "LLM RESPONSE":
                self._answers.setdefault(_unprefixed(self._body(index), "ASSISTANT"), []).append(index)

    def _body(self, index: int) -> str:
        end = self._starts[index + 1] if index + 1 < len(self._starts) else len(self._text)
        return self._text[self._entries[index][2] : end]

    def answer(self, text: str) -> int | None:
        """The next answer with this text (None: not logged)."""
        found = self._answers.get(text.strip())
        return found.pop(0) if found else None

    def time(self, index: int) -> float | None:
        return self._entries[index][1]

    def ran_after(self, index: int) -> tuple[str, str, float | None] | None:
        """Command, output and time of the run reported at the end of the prompt after this answer."""
        if index + 1 >= len(self._entries) or self._entries[index + 1][0] != "TO LLM":
            return None
        body = self._body(index + 1)
        ran = body.rfind(_RAN)
        got = body.find(_GOT, ran) if ran >= 0 else -1
        if got < 0:
            return None
        end = body.find("\n-------\n", got)
        command = _unprefixed(body[ran + len(_RAN) : got], "USER")
        # The prompt adds an empty line after the output.
        lines = body[got + len(_GOT) : end if end >= 0 else len(body)].split("\n")
        output = "\n".join(line.removeprefix("USER").removeprefix(" ") for line in lines)
        return command, output.removesuffix("\n"), self._entries[index + 1][1]


def find_prompts(history: Path, named: str | None) -> Prompts | None:
    """The prompt log beside a chat history; ``named`` is how the command line called it."""
    names = [Path(named).name] if named else []
    for name in (*names, ".aider.llm.history", "llm.history"):
        path = history.parent / name
        try:
            if not path.is_file() or path.stat().st_size > _LIMIT or path.samefile(history):
                continue
            return Prompts(path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n"))
        except OSError:
            continue
    return None


def _unprefixed(body: str, role: str) -> str:
    return "\n".join(line.removeprefix(role).removeprefix(" ") for line in body.split("\n")).strip()
