"""Reads a revision of a repository that its author controls.

What git needs (objects and references) is copied by name, without configuration, hooks, alternates, replacements,
grafts or a commit graph, and git reads the copy in a sandbox. Blobs come out as they are in the object store, without
attributes, filters or substitutions. The history that is kept is packed anew there.
"""

from __future__ import annotations

import os
import re
import shutil
from io import BytesIO
from pathlib import Path

from msgspec import structs

from ...sandbox.cell.cell import JudgeCell
from ...sandbox.cell.spec import CellError, CellLimits, CellRun, CellSpec, Measured
from ...sandbox.kit.mount import Mount
from ...sandbox.record import safegit
from ..build.collect import ArtefactError, take_file
from ..build.toolchains import toolchain
from ..build.unit import clean as clean_log
from ..files import open_regular, read_regular, scratch
from ..judgement import JudgeError, SubmissionError
from .tree import SubmissionTree, shown

_REVISION = re.compile(r"[0-9A-Za-z_][0-9A-Za-z_./+~^-]{0,199}")
_MOST = 256 << 20
_MOST_FILES = 100_000
_LISTING = 16 << 20
_CONFIG_SIZE = 64 << 10
_LIMITS = CellLimits(cpu=30.0, wall=120.0, memory=1 << 30, processes=32, output=_LISTING, disk=2 * _MOST, files=1000)
_BUNDLE = (b"# v2 git bundle\n", b"# v3 git bundle\n")
_SHA256 = re.compile(rb"^\s*objectformat\s*=\s*sha256\s*$", re.MULTILINE | re.IGNORECASE)
_CONFIG = "[core]\n\trepositoryformatversion = {version}\n\tbare = true\n\tlogAllRefUpdates = false\n{more}"
_LINK, _MODULE = "120000", "160000"
# $1: the commit. All objects that it reaches go into one new pack, which checks each of them.
_PACK = (
    '"$2" init -q --bare --template= /w/new.git && printf "%s\\n" "$1" | "$2" --no-replace-objects --git-dir="$3" '
    'pack-objects -q --revs --stdout --threads=1 > /w/new.pack && "$2" --git-dir=/w/new.git index-pack --threads=1 '
    "-o /w/new.idx /w/new.pack > /dev/null"
)


def is_bundle(data: bytes) -> bool:
    return data.startswith(_BUNDLE)


def is_repository(path: Path) -> bool:
    """Whether a directory is a bare repository, or a work tree that contains one."""
    return any(
        (place / "HEAD").is_file() and (place / "objects").is_dir() and (place / "refs").is_dir()
        for place in (path, path / ".git")
    )


def read_revision(repository: Path, revision: str, tree: SubmissionTree, history: Path) -> str:
    """Put the files of a revision into `tree` and its history into a new bare repository; returns the commit's id.

    Raises: SubmissionError: the revision does not exist, or the repository is unreadable or too large. JudgeError:
    there is no sandbox or no git here.
    """
    if not _REVISION.fullmatch(revision) or ".." in revision or "//" in revision:
        raise SubmissionError(f"the revision {shown(revision)!r} is refused: name a branch, a tag or a commit id")
    tools = toolchain(("git",))
    if tools.missing:
        raise JudgeError("; ".join(tools.missing))
    with scratch("repository") as base:
        copy = base / "copy"
        copy.mkdir()
        bundle = repository.is_file()
        try:
            if bundle:
                if repository.stat().st_size > _MOST:
                    raise SubmissionError(f"the bundle has more than {_MOST >> 20} MiB")
                shutil.copyfile(repository, copy / "bundle")
                (copy / "bundle").chmod(0o644)
            else:
                _stage(repository, copy)
        except OSError as error:
            raise SubmissionError(f"{shown(str(repository))} cannot be read: {error.strerror or error}") from None
        work = base / "work"
        work.mkdir()
        spec = CellSpec(0, "compiler", str(work), (*tools.mounts, Mount(str(copy), "/repository")), pinned=False)
        try:
            with JudgeCell.start(spec) as cell:
                return _Reader(cell, tools.where["git"], tools.path, base).read(revision, bundle, tree, history)
        except CellError as error:
            raise JudgeError(str(error)) from None


