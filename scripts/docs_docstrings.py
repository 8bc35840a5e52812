"""Docstrings for the docs site: their roles (:func:`read`) and literals become Markdown."""

from __future__ import annotations

import re
from typing import Any

import griffe

_ROLE = re.compile(r":(?:py:)?(?:func|class|meth|mod|attr|data|exc):`[~.]*([^`]+)`")
_LITERAL = re.compile(r"``([^`]+)``")


class Markdown(griffe.Extension):
    """Rewrites the text of every docstring that is shown."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = _LITERAL.sub(r"`\1`", _ROLE.sub(r"`\1`", obj.docstring.value))
