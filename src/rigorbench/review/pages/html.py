"""The frame of every HTML page: templates, style, script and the content-security policy. Pages load and send nothing.

Every text that a template prints passes :func:`~rigorbench.base.sanitize.block` and Jinja's autoescape. The policy of a
page allows exactly its own style and script, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib import resources
from typing import Any, ClassVar

import jinja2
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import asdict

from ...base.sanitize import block, one_line
from ...base.version import __version__
from . import words
from .numbers import cost_cell


class Page(Struct):
    """What a template is given: each kind of page is a subclass, whose fields are the names that its template reads."""

    template: ClassVar[str]
    """A file of the folder ``templates``."""
    scripts: ClassVar[tuple[str, ...]]
    """Files of the folder ``static``, joined to the script of the page."""
    styles: ClassVar[tuple[str, ...]]
    """Style sheets of the folder ``static`` besides ``base.css``."""


def render(page: Page) -> str:
    """The page as HTML."""
    return environment().get_template(page.template).render(frame(page.scripts, page.styles) | asdict(page))


def slug(text: str) -> str:
    """``text`` as a part of an anchor."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", text)


@cache
def environment() -> jinja2.Environment:
    """The templates, and the functions that all of them may call."""
    found = jinja2.Environment(
        loader=jinja2.PackageLoader("rigorbench.review.pages"),
        autoescape=True,
        finalize=_finalize,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals.update(version=__version__, count=words.count, plural=words.plural, slug=slug)
    found.globals.update(width=lambda share: f"{min(1.0, max(0.0, share)) * 100:.1f}%")
    found.globals.update(words=words, one_line=one_line, cost_cell=cost_cell)
    found.globals.update(tone=words.tone)
    return found


def _finalize(value: Any) -> Any:
    """Applied by Jinja to every value that a template prints, so that no text reaches a page unsanitised."""
    if value is None:
        return ""
    return block(value) if type(value) is str else value


@cache
def frame(scripts: tuple[str, ...], styles: tuple[str, ...]) -> dict[str, Markup]:
    """Style, script and content-security policy of a kind of page."""
    css, script = _static("base.css", *styles), _static(*scripts)
    policy = (
        f"default-src 'none'; style-src {_hash(css)}; script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
    )
    return {"css": Markup(css), "script": Markup(script), "policy": Markup(policy)}


def _static(*names: str) -> str:
    folder = resources.files("rigorbench.review.pages") / "static"
    return "\n".join((folder / name).read_text(encoding="utf-8").strip() for name in names)


def _hash(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"
