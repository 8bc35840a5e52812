"""The socket of the server: a loopback address or a unix socket, unless a public address is allowed explicitly."""

from __future__ import annotations

import ipaddress
import os
import re
import socket
from pathlib import Path

from .model import ServerError

_BACKLOG = 1024
_LONGEST_PATH = 107  # bytes in struct sockaddr_un, without the final zero


def on_address(text: str, *, public: bool = False) -> socket.socket:
    """Listen at "HOST:PORT" (port 0: any). Raises: ServerError."""
    match = re.fullmatch(r"(?:\[([^]]+)\]|([^:\[\]]+)):(\d{1,5})", text)
    if match is None or int(match[3]) > 65535:
        raise ServerError(f"{text!r} is not an address to listen at; give HOST:PORT, such as 127.0.0.1:8080")
    host = match[1] or match[2]
    try:
        address = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        raise ServerError(f"{host!r} is not an IP address; give one, such as 127.0.0.1") from None
    if not address.is_loopback and not public:
        raise ServerError(
            f"{host} can be reached from other machines, and tokens are not encrypted; give a loopback address, or "
            "--public if that is intended"
        )
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((str(address), int(match[3])))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise ServerError(f"{text}: {error.strerror}; choose another address") from None
    return listener


def on_path(path: Path) -> socket.socket:
    """Listen on a unix socket. Every user may connect: a sandbox has another user, and the token gives access.

    Raises:
        ServerError: the path is too long or cannot be made, or another server listens there.
    """
    name = os.fspath(path.absolute())
    if len(os.fsencode(name)) > _LONGEST_PATH:
        raise ServerError(f"{name}: the path of a socket may have {_LONGEST_PATH} bytes; choose a shorter one")
    if path.is_socket():
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            try:
                probe.connect(name)
            except OSError:
                path.unlink(missing_ok=True)  # a server that was killed left it
            else:
                raise ServerError(f"{name}: another server listens there; choose another path")
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(name)
        os.chmod(name, 0o666)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise ServerError(f"{name}: {error.strerror}; choose another path for the socket") from None
    return listener


def url(listener: socket.socket) -> str:
    """The value of RIGOR_OJ_URL for clients."""
    if listener.family == socket.AF_UNIX:
        return f"unix:{listener.getsockname()}"
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
