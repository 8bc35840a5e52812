"""Import: a package of Polygon is written in our layout, one of the Kattis formats is copied.

A package is a directory, or a ZIP archive of an unknown author.
"""

from __future__ import annotations

import math
import re
import shutil
import stat
import tempfile
import uuid
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final, Literal

from msgspec import Struct

from ..files import copy_readable
from .files import new_directory, walk, within
from .problem import PackageError
from .published import VERSION, version
from .verdicts import ROWS
from .yamlfile import dump_yaml, read_yaml

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

Source = Literal["polygon", "kattis"]
MARKER: Final = "problem.xml"
# The file by which each kind of package is recognised.
_MARKERS: Final[dict[Source, str]] = {"polygon": MARKER, "kattis": "problem.yaml"}
_LARGEST: Final = 2 << 30
_MOST: Final = 50_000


def import_package(path: Path, destination: Path, source: Source | None = None) -> list[str]:
    """Write the package at `path` (a directory or a ZIP archive) to `destination`, a new directory.

    `source`: kind of the package; None: recognised by its files. Returns: what could not be converted, one line each.
    Raises: PackageError: the package is of neither kind, damaged, or cannot be judged here; or `destination` exists.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="rigor-import-") as temporary, new_directory(destination) as draft:
            place = path if path.is_dir() else _unpack(path, Path(temporary))
            # At the top, or in the only directory that has the file.
            found: dict[Source, Path] = {}
            for kind, marker in _MARKERS.items():
                inner = [entry for entry in sorted(place.iterdir()) if (entry / marker).is_file()]
                roots = [place] if (place / marker).is_file() else inner
                if len(roots) == 1 and source in (None, kind):
                    found[kind] = roots[0]
            if source is None and len(found) != 1:
                names = [_MARKERS[kind] for kind in found or _MARKERS]
                how = f"{' and '.join(names)} are" if found else f"none of {', '.join(names)} is"
                raise PackageError(f"{path}: {how} in it; name the kind with --from {', '.join(_MARKERS)}")
            if not found:
                raise PackageError(f"{path}: no {_MARKERS[source or 'kattis']} in it; is this a package of that kind?")
            if "polygon" in found:
                return convert_polygon(found["polygon"], draft)
            file = found["kattis"] / "problem.yaml"
            values = read_yaml(file)
            current = version(values, str(file)) == VERSION
            for name, original in walk(found["kattis"]):
                copy_readable(original, draft / name)
            if current and values.get("build") is None:
                # One limit for all languages, as earlier versions have anyway.
                one = {"*": 1}
                values["build"] = {"time_multipliers": one, "memory_multipliers": one}
                dump_yaml(draft / "problem.yaml", values)
            return []
    except OSError as error:
        raise PackageError(f"{error.filename or path}: {error.strerror or error}") from None


def set_time_limit(package: Path, seconds: float) -> None:
    """Write the time limit of a package that has none. Raises: PackageError, OSError."""
    values = read_yaml(package / "problem.yaml")
    limits = values.get("limits")
    values["limits"] = {**(limits if isinstance(limits, dict) else {}), "time_limit": seconds}
    dump_yaml(package / "problem.yaml", values)


def _unpack(path: Path, place: Path) -> Path:
    """Unpack a ZIP archive with limits, into `place`. Raises: PackageError."""
    if not path.is_file():
        raise PackageError(f"{path}: no such file or directory")
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            # No more of an entry is read than the size that the archive declares.
            if len(entries) > _MOST or sum(entry.file_size for entry in entries) > _LARGEST:
                raise PackageError(f"{path}: more than {_MOST} entries, or unpacks to more than {_LARGEST >> 30} GiB")
            for entry in entries:
                name = PurePosixPath(entry.filename.replace("\\", "/"))
                if name.is_absolute() or ".." in name.parts or "\0" in entry.filename or ":" in str(name).split("/")[0]:
                    raise PackageError(f"{path}: its entry {entry.filename!r} leads outside; repack it")
                if stat.S_ISLNK(entry.external_attr >> 16):
                    raise PackageError(f"{path}: its entry {entry.filename!r} is a link; repack it without links")
                if not name.parts or entry.is_dir() or entry.filename.endswith("\\"):
                    continue
                target = place.joinpath(*name.parts)
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(entry) as source, target.open("xb") as file:
                    shutil.copyfileobj(source, file)
                if entry.external_attr >> 16 & 0o111:
                    target.chmod(0o755)
    except PackageError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise PackageError(f"{path}: not a ZIP archive that can be read: {error}") from None
    return place


_LARGEST_XML: Final = 16 << 20
_LANGUAGES: Final = {
    "english": "en", "russian": "ru", "chinese": "zh", "spanish": "es", "german": "de", "french": "fr",
    "polish": "pl", "ukrainian": "uk", "portuguese": "pt", "italian": "it", "japanese": "ja", "korean": "ko",
    "azerbaijani": "az", "armenian": "hy", "kazakh": "kk", "uzbek": "uz", "hungarian": "hu", "romanian": "ro",
    "czech": "cs", "dutch": "nl", "turkish": "tr", "arabic": "ar", "persian": "fa", "vietnamese": "vi", "other": "en",
}  # fmt: skip
_SECTIONS: Final = (
    ("legend", ""),
    ("input", "Input"),
    ("output", "Output"),
    ("interaction", "Interaction"),
    ("scoring", "Scoring"),
    ("notes", "Notes"),
)
# Tag -> directory, and its entry in submissions.yaml (None: the directory's name is enough).
_TAGS: Final[dict[str, tuple[str, dict[str, Any] | None]]] = {
    **{row.polygon: (row.directory, None) for row in ROWS.values() if row.polygon},
    "main": ("accepted", {"model_solution": True}),
    "rejected": ("rejected", None),
    "failed": ("rejected", None),
    # In Polygon only the checker's message tells a wrong answer from a presentation error.
    "wrong-answer": ("wrong_answer", {"permitted": ["AC", "WA"], "required": ["WA"]}),
    "time-limit-exceeded-or-accepted": ("time_limit_or_accepted", {"permitted": ["AC", "TLE"]}),
    "time-limit-exceeded-or-memory-limit-exceeded": (
        "time_or_memory_limit_exceeded",
        {"permitted": ["AC", "TLE", "MLE"], "required": ["TLE", "MLE"]},
    ),
}
_SOURCES: Final = frozenset({".cpp", ".cc", ".cxx", ".c", ".py", ".java", ".rs", ".go", ".js"})


class _Test(Struct):
    number: int
    sample: bool
    group: str
    points: float
    given: Path
    answer: Path


def convert_polygon(root: Path, place: Path) -> list[str]:
    """Write the problem in the directory of a Polygon package to `place`; returns what could not be converted.

    Raises: PackageError: the package is damaged, or has no tests (only a full package has them). OSError: it cannot be
    written.
    """
    file = root / MARKER
    data = file.read_bytes() if file.stat().st_size <= _LARGEST_XML else b""
    if not data or b"<!ENTITY" in data:
        # With entities a small document can expand to a huge one; no real package has any.
        raise PackageError(f"{file}: too large, empty, or defines entities; is this Polygon's?")
    from xml.etree import ElementTree

    try:
        tree = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise PackageError(f"{file}: not XML: {error}") from None
    header: dict[str, Any] = {"problem_format_version": "2025-09", "uuid": str(uuid.uuid4()), "name": {}}
    lost: list[str] = []
    names = _put_statements(tree, root, place, lost)
    header["name"] = names["en"] if list(names) == ["en"] else names
    tests = _read_tests(tree, root, header, lost)
    _put_programs(tree, root, place, header, lost)
    _put_tests(tree, tests, place, header, lost)
    submissions: dict[str, Any] = {}
    for solution in tree.iterfind("assets/solutions/solution"):
        tag, source = solution.get("tag", ""), solution.find("source")
        if source is None or tag not in _TAGS:
            lost.append(f"solution with the tag {tag!r}: no such label here")
            continue
        path = _inside(root, source.get("path", ""), "solution")
        if path.suffix not in _SOURCES:
            lost.append(f"solution {path.name}: no language for {path.suffix or 'it'} here")
            continue
        directory, entry = _TAGS[tag]
        _put(place / "submissions" / directory / path.name, path)
        if entry is not None:
            submissions[directory if "permitted" in entry else f"{directory}/{path.name}"] = entry
    if submissions:
        dump_yaml(place / "submissions/submissions.yaml", submissions)
    dump_yaml(place / "problem.yaml", header)
    return lost


def _put_statements(tree: Element, root: Path, place: Path, lost: list[str]) -> dict[str, str]:
    """Write the statement in each of its languages; returns the title by language code."""
    titles: dict[str, str] = {}
    names = {_LANGUAGES.get(n.get("language", ""), ""): n.get("value", "") for n in tree.iterfind("names/name")}
    for folder in sorted((root / "statement-sections").glob("*")) if (root / "statement-sections").is_dir() else []:
        code = _LANGUAGES.get(folder.name)
        if code is None or code in titles or not folder.is_dir():
            lost.append(f"statement-sections/{folder.name}: unknown language, or a second one of it")
            continue
        parts = []
        for section, title in _SECTIONS:
            file = folder / f"{section}.tex"
            text = file.read_text("utf-8", "replace").replace("\r\n", "\n").strip() if file.is_file() else ""
            if text:
                parts.append(f"\\section*{{{title}}}\n\n{text}\n" if title else f"{text}\n")
        title_file = folder / "name.tex"
        if title_file.is_file():
            names.setdefault(code, title_file.read_text("utf-8", "replace").strip())
        if parts:
            titles[code] = names.get(code) or (tree.get("short-name") or "problem")
            _put(place / f"statement/problem.{code}.tex", "\n".join(parts).encode())
            for image in sorted(folder.iterdir()):
                if not image.is_symlink() and image.suffix in (".png", ".jpg", ".jpeg", ".pdf", ".eps"):
                    _put(place / "statement" / image.name, image)
    if not titles:
        titles["en"] = names.get("en") or next(iter(names.values()), "") or (tree.get("short-name") or "problem")
        _put(place / "statement/problem.en.md", b"The package has no statement.\n")
        lost.append("statement: the package has no statement-sections; write statement/problem.en.md")
    return titles


def _read_tests(tree: Element, root: Path, header: dict[str, Any], lost: list[str]) -> list[_Test]:
    judging = tree.find("judging")
    sets = [] if judging is None else judging.findall("testset")
    testset = next((found for found in sets if found.get("name", "tests") == "tests"), sets[0] if sets else None)
    if judging is None or testset is None:
        raise PackageError(f"{root / MARKER}: judging/testset: missing; export the package from Polygon again")
    for name in ("input-file", "output-file"):
        if judging.get(name):
            lost.append(f"judging/@{name} {judging.get(name)!r}: here programs use standard input and output")
    for other in sets:
        if other is not testset:
            lost.append(f"testset {other.get('name')!r}: only the test set 'tests' is judged")
    limits: dict[str, Any] = {}
    for name in ("time-limit", "memory-limit"):
        text = testset.findtext(name)
        if text is not None and not re.fullmatch(r"\s*[1-9][0-9]{0,15}\s*", text):
            raise PackageError(f"{MARKER}: {name}: {text!r} is no number above 0")
        if text is not None and name == "time-limit":
            limits["time_limit"] = int(text) / 1000
        elif text is not None:
            limits["memory"] = max(1, math.ceil(int(text) / (1 << 20)))
    header["limits"] = limits
    inputs = testset.findtext("input-path-pattern") or "tests/%02d"
    answers = testset.findtext("answer-path-pattern") or "tests/%02d.a"
    found = []
    for number, test in enumerate(testset.iterfind("tests/test"), start=1):
        where = f"test {number}"
        try:
            given, answer = (_inside(root, _path(pattern, number), where) for pattern in (inputs, answers))
        except PackageError as error:
            raise PackageError(f"{error}; only a full package from Polygon has all tests") from None
        points = _points(test.get("points"), f"{where}: points")
        found.append(_Test(number, test.get("sample") == "true", test.get("group", ""), points, given, answer))
    if not found:
        raise PackageError(f"{root / MARKER}: judging/testset/tests: no tests")
    return found


def _path(pattern: str, number: int) -> str:
    """Fill in a pattern such as ``tests/%02d``; no other format specifier has an effect."""
    return re.sub(r"%(0?)(\d?)d", lambda found: str(number).rjust(int(found[2] or 1), found[1] or " "), pattern)


def _points(text: str | None, where: str) -> float:
    if text is not None and not re.fullmatch(r"\d{1,9}(\.\d{1,6})?", text.strip()):
        raise PackageError(f"{MARKER}: {where}: {text!r} is no number of points")
    return float(text or 0)


def _put_programs(tree: Element, root: Path, place: Path, header: dict[str, Any], lost: list[str]) -> None:
    assets = tree.find("assets")
    testlib = next((p for p in (root / "files" / "testlib.h", root / "testlib.h") if p.is_file()), None)
    used: set[Path] = set()

    def put(directory: str, source: Path) -> None:
        used.add(source)
        _put(place / directory / source.name, source)
        if testlib is not None and source.suffix in (".cpp", ".cc", ".cxx", ".c"):
            used.add(testlib)
            _put(place / directory / "testlib.h", testlib)

    checker = None if assets is None else assets.find("checker/source")
    interactor = None if assets is None else assets.find("interactor/source")
    if checker is not None:
        put("output_validator", _inside(root, checker.get("path", ""), "checker"))
        header["checker"] = {"contract": "testlib"}
    if interactor is not None:
        header["type"] = "interactive"
        if checker is None:
            raise PackageError(f"{MARKER}: assets: an interactor without a checker")
        put("interactor", _inside(root, interactor.get("path", ""), "interactor"))
        header["checker"] = {"contract": "testlib", "interactor": "interactor"}
    for index, source in enumerate([] if assets is None else assets.iterfind("validators/validator/source")):
        path = _inside(root, source.get("path", ""), "validator")
        put(f"input_validators/{_safe_name(path.stem, 'validator')}{index or ''}", path)
    if not (place / "input_validators").is_dir():
        lost.append("validators: none; write one below input_validators/")
    for executable in tree.iterfind("files/executables/executable/source"):
        name = executable.get("path", "")
        if root / name not in used and (root / name).is_file():
            path = _inside(root, name, "executable")
            _put(place / "generators" / path.name, path)


def _put_tests(tree: Element, tests: list[_Test], place: Path, header: dict[str, Any], lost: list[str]) -> None:
    samples = [test for test in tests if test.sample]
    _put_cases(place / "data/sample", samples)
    if not any(test.points for test in tests):
        _put_cases(place / "data/secret", [test for test in tests if not test.sample] or samples)
        return
    header["type"] = ["scoring", header["type"]] if "type" in header else "scoring"
    described = {group.get("name", ""): group for group in tree.iterfind("judging/testset/groups/group")}
    # All points become whole numbers: the format has no others.
    given = [test.points for test in tests] + [_points(group.get("points"), "group") for group in described.values()]
    scale = next((n for n in (1, 10, 100, 1000) if all(abs(v * n - round(v * n)) < 1e-9 for v in given)), 0)
    if scale > 1:
        lost.append(f"points: only whole points are possible here; all are multiplied by {scale}")
    elif not scale:
        scale = 1000
        lost.append("points: more than three decimals; all are multiplied by 1000 and rounded")
    # The groups to be written: name, points, tests, aggregation, names of the groups that are required.
    groups: list[tuple[str, int, list[_Test], str, list[str]]] = []
    made: dict[str, list[str]] = {}
    pending = list(dict.fromkeys(test.group for test in tests))
    known = set(pending)
    done: set[str] = set()
    while pending:
        # Each group after those that it requires.
        needs = {
            name: [d.get("group", "") for d in described[name].iterfind("dependencies/dependency")]
            for name in pending
            if name in described
        }
        name = next((n for n in pending if all(d in done or d not in known for d in needs.get(n, ()))), None)
        if name is None:
            raise PackageError(f"{MARKER}: groups require each other: {', '.join(pending)}")
        pending.remove(name)
        done.add(name)
        members = [test for test in tests if test.group == name]
        if all(test.sample and not test.points for test in members):
            continue
        requires: dict[str, None] = {}
        for other in needs.get(name, ()):
            if other in made:
                requires.update(dict.fromkeys(made[other]))
            elif any(test.group == other and test.sample for test in tests):
                requires["sample"] = None
        element, label = described.get(name), name or "tests"
        full = sum(test.points for test in members)
        if element is not None and element.get("points-policy") == "complete-group":
            full = _points(element.get("points"), f"group {name}") if element.get("points") else full
            new = [(label, round(full * scale), members, "min", list(requires))]
        elif len({test.points for test in members}) == 1:
            new = [(label, round(full * scale), members, "sum", list(requires))]
        else:
            # Tests of one group with different points become groups of their own.
            new = [(f"{label}-{t.number}", round(t.points * scale), [t], "sum", list(requires)) for t in members]
        made[name] = [group[0] for group in new]
        groups += new
    # Numbered, because the format orders groups by name.
    width = len(str(len(groups)))
    places = {g[0]: f"secret/{n:0{width}}-{_safe_name(g[0], 'group')}" for n, g in enumerate(groups, start=1)}
    for name, points, members, aggregation, required in groups:
        settings: dict[str, Any] = {"max_score": points, "score_aggregation": aggregation}
        if required:
            settings["require_pass"] = [places.get(one, one) for one in required]
        dump_yaml(place / "data" / places[name] / "test_group.yaml", settings)
        _put_cases(place / "data" / places[name], members)
    dump_yaml(place / "data/secret/test_group.yaml", {"max_score": sum(group[1] for group in groups)})


def _put_cases(place: Path, tests: list[_Test]) -> None:
    width = max(2, len(str(len(tests))))
    for number, test in enumerate(tests, start=1):
        _put(place / f"{number:0{width}}.in", test.given)
        _put(place / f"{number:0{width}}.ans", test.answer)


def _put(target: Path, content: bytes | Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, Path):
        shutil.copyfile(content, target)
        target.chmod(0o644)
    else:
        target.write_bytes(content)


def _safe_name(text: str, default: str) -> str:
    """`text` with only the characters that the format allows in names."""
    return re.sub(r"[^a-zA-Z0-9_.-]+", "-", text).strip("-.")[:100] or default


def _inside(root: Path, name: str, where: str) -> Path:
    """A regular file that the package names; its path may have backslashes. Raises: PackageError."""
    try:
        path = within(root, name.replace("\\", "/"))
    except PackageError as error:
        raise PackageError(f"{where}: {error}") from None
    if not path.is_file():
        raise PackageError(f"{where}: {name}: not a file")
    return path
