"""Copies the repository into and out of sandboxes that are not ours (Docker, Podman, Kubernetes), as an archive."""

from __future__ import annotations

import asyncio
import contextlib
import io
import tarfile
import tempfile
from pathlib import Path

from inspect_ai.util import SandboxEnvironment

from ....base.files import extract_inside
from ....base.journal import STORE
from ....sandbox.record.ignoring import Ignoring
from ....sandbox.record.scan import Scanner
from ....sandbox.record.treestore import TreeWriter
from ...agents.spec import AgentSpec
from .prepared import Prepared

_IN = ".rigor-repository.tar"
_OUT = ".rigor-final.tar"


class TransferError(Exception):
    """The repository could not be brought into the sandbox. One line."""


# Hashes of the trees at the start and at the end in the run's store, or why they are not there.
TreeHashes = tuple[str | None, str | None, str | None]


async def put_repository(environment: SandboxEnvironment, repository: Path, root: str, kind: str) -> str:
    """Unpack a repository of the host in the sandbox; returns its path there.

    A ``local`` sandbox is a directory of the host; the repository then goes into its working directory.

    Raises:
        TransferError: it could not be unpacked.
    """
    if kind == "local":
        root = (await environment.exec(["pwd", "-P"])).stdout.strip()
    data = await asyncio.to_thread(_pack, repository)
    await environment.write_file(f"/tmp/{_IN}" if kind != "local" else _IN, data)
    archive = f"/tmp/{_IN}" if kind != "local" else f"{root}/{_IN}"
    script = 'mkdir -p "$1" && cd "$1" && tar -xf "$2" && rm -f "$2"'
    done = await environment.exec(["sh", "-c", script, "sh", root, archive], timeout=120)
    if not done.success:
        raise TransferError(f"the repository could not be unpacked in the sandbox: {done.stderr.strip()[:200]}")
    return root


def _pack(repository: Path) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for path in sorted(repository.rglob("*")):
            info = archive.gettarinfo(str(path), path.relative_to(repository).as_posix())
            info.uid = info.gid = 0
            info.uname = info.gname = ""
            if info.isreg():
                with open(path, "rb") as file:
                    archive.addfile(info, file)
            else:
                archive.addfile(info)
    return out.getvalue()


async def take_trees(environment: SandboxEnvironment, root: str, prepared: Prepared) -> TreeHashes:
    """Download the final work tree; write it and the one at the start into the run's store, as git trees.

    Files that the starter's own rules ignore are left out.
    """
    archive = f"/tmp/{_OUT}" if prepared.sandbox != "local" else f"{root}/{_OUT}"
    exclude = ["--exclude=./.git", f"--exclude=./{_OUT}"]
    try:
        done = await environment.exec(["tar", "-C", root, *exclude, "-cf", archive, "."], timeout=300)
        if not done.success:
            return None, None, f"tar: {done.stderr.strip()[:200]}"
        data = await environment.read_file(archive, text=False)
    except (OSError, TimeoutError, RuntimeError, ValueError) as error:
        return None, None, f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
    return await asyncio.to_thread(_write_trees, data, prepared)


def _write_trees(data: bytes, prepared: Prepared) -> TreeHashes:
    store = TreeWriter(prepared.directory / STORE)
    repository = prepared.workspace.path
    with tempfile.TemporaryDirectory(prefix="rigor-final-", ignore_cleanup_errors=True) as name:
        work = Path(name) / "work"
        work.mkdir()
        ignoring = Ignoring(repository, Path(name) / "rules")
        try:
            start = Scanner(str(repository), store, ignoring.ignored).look().tree
            with tarfile.open(fileobj=io.BytesIO(data)) as archive:
                for member in archive:
                    with contextlib.suppress(OSError):
                        extract_inside(archive, member, work, set_attrs=member.isreg())
            final = Scanner(str(work), store, ignoring.ignored).look().tree
        except (OSError, tarfile.TarError) as error:
            return None, None, f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        finally:
            ignoring.close()
        return start, final, None


# The log must not fill the disk.
SESSION_BYTES = 64 << 20
_ARCHIVE = "/var/tmp/.rigor-session.tar"


async def save_session(environment: SandboxEnvironment, spec: AgentSpec, target: Path) -> str | None:
    """Copy the agent's own log into the directory ``target``; returns why that failed, or None.

    The log is read in the sandbox as the agent's user, so a link that the agent planted cannot lead to anything that
    the agent could not read itself.
    """
    if not spec.session_paths:
        return None
    # The patterns are ours and stand unquoted: the shell inside resolves them. Files that are not there are left out.
    script = (
        'cd "$HOME" && for f in %s; do [ -e "$f" ] && printf "%%s\\0" "$f"; done | tar -cf - --null -T - 2>/dev/null'
    )
    command = ["sh", "-c", f"{script % ' '.join(spec.session_paths)} > {_ARCHIVE}"]
    try:
        await environment.exec(command, timeout=60)
        data = await environment.read_file(_ARCHIVE, text=False)
    except (OSError, TimeoutError, UnicodeDecodeError, RuntimeError, ValueError) as error:
        return f"the agent's own log could not be copied ({type(error).__name__})"
    if len(data) > SESSION_BYTES:
        return f"the agent's own log is larger than {SESSION_BYTES >> 20} MiB and was left out"
    await asyncio.to_thread(unpack, data, target)
    return None


def unpack(data: bytes, target: Path) -> None:
    """Write the regular files of a tar archive below ``target``; anything else in it is ignored."""
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            if member.isreg():
                with contextlib.suppress(OSError):
                    extract_inside(archive, member, target, set_attrs=False)
