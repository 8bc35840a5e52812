"""The HTTP API: requests are checked and carried out; answers are JSON with the remaining budget."""

from __future__ import annotations

import asyncio
import hashlib
import io
import os
import re
import sqlite3
import tarfile
import time
from asyncio import to_thread
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Message

from ...base.version import __version__
from ..build.compile import resolved
from ..build.table import languages
from ..judgement import JudgeError
from ..problems.problem import Problem
from ..submission import SubmissionError
from . import answers, view
from .answers import MULTIPART, URLENCODED, describe, document
from .content import Contents, Taker
from .content import SubmissionRequest as Sent
from .records import GIT, Refused, ServerSettings, StoredSubmission, SubmissionBudget, Token
from .store import SubmissionStore
from .work import SubmissionChanges, Workers, log_error

_KEY = re.compile(r"[!-~]{1,200}")
_MOST_LISTED = 1000
_FIELDS, _MOST_FIELDS = ("language", "code", "file", "group", "question"), 256
# Forms of one run that are read at the same time, and submissions that are unpacked, each in a sandbox. Others wait:
# so a run has two bodies in memory at most.
_TAKEN_AT_ONCE = 2
Endpoint = Callable[[Request, Token], Awaitable[Response]]


class Json(Response):
    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return msgspec.json.encode(content)


def refusal(refused: Refused, budget: SubmissionBudget | None = None, **headers: str) -> Response:
    """The answer to a refused request."""
    if refused.retry_after is not None:
        headers["Retry-After"] = str(refused.retry_after)
    if refused.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    body = answers.Error(error=refused.error, message=refused.message, budget=budget)
    return Json(body, refused.status, headers)


