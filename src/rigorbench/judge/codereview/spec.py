"""``review.toml``: the rules and criteria of a problem's code review."""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct, field

from ..problems.problem import PackageError


class ConstructSet(Struct, frozen=True):
    """A named set of constructs; the comment in the file says what each key has."""

    what: str
    std_types: frozenset[str] = frozenset()
    std_functions: frozenset[str] = frozenset()
    std_methods: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()
    keywords: frozenset[str] = frozenset()
    modules: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    nodes: frozenset[str] = frozenset()


PRESETS: Final = {
    name: ConstructSet(table.pop("what"), **{kind: frozenset(words.split()) for kind, words in table.items()})
    for name, table in tomllib.loads(Path(__file__).with_name("presets.toml").read_text("utf-8")).items()
}


# The levels of every criterion, each with an anchor in words.
LEVELS = (0, 3, 5, 7, 10)
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
Feature = Literal["readability", "modularity", "documentation", "tests", "history"]


_Several = Annotated[tuple[str, ...], Meta(min_length=1)]
_Least = Annotated[int, Meta(ge=0)]
_Positive = Annotated[int, Meta(ge=1)]


class RuleMutant(Struct, frozen=True, forbid_unknown_fields=True):
    """A change of the reference that breaks a rule and no other: `judge verify` tries it."""

    add: dict[str, str] = {}
    """File -> text at its end."""
    write: dict[str, str] = {}
    """File -> all of its text."""
    move: dict[str, str] = {}
    commits: tuple[str, ...] = ()
    """The subjects of its commits."""


