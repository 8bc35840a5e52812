"""The Dockerfile keeps the rules that a linter would hold: pinned, small, not root, and made of files that exist."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
INSTRUCTIONS = {"ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK", "LABEL", "RUN", "USER"}
INSTRUCTIONS |= {"WORKDIR"}  # no ADD, MAINTAINER, ONBUILD, SHELL


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """Each instruction with its words; continued lines are one."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        name, _, rest = line.strip().partition(" ")
        yield name, rest.strip()


def faults(text: str, root: Path = ROOT) -> list[str]:
    """What is wrong with a Dockerfile, a line each."""
    found: list[str] = []
    stages: list[str] = []
    user = ""
    ignored = (root / ".dockerignore").read_text(encoding="utf-8").split()
    for name, rest in instructions(text):
        words = shlex.split(rest)
        if name not in INSTRUCTIONS:
            found.append(f"{name}: not an instruction that is used here")
        elif name == "FROM":
            user = ""
            image = words[0]
            if image not in stages and not re.fullmatch(r"[\w./-]+:(?!latest$)[\w.-]+(?:@sha256:\w+)?", image):
                found.append(f"FROM {image}: needs a tag that names a version")
            stages += words[2:3]
        elif name == "COPY":
            found += _copied(words, stages, root, ignored)
        elif name == "RUN":
            found += [f"RUN {fault}" for fault in _run(rest)]
        elif name in ("CMD", "ENTRYPOINT") and not _is_list(rest):
            found.append(f"{name}: needs the JSON form, or signals do not reach the program")
        elif name == "WORKDIR" and not rest.startswith("/"):
            found.append(f"WORKDIR {rest}: not absolute")
        elif name == "USER":
            user = rest
    return found if user not in ("", "root", "0") else [*found, "the last stage runs as root"]


def _copied(words: list[str], stages: list[str], root: Path, ignored: list[str]) -> Iterator[str]:
    options, paths = [w for w in words if w.startswith("--")], [w for w in words if not w.startswith("--")]
    source = next((o.partition("=")[2] for o in options if o.startswith("--from=")), None)
    if source is not None:
        if source not in stages:
            yield f"COPY --from={source}: there is no such stage"
        return
    for path in paths[:-1]:
        if not (root / path).exists() or any(fnmatch(path, pattern) for pattern in ignored):
            yield f"COPY {path}: it is not in the repository, or ignored"


def _run(text: str) -> Iterator[str]:
    for command in re.split(r"&&|\|\||;", text):
        words = shlex.split(command)
        if words[:1] == ["cd"] or words[:1] == ["sudo"]:
            yield f"{words[0]}: use WORKDIR and USER"
        if words[:2] == ["apt-get", "install"]:
            yield from (
                f"apt-get install without {option}"
                for option in ("-y", "--no-install-recommends")
                if option not in words
            )
            if "rm -rf /var/lib/apt/lists/" not in text:
                yield "apt-get leaves its lists in the image"
        if words[:2] == ["pip", "install"]:
            if "--no-cache-dir" not in words:
                yield "pip install without --no-cache-dir"
            if "--require-hashes" not in words and "--no-index" not in words:
                yield "pip install of what no hash names"
            if "--no-deps" not in words:
                yield "pip resolves again what is locked"


def _is_list(text: str) -> bool:
    try:
        return isinstance(json.loads(text), list)
    except ValueError:
        return False


def test_the_dockerfile_has_no_fault() -> None:
    assert faults((ROOT / "Dockerfile").read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("python:3.11-slim-bookworm AS", "python AS", "needs a tag"),
        ("USER rigor\n", "", "runs as root"),
        (" --no-install-recommends", "", "--no-install-recommends"),
        ("&& rm -rf /var/lib/apt/lists/*", "&& true", "leaves its lists"),
        ("--from=build", "--from=built", "no such stage"),
        ('ENTRYPOINT ["rigor"]', "ENTRYPOINT rigor", "JSON form"),
        ("COPY requirements/base.txt /tmp", "COPY requirements/bass.txt /tmp", "not in the repository"),
        ("--require-hashes ", "", "no hash"),
        ("--no-deps --require", "--require", "resolves again"),
        ("COPY . .", "ADD . .", "not an instruction"),
    ],
)
def test_each_rule_can_fail(before: str, after: str, said: str) -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert before in text
    assert said in "\n".join(faults(text.replace(before, after)))
