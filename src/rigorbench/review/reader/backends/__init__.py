"""Readers by name: a program, ``ollama:MODEL``, ``PROVIDER/MODEL``, or a table of rigor.toml."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from hashlib import sha256

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ....base.text import did_you_mean
from ..request import Backend, ReaderError
from ..table import KEYS, ReaderTable, fault
from .program import ProgramPreset, ProgramReader, logged_in, presets, version


class FoundReader(Struct):
    """A reader on this machine. ``ready``: None: it cannot be told without a request."""

    name: str
    ready: bool | None
    detail: str
    remedy: str | None = None


def open_reader(name: str, tables: Mapping[str, ReaderTable] | None = None) -> Backend:
    """The reader of this name; nothing is sent or started yet.

    Raises:
        ReaderError: there is none, or its table is wrong; one line with the closest name.
    """
    from .ollama import OllamaReader

    tables = tables or {}
    first, colon, model = name.partition(":")
    if colon and not model:
        raise ReaderError("the name of a model is missing after the colon", lasting=True)
    if first in tables:
        return _of_table(name, model, tables[first])
    if first == "ollama":
        if not model:
            raise ReaderError("which model? name it: ollama:MODEL", lasting=True)
        return OllamaReader(name, model)
    if first in presets():
        return ProgramReader(name, presets()[first], model or None)
    if "/" in name:
        return _of_model(name, ReaderTable(model=name))
    known = [*tables, *presets(), "ollama"]
    options = f"{', '.join(known)}, PROVIDER/MODEL, or a table [readers.{first}] of rigor.toml"
    raise ReaderError(f"there is no such reader{did_you_mean(first, known)}; one of: {options}", lasting=True)


def _of_table(name: str, model: str, table: ReaderTable) -> Backend:
    # What else changes the answers is part of the name: another command is another reader.
    own = replace(table, timeout=600.0, price=None)
    full = f"{name} ({sha256(msgspec.json.encode(own)).hexdigest()[:8]})"
    where = f"readers.{name.partition(':')[0]}"
    if (table.command is None) == (table.model is None):
        raise ReaderError(f'{where}: give either command = [...] or model = "PROVIDER/MODEL"', lasting=True)
    if not 0 < table.timeout <= 86_400:
        raise ReaderError(f"{where}: timeout: {table.timeout:g} is not between 0 and 86400 seconds", lasting=True)
    if table.command is None:
        return _of_model(full, table)
    if not table.command:
        raise ReaderError(f"{where}: command is empty; its first word is the program", lasting=True)
    words = [word.replace("{model}", model) for word in table.command]
    install = f"see command in {where} of rigor.toml"
    preset = ProgramPreset(install, "log it in", words[1:], program=words[0], model=(), prepends=True)
    return ProgramReader(full, preset, model or None, table.timeout)


def _of_model(name: str, table: ReaderTable) -> Backend:
    from .api import ApiReader

    model = table.model or ""
    if model.startswith("openai-api/") and table.base_url is None:
        # As `rigor run` names any server with OpenAI's protocol.
        _, provider, model = (*model.split("/", 2), "")[:3]
        variable = provider.upper().replace("-", "_")
        base = os.environ.get(f"{variable}_BASE_URL")
        if base is None:
            raise ReaderError(f"set {variable}_BASE_URL, or base_url in its table of rigor.toml", lasting=True)
        key = table.api_key_env or (f"{variable}_API_KEY" if f"{variable}_API_KEY" in os.environ else None)
        table = replace(table, model=f"{provider}/{model}", base_url=base, api_key_env=key)
    if (wrong := fault(table)) is not None:
        raise ReaderError(wrong, lasting=True)
    return ApiReader(name, table)


def available() -> list[FoundReader]:
    """The readers of this machine, as far as can be told without a request to anybody else."""
    from concurrent.futures import ThreadPoolExecutor

    from .ollama import address, call

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(_program, presets().keys(), presets().values()))
    try:
        names = [str(model["name"]) for model in call("/api/tags")["models"]]
        remedy = None if names else "ollama pull MODEL"
        found.append(FoundReader("ollama", bool(names), f"{', '.join(names[:5]) or 'no model'} at {address()}", remedy))
    except (OSError, ValueError, LookupError, TypeError):
        found.append(FoundReader("ollama", False, f"does not answer at {address()}", "ollama serve"))
    for provider, keys in KEYS.items():
        key = next((key for key in keys if os.environ.get(key)), None)
        remedy = None if key else f"set {' or '.join(keys)}"
        found.append(FoundReader(f"{provider}/MODEL", key is not None, f"{key} is set" if key else "no key", remedy))
    return found


def _program(name: str, preset: ProgramPreset) -> FoundReader:
    path = shutil.which(preset.program)
    if path is None:
        return FoundReader(name, False, f"`{preset.program}` not found", preset.install)
    ready = logged_in(preset)
    said = {True: "logged in", False: "not logged in", None: "whether it is logged in shows when it is asked"}[ready]
    number = version(path)
    tried = "" if number == preset.tried else f" (tried with {preset.tried})"
    return FoundReader(name, ready, f"{number or 'version not known'}{tried}, {said}", None if ready else preset.login)