class _Rule(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", kw_only=True):
    """The fields of every rule. `files` and `exclude` are globs; without them it is about all sources."""

    id: str
    text: str
    files: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    disqualifies: bool = False
    """The rule is the task: a submission that breaks it has no points."""
    mutant: RuleMutant | None = None

    @property
    def kind(self) -> str:
        return str(self.__struct_config__.tag)


class Includes(_Rule, frozen=True, tag="includes"):
    """Headers and modules from outside the submission: ``allow`` only these globs, ``forbid`` these globs."""

    allow: tuple[str, ...] | None = None
    forbid: tuple[str, ...] = ()


class Constructs(_Rule, frozen=True, tag="constructs"):
    """Forbidden constructs: presets in ``forbid``, and further ``names`` such as "std::sort" or "malloc"."""

    forbid: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


class Identifiers(_Rule, frozen=True, tag="identifiers"):
    forbid: tuple[str, ...] = ()
    ascii: bool = False


class Patterns(_Rule, frozen=True, tag="patterns"):
    forbid: _Several


class Files(_Rule, frozen=True, tag="files"):
    require: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()


class Untouched(_Rule, frozen=True, tag="untouched"):
    """``files`` must exist and equal the package's attachments."""


class CMakeTarget(_Rule, frozen=True, tag="cmake-target"):
    target: str


class Readme(_Rule, frozen=True, tag="readme"):
    min_words: _Least = 20


class Artefacts(_Rule, frozen=True, tag="artefacts"):
    allow: tuple[str, ...] = ()


class HistoryRule(_Rule, frozen=True, tag="history"):
    """The history of the submission. `secrets`, `binaries`: whether keys and binary files are forbidden."""

    min_commits: _Positive | None = None
    max_share: Annotated[float, Meta(gt=0, le=1)] | None = None
    """Of all added lines in one commit, above 0 and up to 1."""
    min_subject: _Positive | None = None
    """Characters in the first line of a message."""
    secrets: bool = False
    binaries: bool = False


class Functions(_Rule, frozen=True, tag="functions"):
    """Limits for each function; ``max_nesting`` counts nested control structures."""

    max_lines: _Least | None = None
    max_nesting: _Least | None = None
    max_parameters: _Least | None = None


Rule = (
    Includes
    | Constructs
    | Identifiers
    | Patterns
    | Files
    | Untouched
    | CMakeTarget
    | Readme
    | Artefacts
    | HistoryRule
    | Functions
)


class Criterion(Struct, frozen=True, forbid_unknown_fields=True):
    """One criterion that readers rate."""

    id: str
    text: str
    levels: dict[str, str]
    """What must be visible for each of :data:`LEVELS`, each stricter than the one before."""
    files: tuple[str, ...] = ()
    """Globs of the files that readers see, in this order."""
    feature: Feature | None = None
    """Estimates the level when no reader was asked."""


class ReviewRules(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of ``review.toml``; ``digest`` is its SHA-256."""

    rules: list[Rule] = field(default_factory=list, name="rule")
    criteria: list[Criterion] = field(default_factory=list, name="criterion")
    digest: str = ""


def load_review(path: Path) -> ReviewRules:
    """Read the rules and criteria.

    Raises: PackageError: the file cannot be read, or a rule in it could never be decided.
    """
    try:
        data = path.read_bytes()
        document = tomllib.loads(data.decode())
    except OSError as error:
        raise PackageError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise PackageError(f"{path}: not UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise PackageError(f"{path}: not valid TOML: {error}") from None
    document.pop("digest", None)
    try:
        found = msgspec.convert(document, ReviewRules)
    except msgspec.ValidationError as error:
        # The message of msgspec, preceded by the id of the rule or criterion.
        message = str(error)
        if (at := re.search(r"\$\.(rule|criterion)\[(\d+)\]", message)) is not None:
            tables, number = document.get(at[1]), int(at[2])
            table = tables[number] if isinstance(tables, list) and number < len(tables) else None
            name = table.get("id") if isinstance(table, dict) else None
            label = repr(name) if isinstance(name, str) else str(number + 1)
            message = f"[[{at[1]}]] {label}: {message}"
        raise PackageError(f"{path}: {message}") from None
    ids: set[str] = set()
    for entry in (*found.rules, *found.criteria):
        where = f"{path}: {'criterion' if isinstance(entry, Criterion) else 'rule'} {entry.id!r}"
        if not _ID.fullmatch(entry.id):
            raise PackageError(f"{where}: id: use lower-case letters, digits and '-', at most 60 characters")
        if entry.id in ids:
            raise PackageError(f"{where}: the id is used twice; ids must be unique")
        ids.add(entry.id)
        if not entry.text.strip():
            raise PackageError(f"{where}: text: write one sentence for the reader of a finding")
        problem = _check_rule(entry)
        if problem is not None:
            raise PackageError(f"{where}: {problem}")
    return msgspec.structs.replace(found, digest=hashlib.sha256(data).hexdigest())


def _check_rule(rule: Rule | Criterion) -> str | None:
    match rule:
        case Criterion(levels=levels):
            is_whole = set(levels) == {str(level) for level in LEVELS} and all(text.strip() for text in levels.values())
            return None if is_whole else f"levels: write one anchor in words for each of {', '.join(map(str, LEVELS))}"
        case Includes(allow=None, forbid=()):
            return "allow or forbid: which headers or modules"
        case Constructs(forbid=forbid, names=names):
            if not forbid and not names:
                return "forbid or names: which constructs"
            unknown = [preset for preset in forbid if preset not in PRESETS]
            if unknown:
                known = ", ".join(sorted(PRESETS))
                return f"forbid: no preset {unknown[0]!r}; known presets: {known}; put other names into names"
            malformed = [name for name in names if not re.fullmatch(r"[A-Za-z_]\w*(?:(?:::|\.)[A-Za-z_]\w*)*", name)]
            return f"names: {malformed[0]!r} is not a name such as std::sort" if malformed else None
        case Identifiers(forbid=(), ascii=False):
            return "forbid or ascii: what identifiers must not be"
        case Identifiers(forbid=patterns) | Patterns(forbid=patterns):
            for pattern in patterns:
                try:
                    if re.compile(pattern).search(""):
                        return f"forbid: {pattern!r} matches everything"
                except (re.error, RecursionError, OverflowError) as error:
                    return f"forbid: {pattern!r} is not a regular expression ({error})"
        case Files(require=(), forbid=()):
            return "require or forbid: which files"
        case Untouched(files=()):
            return "files: which files must not be changed"
        case CMakeTarget(target=target):
            return None if target.strip() else "target: the name of a target"
        case HistoryRule(min_commits=None, max_share=None, min_subject=None, secrets=False, binaries=False):
            return "min_commits, max_share, min_subject, secrets or binaries: at least one"
        case Functions(max_lines=None, max_nesting=None, max_parameters=None):
            return "max_lines, max_nesting or max_parameters: at least one limit"
    return None
