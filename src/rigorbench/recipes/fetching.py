"""Distributions: fetched once from the configured index or registry, checked by their hash, and kept in the cache."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from ..base.cache import cache_directory
from .model import Ecosystem

_SECONDS = 600.0


class DistributionError(Exception):
    """A distribution cannot be used. One line."""


class Unavailable(DistributionError):
    """The index cannot be reached, or does not have the distribution any more."""


def fetch(ecosystem: Ecosystem, name: str, version: str, sha256: str) -> Path:
    """The file of a distribution, from the cache or else from the index that pip or npm is configured to use.

    Raises:
        Unavailable: the index does not have it.
        DistributionError: the index has another file of this name.
    """
    place = cache_directory().with_name("distributions") / sha256
    found = next((f for f in place.glob("*") if f.is_file()), None)
    if found is not None and _digest(found) == sha256:
        return found
    place.parent.mkdir(parents=True, exist_ok=True)
    download = _with_pip if ecosystem == "pypi" else _with_npm
    with tempfile.TemporaryDirectory(dir=place.parent) as directory:
        downloaded = download(name, version, sha256, Path(directory))
        if _digest(downloaded) != sha256:
            raise _other_hash(name, version, _digest(downloaded), sha256)
        place.mkdir(exist_ok=True)
        return downloaded.rename(place / downloaded.name)


def _with_pip(name: str, version: str, sha256: str, directory: Path) -> Path:
    requirements = directory / "requirements.txt"
    requirements.write_text(f"{name}=={version} --hash=sha256:{sha256}\n", encoding="utf-8")
    target = directory / "files"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input"]
    command += ["--no-deps", "--no-binary", name, "--require-hashes", "-r", str(requirements), "-d", str(target)]
    done = _run(command, "pip", name, version, directory)
    if (got := re.search(r"^\s*Got\s+([0-9a-f]{64})\s*$", done.stderr, re.MULTILINE)) is not None:
        raise _other_hash(name, version, got.group(1), sha256)
    files = sorted(target.glob("*")) if target.is_dir() else []
    if done.returncode or len(files) != 1:
        errors = [line for line in done.stderr.splitlines() if "ERROR" in line]
        why = " ".join((errors or done.stderr.splitlines() or ["pip named no reason"])[-1].split())[:200]
        raise Unavailable(f"{name} {version}: its source distribution cannot be fetched ({why})")
    return files[0]


def _with_npm(name: str, version: str, sha256: str, directory: Path) -> Path:
    command = ["npm", "pack", "--ignore-scripts", "--loglevel=error", f"{name}@{version}"]
    done = _run(command, "npm", name, version, directory)
    files = sorted(directory.glob("*.tgz"))
    if done.returncode or len(files) != 1:
        errors = [line for line in done.stderr.splitlines() if re.match(r"npm (error|ERR!) (?!code )", line)]
        why = " ".join((errors or ["npm named no reason"])[0].split())[:200]
        raise Unavailable(f"{name} {version}: its tarball cannot be fetched ({why})")
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


def _other_hash(name: str, version: str, found: str, sha256: str) -> DistributionError:
    return DistributionError(f"{name} {version}: its hash is {found}, not {sha256}; trust only what you have checked")


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
