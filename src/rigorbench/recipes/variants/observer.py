"""A plugin of pytest for the sandbox: writes what each failing test compared, and where it failed."""

from __future__ import annotations

import json
import os
from typing import Any

FILE = "rigor-failures.json"
_compared: list[str] = []
_failures: list[dict[str, Any]] = []


def pytest_assertrepr_compare(config: Any, op: str, left: Any, right: Any) -> None:
    _compared[:] = [op, _text(left), _text(right)]


def pytest_runtest_setup(item: Any) -> None:
    del _compared[:]


def pytest_exception_interact(node: Any, call: Any, report: Any) -> None:
    if call.when != "call":
        return
    frames = [
        [os.path.relpath(str(entry.path), os.getcwd()), entry.lineno + 1, entry.name]
        for entry in call.excinfo.traceback
    ]
    params = getattr(getattr(node, "callspec", None), "params", {})
    # A fixture with values of its own has them here as well, and gives the test something else.
    given = getattr(node, "funcargs", {})
    params = {name: value for name, value in params.items() if given.get(name) is value}
    _failures.append(
        {
            "test": node.nodeid,
            "error": call.excinfo.typename,
            "message": str(call.excinfo.value),
            "compared": list(_compared),
            "frames": frames,
            "params": {name: _text(value) for name, value in params.items()},
            "fixtures": [name for name in getattr(node, "fixturenames", ()) if name not in params],
        }
    )


def pytest_unconfigure(config: Any) -> None:
    with open(FILE, "w", encoding="utf-8") as file:
        json.dump(_failures, file)


def _text(value: Any) -> str:
    try:
        return repr(value)
    except Exception:
        return "<no text>"
