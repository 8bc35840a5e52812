"""Commits: their files, and whether message and content follow the rules of good hygiene."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...base.patterns import lazy
from ..facts import CommitFacts, EditFacts
from ..paths import role
from ..shell.types import SimpleCommand

_MADE = lazy(r"^\[[^\]\n]+ (?:\(root-commit\) )?[0-9a-f]{7,40}\] ", re.MULTILINE)
_NOT_MADE = lazy(
    r"nothing to commit|no changes added to commit|nothing added to commit|Aborting commit|fatal: |error: pathspec|"
    r"hook .*(?:failed|exited)|Please tell me who you are|unmerged files",
    re.IGNORECASE,
)
_LISTED = lazy(r"^ (?:create|delete) mode \d+ (.+)$|^ rename (.+) \(\d+%\)$", re.MULTILINE)
_CREATED = lazy(r"^ create mode \d+ (.+)$", re.MULTILINE)
_VAGUE = lazy(
    r"^(wip|update[sd]?|fix(es|ed)?|changes?|misc|stuff|tmp|temp|test(ing)?|commit|save|checkpoint|done|final|edits?|"
    r"minor( changes?)?|initial|asdf|\.+|work|progress|cleanup|(fix|update|change) (bug|code|stuff|it|things|"
    r"files?|tests?))\W*$",
    re.IGNORECASE,
)
# The diff shows which files changed, so such a subject is worth nothing. (Adding or removing one is another matter.)
_NAMES_FILES = lazy(
    r"^(?:change|edit|fix|modify|rework|touch|tweak|update)(?:[sd]|e[sd])?(?: the)?(?: file)?"
    r"(?:(?: and|,)? [\w./-]*\w\.[a-z]\w{0,4})+\W*$",
    re.IGNORECASE,
)
# git writes these itself.
_MERGE = lazy(r"^Merge (?:(?:remote-tracking )?branch(?:es)?|commit|tag|pull request) ['\"#\w]|^Merge \S+/\S+ into ")
_OF_GIT = lazy(r"^(?:fixup|squash|amend)! |^Revert \"")
_PREFIX = lazy(r"^(?:\w+(?:\([^)]*\))?!?:\s*|\[[^\]]+\]\s*|[A-Z]+-\d+:?\s*|#\d+:?\s*)")
_NOT_IMPERATIVE = lazy(
    r"^(\w+(?:ed|ing)|adds|fixes|updates|removes|changes|implements|refactors|improves|i|we|this|these|the|a|an|"
    r"some|various)\b",
    re.I,
)
_IMPERATIVE_EXCEPTIONS = frozenset(
    "bring string embed seed feed need speed proceed exceed shed ping ring spring swing red".split()
)
_ARTIFACT = lazy(
    r"(^|/)(__pycache__|node_modules|\.venv|venv|\.pytest_cache|\.mypy_cache|\.DS_Store|\.idea)(/|$)|"
    # Names that sources use as well: only at the top of a project, or of one of its packages.
    r"^(?:(?:packages|apps|crates|modules|services|projects)/[^/]+/|"
    r"(?!src/|lib/|tests?/|docs?/|scripts/|cmd/|internal/|pkg/|tools/|ci/|\.)[^/]+/)?(?:dist|build|target|coverage)/|"
    r"\.(pyc|pyo|o|so|class|log|tmp|bak|orig|rej|swp|sqlite3?-journal)$|(^|/)(nohup\.out|core|\.coverage)$|"
    # A patch of the work itself; those that belong to a project are in a directory.
    r"^[^/]+\.(?:diff|patch)$"
)
# Test data is no artifact, whatever its name.
_TEST_DATA = lazy(
    r"(^|/)(?:tests?|spec|__tests__)/(?:.*/)?(?:data|fixtures?|resources|samples|golden|snapshots)/|testdata/"
)
_SECRET_FILE = lazy(
    r"(^|/)(\.env(\.(?!example|sample|template)\w+)?|id_rsa|id_ed25519|.*\.pem|.*\.key|credentials\.json)$"
)
_SECRET = lazy(
    r"AKIA[0-9A-Z]{16}|-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY|ghp_[A-Za-z0-9]{36}|sk-(?:ant-|"
    r"proj-)?[A-Za-z0-9_-]{32,}|"
    r"xox[baprs]-[A-Za-z0-9-]{20,}"
)
# Every secret contains one of these.
_SECRET_SIGNS = ("AKIA", "PRIVATE KEY", "ghp_", "sk-", "xox")
_CONFLICT = lazy(r"^(<{7} |>{7} )", re.MULTILINE)
# Words that describe nothing: any text contains them.
_COMMON = frozenset(
    "the and for with from this that into onto when then than are was not but its all any some more now new use used "
    "using add adds added fix fixes fixed update updates updated remove removed change changes changed "
    "make made improve "
    "improve improved support handle implement refactor code file files".split()
)
_WORD = lazy(r"[A-Za-z][a-z0-9]+|[A-Z]{2,}")


def was_made(output: str, exit_status: int | None, is_error: bool | None, *, forgiven: bool = False) -> bool:
    """Whether ``git commit`` made a commit, by its own report, else by the exit status or the log's error flag.

    ``forgiven``: the line continues when it fails (``|| true``), so silence proves nothing.
    """
    if _MADE.search(output):
        return True
    if _NOT_MADE.search(output):
        return False
    if exit_status is not None:
        return exit_status == 0
    return is_error is not True and not forgiven


_REFUSED = re.compile(
    r"^ ! \[(?:remote )?rejected\]|^error: failed to push|^fatal: .*(?:repository|remote|upstream|"
    r"authentic|could not read)|pull request create failed",
    re.IGNORECASE | re.MULTILINE,
)
# Every refusal contains one of these.
_REFUSAL_SIGNS = ("rejected]", "error: ", "fatal: ", "pull request create failed")


def was_refused(command: SimpleCommand, output: str) -> bool:
    """Whether a push (``git push``, ``gh pr create``) says in its output that it failed, whatever the exit status."""
    if "push" not in command.args and command.program not in ("gh", "glab"):
        return False
    lower = output.lower()
    return any(sign in lower for sign in _REFUSAL_SIGNS) and _REFUSED.search(output) is not None


def report(output: str, number: int, count: int) -> str:
    """Git's output about the ``number``-th of ``count`` commits of one call (all output if that is not clear)."""
    starts = [m.start() for m in _MADE.finditer(output)]
    if count < 2 or len(starts) != count:
        return output
    return output[starts[number] : starts[number + 1] if number + 1 < count else len(output)]


