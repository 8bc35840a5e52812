"""Where logs are scored: in processes of this machine, or as tasks of a Ray cluster, with the same ordered results."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from ...base.errors import GivenError
from ...base.extras import install
from ...base.version import __version__
from .scoring import LogOutcome, Order, ScoringWork

# Logs in one Ray task: enough to make scheduling cheap, few enough for an even load.
_BATCH = 8
# Tasks for each worker: one running, one waiting.
_TASKS = 2
# Bytes of Ray's object store on this machine: its minimum. A batch's rows take some hundred kilobytes.
_STORE = 80 * 1024 * 1024
# Seconds in which a cluster must answer.
_TIMEOUT = 10.0
# Logs after which a worker is replaced: this bounds its caches and the fragmentation of its memory.
_LOGS_PER_WORKER = 5_000
_OPTIONS: dict[str, Any] = {"num_cpus": 1, "max_retries": 0, "max_calls": _LOGS_PER_WORKER // _BATCH}


class ExecutorError(GivenError):
    """The work cannot be distributed; one line with the remedy."""


def in_processes(orders: Iterator[Order], work: ScoringWork, jobs: int) -> Generator[LogOutcome, None, None]:
    """Scores in ``jobs`` processes of this machine; a process that dies costs one log at most."""
    import gc

    from ...base.processes import Died
    from ...base.processes import in_processes as over_processes
    from ...session.logfile import COLLECT_EVERY
    from ..rigorscore import score  # noqa: F401

    # Imported once for all processes if they are forks of this one, so that they share the memory.
    gc.set_threshold(COLLECT_EVERY)
    gc.freeze()

    def died(order: Order, how: Died) -> LogOutcome:
        return _died(work, order, str(how))

    yield from over_processes(orders, work, jobs, died, most=_LOGS_PER_WORKER)


def in_ray(
    orders: Iterator[Order], work: ScoringWork, jobs: int | None, address: str | None
) -> Generator[LogOutcome, None, None]:
    """Scores as tasks of Ray, each of several logs.

    Args:
        orders: the logs; their files must exist under the same path wherever a task runs.
        jobs: how many tasks run at a time (None: as many as the cluster has processors).
        address: of a running cluster; None: a temporary one on this machine.

    Raises:
        ExecutorError: Ray is not installed, the cluster does not answer, or has another rigorbench.
    """
    with _cluster(jobs, address) as ray:
        count = jobs or max(1, int(ray.cluster_resources().get("CPU", 1)))
        # On a shared cluster, tasks that should wait would run at once.
        window = count * _TASKS if address is None or jobs is None else count
        workers = _Workers(ray, work)
        waiting: deque[tuple[Any, list[Order]]] = deque()
        try:
            while True:
                while len(waiting) < window and (batch := list(islice(orders, _BATCH))):
                    waiting.append((workers.start(batch), batch))
                if not waiting:
                    return
                yield from workers.finish(*waiting.popleft())
        finally:
            for reference, _ in waiting:
                ray.cancel(reference, force=True)


class _Workers:
    def __init__(self, ray: Any, work: ScoringWork) -> None:
        self.ray, self.work = ray, work
        self.task = ray.remote(**_OPTIONS)(_score)

    def start(self, batch: list[Order]) -> Any:
        return self.task.remote(self.work, batch)

    def finish(self, reference: Any, batch: list[Order]) -> list[LogOutcome]:
        """The outcomes of a batch.

        If its worker died, each log is scored alone; a log that kills a worker again is reported as the cause.
        """
        found = self._get(reference)
        if not isinstance(found, str):
            return found
        outcomes: list[LogOutcome] = []
        for order in batch:
            for _ in range(2 if len(batch) > 1 else 1):
                alone = self._get(self.start([order]))
                if not isinstance(alone, str):
                    break
            outcomes += [_died(self.work, order, alone)] if isinstance(alone, str) else alone
        return outcomes

    def _get(self, reference: Any) -> list[LogOutcome] | str:
        """What a task returned, or in a few words how its worker died."""
        errors = self.ray.exceptions
        try:
            version, outcomes = self.ray.get(reference)
        except errors.OutOfMemoryError:
            return "stopped by Ray for its memory"
        except (errors.WorkerCrashedError, errors.NodeDiedError, errors.ObjectLostError) as error:
            return type(error).__name__
        except errors.RayTaskError as error:
            if os.environ.get("RIGOR_DEBUG"):
                raise
            cause = " ".join(str(error.cause or error).split())[:200]
            raise ExecutorError(f"a worker of the cluster cannot score ({cause}); install rigorbench there") from None
        except errors.RayError as error:
            text = " ".join(str(error).split())[:200]
            raise ExecutorError(f"the Ray cluster failed ({text}); run again, finished work is kept") from None
        if version != __version__:
            raise ExecutorError(f"a worker has rigorbench {version}, this is {__version__}; install the same on all")
        return outcomes  # type: ignore[no-any-return]


def _score(work: ScoringWork, batch: list[Order]) -> tuple[str, list[LogOutcome]]:
    """A Ray task: (version of rigorbench on the worker, outcomes)."""
    return __version__, [work(order) for order in batch]


def _died(work: ScoringWork, order: Order, how: str) -> LogOutcome:
    reason = f"the process that read it died ({how}); too large for this machine's memory? else please report it"
    return work.failed(order.path, f"{order.path}: {reason}", lasting=False)


@contextmanager
def _cluster(jobs: int | None, address: str | None) -> Iterator[Any]:
    """A connection to a cluster, or a temporary cluster on loopback, without dashboard or statistics."""
    own = address is None
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    if own and "ray" not in sys.modules:
        # Both are read at import. Without the first, Ray looks for the machine's address in the network and listens
        # there.
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
        # Its servers require a token; if there is one, Ray creates no token file in the user's home.
        os.environ.setdefault("RAY_AUTH_MODE", "token")
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    try:
        import ray
    except ImportError:
        raise ExecutorError(f"Ray is not installed; {install('ray')}") from None
    directory = tempfile.mkdtemp(prefix="rigor-ray-") if own else None
    # Ray installs a handler of its own and does not remove it.
    terminated = signal.getsignal(signal.SIGTERM)
    quiet: dict[str, Any] = {"logging_level": "ERROR", "log_to_driver": False, "configure_logging": False}
    try:
        try:
            if own:
                ray.init(
                    address="local",
                    num_cpus=jobs or cores(),
                    include_dashboard=False,
                    object_store_memory=_STORE,
                    _temp_dir=directory,
                    _node_ip_address="127.0.0.1",
                    **quiet,
                )
            else:
                # Raises OSError if nobody answers. Ray itself would try for minutes and then end the process.
                host, colon, port = (address or "").removeprefix("ray://").rpartition(":")
                if colon and port.isdigit():
                    socket.create_connection((host.strip("[]"), int(port)), timeout=_TIMEOUT).close()
                ray.init(address=address, **quiet)
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            text = " ".join(str(error).split())[:200]
            where = address if address is not None else "this machine"
            raise ExecutorError(f"no Ray cluster on {where} ({text}); check --ray-address") from None
        yield ray
    finally:
        ray.shutdown()
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, terminated)
        if directory is not None:
            shutil.rmtree(directory, ignore_errors=True)


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
