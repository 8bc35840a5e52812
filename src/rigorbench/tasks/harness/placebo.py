"""Neutral text of a given length, always the same: the control for "more text in the prompt"."""

from __future__ import annotations


def placebo_text(base: str, length: int) -> str:
    """`base` repeated and cut to `length` characters, at most one word short of it, ending with a full stop.

    The paragraphs of a repetition come under a heading with its number, so that no two parts are the same text.
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
    # Not within a word, and not right behind a heading's marks.
    if not text[length - 2].isspace() and " " in cut:
        cut = cut[: cut.rindex(" ")]
    return cut.rstrip(" \n#,;:.") + ".\n"


def _body(base: str) -> str:
    lines = base.strip().splitlines()
    while lines and (lines[0].startswith("#") or not lines[0].strip()):
        lines.pop(0)
    return "\n".join(lines)
