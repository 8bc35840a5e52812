"""The rules about the history: number and size of commits, their messages, secrets and binary files.

The repository is the one that `submission.repository` made of the author's objects, and git runs nothing of it.
"""

from __future__ import annotations

import re
import subprocess
import threading
from contextlib import suppress

from msgspec import Struct

from ...base.sanitize import one_line
from ...sandbox.record import safegit
from .compiled import ReviewContext
from .result import Undecidable, Violation
from .spec import HistoryRule

_FULL_NAME = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
# Limits: commits, bytes of output, seconds for one command.
_MAX_COMMITS = 2_000
_MAX_OUTPUT = 64 << 20
_TIMEOUT_S = 60
_VAGUE_SUBJECT = re.compile(
    r"(?:wip|fix(?:es|ed)?|update[sd]?|changes?|stuff|misc|commit|test|temp|tmp|done|final|initial commit|init"
    r"|first commit|\W*)[.!]*",
    re.IGNORECASE,
)
_SECRETS = {
    "a private key": re.compile(r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY"),
    "an access key of AWS": re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    "a token of GitHub": re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{60,})\b"),
    "a token of GitLab": re.compile(r"\bglpat-[\w-]{20,}"),
    "a key of Google": re.compile(r"\bAIza[\w-]{35}\b"),
    "a token of Slack": re.compile(r"\bxox[abprs]-[\w-]{10,}"),
    "a key of a model provider": re.compile(r"\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,}"),
    "a password or key": re.compile(
        r"(?i)\b(?:password|passwd|secret|api_?key|access_?token|auth_?token)\b[\"']?\s*[:=]\s*[\"'][^\s\"'${}<>]{8,}[\"']"
    ),
}


class Commit(Struct):
    sha: str
    subject: str
    parents: int
    added: int = 0
    """Lines; those of a binary file are none."""
    files: list[tuple[str, bool]] = []
    """(path, whether the file is binary)."""

    @property
    def is_descriptive(self) -> bool:
        """Whether the subject is more than a word that would suit any commit."""
        return len(self.subject.split()) > 1 and _VAGUE_SUBJECT.fullmatch(self.subject.strip()) is None


def history(rule: HistoryRule, context: ReviewContext) -> list[Violation]:
    objects = _SubmittedHistory(context)
    found = objects.commits()
    own = [commit for commit in found if commit.parents < 2]
    result: list[Violation] = []
    if rule.min_commits is not None and len(own) < rule.min_commits:
        result.append(Violation("", None, f"{len(own)} commits; at least {rule.min_commits} are required"))
    total = sum(commit.added for commit in own)
    for commit in own:
        if rule.max_share is not None and total and commit.added > rule.max_share * total:
            message = f"commit {commit.sha[:10]} adds {commit.added} of {total} lines"
            result.append(Violation("", None, message, one_line(commit.subject, 160)))
    least = rule.min_subject
    for commit in own:
        subject = commit.subject.strip()
        if least is not None and (len(subject) < least or _VAGUE_SUBJECT.fullmatch(subject)):
            message = f"commit {commit.sha[:10]}: its message does not describe the change"
            result.append(Violation("", None, message, one_line(commit.subject, 160)))
    for commit in own if rule.binaries else ():
        message = f"commit {commit.sha[:10]} adds a binary file"
        result += [Violation(one_line(path, 300), None, message) for path, binary in commit.files if binary]
    if rule.secrets:
        result += objects.secrets()
    return result


def read_commits(context: ReviewContext) -> list[Commit]:
    """All submitted commits, the latest first. Raises: Undecidable: there is no history, or it cannot be read."""
    return _SubmittedHistory(context).commits()


def history_text(context: ReviewContext) -> str:
    """The history as text, the first commit first. Raises: Undecidable: there is no history, or it cannot be read."""
    lines = [
        f"{commit.subject} ({len(commit.files)} files, {commit.added} lines added)" for commit in read_commits(context)
    ]
    return "\n".join(reversed(lines))


