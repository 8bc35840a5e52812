"""How to install an optional part. RigorBench is on no registry, so the command names the source it came from."""

from __future__ import annotations

import shlex
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from .version import __version__

_WHEEL = f"rigorbench-{__version__}-py3-none-any.whl"


def install(extra: str) -> str:
    """The command that installs an extra: from the checkout, or from the wheel that this installation was made of."""
    return "pip install " + shlex.quote(f"{_source()}[{extra}]")


def _source() -> str:
    checkout = Path(__file__).resolve().parents[3]
    if (checkout / "pyproject.toml").is_file():
        return "." if checkout == Path.cwd() else str(checkout)
    return _installed_from() or _WHEEL


def _installed_from() -> str | None:
    """The file or directory that pip noted as the origin (PEP 610), if it is still there."""
    from importlib.metadata import PackageNotFoundError, distribution

    import msgspec

    try:
        noted = msgspec.json.decode(distribution("rigorbench").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, msgspec.DecodeError):
        return None
    url = urlsplit(str(noted.get("url", "")))
    path = Path(url2pathname(url.path))
    return str(path) if url.scheme == "file" and path.exists() else None
