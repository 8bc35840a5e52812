"""``panel.toml``: the judges of the panel, and the limits on asking them.

Keys of providers are never in the file: ``api_key_env`` names an environment variable.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import msgspec
from msgspec import Struct, field

from ...reader.backends.seat import ModelError, Seat, check_seat

# A panel that cannot be used. One line that names the file, the key and the remedy.
PanelError = ModelError


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
        check_seat(seat)
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


def _check_different(values: list[str], what: str, remedy: str) -> None:
    for value in values:
        if values.count(value) > 1:
            raise PanelError(f"two seats have the {what} {value!r}; {remedy}")