def _stage(repository: Path, copy: Path) -> None:
    """Copy regular files by name; links and everything else are skipped."""

    def has(directory: Path, name: str) -> bool:
        return (directory / name).exists() and not (directory / name).is_symlink()

    where = next((p for p in (repository / ".git", repository) if has(p, "HEAD") and has(p, "objects")), None)
    if where is None or where.is_symlink():
        raise SubmissionError(f"{shown(str(repository))} is not a git repository: name a bare one or a bundle file")
    config = read_regular(where / "config", _CONFIG_SIZE) or b""
    _write_config(copy, sha256=_SHA256.search(config) is not None)
    size = count = 0
    # References first: the objects that they name are older, even if someone writes at the same time.
    for top in ("", "refs", "objects"):
        (copy / top).mkdir(mode=0o755, exist_ok=True)
        if not (where / top).is_dir():
            continue
        for directory, directories, names, fd in os.fwalk(where / top, follow_symlinks=False):
            inside = Path(directory).relative_to(where)
            (copy / inside).mkdir(mode=0o755, exist_ok=True)
            # Without alternates, commit graphs and replacements.
            left_out = ("info", "replace") if inside == Path(top) else ()
            deeper = top and len(inside.parts) < 16
            directories[:] = [name for name in directories if deeper and name not in left_out]
            if not top:
                names = ["HEAD", "packed-refs", "shallow"]
            for name in names:
                if name.endswith((".lock", ".promisor", ".keep")) or (data := open_regular(name, fd)) is None:
                    continue
                with data, open(copy / inside / name, "xb") as out:
                    count += 1
                    while block := data.read(1 << 20):
                        size += len(block)
                        if size > _MOST or count > _MOST_FILES:
                            raise SubmissionError(
                                f"the repository has more than {_MOST >> 20} MiB or {_MOST_FILES:,} files: run git gc, "
                                "or remove large files from its history"
                            )
                        out.write(block)
                (copy / inside / name).chmod(0o644)


