"""The Dockerfile keeps the rules that a linter would hold: pinned, small, not root, and made of files that exist."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
# What a line of an instruction must have, and what is wrong without it.
RULES = (
    ("FROM", r"build\b|[\w./-]+:(?!latest\b)[\w.-]+", "needs a tag that names a version"),
    ("CMD", r"\[", "needs the JSON form, or signals do not reach the program"),
    ("ENTRYPOINT", r"\[", "needs the JSON form, or signals do not reach the program"),
    ("WORKDIR", "/", "not absolute"),
    ("COPY", r"(?!--from)|--from=build\b", "there is no such stage"),
    ("RUN", r"(?!.*apt-get install)|.*-y --no-install-recommends", "without --no-install-recommends"),
    ("RUN", r"(?!.*apt-get install)|.*rm -rf /var/lib/apt/lists/", "apt-get leaves its lists in the image"),
    ("RUN", r"(?!.*pip install)|.*--no-cache-dir", "pip install without --no-cache-dir"),
    ("RUN", r"(?!.*pip install)|.*(?:--require-hashes|--no-index)", "pip install of what no hash names"),
    ("RUN", r"(?!.*pip install)|.*--no-deps", "pip resolves again what is locked"),
    ("RUN", r"(?!.*\b(?:cd|sudo) )", "use WORKDIR and USER"),
    ("USER", r"(?!root|0$)", "runs as root"),
)


def faults(text: str) -> Iterator[str]:
    """What is wrong with a Dockerfile, a line each."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    steps = [line.split(None, 1) for line in "\n".join(lines).replace("\\\n", " ").splitlines()]
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    for name, rest in steps:
        if name not in ("FROM", "RUN", "COPY", "USER", "WORKDIR", "ENTRYPOINT", "CMD"):
            yield f"{name}: not an instruction that is used here"
        yield from (f"{name} {rest}: {said}" for of, rule, said in RULES if of == name and not re.match(rule, rest))
        for path in shlex.split(rest)[:-1] if name == "COPY" and "--from" not in rest else ():
            if not (ROOT / path).exists() or any(fnmatch(path, pattern) for pattern in ignored):
                yield f"COPY {path}: it is not in the repository, or ignored"
    if "USER" not in [name for name, _ in steps]:
        yield "the last stage runs as root"


def test_the_dockerfile_has_no_fault() -> None:
    assert list(faults((ROOT / "Dockerfile").read_text(encoding="utf-8"))) == []


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
