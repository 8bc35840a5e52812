"""Work that was never submitted: how the final work tree differs from the last submission, build products aside."""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path

from ...session.products import is_product
from ...session.readers.capture.store import TreeEntry
from ..outcome.trees import TreeError, read_file, read_tree

# What CMake writes into the directory in which it builds.
_CACHE = "CMakeCache.txt"
_ELF = b"\x7fELF"


def unsubmitted(store: Path, tree: str, submitted: Path) -> list[str] | None:
    """Paths that the final work tree adds, changes or removes against what was submitted last; None: not known.

    Products are left out: by their names, in a directory in which CMake built, programs, and what the work tree's own
    .gitignore files exclude.
    """
    last = {p.relative_to(submitted).as_posix(): _blob(p) for p in sorted(submitted.rglob("*")) if p.is_file()}
    try:
        final = read_tree(store, tree)
        added = {path for path in final if path not in last}
        added -= _products(added, last)
        added -= _ignored(store, final, added)
        added -= {path for path in added if read_file(store, final[path]).startswith(_ELF)}
    except (TreeError, OSError, subprocess.SubprocessError):
        return None
    changed = {path for path, sha in last.items() if path not in final or final[path].sha != sha}
    return sorted(added | changed)


def _products(paths: Collection[str], submitted: Collection[str]) -> set[str]:
    built = {path.removesuffix(_CACHE) for path in paths if path.rpartition("/")[2] == _CACHE}
    # A build in the root of the project mixes products with sources: there only names decide.
    roots = tuple(root for root in built if root)
    return {path for path in paths if is_product(path, submitted) or path.startswith(roots)}


def _ignored(store: Path, final: Mapping[str, TreeEntry], paths: Collection[str]) -> set[str]:
    """Those of the paths that the .gitignore files of the tree exclude."""
    rules = [path for path in final if path.rpartition("/")[2] == ".gitignore"]
    if not rules or not paths:
        return set()
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    environment |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    with tempfile.TemporaryDirectory(prefix="rigor-ignored-") as name:
        root = Path(name)
        subprocess.run(["git", "init", "-q", name], env=environment, check=True, capture_output=True)
        for path in rules:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(read_file(store, final[path]))
        asked = subprocess.run(
            ["git", "-C", name, "check-ignore", "--no-index", "-z", "--stdin"],
            input="\0".join(paths).encode("utf-8", "surrogateescape"),
            env=environment,
            capture_output=True,
            check=False,
        )
    return set(asked.stdout.decode("utf-8", "surrogateescape").split("\0")) & set(paths)


def _blob(path: Path) -> str:
    """The name that git gives to the content of a file."""
    data = path.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
