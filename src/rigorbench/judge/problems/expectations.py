"""``submissions/``: the submissions that come with a package, and the verdicts expected of each."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec import structs

from .contract import KATTIS_LANGUAGES
from .files import visible
from .patterns import matches
from .problem import Expectation, ExpectedSubmission, PackageError
from .verdicts import EXPECTED, KATTIS, ROWS, Verdict
from .yamlfile import YamlMapping, is_number, read_table

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
# Keys of an entry in submissions.yaml; every other key is a pattern of test points.
_KEYS: Final = frozenset(
    "language entrypoint authors model_solution permitted required score message use_for_time_limit".split()
)


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

    Args:
        notes: gets a line for each directory that is no label.
        earlier: the package is of a format before 2025-09.
        full: all points, which a partially accepted submission does not get.

    Raises: PackageError: no accepted one, or a pattern that matches nothing.
    """
    place = root / "submissions"
    programs = list(_programs(place))
    if earlier:
        return _read_earlier(programs, notes, full)
    if not any(label == "accepted" for label, _ in programs):
        raise PackageError(f"{place / 'accepted'}: no accepted submission; put the reference solution there")
    file = place / "submissions.yaml"
    table = read_table(file) if file.is_file() else YamlMapping(str(file), {})
    entries = {pattern: table.nested(pattern) for pattern in table}
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
        found.append(ExpectedSubmission(path, label, verdicts, score, expectations=rules, first_failure=first))
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


def _expected(place: Path, label: str, path: Path, entries: dict[str, YamlMapping]) -> ExpectedSubmission:
    inside = path.relative_to(place).as_posix()
    found = [entry for pattern, entry in entries.items() if pattern != label and matches(pattern, inside)]
    default = entries.get(label)
    rules: list[Expectation] = []
    language, reference = None, False
    base = LABELS.get(label, Expectation())
    rules.append(base if default is None else _rule(default, "", base))
    for entry in ([] if default is None else [default]) + found:
        name = entry.text("language")
        language = KATTIS_LANGUAGES.get(name, name) if name is not None else language
        reference = entry.flag("model_solution") or reference
        # Accepted but not used: the language table knows the usual entry points.
        entry.text("entrypoint")
        entry.take("authors")
        entry.take("use_for_time_limit")
        if entry is not default:
            rules.append(_rule(entry, "", Expectation()))
        for key in entry:
            if key not in _KEYS:
                nested = entry.nested(key)
                rules.append(_rule(nested, key, Expectation()))
                nested.take("use_for_time_limit")
                nested.done()
        entry.done()
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
        path,
        label,
        tuple(allowed) if len(allowed) < len(EXPECTED) else (),
        next((rule.score for rule in reversed(rules) if rule.score is not None and not rule.pattern), None),
        language,
        reference,
        tuple(rules),
    )


def _rule(entry: YamlMapping, pattern: str, base: Expectation) -> Expectation:
    permitted, required = _verdicts(entry, "permitted"), _verdicts(entry, "required")
    raw = entry.take("score")
    score = base.score
    if raw is not None:
        pair = raw if isinstance(raw, list) else [raw, raw]
        if len(pair) != 2 or not all(map(is_number, pair)):
            entry.fail("score", "must be points, or [least, most]")
        if not 0 <= pair[0] <= pair[1]:
            entry.fail("score", "the minimum is above the maximum, or below 0")
        score = (float(pair[0]), float(pair[1]))
    return Expectation(
        pattern,
        base.permitted if permitted is None else permitted,
        base.required if required is None else required,
        score,
        entry.text("message", base.message) or "",
    )


def _verdicts(entry: YamlMapping, key: str) -> tuple[str, ...] | None:
    names = entry.texts(key, one=True)
    if names is None:
        return None
    for name in names:
        if name not in _NAMES:
            entry.fail(key, f"{name!r} is not one of {', '.join(_NAMES)}")
    return tuple(dict.fromkeys(verdict for name in names for verdict in _NAMES[name]))
