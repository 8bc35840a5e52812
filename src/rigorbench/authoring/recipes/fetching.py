"""Distributions: fetched once from the configured index or registry, checked by their hash, and kept in the cache."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Literal

from ...base.cache import cache_directory

Form = Literal["source distribution", "wheel", "tarball"]
_SECONDS = 600.0


class DistributionError(Exception):
    """A distribution cannot be used. One line."""


class Unavailable(DistributionError):
    """The index cannot be reached, or does not have the distribution any more."""


def fetch(form: Form, name: str, version: str, sha256: str) -> Path:
    """The file of a distribution, from the cache or else from the index that pip or npm is configured to use.

    Raises:
        Unavailable: the index does not have it.
        DistributionError: the index has another file of this name.
    """
    found = known_file(sha256)
    if found is not None:
        return found
    place = _place(sha256)
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent) as name_of_draft:
        directory = Path(name_of_draft)
        if form == "tarball":
            downloaded = _with_npm(name, version, directory)
        else:
            downloaded = _with_pip(form, name, version, sha256, directory)
        if _digest(downloaded) != sha256:
            raise _other_hash(name, version, _digest(downloaded), sha256)
        place.mkdir(exist_ok=True)
        return downloaded.rename(place / downloaded.name)


def known_file(sha256: str) -> Path | None:
    """The file of a distribution that has been fetched before."""
    found = next((f for f in _place(sha256).glob("*") if f.is_file()), None)
    return found if found is not None and _digest(found) == sha256 else None


def _place(sha256: str) -> Path:
    return cache_directory().with_name("distributions") / sha256


def _with_pip(form: Form, name: str, version: str, sha256: str, directory: Path) -> Path:
    requirements = directory / "requirements.txt"
    requirements.write_text(f"{name}=={version} --hash=sha256:{sha256}\n", encoding="utf-8")
    target = directory / "files"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input"]
    command += ["--no-deps", "--only-binary" if form == "wheel" else "--no-binary", name]
    command += ["--require-hashes", "-r", str(requirements), "-d", str(target)]
    done = _run(command, "pip", name, version, directory)
    if (got := re.search(r"^\s*Got\s+([0-9a-f]{64})\s*$", done.stderr, re.MULTILINE)) is not None:
        raise _other_hash(name, version, got.group(1), sha256)
    files = sorted(target.glob("*")) if target.is_dir() else []
    if done.returncode or len(files) != 1:
        errors = [line for line in done.stderr.splitlines() if "ERROR" in line]
        raise _unavailable(form, name, version, (errors or done.stderr.splitlines() or ["pip named no reason"])[-1])
    return files[0]


def _with_npm(name: str, version: str, directory: Path) -> Path:
    command = ["npm", "pack", "--ignore-scripts", "--loglevel=error", f"{name}@{version}"]
    done = _run(command, "npm", name, version, directory)
    files = sorted(directory.glob("*.tgz"))
    if done.returncode or len(files) != 1:
        errors = [line for line in done.stderr.splitlines() if re.match(r"npm (error|ERR!) (?!code )", line)]
        raise _unavailable("tarball", name, version, (errors or ["npm named no reason"])[0])
    return files[0]


def _run(command: list[str], client: str, name: str, version: str, directory: Path) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=_SECONDS, check=False, cwd=directory
        )
    except FileNotFoundError:
        raise Unavailable(f"{name} {version}: {client} is not installed, and it has to be fetched") from None
    except subprocess.TimeoutExpired:
        raise Unavailable(f"{name} {version}: {client} did not end in {_SECONDS:.0f} s; try again") from None


def _unavailable(form: Form, name: str, version: str, why: str) -> Unavailable:
    return Unavailable(f"{name} {version}: its {form} cannot be fetched ({' '.join(why.split())[:200]})")


def _other_hash(name: str, version: str, found: str, sha256: str) -> DistributionError:
    return DistributionError(f"{name} {version}: its hash is {found}, not {sha256}; trust only what you have checked")


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
