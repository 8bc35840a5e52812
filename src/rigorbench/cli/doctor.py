"""``rigor doctor``: what works on this machine, and what to install for the rest."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import textwrap
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from msgspec import Struct
from rich.console import Console
from rich.table import Table

from ..base.extras import install
from ..base.version import __version__
from ..bench.agents.readiness import agents, missing_packages
from ..bench.replay.sandbox import unavailable
from ..judge.build.table import Language, languages
from ..judge.build.toolchains import toolchain, versions
from ..sandbox.box.probe import probe
from ..session.formats import FOLDERS, FORMATS, unread_stores
from ..session.logfile import LogError
from ..session.registry import read_path, readers, user_logs
from .common import EXTRAS, add_json, message, parser, write_json

_AGENT = "agent "
_READER = "reader "
_NO_LOGS = "no session logs of this user"
_NEWEST = 3  # logs of each agent that are read, to see whether a new version writes something unknown


class Diagnosis(Struct):
    """One thing that may or may not work here, and what to do if it does not."""

    name: str
    ok: bool
    detail: str
    remedy: str | None = None


def command(arguments: list[str]) -> int:
    p = parser("doctor", "What works on this machine, and what to install for the rest.")
    p.add_argument("--formats", action="store_true", help="only list the log formats that can be read")
    p.add_argument("--languages", action="store_true", help="only list the languages that the judge can build here")
    p.add_argument("--model", metavar="M", help="only ask this model for one small tool call, and say what it showed")
    add_json(p)
    args = p.parse_args(arguments)
    if args.formats:
        if args.json:
            left = {reader.format: sorted(reader.not_read) for reader in readers()}
            write_json([{"format": f.id, "what": f.title, "not_read": left[f.id]} for f in FORMATS])
        else:
            for log_format in FORMATS:
                print(f"{log_format.id:<20} {log_format.title}")
        return 0
    if args.languages:
        known = [_described(language) for language in languages().values()]
        if args.json:
            write_json({"schema": "rigor-languages/1", "languages": known})
        else:
            _show(known)
        return 0
    checks = _checks() if args.model is None else [_model(args.model)]
    if args.json:
        write_json({"schema": "rigor-doctor/1", "checks": checks})
        return 0
    for line in _lines(checks):
        print(line)
    if args.model is not None:
        return 0 if checks[0].ok else 1
    message("everything marked ok works; the rest is optional")
    return 0


def _lines(checks: list[Diagnosis]) -> Iterator[str]:
    """A line for each check; agents without logs here, agents and readers that are not ready, are one entry each."""
    no_logs = [c.name.removesuffix(" logs") for c in checks if c.detail == _NO_LOGS]
    not_ready = [c for c in checks if c.name.startswith(_AGENT) and not c.ok]
    no_readers = [c for c in checks if c.name.startswith(_READER) and not c.ok]
    for check in checks:
        if check.detail == _NO_LOGS or check in not_ready or check in no_readers:
            continue
        yield from _wrapped(check.ok, check.name, check.detail)
        if check.remedy:
            yield _line(None, "", check.remedy)
    if no_logs:
        yield from _wrapped(False, "logs of this user", f"none of {', '.join(no_logs)}")
    if no_readers:
        yield _line(False, "readers not ready", "any one gives grades: rigor score LOG --reader NAME")
    for check in no_readers:
        yield _line(None, f"  {check.name.removeprefix(_READER)}", f"{check.detail}: {check.remedy}")
    reasons: dict[str, list[str]] = {}
    for check in not_ready:
        name = check.name.removeprefix(_AGENT)
        if check.remedy is None:  # a package is missing, which the check of `rigor run` names
            reasons.setdefault(check.detail, []).append(name)
    for why, names in reasons.items():
        yield from _wrapped(False, "agents", f"{why}: {', '.join(names)}")
    absent = [c for c in not_ready if c.remedy is not None]
    if absent:
        yield _line(False, "agents not ready", "install one, or give --agent-path NAME=DIR")
    for check in absent:
        name, remedy = check.name.removeprefix(_AGENT), check.remedy or ""
        yield _line(None, f"  {name}", remedy.removesuffix(f", or --agent-path {name}=DIR"))


def _line(ok: bool | None, name: str, detail: str) -> str:
    mark = "" if ok is None else "ok" if ok else "--"
    return f"{mark:<3} {name:<22} {detail}"


def _wrapped(ok: bool, name: str, detail: str) -> Iterator[str]:
    for number, text in enumerate(textwrap.wrap(detail, 72, break_on_hyphens=False, break_long_words=False) or [""]):
        yield _line(ok, name, text) if number == 0 else _line(None, "", text)


def _checks() -> list[Diagnosis]:
    python_ok = sys.version_info >= (3, 11)
    reason, git = unavailable(), shutil.which("git")
    remedy = "apt install bubblewrap, and allow unprivileged user namespaces" if reason is not None else None
    checks = [
        Diagnosis("rigorbench", True, __version__),
        Diagnosis(
            "python", python_ok, platform.python_version(), None if python_ok else "install Python 3.11 or newer"
        ),
        Diagnosis("scoring of logs", True, f"{len(FORMATS)} formats (rigor doctor --formats)"),
        Diagnosis("replay sandbox (bwrap)", reason is None, reason or "works", remedy),
        Diagnosis(
            "git",
            git is not None,
            git or "not found; recorded runs and their replay need it",
            None if git else "apt install git",
        ),
        *_extras(),
        *_languages(),
    ]
    home = Path.home()
    found: dict[str, list[tuple[float, Path]]] = {}
    for agent, path, changed in user_logs(home):
        found.setdefault(agent, []).append((changed, path))
    for agent in dict.fromkeys(folder.agent for folder in FOLDERS if folder.directory is not None):
        logs = [path for _, path in sorted(found.get(agent, ()), reverse=True)]
        detail = "; ".join([f"{len(logs)} session logs", *_unknown(logs[:_NEWEST])]) if logs else _NO_LOGS
        checks.append(Diagnosis(f"{agent} logs", bool(logs), detail))
    checks += [Diagnosis("other logs", False, line) for line in unread_stores(home)]
    return checks + _readers() + _running()


def _unknown(logs: list[Path]) -> list[str]:
    """For each version of an agent, what its logs have that the reader does not know: a newer one may bring it."""
    told: dict[str, str] = {}
    for path in logs:
        with suppress(LogError):
            for found in read_path(path):
                # Readers say "unknown" or "not known" of kinds of records, and other words of damage.
                for new in [s.reason for s in found.skipped if "known" in s.reason][:1]:
                    told.setdefault(found.agent_version or "no version", new)
    return [f"{version}: {new}" for version, new in told.items()]


def _readers() -> list[Diagnosis]:
    """Who could read sessions and grade them. Nobody is asked anything."""
    from ..review.reader.backends import available

    return [
        Diagnosis(
            _READER + found.name, found.ready is not False, found.detail, found.remedy if found.ready is False else None
        )
        for found in available()
    ]


def _running() -> list[Diagnosis]:
    """What `rigor run` needs: the engine, a recorded sandbox, agents. No engine is imported for it."""
    missing = missing_packages()
    detail = f"{', '.join(missing)} missing" if missing else "Inspect and the clients of its bridge are installed"
    checks = [
        Diagnosis("rigor run", not missing, detail, install("bench") if missing else None),
        _recorded_sandbox(),
        _judge(),
    ]
    for name, ready in agents().items():
        where = f"{ready.version or 'version not known'}{f', {ready.where}' if ready.where else ''}"
        # With the extra missing nothing is ready, and the line above says what to install.
        remedy = ready.remedy if not ready.ok and not missing else None
        detail = where + (f" ({ready.why})" if ready.why else "") if ready.ok else ready.why
        checks.append(Diagnosis(f"{_AGENT}{name}", ready.ok, detail, remedy or None))
    return checks


def _model(name: str) -> Diagnosis:
    """What one small call shows of a model."""
    from ..bench.run.planning.prerequisites import unreachable

    why = f"{', '.join(missing)} missing" if (missing := missing_packages()) else unreachable(name)
    if why is not None:
        return Diagnosis(name, False, why, install("bench") if missing else None)
    from ..bench.run.evaluation import check_models
    from ..bench.run.planning.plan import PlanError
    from ..bench.run.preflight import preflight

    try:
        check_models([name])
    except PlanError as error:
        return Diagnosis(name, False, str(error))
    found = preflight(name)
    return Diagnosis(name, found.ok, found.text())


def _languages() -> list[Diagnosis]:
    """The toolchains of the suite's tasks that are not in Python."""
    from ..sandbox.kit.languages import FAMILIES, find_languages, version

    checks = []
    for family, tool in FAMILIES.items():
        missing = find_languages([tool]).missing
        if missing:
            what, _, remedy = missing[0].partition(": ")[2].rpartition(": ")
            checks.append(Diagnosis(f"tasks in {family}", False, what, remedy))
        else:
            checks.append(Diagnosis(f"tasks in {family}", True, version(tool) or f"{tool} does not tell its version"))
    return checks


