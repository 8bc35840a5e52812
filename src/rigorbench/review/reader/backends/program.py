"""Programs that the user has, asked one question: in an empty directory, with a time limit, and nothing of it left."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

import msgspec
from msgspec import Struct

from ..request import ReaderError, Reply, Request

# Bytes that a program may write.
_MOST = 8_000_000
# Seconds to wait after a limit for which the program names no time, and the longest worth waiting.
_PAUSE = 30.0
_LONGEST_WAIT = 300.0
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_AGAIN = re.compile(r"(?:again|retry|reset|wait)[^.\n]{0,40}?(\d+(?:\.\d+)?) ?(s|m|h)(?:ec|in|our)?", re.IGNORECASE)
# What a message is about, the first that fits; what to say of it, and whether the next question would fare alike.
_KINDS = (
    ("refused", r"content.?filter|safeguards|safety|refus|usage polic", "the model refused; ask another reader", False),
    ("cut", r"^length$|max_(output_)?tokens|output token maximum",
     "the answer was cut at its greatest length; ask another model", False),
    ("spent", r"usage limit|(?<!rate )limit reached|quota|insufficient|credit balance|billing",
     "the account's limit is reached; wait, or choose another reader", True),
    ("rate", r"\b(429|529)\b|rate.?limit|too many requests|overloaded|high demand|resource.?exhausted",
     "rate limit; wait, or choose another reader", False),
    ("login", r"\b40[13]\b|log ?in\b|unauthori[sz]ed|authenticat|api.?key|auth (method|type)|no key|credentials|"
     r"missing environment variable", "not logged in; {login}", True),
    ("model", r"\b404\b|model\b.{0,60}not (exist|found|support)|unknown model|no such model",
     "it does not know the model; choose one with NAME:MODEL", True),
)  # fmt: skip


class Said(Struct):
    """What a program's output says. ``error``: why there is no answer, in its words; "": there is one."""

    text: str = ""
    error: str = ""
    model: str | None = None
    input: int | None = None
    output: int | None = None
    cost: float | None = None


class Private(Struct, frozen=True):
    """A directory of settings for one question; the keys are explained in ``presets.toml``, as those of a preset."""

    variable: str
    own: str
    links: list[str] = []
    files: list[str] = []
    keeps: list[str] = []
    settings: dict[str, Any] = {}


class ProgramPreset(Struct, frozen=True, forbid_unknown_fields=True):
    install: str
    login: str
    words: list[str]
    tried: str = ""
    program: str = ""
    model: tuple[str, ...] = ("--model", "{model}")
    keys: list[str] = []
    status: list[str] = []
    environment: dict[str, str] = {}
    private: list[Private] = []
    prepends: bool = False
    model_in: tuple[str, str] | None = None
    output: dict[str, list[str]] = {}
    """Empty: all of it is the answer."""

    def read(self, out: str, err: str) -> Said:
        """From what it wrote to standard output and standard error."""
        if not self.output:
            return Said(out)
        found: dict[str, Any] = {}
        for each in (*_objects(out), *_objects(err)):
            for name, rules in self.output.items():
                for rule in rules:
                    *conditions, paths = rule.split()
                    if all(
                        str(value_at(each, path)).lower() == value for path, value in (c.split("=") for c in conditions)
                    ):
                        values = [
                            v for v in (value_at(each, path) for path in paths.split("+")) if v not in (None, "", {})
                        ]
                        found |= {name: _joined(name, values)} if values else {}
        try:
            return msgspec.convert(found, Said)
        except msgspec.ValidationError:
            return Said(error="its output has another form; see `rigor doctor`")


