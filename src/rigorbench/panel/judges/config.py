"""``panel.toml``: the judges of the panel, and the limits on asking them.

Keys of providers are never in the file: ``api_key_env`` names an environment variable.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct, field

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
# Providers that need no base_url, and the variables that usually contain their keys.
KEYS = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
}


class PanelError(ValueError):
    """A panel that cannot be used. One line that names the file, the key and the remedy."""


class NoKeys(PanelError):
    """A seat's key is not in the environment. The caller may use the deterministic judge instead."""


class Price(Struct, frozen=True, forbid_unknown_fields=True):
    """Dollars per million tokens."""

    input: float
    output: float


class Settings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a model is asked. None: the provider's default. A model with other settings is another judge.

    ``reply``: "schema" makes the provider enforce the form of the reply, "text" only asks for it; None: whichever the
    model is known to support. The reply is checked here in either case.
    """

    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    thinking: Literal["minimal", "low", "medium", "high"] | bool | None = None
    max_output_tokens: int = 8_000
    reply: Literal["schema", "text"] | None = None


class Seat(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One judge. ``model``: PROVIDER/NAME, as for ``rigor run``. ``base_url`` may be any server with OpenAI's chat
    completions protocol, whatever the PROVIDER (anthropic and google keep their own protocol)."""

    name: str
    model: str
    base_url: str | None = None
    api_key_env: str | None = None
    price: Price | None = None
    settings: Settings = Settings()

    @property
    def provider(self) -> str:
        return self.model.partition("/")[0]

    @property
    def model_name(self) -> str:
        return self.model.partition("/")[2]

    def key(self, environment: Mapping[str, str] = os.environ) -> str | None:
        """The key from the environment. None: this seat needs none (a local server).

        Raises:
            NoKeys: it needs one, and the variable is not set.
        """
        names = (self.api_key_env,) if self.api_key_env else () if self.base_url else KEYS.get(self.provider, ())
        for name in names:
            if value := environment.get(name, "").strip():
                return value
        if names:
            raise NoKeys(f"seat {self.name!r} ({self.model}): no key; set {' or '.join(names)} in the environment")
        return None


class PanelConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is asked and how.

    Attributes:
        seats: the judges, an odd number.
        cost_limit: dollars; None: no limit.
        quorum: valid votes that make a verdict; 0: more than half of the seats.
        concurrency: requests at a time.
        timeout: seconds for one reply.
        retries: of one request, after the provider or the network failed.
        reasks: further requests after a reply that does not answer the questions.
    """

    seats: list[Seat] = field(default_factory=list)
    cost_limit: float | None = None
    quorum: int = 0
    concurrency: int = 4
    timeout: float = 120.0
    retries: int = 4
    reasks: int = 2


def load_panel(path: str | os.PathLike[str]) -> PanelConfig:
    """Read a panel.

    Raises:
        PanelError: the file cannot be read, or is not a panel of an odd number of different models.
    """
    name = os.fspath(path)
    try:
        document = tomllib.loads(Path(path).read_bytes().decode("utf-8"))
        found = msgspec.convert(document, PanelConfig)
    except OSError as error:
        raise PanelError(f"{name}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise PanelError(f"{name}: not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise PanelError(f"{name}: not TOML: {error}") from None
    except msgspec.ValidationError as error:
        raise PanelError(f"{name}: {error}") from None
    except RecursionError:
        raise PanelError(f"{name}: nested too deeply") from None
    try:
        return checked(found)
    except PanelError as error:
        raise PanelError(f"{name}: {error}") from None


def checked(config: PanelConfig) -> PanelConfig:
    """The same panel with its quorum filled in. Raises: PanelError."""
    count = len(config.seats)
    if count % 2 == 0:
        raise PanelError(
            f"{count or 'no'} seats; a panel has an odd number, so that a majority exists: one [[seats]] table each, "
            "with name and model"
        )
    for seat in config.seats:
        _check_seat(seat)
    _check_different([seat.name for seat in config.seats], "name", "give each seat its own")
    _check_different(
        [seat.model.lower() for seat in config.seats],
        "model",
        "a panel asks different models; for another model at a local server, call it by another name",
    )
    quorum = config.quorum or count // 2 + 1
    numbers = (
        ("quorum", quorum, 1, count),
        ("concurrency", config.concurrency, 1, 64),
        ("timeout", config.timeout, 0.01, 3_600),
        ("retries", config.retries, 0, 20),
        ("reasks", config.reasks, 0, 10),
        ("cost_limit", 0.0 if config.cost_limit is None else config.cost_limit, 0, 1e9),
    )
    for key, value, low, high in numbers:
        # In this form, not-a-number fails as well.
        if not low <= value <= high:
            raise PanelError(f"{key}: {value:g} is not between {low:g} and {high:g}")
    if config.cost_limit is not None and (free := [seat.name for seat in config.seats if seat.price is None]):
        raise PanelError(
            f"cost_limit cannot be kept: no price for {', '.join(map(repr, free))}; add price = {{ input = .., "
            "output = .. } (dollars per million tokens), or leave cost_limit out"
        )
    return msgspec.structs.replace(config, quorum=quorum)


def _check_seat(seat: Seat) -> None:
    # A misplaced key must not be printed, so messages do not repeat values that might be one.
    if not _NAME.fullmatch(seat.name):
        raise PanelError("seat name: letters, digits, '.', '_', '-', at most 40")
    where = f"seat {seat.name!r}"
    if not seat.model_name or any(c.isspace() or not c.isprintable() for c in seat.model) or len(seat.model) > 200:
        raise PanelError(f"{where}: model: expected PROVIDER/NAME, such as openai/gpt-5")
    if seat.base_url is None:
        if seat.provider not in KEYS:
            known = ", ".join(KEYS)
            raise PanelError(f"{where}: provider {seat.provider!r}: one of {known}, or any with a base_url")
    else:
        try:
            url = urlsplit(seat.base_url)
            _ = url.port
        except ValueError:
            raise PanelError(f"{where}: base_url: not an address") from None
        if url.scheme not in ("http", "https") or not url.hostname:
            raise PanelError(f"{where}: base_url: expected http(s)://HOST[:PORT]/v1")
        if url.username is not None or url.query or url.fragment:
            raise PanelError(f"{where}: base_url: remove user, query and fragment; a key comes from api_key_env")
    if seat.api_key_env is not None and not _looks_like_a_name(seat.api_key_env):
        raise PanelError(f"{where}: api_key_env: the name of an environment variable, never the key itself")
    prices = (seat.price.input, seat.price.output) if seat.price else ()
    if any(not 0 <= price <= 1e6 for price in prices):
        raise PanelError(f"{where}: price: dollars per million tokens, at least 0")
    settings = seat.settings
    ranges = (
        ("temperature", settings.temperature, 0, 2),
        ("top_p", settings.top_p, 0, 1),
        ("max_output_tokens", settings.max_output_tokens, 100, 1_000_000),
    )
    for key, value, low, high in ranges:
        if value is not None and not low <= value <= high:
            raise PanelError(f"{where}: settings.{key}: {value:g} is not between {low:g} and {high:g}")


def _looks_like_a_name(value: str) -> bool:
    # Keys are long and mix upper and lower case; names of variables do not.
    return bool(_VARIABLE.fullmatch(value)) and (value.upper() == value or len(value) < 24)


def _check_different(values: list[str], what: str, remedy: str) -> None:
    for value in values:
        if values.count(value) > 1:
            raise PanelError(f"two seats have the {what} {value!r}; {remedy}")
