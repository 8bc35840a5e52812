"""Copies an agent's own log out of the sandbox. It is kept beside the journal for reading and is no evidence."""

from __future__ import annotations

import asyncio
import contextlib
import io
import tarfile
from pathlib import Path

from inspect_ai.util import SandboxEnvironment

from .spec import AgentSpec

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
                member.name = member.name.lstrip("/")
                member.mode = 0o644
                with contextlib.suppress(tarfile.FilterError, OSError):
                    archive.extract(member, target, filter="data", set_attrs=False)
