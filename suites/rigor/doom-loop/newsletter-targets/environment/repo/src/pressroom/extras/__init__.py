"""Extras: modules of this package that change how a build works. They are found by themselves."""

from __future__ import annotations

import importlib
import pkgutil

from ..context import Context


def install_all(context: Context) -> None:
    """Install every extra, in the order of their names."""
    for found in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        importlib.import_module(f"{__name__}.{found.name}").install(context)
