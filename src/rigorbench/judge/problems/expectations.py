"""``submissions/``: the submissions that come with a package, and the verdicts expected of each."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Any, Final

from msgspec import Struct, structs

from .files import matches, visible
from .metadata import KATTIS_LANGUAGES
from .problem import Expectation, ExpectedSubmission, Number, PackageError
from .verdicts import EXPECTED, KATTIS, ROWS, Verdict
from .yamlfile import Texts, convert, read_yaml, texts

# Names in `permitted` and `required`: the format's verdicts with all that they include, and our short names.
_NAMES: Final[dict[str, tuple[str, ...]]] = {**KATTIS}
_NAMES.update({ROWS[verdict].short: (verdict,) for verdict in EXPECTED if ROWS[verdict].short not in KATTIS})
# Of a score: smaller differences are rounding.
_LEAST: Final = 1e-3
_FAILED: Final = tuple(verdict for verdict in EXPECTED if verdict != "accepted")


def _only(*verdicts: str) -> Expectation:
    return Expectation("", ("accepted", *verdicts), verdicts)


# What each directory below ``submissions/`` permits, and requires of some test point.
LABELS: Final[dict[str, Expectation]] = {ROWS[verdict].directory: _only(verdict) for verdict in EXPECTED} | {
    "accepted": Expectation("", ("accepted",)),
    # As wide as the format's verdicts; wrong_answer is not, because presentation errors have their own directory.
    "time_limit_exceeded": _only(*KATTIS["TLE"]),
    "run_time_error": _only(*KATTIS["RTE"]),
    # Nothing runs, so no test point is accepted.
    "compile_error": Expectation("", ("compile_error",), ("compile_error",)),
    "rejected": Expectation("", (), _FAILED),
    "brute_force": _only(*KATTIS["TLE"], *KATTIS["RTE"]),
}


class RuleKeys(Struct, frozen=True, forbid_unknown_fields=True):
    """What ``submissions.yaml`` expects of a submission, or of some of its test points."""

    permitted: Texts | None = None
    required: Texts | None = None
    # Not a tuple of two: msgspec 0.20 reads beyond such a type that is one of several and has bounds.
    score: Number | tuple[Number, ...] | None = None
    message: str | None = None
    use_for_time_limit: Any = None


class EntryKeys(RuleKeys, frozen=True):
    """An entry of ``submissions.yaml``; every other key is a pattern of test points."""

    language: str | None = None
    model_solution: bool = False
    # Not used: the language table knows the usual entry points.
    entrypoint: str | None = None
    authors: Any = None


# The keys of an entry, those of its patterns of test points, and where it is.
_Entry = tuple[EntryKeys, dict[str, RuleKeys], str]
# The labels of the formats before 2025-09, where the first test point that fails decides.
_EARLIER: Final[dict[str, tuple[str, ...]]] = {
    "accepted": ("accepted",),
    "wrong_answer": KATTIS["WA"],
    "time_limit_exceeded": KATTIS["TLE"],
    "run_time_error": KATTIS["RTE"],
    "rejected": _FAILED,
    "partially_accepted": _FAILED,
}


def read_submissions(
    root: Path, notes: list[str], *, earlier: bool = False, full: float = 0
) -> tuple[ExpectedSubmission, ...]:
    """The submissions of a package.

    `notes`: gets a line for each directory that is no label. `earlier`: the package is of a format before 2025-09.
    `full`: all points, which a partially accepted submission does not get. Raises: PackageError: no accepted one, or a
    pattern that matches nothing.
    """
    place = root / "submissions"
    programs = list(_programs(place))
    if earlier:
        return _read_earlier(programs, notes, full)
    if not any(label == "accepted" for label, _ in programs):
        raise PackageError(f"{place / 'accepted'}: no accepted submission; put the reference solution there")
    file = place / "submissions.yaml"
    entries: dict[str, _Entry] = {}
    for pattern, given in (read_yaml(file) if file.is_file() else {}).items():
        values = convert(given, dict[str, Any], f"{file}: {pattern}")
        own = {key: values.pop(key) for key in EntryKeys.__struct_fields__ if key in values}
        inner = {key: convert(value, RuleKeys, str(file), f"{pattern}.{key}.") for key, value in values.items()}
        entries[pattern] = (convert(own, EntryKeys, str(file), f"{pattern}."), inner, f"{file}: {pattern}.")
    # The files of submissions that are directories can be matched as well.
    paths = [path.relative_to(place).as_posix() for _, path in programs]
    for pattern in entries:
        if not any(matches(pattern, path) for path in paths) and pattern not in {label for label, _ in programs}:
            raise PackageError(f"{file}: {pattern}: matches no submission; correct or remove it")
    named = {label for label, path in programs if any(matches(p, path.relative_to(place).as_posix()) for p in entries)}
    known = [(label, path) for label, path in programs if label in LABELS or label in entries or label in named]
    notes += _left_out(label for label, _ in programs if all(label != one for one, _ in known))
    found = [_expected(place, label, path, entries) for label, path in known]
    if not any(one.reference for one in found):
        first = next(index for index, one in enumerate(found) if one.label == "accepted")
        found[first] = structs.replace(found[first], reference=True)
    return tuple(found)


def _read_earlier(programs: list[tuple[str, Path]], notes: list[str], full: float) -> tuple[ExpectedSubmission, ...]:
    notes += _left_out(label for label, _ in programs if label not in _EARLIER)
    found = []
    for label, path in programs:
        if label not in _EARLIER:
            continue
        # Some points, but not all.
        score = (_LEAST, max(full - _LEAST, _LEAST)) if label == "partially_accepted" else None
        verdicts = _EARLIER[label]
        rules = (Expectation(score=score),) if score is not None else ()
        first = label != "accepted"
        found.append(ExpectedSubmission(path, label, verdicts, expectations=rules, first_failure=first))
    reference = next((index for index, one in enumerate(found) if one.label == "accepted"), None)
    if reference is None:
        notes.append("submissions: no accepted one, so nothing shows that the problem can be solved")
    else:
        found[reference] = structs.replace(found[reference], reference=True)
    return tuple(found)


def _left_out(labels: Iterable[str]) -> list[str]:
    known = ", ".join(LABELS)
    return [f"submissions/{label}: left out, because it is no label ({known})" for label in dict.fromkeys(labels)]


def _programs(place: Path) -> Iterable[tuple[str, Path]]:
    if not place.is_dir():
        return
    for directory in sorted(place.iterdir()):
        if not directory.is_dir() or not visible(PurePosixPath("submissions", directory.name)):
            continue
        if directory.name.startswith((".", "-")):
            continue
        for path in sorted(directory.iterdir()):
            if not path.name.startswith((".", "-")) and visible(PurePosixPath("submissions", path.name)):
                yield directory.name, path


def _expected(place: Path, label: str, path: Path, entries: dict[str, _Entry]) -> ExpectedSubmission:
    inside = path.relative_to(place).as_posix()
    default = entries.get(label)
    base = LABELS.get(label, Expectation())
    rules = [base if default is None else _rule(default[0], "", base, default[2])]
    language, reference = None, False
    found = [entry for pattern, entry in entries.items() if pattern != label and matches(pattern, inside)]
    for entry in ([] if default is None else [default]) + found:
        keys, inner, where = entry
        language = KATTIS_LANGUAGES.get(keys.language, keys.language) if keys.language is not None else language
        reference = keys.model_solution or reference
        if entry is not default:
            rules.append(_rule(keys, "", Expectation(), where))
        rules += [_rule(one, pattern, Expectation(), f"{where}{pattern}.") for pattern, one in inner.items()]
    if reference and label != "accepted":
        raise PackageError(f"{path}: a model_solution must be accepted; move it to submissions/accepted")
    if os.path.islink(path) and not path.exists():
        raise PackageError(f"{path}: broken link; remove it")
    rules = [rule for rule in rules if rule != Expectation()]
    # The verdicts that a whole submission may have: those that every rule about all of its points permits. Where one is
    # required only "accepted" is impossible: a worse verdict may be permitted for another test point.
    allowed: list[Verdict] = list(EXPECTED)
    for rule in rules:
        if not rule.pattern and rule.permitted:
            allowed = [verdict for verdict in allowed if verdict in rule.permitted]
        if not rule.pattern and rule.required and "accepted" not in rule.required:
            allowed = [verdict for verdict in allowed if verdict != "accepted"]
    return ExpectedSubmission(
        path, label, tuple(allowed) if len(allowed) < len(EXPECTED) else (), language, reference, tuple(rules)
    )


def _rule(keys: RuleKeys, pattern: str, base: Expectation, where: str) -> Expectation:
    score = base.score
    if keys.score is not None:
        given = keys.score if isinstance(keys.score, tuple) else (keys.score, keys.score)
        if len(given) != 2:
            raise PackageError(f"{where}score: must be points, or [least, most]")
        score = (given[0], given[1])
        if given[0] > given[1]:
            raise PackageError(f"{where}score: the minimum is above the maximum")
    verdicts = {"permitted": base.permitted, "required": base.required}
    for key in verdicts:
        if (names := getattr(keys, key)) is not None:
            for name in texts(names):
                if name not in _NAMES:
                    raise PackageError(f"{where}{key}: {name!r} is not one of {', '.join(_NAMES)}")
            verdicts[key] = tuple(dict.fromkeys(verdict for name in texts(names) for verdict in _NAMES[name]))
    message = base.message if keys.message is None else keys.message
    return Expectation(pattern, **verdicts, score=score, message=message)
