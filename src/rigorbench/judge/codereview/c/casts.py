"""What a cast in the style of C comes to in C++."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any


def named_casts(cindex: Any, node: Any) -> Iterator[str]:
    """Which of ``reinterpret_cast`` and ``const_cast`` it would take instead of a cast in the style of C."""
    t = cindex.TypeKind
    operand = [child for child in node.get_children() if child.kind.is_expression()]
    if not operand:
        return
    to, of = node.type.get_canonical(), operand[-1].type.get_canonical()
    words = [token.spelling for token in islice(node.get_tokens(), 60)]
    written = words[: words.index(")")] if ")" in words and node.kind == cindex.CursorKind.CSTYLE_CAST_EXPR else []
    if "&" in written:
        # The type of an expression is without its reference.
        pair = (to, of)
    elif to.kind == t.POINTER and of.kind == t.POINTER:
        pair = (to.get_pointee(), of.get_pointee())
    else:
        whole = {t.INT, t.UINT, t.LONG, t.ULONG, t.LONGLONG, t.ULONGLONG}
        if (to.kind == t.POINTER and of.kind in whole and not is_false(operand[-1])) or (
            to.kind in whole and of.kind == t.POINTER
        ):
            yield "reinterpret_cast"
        return
    new, old = pair
    if old.is_const_qualified() and not new.is_const_qualified():
        yield "const_cast"
    loose = (t.VOID, t.RECORD, t.UNEXPOSED, t.DEPENDENT)
    if new.kind not in loose and old.kind not in loose and _bare(new) != _bare(old):
        yield "reinterpret_cast"


def is_false(node: Any) -> bool:
    words = [token.spelling for token in islice(node.get_tokens(), 2)]
    return words[:1] in (["0"], ["false"], ["nullptr"]) and len(words) == 1


def _bare(found: Any) -> str:
    return re.sub(r"\b(?:const|volatile) ?", "", found.spelling).strip()