class ProgramReader:
    """A reader that is a program. ``model`` None: its own choice; ``timeout``: seconds for one answer."""

    def __init__(self, name: str, preset: ProgramPreset, model: str | None = None, timeout: float = 600.0) -> None:
        self.name, self._preset, self._model, self._timeout = name, preset, model, timeout

    def price(self, input_tokens: int) -> float | None:
        """Unknown: it is the program's account that pays, often a subscription."""
        return None

    def ask(self, request: Request) -> Reply:
        """Raises: ReaderError."""
        preset, began = self._preset, time.monotonic()
        found = shutil.which(preset.program)
        if found is None:
            raise ReaderError(f"`{preset.program}` is not installed; {preset.install}", lasting=True)
        with TemporaryDirectory(prefix="rigor-reader-", ignore_cleanup_errors=True) as name:
            root = Path(name).resolve()
            environment = _prepare(preset, request, root)
            words = [found, *preset.words, *(preset.model if self._model else ())]
            values = {"{root}": str(root), "{model}": self._model or "", "{system}": request.system}
            words = [values.get(word, word.replace("{root}", str(root))) for word in words]
            prompt = f"{request.system}\n\n{request.user}" if preset.prepends else request.user
            status, out, err = self._run(words, root / "work", environment, prompt)
            said = preset.read(out, err)
            if preset.model_in is not None and said.model is None:
                said.model = _named(root, *preset.model_in)
        if not said.error and (status != 0 or not said.text.strip()):
            said.error = _last(err) or said.text or f"it wrote nothing and ended with status {status}"
        # What was withheld may come as an answer in words.
        if said.error or ("{" not in said.text and _kind(said.text)[0] in ("refused", "spent", "rate", "login")):
            raise self._failed(said.error or said.text)
        number = version(found) if preset.tried else None
        program = " ".join(filter(None, (preset.program, number)))
        # Some state list prices to subscribers as well.
        cost = said.cost if not preset.keys or any(map(os.environ.get, preset.keys)) else None
        seconds = time.monotonic() - began
        return Reply(said.text, said.model, program, said.input, said.output, cost or None, seconds)

    def _run(self, words: list[str], place: Path, environment: dict[str, str], prompt: str) -> tuple[int, str, str]:
        with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
            given.write(prompt.encode("utf-8", "replace"))
            given.seek(0)
            try:
                process = subprocess.Popen(
                    words, stdin=given, stdout=out, stderr=err, cwd=place, env=environment, start_new_session=True
                )
            except OSError as error:
                raise ReaderError(f"cannot be started: {error.strerror}", lasting=True) from None
            late = time.monotonic() + self._timeout
            try:
                while process.poll() is None:
                    if time.monotonic() > late:
                        raise self._late(_text(out) + _text(err))
                    if os.fstat(out.fileno()).st_size + os.fstat(err.fileno()).st_size > _MOST:
                        raise ReaderError(f"it wrote more than {_MOST // 10**6} MB; ask another reader")
                    time.sleep(0.05)
            finally:
                # Its children too, whether it ended or not.
                with suppress(OSError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            return process.returncode, _text(out), _text(err)

    def _late(self, text: str) -> ReaderError:
        if _kind(text)[0] in ("spent", "rate"):
            return self._failed(_last(text))
        last = f" (it said: {self._clean(_last(text))})" if text.strip() else ""
        longer = "give it longer: timeout in its table of rigor.toml"
        return ReaderError(f"no answer within {self._timeout:g} s{last}; {longer}, or ask a faster model")

    def _failed(self, text: str) -> ReaderError:
        kind, remedy, lasting = _kind(text)
        told = [float(n) * _SECONDS[unit.lower()] for n, unit in _AGAIN.findall(text)]
        wait = told[-1] if told else None  # before it, a program may say how long it has waited itself
        if kind == "spent":
            lasting = wait is None or wait > _LONGEST_WAIT
        elif kind == "rate":
            wait = wait or _PAUSE
        remedy = remedy.replace("{login}", self._preset.login)
        return ReaderError(f"{remedy} (it said: {self._clean(text)})", wait, lasting)

    def _clean(self, text: str) -> str:
        """Words of a program for a message: one line, without keys, which it may repeat."""
        for variable, value in os.environ.items():
            if len(value) >= 8 and re.search(r"KEY|TOKEN|SECRET|PASSWORD", variable):
                text = text.replace(value, "[key]")
        return " ".join(re.sub(r"\x1b\[[0-9;]*[A-Za-z]|[^\x20-\uffff]", " ", text).split())[:300]


def _kind(text: str) -> tuple[str, str, bool]:
    for kind, pattern, remedy, lasting in _KINDS:
        if re.search(pattern, text, re.IGNORECASE):
            return kind, remedy, lasting
    return "", "it failed; try it by hand", False


def _text(file: Any) -> str:
    file.seek(0)
    return str(file.read(_MOST).decode("utf-8", "replace"))


def _last(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in reversed(lines) if _kind(line)[0]), lines[-1] if lines else "")


def _named(root: Path, pattern: str, what: str) -> str | None:
    """The model that a program's own files name."""
    for file in sorted(root.glob(pattern)):
        if found := re.search(what.encode(), file.read_bytes()):
            return found[1].decode("utf-8", "replace")[:200]
    return None


