"""Which checks are shown, and how severe: ``[tool.rigor]`` in ``pyproject.toml``, or ``rigor.toml``.

[tool.rigor]
select = ["V", "H"]                       # pillars by their letter, or ids; default: all
ignore = ["P-unread"]
severity = { "V-narrow" = "note" }
reader = "claude"                         # who gives the grades (docs/reader.md)
exclude."V-narrow:5f0c2b9d31aa" = "the filter selects the whole suite"   # one finding that is wrong, and why
[tool.rigor.per-path]
"logs/legacy/*" = { ignore = ["I"] }      # for logs whose path matches
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fnmatch import fnmatch
from pathlib import Path, PurePath
from typing import Annotated

import msgspec
from msgspec import Meta, Struct, field

from ..base.errors import GivenError
from ..base.text import did_you_mean
from .catalogue import all_checks
from .reader.request import BUDGET
from .reader.table import ReaderTable
from .review import Fired, Review, Severity

FILES = ("rigor.toml", "pyproject.toml")


class ConfigError(GivenError):
    """A configuration that cannot be used; one line that names the file and the remedy."""


class Choice(Struct, forbid_unknown_fields=True, rename="kebab"):
    """``select`` and ``ignore``: letters of pillars, or ids of checks. ``severity``: by id."""

    select: list[str] = field(default_factory=list)
    ignore: list[str] = field(default_factory=list)
    severity: dict[str, Severity] = field(default_factory=dict)


class Config(Choice, forbid_unknown_fields=True, rename="kebab"):
    """The whole configuration."""

    exclude: dict[str, str] = field(default_factory=dict)
    """Fingerprint of a finding that is wrong -> why it is."""
    per_path: dict[str, Choice] = field(default_factory=dict)
    """A pattern for paths of logs -> what holds for them besides."""
    reader: str | None = None
    """Who reads the sessions that ``rigor score`` is given; several with commas. Other commands use stored answers."""
    readings: Annotated[int, Meta(ge=1, le=9)] = 1
    reader_budget: Annotated[int, Meta(ge=1_000)] = BUDGET
    readers: dict[str, ReaderTable] = field(default_factory=dict)
    """Readers of the user's own, by name: a command, or a model at an address."""

    def shown(self, found: Iterable[Fired], path: str) -> list[Fired]:
        """The checks that are to be shown for one log, with their severity. Grades are made from all of them."""
        choices = [self, *(c for pattern, c in self.per_path.items() if fnmatch(path, pattern))]
        found = [f for f in found if all(not c.select or _matches(c.select, f.id) for c in choices)]
        kept = [f for f in found if not any(_matches(c.ignore, f.id) for c in choices)]
        severity: dict[str, Severity] = {}
        for choice in choices:
            severity |= choice.severity
        return [msgspec.structs.replace(f, severity=severity.get(f.id, f.severity)) for f in kept]


def _matches(patterns: Iterable[str], name: str) -> bool:
    return any(name == p or name.split("-")[0] == p for p in patterns)


def checked(choice: Choice, where: str) -> None:
    """Raises ConfigError if a letter or id is not known."""
    excluded = [name.split(":")[0] for name in choice.exclude] if isinstance(choice, Config) else []
    for name in [*choice.select, *choice.ignore, *choice.severity, *excluded]:
        known_check(name, where)


def known_check(name: str, where: str, also: Collection[str] = ()) -> None:
    """Raises ConfigError unless ``name`` is a check, the letter of a pillar, or one of ``also``."""
    known = [*all_checks(), *dict.fromkeys(i.split("-")[0] for i in all_checks()), *also]
    if name not in known:
        raise ConfigError(f"{where}: there is no check {name}{did_you_mean(name, known)}; `rigor explain` lists them")


def load_config(directory: Path) -> Config:
    """The configuration of a directory: of the first of its parents that has one; else the default.

    Raises:
        ConfigError: the file cannot be read, has unknown keys, or names checks that do not exist.
    """
    for parent in (directory, *directory.parents):
        for name in FILES:
            path = parent / name
            if path.is_file() and (config := _read(path)) is not None:
                return config
    return Config()


def _read(path: Path) -> Config | None:
    """None: the file has no section for us."""
    try:
        return parse_config(path.read_text("utf-8"), path)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from None


def parse_config(text: str, path: PurePath) -> Config | None:
    """The configuration in the text of a file; None: it has no section for us.

    Raises:
        ConfigError: it is no TOML, has unknown keys, or names checks that do not exist.
    """
    import tomllib

    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from None
    table = data if path.name == "rigor.toml" else data.get("tool", {}).get("rigor")
    if table is None:
        return None
    try:
        config = msgspec.convert(table, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: {error}; see docs/checks.md") from None
    for choice in (config, *config.per_path.values()):
        checked(choice, str(path))
    return config


def chosen(config: Config, select: str | None, ignore: str | None) -> Config:
    """The configuration with the options of the command line, comma-separated, in place of the file's."""
    changed = msgspec.structs.replace(
        config,
        select=config.select if select is None else _words(select),
        ignore=config.ignore if ignore is None else _words(ignore),
    )
    checked(changed, "--select/--ignore")
    return changed


def _words(text: str) -> list[str]:
    return [w.strip() for w in text.split(",") if w.strip()]


# From the worst; a severity means itself and those before it.
SEVERITIES = ("flag", "weak", "note")


class Gate(Struct, frozen=True):
    """The conditions under which a session fails."""

    under: int | None = None
    """It fails with an overall grade below this, and where nobody has read it, so that there is no grade to compare.
    One that was read and has no grade, or whose log cannot be read as a session, does not fail."""
    on: list[str] = field(default_factory=list)
    """Severities ("weak" includes flags), ids of checks, letters of pillars."""

    @property
    def closed(self) -> bool:
        """Whether any session can fail."""
        return self.under is not None or bool(self.on)

    def stops(self, finding: Fired) -> bool:
        """Whether a session fails for this finding. Good practice fails none."""
        if finding.severity not in SEVERITIES:
            return False
        reached = SEVERITIES[SEVERITIES.index(finding.severity) :]
        return any(name in (finding.id, finding.id.split("-")[0]) or name in reached for name in self.on)

    def too_low(self, review: Review) -> bool:
        return self.under is not None and review.overall is not None and review.overall < self.under

    def unread(self, review: Review) -> bool:
        """Whether a grade is asked for that only a reader could give."""
        return self.under is not None and any(grade.status == "unread" for grade in review.grades.values())

    def reasons(self, review: Review) -> list[str]:
        """Why a session fails, a few words each; [] if it passes."""
        low = [f"overall {review.overall} is under {self.under}"] if self.too_low(review) else []
        if self.unread(review):
            low = [f"--fail-under {self.under} needs a grade, and nobody has read the session: add `--reader claude`"]
        ids = dict.fromkeys(f"{f.severity} {f.id}" for f in review.checks if self.stops(f))
        return [*low, *ids]

    def notice(self, source: str, review: Review) -> str | None:
        """The line about one session that fails, or whose grade is not known; None: there is nothing to say."""
        reasons = self.reasons(review)
        if reasons:
            return f"{source}: fails: {'; '.join(reasons)}"
        if self.under is not None and review.overall is None:
            return f"{source}: no overall grade, so --fail-under says nothing of it: {review.reason}"
        return None


def gate(under: int | None, on: str | None, option: str = "--fail-on") -> Gate:
    """The gate that these options describe; ``on``: comma-separated.

    Raises:
        ConfigError: it names something that is no severity and no check.
    """
    names = _words(on or "")
    for name in names:
        known_check(name, option, SEVERITIES)
    return Gate(under, names)
