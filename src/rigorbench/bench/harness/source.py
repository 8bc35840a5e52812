"""The project that a recipe installs from: the user's clone, or one that is fetched on request."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from .harness import Clone, Harness, HarnessError

FETCH = "fetch"

_LICENCES = (
    ("MIT", "permission is hereby granted, free of charge"),
    ("Apache-2.0", "apache license version 2.0"),
    ("MPL-2.0", "mozilla public license version 2.0"),
    ("GPL-3.0", "gnu general public license version 3"),
    ("BSD", "redistribution and use in source and binary forms"),
    ("CC-BY-4.0", "creative commons attribution 4.0"),
)


def find_source(harness: Harness, sources: Mapping[str, str | Path], cache: Path | None = None) -> Clone:
    """The clone to install ``harness`` from.

    Args:
        sources: harness -> what the user gave for it: a directory, ``URL@REVISION``, or ``fetch`` for the recipe's own
            URL and revision. Only the last two use the network.

    Raises:
        HarnessError: no source was given, or it is not what the recipe expects.
    """
    assert harness.source is not None
    given = sources.get(harness.name)
    if given is None:
        raise HarnessError(
            f"{harness.name}: is installed from your clone of {harness.source.git}; give it with "
            f"--harness-source {harness.name}=DIR (or {harness.name}={FETCH} to fetch it)"
        )
    text = str(given)
    if Path(text).is_dir():
        return open_clone(harness, Path(text))
    if text == FETCH:
        return open_clone(harness, fetch(harness.source.git, harness.source.revision, cache))
    if "://" in text or text.startswith("git@"):
        url, at, revision = text.rpartition("@")
        # The @ of git@host, or of a user in the address, does not precede a revision.
        if not at or "/" in revision or ":" in revision or url in ("git", ""):
            raise HarnessError(f"{harness.name}: {text}: expected URL@REVISION; only a fixed revision can be repeated")
        return open_clone(harness, fetch(url, revision, cache))
    raise HarnessError(f"{harness.name}: {text}: no such directory")


def open_clone(harness: Harness, path: Path) -> Clone:
    """Check that ``path`` has the layout that the recipe expects, and describe it."""
    assert harness.source is not None
    if not path.is_dir():
        raise HarnessError(f"{harness.name}: {path}: no such directory")
    for pattern in harness.source.requires:
        if next(path.glob(pattern), None) is None:
            raise HarnessError(f"{harness.name}: {path}: has no {pattern}; is it a clone of {harness.source.git}?")
    revision = tree = None
    modified = False
    # An unpacked archive may be inside some other repository, whose revision says nothing about it.
    if _git(path, "rev-parse", "--show-prefix") == "":
        revision = _git(path, "rev-parse", "--verify", "-q", "HEAD") or None
        tree = _git(path, "rev-parse", "--verify", "-q", "HEAD^{tree}") or None
        modified = bool(_git(path, "status", "--porcelain"))
    licence_file = path / harness.source.licence_file
    found = licence_file.is_file()
    licence = _licence(licence_file) if found else "unknown"
    return Clone(path.absolute(), revision, tree, modified, licence, harness.source.licence_file if found else None)


def fetch(url: str, revision: str | None, cache: Path | None) -> Path:
    """Clone ``url`` at ``revision`` into ``cache``, unless it is there already; returns the directory."""
    if revision is None:
        raise HarnessError(f"{url}: no revision is known to fetch; give URL@REVISION")
    if cache is None:
        raise HarnessError(f"{url}: no directory to fetch into")
    dest = cache / hashlib.sha256(f"{url}\0{revision}".encode()).hexdigest()[:16]
    if dest.is_dir():
        return dest
    draft = cache / f".{dest.name}.{os.getpid()}"
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    try:
        for arguments in (
            ("init", "-q", "--template="),
            ("fetch", "-q", "--no-tags", "--depth=1", "--", url, revision),
            ("-c", "advice.detachedHead=false", "checkout", "-q", "FETCH_HEAD"),
        ):
            done = _run(draft, *arguments)
            if done.returncode:
                why = " ".join(done.stderr.split()) or f"git {arguments[0]}: exit status {done.returncode}"
                raise HarnessError(f"{url}: cannot fetch {revision}: {why}")
        draft.rename(dest)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return dest


def _run(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    # The clone may be somebody else's: its hooks do not run, and git never asks for a password.
    quiet = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", f"safe.directory={path.resolve()}")
    try:
        return subprocess.run(
            ["git", *quiet, *arguments],
            cwd=path,
            env=clean | {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    except FileNotFoundError:
        raise HarnessError("git: not found; install git") from None


def _git(path: Path, *arguments: str) -> str | None:
    done = _run(path, *arguments)
    return done.stdout.strip() if done.returncode == 0 else None


def _licence(path: Path) -> str:
    text = " ".join(path.read_text(encoding="utf-8", errors="replace").lower().replace(",", "").split())
    return next((name for name, words in _LICENCES if words.replace(",", "") in text), "unknown")
