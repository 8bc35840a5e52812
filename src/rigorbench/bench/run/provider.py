"""The sandbox as a provider for Inspect: ``--sandbox bwrap`` in any evaluation, no container engine needed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import shutil
import sys
import time
from collections.abc import Awaitable
from pathlib import Path
from typing import Any, Literal, TypeVar, overload

import msgspec
from inspect_ai.util import (
    ExecResult,
    OutputLimitExceededError,
    SandboxConnection,
    SandboxEnvironment,
    SandboxEnvironmentConfigType,
    SandboxEnvironmentLimits,
    SandboxUserUnsupportedError,
    sandboxenv,
)
from inspect_ai.util._sandbox.environment import SandboxUnavailableError
from pydantic import BaseModel, Field, ValidationError, field_validator
from typing_extensions import override

from ...base import journal
from ...sandbox.box import directories
from ...sandbox.box.box import Box
from ...sandbox.box.spec import BoxLimits, BoxSpec
from ...sandbox.kit import trees
from ...sandbox.kit.errors import SandboxError, SandboxGoneError, UnknownUserError
from ...sandbox.kit.mount import Mount
from ..recording import context

_T = TypeVar("_T")
# The directory of Inspect's own programs in a sandbox (as in inspect_ai.util._sandbox._cli).
_TOOLS = "/var/tmp/.da7be258e003d428"
# Where programs inside leave their requests to the engine (as in inspect_ai.util._sandbox.service). Each is read by a
# command, all that are there at once: so many at a time that they neither fill the sandbox nor this process.
_REQUESTS = "/var/tmp/sandbox-services"
_READ_AT_ONCE = 8


class BindConfig(BaseModel, frozen=True, extra="forbid"):
    """A read-only `Mount`; ``target`` None: the same path as on the host."""

    source: str
    target: str | None = None


class LimitsConfig(BaseModel, frozen=True, extra="forbid"):
    """See `sandbox.box.spec.Limits`."""

    cpus: float | None = BoxLimits().cpus
    memory: int | None = BoxLimits().memory
    processes: int | None = BoxLimits().processes
    disk: int | None = BoxLimits().disk
    recording: int | None = BoxLimits().recording


class BwrapConfig(BaseModel, frozen=True, extra="forbid"):
    """A `BoxSpec`, and where the repository comes from."""

    root: str = "/work"
    binds: tuple[BindConfig, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    limits: LimitsConfig = Field(default_factory=LimitsConfig)
    network: bool = False
    decoys: tuple[str, ...] = ()
    capture: str | None = None
    hidden: tuple[str, ...] = ()
    directory: str | None = None
    """For the sandbox's writable parts; None: a new one that is removed in the end."""
    repository: str | None = None
    run: str | None = None

    @field_validator("env", mode="before")
    @classmethod
    def _env(cls, value: object) -> object:
        return tuple(sorted(value.items())) if isinstance(value, dict) else value

    def spec(self, directory: str) -> BoxSpec:
        return BoxSpec(
            **self.model_dump(exclude={"binds", "limits", "directory", "repository", "run"}),
            directory=directory,
            binds=tuple(Mount(b.source, b.target or "") for b in self.binds),
            limits=BoxLimits(**self.limits.model_dump()),
        )