def _prepare(preset: ProgramPreset, request: Request, root: Path) -> dict[str, str]:
    """Fill the temporary directory; the program's environment."""
    for name in ("work", "tmp"):
        (root / name).mkdir()
    (root / "system.md").write_text(request.system, "utf-8", "replace")
    (root / "schema.json").write_bytes(msgspec.json.encode(request.schema))
    changes = {name: value.replace("{root}", str(root)) for name, value in preset.environment.items()}
    # What it leaves in the place for temporary files goes as well.
    changes["TMPDIR"] = str(root / "tmp")
    for private in preset.private:
        changes[private.variable] = str(root / private.variable)
        _furnish(private, root)
    return {name: value for name, value in {**os.environ, **changes}.items() if changes.get(name) != ""}


def _furnish(private: Private, root: Path) -> None:
    theirs = Path(os.environ.get(private.variable) or Path.home() / private.own)
    ours = root / private.variable
    for name in (*private.links, *private.files[:1], "."):
        (ours / name).parent.mkdir(parents=True, exist_ok=True)
    for name in private.links:
        if (theirs / name).is_file():
            (ours / name).symlink_to(theirs / name)
    if private.files:
        kept: dict[str, Any] = {}
        for name in private.files:
            read = _settings(theirs / name)
            kept |= {key: read[key] for key in private.keeps if key in read}
        text = json.dumps(private.settings).replace("{root}", str(root))
        settings = {**kept, **json.loads(text)}
        (ours / private.files[0]).write_text(
            "".join(f"{key} = {_toml(value)}\n" for key, value in settings.items())
            if private.files[0].endswith(".toml")
            else json.dumps(settings),
            "utf-8",
        )


def _settings(file: Path) -> dict[str, Any]:
    """The user's settings; {} where there are none that can be read."""
    try:
        text = file.read_text("utf-8")
        if file.suffix == ".toml":
            return tomllib.loads(text)
        # With comments and commas before closing brackets, as people write them.
        text = re.sub(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', lambda m: m[1] or "", text, flags=re.DOTALL)
        found = json.loads(re.sub(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])', lambda m: m[1] or "", text))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(key)} = {_toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    # JSON's text is TOML's but for what it leaves or escapes otherwise.
    plain = isinstance(value, str | bool | int | float)
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f") if plain else str(value)


@cache
def version(path: str) -> str | None:
    """The version that a program states."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return None
    number = re.search(r"\d+(?:\.\d+)+", done.stdout.decode("utf-8", "replace"))
    return number[0] if number else None


def logged_in(preset: ProgramPreset) -> bool | None:
    """Whether a program is logged in, as far as can be told without a request; None: it cannot."""
    if any(os.environ.get(key) for key in preset.keys):
        return True
    if preset.status:
        with suppress(OSError, subprocess.TimeoutExpired):
            words = [preset.program, *preset.status]
            return subprocess.run(words, capture_output=True, timeout=30, stdin=subprocess.DEVNULL).returncode == 0
    files = [Path(os.environ.get(p.variable) or Path.home() / p.own) / name for p in preset.private for name in p.links]
    return True if any(file.is_file() for file in files) else None


@cache
def presets() -> dict[str, ProgramPreset]:
    document = tomllib.loads(Path(__file__).with_name("presets.toml").read_text("utf-8"))
    return {name: msgspec.convert({"program": name, **entry}, ProgramPreset) for name, entry in document.items()}


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The objects in the lines of a text, and in documents over several lines."""
    for part in [*text.splitlines(), *re.findall(r"(?ms)^[\[{]$.*?^[\]}]$", text)]:
        try:
            found = json.loads(part) if part[:1] in ("[", "{") else []
        except (ValueError, RecursionError):
            continue
        yield from (each for each in (found if isinstance(found, list) else [found]) if isinstance(each, dict))


def value_at(value: Any, path: str) -> Any:
    """What is at a path; "*" is the largest of the models."""
    for key in path.split("."):
        try:
            value = value[_largest(value) if key == "*" else int(key) if isinstance(value, list) else key]
        except (TypeError, LookupError, ValueError):
            return None
    return value


def _largest(models: dict[str, Any]) -> str:
    # Small models do side tasks; numbers of tokens are what is large.
    return max(models, key=lambda name: sum(map(int, re.findall(r"\d+", json.dumps(models[name])))), default="")


def _joined(name: str, values: list[Any]) -> Any:
    if name in ("input", "output", "cost"):
        return sum(v for v in values if isinstance(v, int | float))
    if isinstance(values[0], dict):
        return _largest(values[0])
    return " ".join(map(str, values))