class Api:
    """The endpoints."""

    def __init__(
        self,
        store: SubmissionStore,
        contents: Contents,
        workers: Workers,
        changes: SubmissionChanges,
        problems: Mapping[str, Problem],
        take: Taker,
        settings: ServerSettings,
    ) -> None:
        self._store, self._contents, self._workers, self._changes = store, contents, workers, changes
        self._problems = problems
        self._languages = {name: _languages(problem) for name, problem in problems.items()}
        self._archives = {n: _archive(p.attachments) for n, p in problems.items() if p.attachments is not None}
        self._take, self._settings = take, settings
        self._keys: WeakValueDictionary[tuple[str, ...], asyncio.Lock] = WeakValueDictionary()
        self._takers: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        # Threads of their own: reading a repository may take seconds, and other requests are answered meanwhile.
        self._taking = ThreadPoolExecutor(4, "rigor-judge-take")

    def application(self) -> Starlette:
        routes = []
        for path, item in document()["paths"].items():
            for method, operation in item.items():
                if method != "parameters":
                    endpoint = getattr(self, f"_{operation['operationId']}")
                    endpoint = endpoint if "security" in operation else self._for_token(endpoint)
                    route = Route(path, endpoint, methods=[method.upper()])
                    route.methods = {method.upper()}  # no HEAD
                    routes.append(route)
        found = Starlette(routes=routes, exception_handlers={HTTPException: _failed, Exception: _failed})
        found.router.redirect_slashes = False
        return found

    def close(self) -> None:
        self._taking.shutdown(wait=True, cancel_futures=True)

    # -- tokens and budgets --------------------------------------------------------------------------------------------

    def _for_token(self, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            token = None
            try:
                token = await self._token(request)
                response = await endpoint(request, token)
            except Refused as refused:
                response = refusal(refused, None if token is None else await self._budget(token))
            except (sqlite3.OperationalError, OSError) as error:
                full = "full" in str(error) or "No space" in str(error)
                what = "the judge's disk is full" if full else "the judge cannot be used at present"
                response = refusal(Refused(503, "unavailable", what, retry_after=10))
            if token is not None:
                with suppress(sqlite3.OperationalError):
                    for name, value in msgspec.structs.asdict(await self._budget(token)).items():
                        response.headers[f"X-Budget-{name.title()}"] = "unlimited" if value is None else str(value)
            return response

        return answer

    async def _token(self, request: Request) -> Token:
        kind, _, secret = request.headers.get("authorization", "").partition(" ")
        found = None
        if kind.lower() == "bearer" and secret:
            found = await to_thread(self._store.token, secret.strip())
        if found is None:
            raise Refused(401, "no_token", "give this run's token: Authorization: Bearer TOKEN")
        return found

    async def _budget(self, token: Token) -> SubmissionBudget:
        return await to_thread(self._store.budget, token)

    def _its_problem(self, request: Request, token: Token) -> Problem:
        # The answer does not show whether another problem exists.
        if request.path_params["problem"] != token.problem:
            raise Refused(403, "other_problem", f"this token is for the problem {token.problem!r} only")
        found = self._problems.get(token.problem)
        if found is None:
            raise Refused(404, "not_served", "this problem is not served at present")
        return found

    async def _its_submission(self, request: Request, token: Token) -> StoredSubmission:
        text = request.path_params["id"]
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0
        return _found(await to_thread(self._store.get, token, number))

    # -- without a token ---------------------------------------------------------------------------------------------

    async def _health(self, _: Request) -> Response:
        return Json(answers.Health("ok", __version__))

    async def _describe(self, request: Request) -> Response:
        """With a token, its problem and the languages by name; without one, nothing about what is served."""
        try:
            problem = (await self._token(request)).problem
        except (Refused, sqlite3.OperationalError):
            return Json(describe(None, [], self._settings))
        return Json(describe(problem, self._languages.get(problem, []), self._settings))

    # -- the problem -------------------------------------------------------------------------------------------------

    async def _problem(self, request: Request, token: Token) -> Response:
        problem = self._its_problem(request, token)
        attached = self._archives.get(problem.id)
        size = None if attached is None else len(attached)
        budget = await self._budget(token)
        return Json(view.problem(problem, token, budget, self._languages[problem.id], size))

    async def _attachments(self, request: Request, token: Token) -> Response:
        archive = self._archives.get(self._its_problem(request, token).id)
        if archive is None:
            raise Refused(404, "no_attachments", "this problem has no attachments")
        headers = {"Content-Disposition": 'attachment; filename="attachments.tar"'}
        return Response(archive, media_type="application/x-tar", headers=headers)

    # -- submitting --------------------------------------------------------------------------------------------------

    async def _submit(self, request: Request, token: Token) -> Response:
        problem = self._its_problem(request, token)
        key = _key(request)
        async with self._takers.setdefault(token.run, asyncio.Semaphore(_TAKEN_AT_ONCE)):
            fields, file_name = await read_form(request, self._settings)
            language, code, file = text_of(fields, "language"), fields.get("code"), fields.get("file")
            if language not in (accepted := self._languages[problem.id]):
                raise Refused(400, "bad_language", f"language must be one of: {', '.join(accepted)}")
            if code == b"" or (file is None and code is None):
                raise Refused(400, "nothing_sent", "send code (text, or a revision for git; not empty), or a file")
            if file is not None and code is not None and language != GIT:
                raise Refused(400, "both_sent", "send either code or a file; both only for a revision of a git bundle")
            sent = Sent(language, code, file, file_name, token.repository)
            hashed = hashlib.sha256()
            for part in (language.encode(), code, file, file_name.encode()):
                hashed.update(b"-" if part is None else b"%d:" % len(part) + part)
            digest = hashed.digest()
            if key is None:
                return await self._accept(token, problem, sent, digest, None)
            # Of two simultaneous requests with the same key the second waits for the first.
            async with self._keys.setdefault((*token.scope, key), asyncio.Lock()):
                before = await to_thread(self._store.repeated, token, key)
                if before is None:
                    return await self._accept(token, problem, sent, digest, key)
                if before.request != digest:
                    raise Refused(409, "key_used", "this Idempotency-Key belongs to another request; use a new one")
                return await self._accepted(before, token, repeated=True)

    async def _accept(self, token: Token, problem: Problem, sent: Sent, digest: bytes, key: str | None) -> Response:
        await to_thread(self._store.check_room, token)
        limit = problem.limits.code
        if sent.language != GIT and sent.file is None and sent.code is not None and len(sent.code) > limit:
            raise Refused(413, "too_large", f"a submission may have at most {limit} bytes")

        def take() -> StoredSubmission:
            name = self._contents.new()
            try:
                submission = self._take(sent, self._contents.path(name), limit)
                submission = replace(submission, language=resolved(problem, submission))
                self._contents.sync(name)
                return self._store.accept(token, sent.language, digest, name, submission, key)
            except BaseException:
                self._contents.drop(name)
                raise

        try:
            entry = await asyncio.get_running_loop().run_in_executor(self._taking, take)
        except SubmissionError as error:
            raise Refused(409, "bad_submission", str(error)) from None
        except JudgeError:
            raise Refused(503, "unavailable", "submissions cannot be read at present", retry_after=10) from None
        self._changes.notify()
        return await self._accepted(entry, token, repeated=False)

    async def _accepted(self, entry: StoredSubmission, token: Token, *, repeated: bool) -> Response:
        body = answers.AcceptedAnswer(
            id=entry.id,
            revision=entry.submission.revision,
            submission=entry.submission.digest,
            notes=list(entry.submission.notes),
            budget=await self._budget(token),
        )
        headers = {"Location": f"/api/v1/submission/{entry.id}"}
        if repeated:
            headers["Idempotency-Replayed"] = "true"
        return Json(body, 201, headers)

    # -- hints -------------------------------------------------------------------------------------------------------

    async def _hint(self, request: Request, token: Token) -> Response:
        problem, key = self._its_problem(request, token), _key(request)
        async with self._takers.setdefault(token.run, asyncio.Semaphore(_TAKEN_AT_ONCE)):
            fields, _ = await read_form(request, self._settings)
        group, question = text_of(fields, "group"), text_of(fields, "question")
        found = await to_thread(self._store.ask_hint, token, problem, group, question, key)
        return Json(view.hint(found, await to_thread(self._store.hint_budget, token)), 201)

    async def _hints(self, _: Request, token: Token) -> Response:
        budget = await to_thread(self._store.hint_budget, token)
        asked = await to_thread(self._store.hints, *token.scope)
        return Json(answers.HintsAnswer(asked=[view.hint(one, budget) for one in asked], hints=budget))

    # -- submissions ---------------------------------------------------------------------------------------------------

    async def _list(self, _: Request, token: Token) -> Response:
        def found() -> list[StoredSubmission]:
            return self._store.entries(run=token.run, problem=token.problem, most=_MOST_LISTED)

        rows = [view.summary(self._shown(entry)[0], token) for entry in await to_thread(found)]
        return Json(answers.SubmissionsAnswer(submissions=rows, budget=await self._budget(token)))

    async def _status(self, request: Request, token: Token) -> Response:
        entry, _ = self._shown(await self._its_submission(request, token))
        return Json(view.submission(entry, token, await self._budget(token), __version__))

    def _shown(self, entry: StoredSubmission) -> tuple[StoredSubmission, float | None]:
        return view.shown(entry, self._settings.first_shown, time.time())

    async def _abort(self, request: Request, token: Token) -> Response:
        entry = await self._its_submission(request, token)
        after = _found(await to_thread(self._store.abort, token, entry.id))
        if after.state == "aborted":
            self._workers.abort(entry.id)
            self._changes.notify(entry.id)
        elif token.feedback != "none":
            raise Refused(409, "over", "this submission has already been judged")
        return Response(status_code=204)

    async def _events(self, request: Request, token: Token) -> Response:
        entry = await self._its_submission(request, token)

        async def look() -> tuple[answers.SubmissionAnswer, bool, float | None]:
            found, until = self._shown(_found(await to_thread(self._store.get, token, entry.id)))
            answer = view.submission(found, token, await self._budget(token), __version__)
            return answer, view.over(found, token), until

        stream = self._changes.follow(entry.id, look, self._settings.stream_time)
        return StreamingResponse(stream, media_type="text/event-stream")


def _languages(problem: Problem) -> list[str]:
    """Values for the form's field ``language``: names of the language table that the problem allows, the kinds of
    repository, "auto" (recognised by the files) and "git" (a revision)."""
    build = problem.build
    if build.languages:
        names = list(build.languages)
    elif build.kind == "header":
        names = ["cpp"]
    elif build.kind == "output-only":
        names = []
    else:
        names = list(languages())
    kinds = [build.kind] if build.kind in ("cmake", "make") else []
    return list(dict.fromkeys([*names, *kinds, "auto", GIT]))


def _archive(directory: Path) -> bytes:
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


def _key(request: Request) -> str | None:
    """The client's Idempotency-Key."""
    key = request.headers.get("idempotency-key")
    if key is not None and not _KEY.fullmatch(key):
        raise Refused(400, "bad_key", "an Idempotency-Key has 1 to 200 visible ASCII characters")
    return key


def _found(entry: StoredSubmission | None) -> StoredSubmission:
    if entry is None:
        raise Refused(404, "no_submission", "this run has no such submission")
    return entry


async def _failed(_: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        log_error(error)
        return refusal(Refused(500, "defect", "a defect of the judge; please report it"))
    name = {404: "not_found", 405: "wrong_method"}.get(error.status_code, "bad_request")
    details = {404: "no such address; see /openapi.json", 405: "this address takes another method"}
    refused = Refused(error.status_code, name, details.get(error.status_code, error.detail))
    return refusal(refused, None, **dict(error.headers or {}))


# -- forms ---------------------------------------------------------------------------------------------------------


def text_of(fields: Mapping[str, bytes], name: str) -> str | None:
    """A field that is no program. Raises: Refused: it contains a zero byte or is not text."""
    try:
        text = fields[name].decode()
    except KeyError:
        return None
    except UnicodeDecodeError:
        raise _bad(f"{name} is not UTF-8") from None
    if "\0" in text:
        raise _bad(f"{name} contains a zero byte")
    return text


async def read_form(request: Request, settings: ServerSettings) -> tuple[dict[str, bytes], str]:
    """The known fields of a form, and the name of its file. Others are ignored; a file keeps its bytes.

    Raises: Refused: it is none, a bad one, too large, too slow or breaks off.
    """
    kind = request.headers.get("content-type", "").split(";", 1)[0].strip().lower()
    if kind not in (URLENCODED, MULTIPART):
        raise Refused(415, "no_form", f"send a form: {MULTIPART} or {URLENCODED}")
    too_large = Refused(413, "too_large", f"a request may have at most {settings.request} bytes")
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) > settings.request:
        raise too_large
    size = 0

    async def receive() -> Message:
        nonlocal size
        message = await request.receive()
        size += len(message.get("body", b""))
        if size > settings.request:
            raise too_large
        return message

    limited = Request(request.scope, receive)
    try:
        async with asyncio.timeout(settings.body_time):
            opened = limited.form(max_files=8, max_fields=_MOST_FIELDS, max_part_size=settings.request)
            async with opened as form:
                fields: dict[str, bytes] = {}
                file_name = ""
                for name, value in form.multi_items():
                    if name in fields:
                        raise _bad(f"the field {name} is given twice")
                    if isinstance(value, UploadFile) and name in _FIELDS:
                        fields[name] = await value.read()
                        file_name = value.filename or "" if name == "file" else file_name
                    elif isinstance(value, str) and name in _FIELDS:
                        fields[name] = value.encode("utf-8", "surrogatepass")
                return fields, file_name
    except TimeoutError:
        raise Refused(408, "too_slow", "the body of the request came too slowly") from None
    except ClientDisconnect:
        raise _bad("the connection broke off within the request") from None
    except HTTPException as error:
        raise _bad(error.detail) from None
    except ValueError as error:
        raise _bad(f"the form cannot be read: {error}") from None


def _bad(message: str) -> Refused:
    return Refused(400, "bad_form", message)
