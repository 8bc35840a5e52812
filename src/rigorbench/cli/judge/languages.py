"""``rigor doctor --languages``: the languages of the table, and which of them this machine can judge."""

from __future__ import annotations

import os
import sys
from typing import Any

from rich.console import Console
from rich.table import Table

from ...judge.build.table import Language, languages
from ...judge.build.toolchains import toolchain, versions
from ..common import write_json

LANGUAGES_SCHEMA = "rigor-languages/1"


def show_languages(*, as_json: bool) -> None:
    """Prints them. Raises: LanguageError when the user's own table cannot be used."""
    known = [_described(language) for language in languages().values()]
    if as_json:
        write_json({"schema": LANGUAGES_SCHEMA, "languages": known})
    else:
        _show(known)


def _described(language: Language) -> dict[str, Any]:
    tools = toolchain(language.programs)
    variants = {}
    for name, variant in language.variants.items():
        missing = toolchain(variant.programs).missing if variant.programs else ()
        variants[name] = {"by": variant.reports, "missing": list(missing)}
    return {
        "id": language.id,
        "name": language.name,
        "aliases": list(language.aliases),
        "extensions": list(language.extensions),
        "available": not tools.missing,
        "missing": list(tools.missing),
        "versions": versions(language.programs),
        "time": language.time,
        "memory": language.memory,
        "startup_memory": int(language.startup_memory),
        "compile": list(language.compile),
        "run": list(language.run),
        "checks": variants,
    }


def _show(known: list[dict[str, Any]]) -> None:
    shown = Table(box=None, pad_edge=False)
    for title in ("language", "name", "files", "time", "memory", "checks", "here"):
        shown.add_column(title, justify="right" if title in ("time", "memory") else "left")
    for entry in known:
        if entry["available"]:
            here = ", ".join(f"{program} {version}" for program, version in entry["versions"].items()) or "yes"
        else:
            here = "; ".join(entry["missing"])
        checks = ", ".join(name for name, check in entry["checks"].items() if not check["missing"]) or "-"
        files = " ".join(entry["extensions"])
        shown.add_row(entry["id"], entry["name"], files, f"x{entry['time']:g}", f"x{entry['memory']:g}", checks, here)
    width = None if os.environ.get("COLUMNS") or sys.stdout.isatty() else 140
    Console(width=width).print(shown)