class _Reader:
    """git in a cell. Its output is checked as if the author had written it."""

    def __init__(self, cell: JudgeCell, git: str, path: str, base: Path) -> None:
        self.cell, self.git, self.work, self.copy = cell, git, base / "work", base / "copy"
        self.directory = "/repository"
        own = {"PATH": path, "HOME": "/w", "LC_ALL": "C.UTF-8", "GIT_GRAFT_FILE": "/dev/null", "GIT_ADVICE": "0"}
        self.env = safegit.environment() | own

    def read(self, revision: str, bundle: bool, tree: SubmissionTree, history: Path) -> str:
        commit = self._from_bundle(revision) if bundle else self._resolved(revision, revision)
        self._files(commit, tree)
        self._history(commit, history)
        return commit

    def _run(self, what: str | None, *words: str, stdin: bytes | None = None, limits: CellLimits = _LIMITS) -> Measured:
        own = (self.git, "--no-replace-objects", f"--git-dir={self.directory}")
        return self._git(what, (*own, *words), stdin, limits)

    def _git(
        self, what: str | None, argv: tuple[str, ...], stdin: bytes | None = None, limits: CellLimits = _LIMITS
    ) -> Measured:
        """Run git. Raises: SubmissionError: `what` failed (None: that it fails is an answer)."""
        done = self.cell.run(CellRun(argv, limits, env=self.env, stdin=stdin, fresh=False))
        if done.failed is not None:
            raise JudgeError(f"git cannot be started: {done.failed}")
        if done.killed is not None or done.oom:
            raise SubmissionError("the repository is too large, or reading it takes too long")
        if what is not None and done.exit_code != 0:
            lines = clean_log(done.stderr).strip().splitlines()
            raise SubmissionError(f"{what}: git: {shown(lines[-1]) if lines else f'exit code {done.exit_code}'}")
        return done

    def _resolved(self, name: str, revision: str) -> str:
        done = self._run(None, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        commit = done.stdout.decode("ascii", "replace").strip()
        if done.exit_code != 0 or not re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", commit):
            raise SubmissionError(f"no revision {shown(revision)!r} in the repository: was it committed and pushed?")
        return commit

    def _from_bundle(self, revision: str) -> str:
        self._git("the bundle cannot be read", (self.git, "init", "-q", "--bare", "--template=", "/w/bundled.git"))
        self.directory = "/w/bundled.git"
        done = self._run("the bundle cannot be read", "bundle", "unbundle", "/repository/bundle")
        heads: dict[str, str] = {}
        for line in done.stdout.decode("utf-8", "replace").splitlines():
            commit, _, name = line.partition(" ")
            heads[name] = commit
        for name in (revision, f"refs/heads/{revision}", f"refs/tags/{revision}"):
            if name in heads:
                return self._resolved(heads[name], revision)
        if revision == "HEAD" and len(set(heads.values())) == 1:
            return self._resolved(next(iter(heads.values())), revision)
        if re.fullmatch(r"[0-9a-f]{7,64}", revision):
            return self._resolved(revision, revision)
        raise SubmissionError(f"no revision {shown(revision)!r} in the bundle; it has: {shown(', '.join(heads))}")

    def _files(self, commit: str, tree: SubmissionTree) -> None:
        done = self._run("the revision's files cannot be listed", "ls-tree", "-r", "-z", "-l", "--full-tree", commit)
        listed: list[tuple[bytes, str, str, int]] = []
        total = 0
        for line in done.stdout.split(b"\0"):
            if not line:
                continue
            # Mode, kind, id and size; a submodule's size is a dash.
            fields, _, name = line.partition(b"\t")
            words = fields.decode("ascii", "replace").split()
            if len(words) != 4 or not re.fullmatch(r"-|[0-9]{1,15}", words[3]):
                raise SubmissionError("the revision's files cannot be listed: damaged")
            mode, identity, size = words[0], words[2], int(words[3]) if words[3] != "-" else 0
            if mode == _MODULE:
                tree.notes.append(f"the submodule {shown(name)} is left out")
                continue
            total += size
            listed.append((name, mode, identity, size))
            if len(listed) > tree.most:
                raise SubmissionError(f"the revision has more than {tree.most:,} files")
            if total > tree.limit:
                raise SubmissionError(f"the revision has more than the {tree.limit:,} bytes allowed (at {shown(name)})")
        identities = "".join(f"{identity}\n" for _, _, identity, _ in listed).encode()
        limits = structs.replace(_LIMITS, output=total + 256 * len(listed) + 1024)
        what = "the revision's files cannot be read"
        done = self._run(what, "cat-file", "--batch", stdin=identities, limits=limits)
        at = 0
        for name, mode, identity, size in listed:
            # Contents follow in order, each with a line before it, up to the first one that is missing.
            end = done.stdout.find(b"\n", at)
            header = done.stdout[at:end].split() if end >= 0 else []
            if header[1:] != [b"blob", str(size).encode()] or len(done.stdout) < end + 1 + size:
                raise SubmissionError(f"the content of {shown(name)} ({identity[:12]}) is missing or damaged")
            data = done.stdout[end + 1 : end + 1 + size]
            at = end + size + 2
            if mode == _LINK:
                tree.link(name, data)
            else:
                tree.file(name, BytesIO(data), executable=mode == "100755")

    def _history(self, commit: str, history: Path) -> None:
        self._git("the history cannot be read", ("/bin/sh", "-c", _PACK, "sh", commit, self.git, self.directory))
        history.mkdir(parents=True)
        pack = history / "objects" / "pack"
        pack.mkdir(parents=True)
        for suffix in ("pack", "idx"):
            target = pack / f"pack-{commit}.{suffix}"
            try:
                take_file(self.work, f"new.{suffix}", target, most=_MOST, program=False)
            except ArtefactError as error:
                raise SubmissionError(f"the history cannot be kept: {error}") from None
            target.chmod(0o644)
        (history / "refs" / "heads").mkdir(parents=True)
        (history / "refs" / "heads" / "submitted").write_text(commit + "\n", encoding="ascii")
        (history / "HEAD").write_text("ref: refs/heads/submitted\n", encoding="ascii")
        _write_config(history, sha256=len(commit) == 64)
        shallow = read_regular(self.copy / "shallow", _CONFIG_SIZE)
        if shallow:
            (history / "shallow").write_bytes(shallow)


def _write_config(repository: Path, *, sha256: bool) -> None:
    more = "[extensions]\n\tobjectFormat = sha256\n" if sha256 else ""
    (repository / "config").write_text(_CONFIG.format(version=1 if sha256 else 0, more=more), encoding="ascii")
