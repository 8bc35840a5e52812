"""Reads Polygon packages (``problem.xml``), and writes them in the Kattis layout with our keys."""

from __future__ import annotations

import math
import re
import shutil
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, field

from ..files import new_directory
from ..problem import PackageError
from ..verdicts import ROWS
from ..yamlfile import dump_yaml
from .unpack import inside

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MARKER: Final = "problem.xml"
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
# Input and answer of a test point.
Case = tuple[Path, Path]
_SOURCES: Final = frozenset({".cpp", ".cc", ".cxx", ".c", ".py", ".java", ".rs", ".go", ".js"})


class NewGroup(Struct):
    """A group of test points; `requires`: names of earlier groups, or "sample"."""

    name: str
    full: int
    cases: list[Case]
    aggregation: str = "min"
    requires: list[str] = field(default_factory=list)


class NewProblem(Struct):
    """A problem to be written."""

    header: dict[str, Any] = field(default_factory=dict)
    """Further keys of ``problem.yaml``."""
    name: dict[str, str] = field(default_factory=dict)
    """Title by language code."""
    samples: list[Case] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    """Hidden test points of a pass-fail problem, which has no `groups`."""
    groups: list[NewGroup] = field(default_factory=list)
    files: dict[str, bytes | Path] = field(default_factory=dict)
    """Path in the package -> content, or the file with it."""
    submissions: dict[str, Any] = field(default_factory=dict)
    """Content of ``submissions.yaml``."""
    lost: list[str] = field(default_factory=list)
    """What could not be converted, one line each."""


class _Test(Struct):
    number: int
    sample: bool
    group: str
    points: float | None
    case: Case


def read_polygon(root: Path) -> NewProblem:
    """The problem in the directory of a Polygon package; it refers to files below `root`.

    Raises:
        PackageError: the package is damaged, or has no tests (only a full package has them).
    """
    tree = _parse(root / MARKER)
    problem = NewProblem()
    _statement(tree, root, problem)
    tests = _tests(tree, root, problem)
    _programs(tree, root, problem)
    _grouped(tree, tests, problem)
    _solutions(tree, root, problem)
    return problem


def _parse(path: Path) -> Element:
    from xml.etree import ElementTree

    data = path.read_bytes() if path.stat().st_size <= _LARGEST_XML else b""
    if not data or b"<!ENTITY" in data:
        # With entities a small document can expand to a huge one; no real package has any.
        raise PackageError(f"{path}: too large, empty, or defines entities; is this Polygon's?")
    try:
        return ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise PackageError(f"{path}: not XML: {error}") from None


def _statement(tree: Element, root: Path, problem: NewProblem) -> None:
    names = {_LANGUAGES.get(n.get("language", ""), ""): n.get("value", "") for n in tree.iterfind("names/name")}
    for folder in sorted((root / "statement-sections").glob("*")) if (root / "statement-sections").is_dir() else []:
        code = _LANGUAGES.get(folder.name)
        if code is None or f"statement/problem.{code}.tex" in problem.files or not folder.is_dir():
            problem.lost.append(f"statement-sections/{folder.name}: unknown language, or a second one of it")
            continue
        parts = []
        for section, title in _SECTIONS:
            file = folder / f"{section}.tex"
            if file.is_file():
                text = file.read_text("utf-8", "replace").replace("\r\n", "\n").strip()
                if text:
                    parts.append(f"\\section*{{{title}}}\n\n{text}\n" if title else f"{text}\n")
        title_file = folder / "name.tex"
        if title_file.is_file():
            names.setdefault(code, title_file.read_text("utf-8", "replace").strip())
        if parts:
            problem.files[f"statement/problem.{code}.tex"] = "\n".join(parts).encode()
            problem.name[code] = names.get(code) or (tree.get("short-name") or "problem")
            for image in sorted(folder.iterdir()):
                if not image.is_symlink() and image.suffix in (".png", ".jpg", ".jpeg", ".pdf", ".eps"):
                    problem.files[f"statement/{image.name}"] = image
    if not problem.name:
        problem.name["en"] = names.get("en") or next(iter(names.values()), "") or (tree.get("short-name") or "problem")
        problem.files["statement/problem.en.md"] = b"The package has no statement.\n"
        problem.lost.append("statement: the package has no statement-sections; write statement/problem.en.md")