class _SubmittedHistory:
    """Raises: Undecidable: there is no history, or it cannot be read."""

    def __init__(self, context: ReviewContext) -> None:
        submission = context.submission
        if submission.history is None or submission.revision is None:
            raise Undecidable("the submission has no history; submit a revision of a repository")
        if _FULL_NAME.fullmatch(submission.revision) is None:
            raise Undecidable("the submitted revision is not a full commit name")
        if (submission.history / "shallow").exists():
            raise Undecidable("the submitted history is shallow")
        self._repository, self._range = submission.history, [submission.revision]
        # Without the base commit and its history; all of it if the base is not an ancestor.
        if context.base is not None and _FULL_NAME.fullmatch(context.base):
            with suppress(Undecidable):
                self._git("merge-base", "--is-ancestor", context.base, submission.revision)
                self._range.append(f"^{context.base}")

    def commits(self) -> list[Commit]:
        """All commits of the range, the latest first."""
        text = self._git(
            *("log", "-z", "--no-show-signature", "--no-mailmap", "--no-ext-diff", "--no-textconv", "--no-renames"),
            *(f"--max-count={_MAX_COMMITS + 1}", "--numstat", "--format=%x01%H%x02%P%x02%s%x03", *self._range),
        )
        found: list[Commit] = []
        for record in text.split("\x01")[1:]:
            head, _, rest = record.partition("\x03")
            sha, parents, subject = [*head.split("\x02", 2), "", ""][:3]
            commit = Commit(sha, subject, len(parents.split()), files=[])
            for entry in rest.split("\0"):
                added, _, path = entry.strip("\n").partition("\t")
                path = path.partition("\t")[2]
                if path:
                    commit.added += int(added) if added.isdigit() else 0
                    commit.files.append((path, added == "-"))
            found.append(commit)
        if len(found) > _MAX_COMMITS:
            raise Undecidable(f"more than {_MAX_COMMITS} commits")
        return found

    def secrets(self) -> list[Violation]:
        """Added lines that look like a key or password."""
        text = self._git(
            *("log", "--no-show-signature", "--no-mailmap", "--no-ext-diff", "--no-textconv", "--no-renames", "-p"),
            *("--unified=0", "--no-prefix", "--no-color", "--format=%x01%H", *self._range),
        )
        found: dict[tuple[str, str, str], Violation] = {}
        sha = path = ""
        for line in text.split("\n"):
            if line.startswith("\x01"):
                sha = line[1:11]
            elif line.startswith("+++ "):
                path = line[4:].split("\t")[0]
            elif line.startswith("+"):
                for what, pattern in _SECRETS.items():
                    if (match := pattern.search(line[:4_000])) is not None:
                        # The secret itself is not shown, because many people read a report.
                        shown = one_line(line[1 : match.start() + 5], 80) + "..."
                        message = f"commit {sha} adds what looks like {what}"
                        found.setdefault((path, what, shown), Violation(one_line(path, 300), None, message, shown))
        return list(found.values())

    def _git(self, *arguments: str) -> str:
        # Only our own configuration, no lazy fetch, no pager, no prompt.
        environment = safegit.environment() | {"LC_ALL": "C.UTF-8", "GIT_ALLOW_PROTOCOL": "none"}
        settings = ("-c", "core.quotePath=false", "-c", "core.bigFileThreshold=1m")
        command = safegit.command(self._repository, *settings, *arguments)
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
            )
        except FileNotFoundError:
            raise Undecidable("git is not installed") from None
        timer = threading.Timer(_TIMEOUT_S, process.kill)
        timer.start()
        with process:
            assert process.stdout is not None
            assert process.stderr is not None
            # A hostile history could fill memory or disk, so the output is limited; standard error stays short.
            data = process.stdout.read(_MAX_OUTPUT + 1)
            if len(data) > _MAX_OUTPUT:
                process.kill()
            stderr = process.stderr.read(10_000).decode("utf-8", "replace").strip()
        timed_out = not timer.is_alive()
        timer.cancel()
        if len(data) > _MAX_OUTPUT:
            raise Undecidable("the history is too large to be read")
        if process.returncode:
            if timed_out:
                raise Undecidable(f"git needs more than {_TIMEOUT_S} s to read the history")
            raise Undecidable(f"git cannot read the history ({one_line(stderr.split(chr(10))[-1], 160)})")
        return data.decode("utf-8", "replace")
