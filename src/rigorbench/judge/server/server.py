"""`JudgeServer`: the judge's HTTP service, in threads of its own. ``rigor judge serve`` runs one."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import os
import re
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from ..problems.problem import Feedback, Problem
from .content import Contents, Taker, take
from .owner import ADDRESS, OwnerRecord, issue, locked, records
from .records import GivenHint, ServerError, ServerSettings
from .store import SubmissionStore
from .work import JudgeFunction, SubmissionChanges, Workers

# Seconds that running judgements get to end when the server is closed.
_PATIENCE = 30.0
_BACKLOG = 1024
_LONGEST_PATH = 107  # bytes in struct sockaddr_un, without the final zero


class JudgeServer:
    """Takes submissions to ``problems`` and judges them.

    Args:
        data: directory of the queue, the submissions and the verdicts, for one server at a time. Submissions that wait
            there are judged.
        problems: by id.
        unix: path of a socket to listen on (mode 0666: sandboxes have other users, and the token gives access).
        bind: "HOST:PORT" instead, on a loopback address unless `public`. Neither: any free port of 127.0.0.1.
        workers: submissions judged at the same time.
        judge: instead of `rigorbench.judge.engine.judge.Judge`, for tests.
        taker: instead of `content.take`, for tests.

    Raises: ServerError: the directory or the address is in use, or cannot be used. JudgeError: this machine cannot
    judge.
    """

    def __init__(
        self,
        data: Path | str,
        problems: Mapping[str, Problem] | Sequence[Problem],
        *,
        unix: Path | str | None = None,
        bind: str | None = None,
        public: bool = False,
        workers: int = 1,
        settings: ServerSettings | None = None,
        judge: JudgeFunction | None = None,
        taker: Taker = take,
    ) -> None:
        listed = list(problems.values()) if isinstance(problems, Mapping) else list(problems)
        self.problems = {problem.id: problem for problem in listed}
        if len(self.problems) < len(listed):
            raise ServerError("two of the packages have the same id; serve one of them")
        self.data, self.settings = Path(data).absolute(), settings or ServerSettings()
        self._unix = None if unix is None else Path(unix)
        self._bind, self._public, self._number = bind, public, workers
        self._judge, self._taker = judge, taker
        self._open = contextlib.ExitStack()
        self._changes = SubmissionChanges()
        self._store: SubmissionStore | None = None
        self._failure: BaseException | None = None
        # The value of RIGOR_OJ_URL for clients.
        self.url = ""

    # -- running -----------------------------------------------------------------------------------------------------

    def start(self) -> Self:
        """Start; returns once it listens."""
        with contextlib.ExitStack() as stack:
            self._start(stack)
            self._open = stack.pop_all()
        return self

    def _start(self, stack: contextlib.ExitStack) -> None:
        stack.enter_context(locked(self.data))
        store = self._store = SubmissionStore(self.data, self.settings)
        stack.callback(store.close)
        contents = Contents(self.data / "content")
        contents.clean(store.contents())
        store.keep_problems(list(self.problems.values()))
        store.recover()
        judge = self._judge
        if judge is None:
            from ..engine.judge import Judge

            judge = stack.enter_context(Judge()).judge
        workers = Workers(store, self.problems, judge, self.settings, self._changes)
        if self._unix is not None:
            socket_ = _on_path(self._unix)
            self.url = f"unix:{socket_.getsockname()}"
            stack.callback(self._unix.unlink, missing_ok=True)
        else:
            socket_ = _on_address(self._bind or "127.0.0.1:0", public=self._public)
            host, port = socket_.getsockname()[:2]
            self.url = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
        stack.callback(socket_.close)
        (self.data / ADDRESS).write_text(self.url, encoding="utf-8")
        stack.callback((self.data / ADDRESS).unlink, missing_ok=True)
        from .app import Api

        api = Api(store, contents, workers, self._changes, self.problems, self._taker, self.settings)
        stack.callback(api.close)
        # Closed in reverse order: requests end first, then judging.
        stack.callback(workers.stop, _PATIENCE)
        workers.start(self._number)
        self._serve(stack, api.application(), socket_)

    def _serve(self, stack: contextlib.ExitStack, application: Any, socket_: socket.socket) -> None:
        import uvicorn

        server = uvicorn.Server(
            uvicorn.Config(
                application,
                http="h11",
                ws="none",
                lifespan="off",
                loop="asyncio",
                log_config=None,
                log_level="critical",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                limit_concurrency=self.settings.connections,
                timeout_keep_alive=5,
                timeout_graceful_shutdown=3,
            )
        )

        def in_thread() -> None:
            try:
                asyncio.run(server.serve(sockets=[socket_]))
            except BaseException as error:
                self._failure = error

        thread = threading.Thread(target=in_thread, name="rigor-judge-http", daemon=True)
        thread.start()

        def end() -> None:
            server.should_exit = True
            thread.join()

        stack.callback(end)
        while not server.started:
            if not thread.is_alive():
                raise ServerError(f"the server did not start ({self._failure})")
            time.sleep(0.005)

    def close(self) -> None:
        """Stop; running judgements are put back into the queue for the next server."""
        self._open.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- for its owner -----------------------------------------------------------------------------------------------

    def issue_token(
        self,
        run: str,
        problem: str,
        budget: int | None = None,
        feedback: Feedback | None = None,
        repository: Path | str | None = None,
        hints: int = 0,
    ) -> str:
        """A new token for submissions of `run` to `problem`. Only its hash is stored: it cannot be read again.

        Args:
            budget: number of submissions, for all tokens of the run and problem together; None: the package's number
                (any number if it has none).
            feedback: how much of a verdict is shown; None: the package's level.
            repository: a bare repository on this machine whose revisions may be submitted by name.
            hints: number of hints that the run may ask for.

        Raises: ServerError: the problem is not served, or a value is wrong.
        """
        return issue(self._opened(), run, problem, budget, feedback, repository, hints)

    def submissions(self, run: str, problem: str | None = None) -> list[OwnerRecord]:
        """The submissions of a run so far, in order."""
        return records(self._opened(), run, problem)

    def hints(self, run: str) -> list[GivenHint]:
        """The hints that a run has asked for, in order."""
        return self._opened().hints(run)

    def wait(self, run: str, timeout: float) -> bool:
        """Wait until no submission of the run is under way. False: some still are after `timeout` seconds."""
        store, until = self._opened(), time.monotonic() + timeout
        seen = self._changes.count
        while any(not entry.over for entry in store.entries(run=run)):
            left = until - time.monotonic()
            if left <= 0:
                return False
            seen = self._changes.wait(seen, min(left, 5.0))
        return True

    def _opened(self) -> SubmissionStore:
        if self._store is None:
            raise ServerError("the server has not been started")
        return self._store


def _listening(family: int, address: Any, shown: str) -> socket.socket:
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        if family == socket.AF_UNIX:
            # Every user may connect: a sandbox has another user, and the token gives access.
            os.chmod(address, 0o666)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise ServerError(f"{shown}: {error.strerror}; choose another address or path") from None
    return listener


def _on_address(text: str, *, public: bool = False) -> socket.socket:
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
    return _listening(socket.AF_INET6 if address.version == 6 else socket.AF_INET, (str(address), int(match[3])), text)


def _on_path(path: Path) -> socket.socket:
    """Listen on a unix socket. Raises: ServerError: the path is too long, or another server listens there."""
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
    return _listening(socket.AF_UNIX, name, name)