def _recorded_sandbox() -> Diagnosis:
    name = "recorded sandbox"
    if shutil.which("bwrap") is None:
        return Diagnosis(
            name, False, "bwrap not found; rigor run needs it, or --sandbox docker", "apt install bubblewrap"
        )
    found = probe()
    if not found.ok:
        return Diagnosis(name, False, found.why, "allow unprivileged user namespaces, or use --sandbox docker")
    limits = ", ".join(f"{what} by {how}" for what, how in found.limits.items())
    return Diagnosis(name, True, f"records {', '.join(found.features)}" + (f"; limits {limits}" if limits else ""))


def _judge() -> Diagnosis:
    """What `rigor judge` runs submissions in."""
    name = "judge's sandbox"
    if shutil.which("bwrap") is None:
        return Diagnosis(name, False, "bwrap not found; rigor judge needs it", "apt install bubblewrap")
    from ..sandbox.cell.probe import probe

    found = probe()
    return Diagnosis(name, found.ok, found.found, found.remedy)


def _extras() -> list[Diagnosis]:
    """What is installed of the optional parts. Nothing of them is imported."""
    checks = []
    for name, extra, modules in EXTRAS:
        missing = [m for m in modules if find_spec(m) is None]
        detail = f"{', '.join(missing)} missing" if missing else f"{', '.join(modules)} installed"
        checks.append(Diagnosis(name, not missing, detail, install(extra) if missing else None))
    return checks


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