def _tests(tree: Element, root: Path, problem: NewProblem) -> list[_Test]:
    judging = tree.find("judging")
    sets = [] if judging is None else judging.findall("testset")
    testset = next((found for found in sets if found.get("name", "tests") == "tests"), sets[0] if sets else None)
    if judging is None or testset is None:
        raise PackageError(f"{root / MARKER}: judging/testset: missing; export the package from Polygon again")
    for name in ("input-file", "output-file"):
        if judging.get(name):
            problem.lost.append(f"judging/@{name} {judging.get(name)!r}: here programs use standard input and output")
    for other in sets:
        if other is not testset:
            problem.lost.append(f"testset {other.get('name')!r}: only the test set 'tests' is judged")
    limits: dict[str, Any] = {}
    time = _number(testset, "time-limit")
    memory = _number(testset, "memory-limit")
    if time is not None:
        limits["time_limit"] = time / 1000
    if memory is not None:
        limits["memory"] = max(1, math.ceil(memory / (1 << 20)))
    problem.header["limits"] = limits
    inputs = testset.findtext("input-path-pattern") or "tests/%02d"
    answers = testset.findtext("answer-path-pattern") or "tests/%02d.a"
    found = []
    for number, test in enumerate(testset.iterfind("tests/test"), start=1):
        where = f"test {number}"
        try:
            case = inside(root, _path(inputs, number), where), inside(root, _path(answers, number), where)
        except PackageError as error:
            raise PackageError(f"{error}; only a full package from Polygon has all tests") from None
        points = test.get("points")
        value = None if points is None else _points(points, f"{where}: points")
        found.append(_Test(number, test.get("sample") == "true", test.get("group", ""), value, case))
    if not found:
        raise PackageError(f"{root / MARKER}: judging/testset/tests: no tests")
    return found


def _number(element: Element, name: str) -> int | None:
    text = element.findtext(name)
    if text is None:
        return None
    if not re.fullmatch(r"\s*[1-9][0-9]{0,15}\s*", text):
        raise PackageError(f"{MARKER}: {name}: {text!r} is no number above 0")
    return int(text)


def _path(pattern: str, number: int) -> str:
    """Fill in a pattern such as ``tests/%02d``; no other format specifier has an effect."""
    return re.sub(r"%(0?)(\d?)d", lambda found: str(number).rjust(int(found[2] or 1), found[1] or " "), pattern)


def _points(text: str, where: str) -> float:
    if not re.fullmatch(r"\d{1,9}(\.\d{1,6})?", text.strip()):
        raise PackageError(f"{MARKER}: {where}: {text!r} is no number of points")
    return float(text)


def _grouped(tree: Element, tests: list[_Test], problem: NewProblem) -> None:
    samples = [test for test in tests if test.sample]
    problem.samples = [test.case for test in samples]
    if not any(test.points for test in tests):
        problem.cases = [test.case for test in tests if not test.sample] or problem.samples
        return
    problem.header["type"] = _types(problem, "scoring")
    described = {group.get("name", ""): group for group in tree.iterfind("judging/testset/groups/group")}
    order = list(dict.fromkeys(test.group for test in tests))
    scale = _scale([test.points or 0.0 for test in tests], described, problem)
    made: dict[str, list[NewGroup]] = {}
    for name in _by_dependency(order, described):
        members = [test for test in tests if test.group == name]
        scored = [test for test in members if test.points]
        element = described.get(name)
        complete = element is not None and element.get("points-policy") == "complete-group"
        if all(test.sample for test in members) and not scored:
            continue
        requires = _requires(element, made, tests)
        label = name or "tests"
        if complete and element is not None:
            given = element.get("points")
            full = _points(given, f"group {name}") if given else sum(test.points or 0.0 for test in members)
            new = [NewGroup(label, round(full * scale), [test.case for test in members], "min", requires)]
        elif len({test.points for test in members}) == 1:
            full = sum(test.points or 0.0 for test in members)
            new = [NewGroup(label, round(full * scale), [test.case for test in members], "sum", requires)]
        else:
            # Tests of one group with different points become groups of their own.
            new = [
                NewGroup(
                    f"{label}-{test.number}", round((test.points or 0.0) * scale), [test.case], "sum", list(requires)
                )
                for test in members
            ]
        made[name] = new
    problem.groups = [group for groups in made.values() for group in groups]


def _scale(points: list[float], described: dict[str, Element], problem: NewProblem) -> int:
    """The factor that makes all points whole numbers: the format has no others."""
    given = [group.get("points") for group in described.values()]
    every = points + [_points(text, "group") for text in given if text]
    for scale in (1, 10, 100, 1000):
        if all(abs(value * scale - round(value * scale)) < 1e-9 for value in every):
            if scale > 1:
                problem.lost.append(f"points: only whole points are possible here; all are multiplied by {scale}")
            return scale
    problem.lost.append("points: more than three decimals; all are multiplied by 1000 and rounded")
    return 1000


def _by_dependency(order: list[str], described: dict[str, Element]) -> list[str]:
    """Groups, each after those that it requires. Raises: PackageError: they require each other."""
    done: list[str] = []
    pending = list(order)
    while pending:
        ready = [n for n in pending if all(d in done or d not in order for d in _dependencies(described.get(n)))]
        if not ready:
            raise PackageError(f"{MARKER}: groups require each other: {', '.join(pending)}")
        done.append(ready[0])
        pending.remove(ready[0])
    return done


def _dependencies(element: Element | None) -> list[str]:
    return [] if element is None else [d.get("group", "") for d in element.iterfind("dependencies/dependency")]


