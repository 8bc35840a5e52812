"""Which paths are not part of the work tree, by the rules at the start; rules that the agent writes do not count."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from . import safegit

# What tools leave behind: no part of the work tree unless the start state has such a path.
CACHES: Final = frozenset(
    {
        "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".tox", ".nox",
        ".ipynb_checkpoints",
        "node_modules", ".npm", ".yarn", ".parcel-cache", ".nyc_output", ".gradle", ".venv", "venv", ".eggs",
    }
)  # fmt: skip
# Directories of builds, by the file beside them that makes them one.
_BUILDS: Final = {"target": ("Cargo.toml", "pom.xml", "build.sbt")}
_FILES: Final = frozenset({".coverage", ".DS_Store"})
_ENDINGS: Final = (".pyc", ".pyo", ".egg-info")
_PATIENCE: Final = 10.0


class Ignoring:
    """Answers for new paths, in batches; asks a git process about the .gitignore files as they were at the start.

    Args:
        root: The work tree at its start.
        directory: Our own, for copies of its rules.
    """

    def __init__(self, root: Path, directory: Path) -> None:
        self.problem: str | None = None
        """Why git could not be asked (then only the built-in list counts)."""
        self.left_out: dict[str, bool] = {}
        """The paths that the built-in list leaves out (True: not reported yet)."""
        self._git: subprocess.Popen[bytes] | None = None
        self._directory = directory
        self._tracked: set[str] = set()
        self._tracked_directories: set[str] = set()
        self._names: set[str] = set()
        shutil.rmtree(self._directory, ignore_errors=True)
        for source, path in _rule_files(root):
            target = self._directory / path
            target.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(OSError):
                target.write_bytes(_read_plain(source))
        git = self._directory / ".git"
        for name in ("objects", "refs", "info"):
            (git / name).mkdir(parents=True, exist_ok=True)
        (git / "HEAD").write_text("ref: refs/heads/none\n")
        (git / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
        with contextlib.suppress(OSError):
            (git / "info" / "exclude").write_bytes(_read_plain(root / ".git" / "info" / "exclude"))
        listed = safegit.run(root / ".git", "ls-files", "-z") if (root / ".git").exists() else None
        for raw in (listed or b"").split(b"\0"):
            if raw:
                path = os.fsdecode(raw)
                self._tracked.add(path)
                self._names.update(path.split("/"))
                while (path := path.rpartition("/")[0]) and path not in self._tracked_directories:
                    self._tracked_directories.add(path)

    def ignored(self, prefix: str, names: list[tuple[str, bool]]) -> set[str]:
        """The ignored of the new ``names`` (is it a directory?) in the directory ``prefix`` ("" or "a/b/")."""
        out: set[str] = set()
        ask: list[str] = []
        for name, is_directory in names:
            path = prefix + name
            if path in (self._tracked_directories if is_directory else self._tracked):
                continue
            if self._is_cache(name, names, is_directory):
                out.add(name)
                if len(self.left_out) < 1000:
                    self.left_out.setdefault(path, True)
            else:
                ask.append(name + "/" if is_directory else name)
        answers = self._ask([os.fsencode(prefix + name) for name in ask])
        out.update(name.rstrip("/") for name, answer in zip(ask, answers, strict=True) if answer)
        return out

    def newly_left_out(self) -> list[str]:
        """What the built-in list has left out since the last call."""
        new = [path for path, is_new in self.left_out.items() if is_new]
        self.left_out.update(dict.fromkeys(new, False))
        return new

    def close(self) -> None:
        if self._git is not None:
            self._git.kill()
            self._git.wait()
            for pipe in (self._git.stdin, self._git.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
            self._git = None

    def _is_cache(self, name: str, names: list[tuple[str, bool]], is_directory: bool) -> bool:
        if name in self._names:
            return False
        if name.endswith(_ENDINGS):
            return True
        if not is_directory:
            return name in _FILES or name.startswith(".coverage.")
        beside = _BUILDS.get(name)
        return name in CACHES or (beside is not None and any((file, False) in names for file in beside))

    def _ask(self, paths: list[bytes]) -> list[bool]:
        if not paths or self.problem is not None:
            return [False] * len(paths)
        try:
            if self._git is None:
                self._git = subprocess.Popen(
                    safegit.command(
                        self._directory / ".git", f"--work-tree={self._directory}", "check-ignore",
                        "--stdin", "-z", "-v", "-n", "--no-index",
                    ),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env=safegit.environment(),
                    cwd=self._directory,
                    bufsize=0,
                )  # fmt: skip
            assert self._git.stdin is not None
            assert self._git.stdout is not None
            answers: list[bool] = []
            for path in paths:  # one at a time keeps both pipes from filling up
                self._git.stdin.write((b"./" if path.startswith(b":") else b"") + path + b"\0")  # ":" is magic
                _, _, pattern, _ = self._answer(self._git.stdout.fileno())
                answers.append(bool(pattern) and not pattern.startswith(b"!"))
        except (OSError, TimeoutError) as error:
            self.problem = f"git check-ignore: {error}"
            self.close()
            return [False] * len(paths)
        return answers

    def _answer(self, fd: int) -> list[bytes]:
        """Four fields: the file of the rule, its line, the rule, the path."""
        data = b""
        poll = select.poll()
        poll.register(fd, select.POLLIN)
        until = time.monotonic() + _PATIENCE
        while data.count(b"\0") < 4:
            if not poll.poll(max(0.0, until - time.monotonic()) * 1000):
                raise TimeoutError("no answer")
            piece = os.read(fd, 65536)
            if not piece:
                raise OSError("ended early")
            data += piece
        return data.split(b"\0")[:4]


def _rule_files(root: Path) -> Iterator[tuple[Path, str]]:
    for directory, subdirectories, files in os.walk(root):
        subdirectories[:] = [name for name in subdirectories if name != ".git" and name not in CACHES]
        if ".gitignore" in files:
            source = Path(directory) / ".gitignore"
            yield source, str(source.relative_to(root))


def _read_plain(path: Path) -> bytes:
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(fd, "rb") as file:
        return file.read(1 << 20)