def listed_files(output: str) -> list[str]:
    """The paths in git's report of a commit."""
    return [a or b for a, b in _LISTED.findall(output)]


def message_of_output(output: str) -> str:
    """The subject in git's own report ("[main 1a2b3c] Subject"), "" if there is none."""
    match = _MADE.search(output)
    return output[match.end() :].split("\n", 1)[0].strip() if match else ""


_CHANGED = lazy(r"^ \d+ files? changed", re.MULTILINE)


def created_files(output: str) -> list[str]:
    """The paths of which git's report of a commit says that they are in it: what else was added may be ignored."""
    return _CREATED.findall(output)


def is_empty(output: str, args: Sequence[str], files: Sequence[str]) -> bool:
    """Whether a commit that was made is empty: git makes such a commit only with ``--allow-empty``."""
    return "--allow-empty" in args and not _CHANGED.search(output) and not files


def describe(
    message: str,
    files: Sequence[str],
    edits: Sequence[tuple[str, Sequence[str], EditFacts]],
    *,
    empty: bool = False,
    certain: Sequence[str] | None = None,
) -> CommitFacts:
    """Facts about a commit from its message, the files known to be in it and their edits (path, symbols, facts).

    ``certain``: the files that it certainly has; None: all.
    """
    lines = message.strip().splitlines()
    subject = lines[0].strip() if lines else ""
    bare = _PREFIX.sub("", subject)
    problems: list[str] = []
    if not subject:
        problems.append("no message")
    elif _VAGUE.match(bare or subject):
        problems.append(f"the subject {subject!r} says nothing")
    elif len(subject) > 100:
        problems.append(f"the subject has {len(subject)} characters")
    first = bare.split(" ", 1)[0].lower() if bare else ""
    says = not problems and not _NAMES_FILES.match(bare or subject)
    imperative = bool(bare) and says and (first in _IMPERATIVE_EXCEPTIONS or not _NOT_IMPERATIVE.match(bare))
    # Without known files the message cannot be shown to describe something else.
    describes = says and (not files or _describes(message, files, edits))
    merge = bool(_MERGE.match(subject))
    if merge or _OF_GIT.match(subject):
        problems, imperative, describes = [], True, True
    hygiene: list[str] = []
    for path in files if certain is None else certain:
        if is_artifact(path):
            hygiene.append(f"{path} does not belong there, by its name")
        if _SECRET_FILE.search(path):
            hygiene.append(f"{path} may contain secrets")
    for path, _, facts in edits:
        text = _text(facts, "".join(new for _, new in facts.change.hunks))
        if any(sign in text for sign in _SECRET_SIGNS) and _SECRET.search(text):
            hygiene.append(f"a secret in {path}")
        if ("<<<<<<< " in text or ">>>>>>> " in text) and _CONFLICT.search(text):
            hygiene.append(f"conflict markers in {path}")
        if facts.debug_leftovers and role(path) == "production":
            hygiene.append(f"debug leftover in {path}: {facts.debug_leftovers[0]}")
    return CommitFacts(
        subject=subject,
        imperative=imperative,
        describes=describes,
        message_problems=problems,
        hygiene_problems=list(dict.fromkeys(hygiene)),
        empty=empty,
    )


def is_artifact(path: str) -> bool:
    """Whether a file is what a build, a tool or a run leaves behind, by its name."""
    return _ARTIFACT.search(path) is not None and _TEST_DATA.search(path) is None


def _text(facts: EditFacts, of_hunks: str) -> str:
    change = facts.change
    return change.after if change.after and not (facts.observed and change.hunks) else of_hunks


def _describes(message: str, files: Sequence[str], edits: Iterable[tuple[str, Sequence[str], EditFacts]]) -> bool:
    """Whether the message and the change (paths, symbols, changed text) have a content word in common."""
    words = {_stem(w) for w in _WORD.findall(message) if len(w) > 2 and w.lower() not in _COMMON}
    names: set[str] = set()
    for path in files:
        names.update(_stem(w) for w in _WORD.findall(path))
    if words & names:
        return True
    for _, symbols, facts in edits:
        for symbol in symbols:
            names.update(_stem(w) for w in _WORD.findall(symbol))
        text = _text(facts, "".join(old + new for old, new in facts.change.hunks))
        names.update(_stem(w) for w in _WORD.findall(text[:20_000]))
        if words & names:
            return True
    return False


def _stem(word: str) -> str:
    word = word.lower()
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
