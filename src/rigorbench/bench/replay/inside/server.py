"""Builds and tests one work tree after another without starting Python and the test framework anew each time.

Requests are JSON objects, one per line, on standard input; each is served in a forked child, so that nothing of one
state of the code is left in the next. The answer is one line on standard output (the child's exit status and its
seconds); results go into the file that the request names.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import inspect
import json
import os
import signal
import sys
import time
import traceback
from typing import Any

from . import testing

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What the sandbox's Python has beside pytest. It may be imported before the project's own code.
INSTALLED = "attr attrs hypothesis packaging sortedcontainers"
USUAL = "coverage pytest unittest unittest.mock json decimal dataclasses asyncio typing pdb queue fractions gzip"


def preload() -> None:
    """Import what every test run needs."""
    for name in USUAL.split():
        attempt(name)
    from _pytest.config import default_plugins

    for name in default_plugins:
        attempt("_pytest." + name)
    # pytest loads its installed plugins at every start, and Hypothesis' one loads Hypothesis at its end.
    for package, module in plugins().items():
        attempt(module)
        if package == "_hypothesis_pytestplugin":
            attempt("hypothesis")


def attempt(name: str) -> None:
    # What is not there, or not on this system, is left to the tests to find out.
    with contextlib.suppress(Exception):
        importlib.import_module(name)


def plugins() -> dict[str, str]:
    """The packages of installed pytest plugins and the module of each, but for the project's own."""
    from importlib.metadata import entry_points
    from importlib.util import find_spec

    root = os.getcwd()
    found: dict[str, str] = {}
    with contextlib.suppress(Exception):
        for entry in entry_points(group="pytest11"):
            module = entry.value.partition(":")[0].strip()
            package = module.partition(".")[0]
            spec = find_spec(package)
            if spec is not None and spec.origin is not None and not spec.origin.startswith(root):
                found.setdefault(package, module)
    return found


def serve() -> None:
    """Answer requests until standard input ends."""
    # Standard output is for answers alone; what an import prints goes where errors go.
    with os.fdopen(os.dup(1), "w") as answers:
        os.dup2(2, 1)
        preload()
        answer(answers, {"ready": True, "threads": threads()})
        for line in sys.stdin:
            request = json.loads(line)
            started = time.monotonic()
            wanted = [name for name in request.get("preload", ()) if name not in sys.modules]
            if wanted:
                allowed = {*sys.stdlib_module_names, *INSTALLED.split(), *plugins()}
                for name in wanted:
                    if name.partition(".")[0] in allowed:
                        attempt(name)
                # Fills the table of the modules' files, which every child would fill anew at its first traceback.
                with contextlib.suppress(Exception):
                    inspect.getmodule(compile("", "/dev/null", "exec"))
            # What is there by now never becomes garbage in the child: its collections need not look at it.
            gc.freeze()
            child = os.fork()
            if child == 0:
                code = 70
                try:
                    code = work(request)
                except BaseException:  # it goes into the log
                    traceback.print_exc()
                finally:
                    # Whatever went wrong: the child never comes back into this loop.
                    os._exit(code)
            _, status = os.waitpid(child, 0)
            # Whatever the tests left running ends with them.
            with contextlib.suppress(OSError):
                os.killpg(child, signal.SIGKILL)
            code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
            answer(answers, {"status": code, "seconds": time.monotonic() - started, "threads": threads()})


def answer(stream: Any, value: dict[str, Any]) -> None:
    stream.write(json.dumps(value) + "\n")
    stream.flush()


def threads() -> int:
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return 1


def work(request: dict[str, Any]) -> int:
    """Serve one request in the child; the return value is the exit status."""
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    log = os.open(request["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.closerange(3, 256)
    os.chdir(request["root"])
    # Compiled files outlive the clean-up between two trees. The server itself uses those of the installation.
    sys.pycache_prefix = "/tmp/pycache"
    sys.path[:] = [p for p in sys.path if p not in ("", TOOLS)]
    status = 70
    try:
        status = check(request) if request["op"] == "build" else testing.run(request)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:  # the traceback goes into the log, the status tells the server
        traceback.print_exc()
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    return status & 0xFF


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
    imports = {package: import_problem(package, root) for package in request["packages"]}
    with open(request["out"], "w") as out:
        json.dump({"broken": broken, "imports": imports}, out)
    return 0


def import_problem(package: str, root: str) -> dict[str, str | None] | None:
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