def _requires(element: Element | None, made: dict[str, list[NewGroup]], tests: list[_Test]) -> list[str]:
    names: dict[str, None] = {}
    for name in _dependencies(element):
        if name in made:
            names.update(dict.fromkeys(group.name for group in made[name]))
        elif any(test.group == name and test.sample for test in tests):
            names["sample"] = None
    return list(names)


def _types(problem: NewProblem, kind: str) -> Any:
    present = problem.header.get("type")
    both = [kind, *([present] if isinstance(present, str) else present or [])]
    return kind if len(both) == 1 else both


def _programs(tree: Element, root: Path, problem: NewProblem) -> None:
    assets = tree.find("assets")
    testlib = next((p for p in (root / "files" / "testlib.h", root / "testlib.h") if p.is_file()), None)

    def put(directory: str, source: Path) -> None:
        problem.files[f"{directory}/{source.name}"] = source
        if testlib is not None and source.suffix in (".cpp", ".cc", ".cxx", ".c"):
            problem.files[f"{directory}/testlib.h"] = testlib

    checker = None if assets is None else assets.find("checker/source")
    interactor = None if assets is None else assets.find("interactor/source")
    if checker is not None:
        put("output_validator", inside(root, checker.get("path", ""), "checker"))
        problem.header["checker"] = {"contract": "testlib"}
    if interactor is not None:
        problem.header["type"] = "interactive"
        if checker is None:
            raise PackageError(f"{MARKER}: assets: an interactor without a checker")
        put("interactor", inside(root, interactor.get("path", ""), "interactor"))
        problem.header["checker"] = {"contract": "testlib", "interactor": "interactor"}
    for index, source in enumerate([] if assets is None else assets.iterfind("validators/validator/source")):
        path = inside(root, source.get("path", ""), "validator")
        put(f"input_validators/{_safe_name(path.stem, 'validator')}{index or ''}", path)
    if not any(name.startswith("input_validators/") for name in problem.files):
        problem.lost.append("validators: none; write one below input_validators/")
    for executable in tree.iterfind("files/executables/executable/source"):
        name = executable.get("path", "")
        used = any(isinstance(path, Path) and path == root / name for path in problem.files.values())
        if not used and (root / name).is_file():
            path = inside(root, name, "executable")
            problem.files[f"generators/{path.name}"] = path


def _solutions(tree: Element, root: Path, problem: NewProblem) -> None:
    for solution in tree.iterfind("assets/solutions/solution"):
        tag = solution.get("tag", "")
        source = solution.find("source")
        if source is None or tag not in _TAGS:
            problem.lost.append(f"solution with the tag {tag!r}: no such label here")
            continue
        path = inside(root, source.get("path", ""), "solution")
        if path.suffix not in _SOURCES:
            problem.lost.append(f"solution {path.name}: no language for {path.suffix or 'it'} here")
            continue
        directory, entry = _TAGS[tag]
        problem.files[f"submissions/{directory}/{path.name}"] = path
        if entry is not None:
            problem.submissions[directory if "permitted" in entry else f"{directory}/{path.name}"] = entry


def write_package(problem: NewProblem, destination: Path) -> None:
    """Raises: PackageError: `destination` exists. OSError: it cannot be written."""
    with new_directory(destination) as draft:
        _write(problem, draft)


def _write(problem: NewProblem, root: Path) -> None:
    names = problem.name
    header = {
        "problem_format_version": "2025-09",
        "uuid": str(uuid.uuid4()),
        "name": names["en"] if list(names) == ["en"] else names,
        **problem.header,
    }
    dump_yaml(root / "problem.yaml", header)
    _put_cases(root / "data/sample", problem.samples)
    # Numbered, because the format orders groups by name.
    width = len(str(len(problem.groups)))
    places = {
        group.name: f"secret/{index:0{width}}-{_safe_name(group.name, 'group')}"
        for index, group in enumerate(problem.groups, start=1)
    }
    for group in problem.groups:
        settings: dict[str, Any] = {"max_score": group.full, "score_aggregation": group.aggregation}
        if group.requires:
            settings["require_pass"] = [places.get(name, name) for name in group.requires]
        dump_yaml(root / "data" / places[group.name] / "test_group.yaml", settings)
        _put_cases(root / "data" / places[group.name], group.cases)
    if problem.groups:
        total = sum(group.full for group in problem.groups)
        dump_yaml(root / "data/secret/test_group.yaml", {"max_score": total})
    _put_cases(root / "data/secret", problem.cases)
    for name, content in problem.files.items():
        _put(root / name, content)
    if problem.submissions:
        dump_yaml(root / "submissions/submissions.yaml", problem.submissions)


def _put_cases(place: Path, cases: list[Case]) -> None:
    width = max(2, len(str(len(cases))))
    for number, (given, answer) in enumerate(cases, start=1):
        _put(place / f"{number:0{width}}.in", given)
        _put(place / f"{number:0{width}}.ans", answer)


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
