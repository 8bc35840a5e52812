"""The build of a Python project that has none of its own: every module compiles, and the packages can be imported."""

from __future__ import annotations

import importlib
import json
import os
import sys
import traceback
from typing import Any


def check(request: dict[str, Any]) -> int:
    """Compile ``files`` and import ``packages``; problems go into the file ``out`` as JSON."""
    broken: dict[str, str] = {}
    for path in request["files"]:
        try:
            with open(path, "rb") as file:
                compile(file.read(), path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:  # the latter: nested too deeply
            broken[path] = f"{type(error).__name__}: {error}"
        except OSError:
            continue
    root = os.getcwd()
    for directory in request["roots"]:
        sys.path.insert(0, os.path.join(root, directory) if directory else root)
    imports = {package: attempt(package, root) for package in request["packages"]}
    with open(request["out"], "w") as out:
        json.dump({"broken": broken, "imports": imports}, out)
    return 0


def attempt(package: str, root: str) -> dict[str, str | None] | None:
    """None when the import works, else what went wrong; a missing foreign module is named apart."""
    try:
        importlib.import_module(package)
    except ModuleNotFoundError as error:
        return {"error": f"ModuleNotFoundError: {error}", "missing": (error.name or "").partition(".")[0]}
    except (Exception, SystemExit) as error:  # whatever the project's code raises is the finding
        frames = traceback.extract_tb(error.__traceback__)
        place = next((f for f in reversed(frames) if f.filename.startswith(root)), None)
        where = "" if place is None else f" ({os.path.relpath(place.filename, root)}:{place.lineno})"
        return {"error": f"{type(error).__name__}: {error}{where}", "missing": None}
    return None
