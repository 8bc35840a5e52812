"""A model at a provider, and how it is asked: what ``rigor.toml`` says of one.

Keys of providers are never in a file: ``api_key_env`` names an environment variable.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Annotated, Literal
from urllib.parse import urlsplit

from msgspec import Meta, Struct

from .request import ReaderError

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
# Providers that need no base_url, and the variables that usually contain their keys.
KEYS = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
}


_Dollars = Annotated[float, Meta(ge=0, le=1e6)]


class Price(Struct, frozen=True, forbid_unknown_fields=True):
    """Dollars per million tokens."""

    input: _Dollars
    output: _Dollars


class ModelSettings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a model is asked. None: the provider's default. A model with other settings is another judge.

    ``reply``: "schema" makes the provider enforce the form of the reply, "text" only asks for it; None: whichever the
    model is known to support. The reply is checked here in either case.
    """

    temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    top_p: Annotated[float, Meta(ge=0, le=1)] | None = None
    seed: int | None = None
    thinking: Literal["minimal", "low", "medium", "high"] | bool | None = None
    max_output_tokens: Annotated[int, Meta(ge=100, le=1_000_000)] = 8_000
    reply: Literal["schema", "text"] | None = None


class ReaderTable(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One reader of ``[readers.NAME]``: a ``command`` that takes the question on standard input and prints the answer,
    or a ``model`` (PROVIDER/MODEL) with what its provider needs."""

    command: list[str] | None = None
    model: str | None = None
    base_url: str | None = None
    api_key_env: str | None = None
    settings: ModelSettings = ModelSettings()
    price: Price | None = None
    timeout: float = 600.0
    """Seconds for one answer."""

    @property
    def provider(self) -> str:
        return (self.model or "").partition("/")[0]

    @property
    def model_name(self) -> str:
        return (self.model or "").partition("/")[2]

    def key(self, environment: Mapping[str, str] = os.environ) -> str | None:
        """The key from the environment. None: it needs none (a local server).

        Raises:
            ReaderError: it needs one, and the variable is not set.
        """
        names = (self.api_key_env,) if self.api_key_env else () if self.base_url else KEYS.get(self.provider, ())
        for name in names:
            if value := environment.get(name, "").strip():
                return value
        if names:
            raise ReaderError(f"{self.model}: no key; set {' or '.join(names)} in the environment", lasting=True)
        return None


def fault(table: ReaderTable) -> str | None:
    """Why a model cannot be asked as it is configured: one line that names the key and the remedy."""
    # A misplaced key must not be printed, so messages do not repeat values that might be one.
    model = table.model or ""
    if not table.model_name or any(c.isspace() or not c.isprintable() for c in model) or len(model) > 200:
        return "model: expected PROVIDER/NAME, such as openai/gpt-5"
    if table.base_url is None:
        if table.provider not in KEYS:
            known = ", ".join(KEYS)
            return f"provider {table.provider!r}: one of {known}, or any with a base_url"
    else:
        try:
            url = urlsplit(table.base_url)
            _ = url.port
        except ValueError:
            return "base_url: not an address"
        if url.scheme not in ("http", "https") or not url.hostname:
            return "base_url: expected http(s)://HOST[:PORT]/v1"
        if url.username is not None or url.query or url.fragment:
            return "base_url: remove user, query and fragment; a key comes from api_key_env"
    # Keys are long and mix upper and lower case; names of variables do not.
    name = table.api_key_env
    if name is not None and not (_VARIABLE.fullmatch(name) and (name.upper() == name or len(name) < 24)):
        return "api_key_env: the name of an environment variable, never the key itself"
    return None
