"""A problem's attachments, the files that an agent starts from, as one archive."""

from __future__ import annotations

import io
import os
import tarfile
from pathlib import Path


def archive(directory: Path) -> bytes:
    """A tar archive of the files below ``directory``, the same bytes for the same files."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for base, directories, files in os.walk(directory):
            directories.sort()
            for name in sorted(files):
                path = Path(base, name)
                if path.is_symlink() or not path.is_file():
                    continue
                info = tarfile.TarInfo(path.relative_to(directory).as_posix())
                info.size = path.stat().st_size
                info.mode = 0o755 if os.access(path, os.X_OK) else 0o644
                with path.open("rb") as file:
                    tar.addfile(info, file)
    return out.getvalue()