@sandboxenv(name="bwrap")
class BwrapSandbox(SandboxEnvironment):
    """One `Box`. Its only user is "agent", which is no user of the host."""

    def __init__(self, box: Box, directory: Path, own: bool) -> None:
        super().__init__()
        self.box = box
        self._directory = directory
        self._own = own
        self._reads = asyncio.Semaphore(_READ_AT_ONCE)

    @override
    @classmethod
    async def sample_init(
        cls, task_name: str, config: SandboxEnvironmentConfigType | None, metadata: dict[str, str]
    ) -> dict[str, SandboxEnvironment]:
        if isinstance(config, str):
            config = load_config(Path(config))
        if config is None:
            config = BwrapConfig()
        if not isinstance(config, BwrapConfig):
            raise SandboxError("the sandbox 'bwrap' takes a BwrapConfig, or a JSON file with its fields")
        return {"default": await cls.create(config)}

    @classmethod
    async def create(cls, config: BwrapConfig) -> BwrapSandbox:
        """Raises SandboxError when it cannot be started here."""
        own = config.directory is None
        directory = directories.new() if config.directory is None else Path(config.directory)
        try:
            if config.repository is not None:
                await asyncio.to_thread(_copy, Path(config.repository), directory / "work")
            box = await Box.start(config.spec(str(directory)))
        except BaseException:
            if own:
                await asyncio.to_thread(trees.remove, directory)
            raise
        if config.run is not None:
            try:
                run = msgspec.json.decode(config.run, type=journal.RunRecord)
                await box.record(
                    msgspec.structs.replace(run, time=time.time(), features=[*run.features, *box.features])
                )
            except BaseException:
                await box.stop()
                raise
        return cls(box, directory, own)

    @override
    @classmethod
    async def sample_cleanup(
        cls,
        task_name: str,
        config: SandboxEnvironmentConfigType | None,
        environments: dict[str, SandboxEnvironment],
        interrupted: bool,
    ) -> None:
        for environment in environments.values():
            sandbox = environment.as_type(cls)
            await sandbox.box.stop(journal.End(time=time.time(), state="interrupted") if interrupted else None)
            if sandbox._own:
                await asyncio.to_thread(trees.remove, sandbox._directory)

    @override
    @classmethod
    async def task_cleanup(cls, task_name: str, config: SandboxEnvironmentConfigType | None, cleanup: bool) -> None:
        if cleanup:
            await asyncio.to_thread(directories.remove_left_over)

    @override
    @classmethod
    async def cli_cleanup(cls, id: str | None) -> None:
        for removed in await asyncio.to_thread(directories.remove_left_over, id):
            sys.stdout.write(f"removed {removed}\n")

    @override
    async def exec(
        self,
        cmd: list[str],
        input: str | bytes | None = None,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        user: str | None = None,
        timeout: int | None = None,
        timeout_retry: bool = True,
        concurrency: bool = True,
    ) -> ExecResult[str]:
        origin, tag = who(cmd)
        limit = SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE
        turn = self._reads if any(_REQUESTS in word for word in cmd) else contextlib.nullcontext()
        try:
            async with turn:
                done = await self.box.exec(
                    cmd,
                    input=input.encode() if isinstance(input, str) else input,
                    cwd=cwd,
                    env=env,
                    user=user,
                    timeout=timeout,
                    output_limit=limit,
                    origin=origin,
                    tag=tag,
                )
        except UnknownUserError as error:
            raise SandboxUserUnsupportedError(str(error)) from None
        except SandboxGoneError as error:
            raise SandboxUnavailableError(str(error)) from None
        out, err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
        if done.timed_out:
            late = TimeoutError(f"the command was stopped after {timeout} seconds")
            late.truncated_output = out + err  # type: ignore[attr-defined]  # where Inspect looks for what there was
            raise late
        if done.error is not None and done.status == 126:
            raise PermissionError(done.error, os.strerror(done.error), cmd[0])
        return ExecResult(done.status == 0, done.status, out, err)

    @override
    async def write_file(self, file: str, contents: str | bytes) -> None:
        await self._present(self.box.write(file, contents.encode() if isinstance(contents, str) else contents))

    @overload
    async def read_file(self, file: str, text: Literal[True] = True) -> str: ...

    @overload
    async def read_file(self, file: str, text: Literal[False]) -> bytes: ...

    @override
    async def read_file(self, file: str, text: bool = True) -> str | bytes:
        limit = SandboxEnvironmentLimits.MAX_READ_FILE_SIZE
        content = await self._present(self.box.read(file, limit))
        if len(content) > limit:
            raise OutputLimitExceededError(SandboxEnvironmentLimits.MAX_READ_FILE_SIZE_STR, None)
        return content.decode("utf-8") if text else content

    async def _present(self, work: Awaitable[_T]) -> _T:
        try:
            return await work
        except SandboxGoneError as error:
            raise SandboxUnavailableError(str(error)) from None

    @override
    async def connection(self, *, user: str | None = None) -> SandboxConnection:
        if self.box.gone is not None:
            raise ConnectionError(self.box.gone)
        options = ["--root", self.box.spec.root, str(self.box.pid)]
        command = shlex.join([sys.executable, "-m", "rigorbench.sandbox.box.enter", *options])
        return SandboxConnection(type="bwrap", command=command)

    @override
    def default_polling_interval(self) -> float:
        return 0.2

    @override
    @classmethod
    def config_files(cls) -> list[str]:
        return ["bwrap.json"]

    @override
    @classmethod
    def config_deserialize(cls, config: dict[str, Any]) -> BaseModel:
        return BwrapConfig(**config)


def load_config(path: Path) -> BwrapConfig:
    """Raises SandboxError: the file cannot be read or is not a `BwrapConfig`."""
    try:
        return BwrapConfig.model_validate_json(path.read_bytes())
    except OSError as error:
        raise SandboxError(f"{path}: {error.strerror}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise SandboxError(f"{path}: {where or 'not a JSON object'}: {first['msg']}") from None


def who(cmd: list[str]) -> tuple[str, str | None]:
    """On whose behalf a command runs: as our agents say, else the engine for Inspect's own programs, else a tool."""
    origin = context.origin()
    if origin is not None:
        return origin.kind, origin.tag
    engine = any(_TOOLS in word for word in cmd[:8]) or any("inspect_image_path" in word for word in cmd[:3])
    return ("engine" if engine else "tool"), None


def _copy(source: Path, target: Path) -> None:
    if not source.is_dir():
        raise SandboxError(f"{source} is to be copied into the sandbox, but is not a directory")
    shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
