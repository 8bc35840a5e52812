"""Neutral text of a given length, always the same: the control for "more text in the prompt"."""

from __future__ import annotations


def placebo_text(base: str, length: int) -> str:
    """``base`` repeated and cut to ``length`` characters, at most one word less, with a full stop at the end.

    Each repetition has a heading with its number, so that no two parts are equal.
    """
    pieces = [base.strip()]
    size = len(pieces[0])
    while size < length:
        piece = f"\n\n## Part {len(pieces) + 1}\n\n{_body(base)}"
        pieces.append(piece)
        size += len(piece)
    text = "".join(pieces)
    if len(text) <= length:
        return text + "\n"
    cut = text[: length - 2]
    # Cut neither within a word nor directly after the marks of a heading.
    if not text[length - 2].isspace() and " " in cut:
        cut = cut[: cut.rindex(" ")]
    return cut.rstrip(" \n#,;:.") + ".\n"


def _body(base: str) -> str:
    lines = base.strip().splitlines()
    while lines and (lines[0].startswith("#") or not lines[0].strip()):
        lines.pop(0)
    return "\n".join(lines)
