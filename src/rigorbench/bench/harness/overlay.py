"""Resolves a harness for one agent: which files are placed where, and the texts that show that they were read."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from msgspec import structs

from ..agents.registry import canonical, conventions
from ..agents.spec import Conventions
from .folder import folder_overlay
from .harness import LIMITS, Clone, FileRule, Harness, HarnessError, Overlay, PlacedFile, SkillMarks
from .load import load_harness
from .paths import HOME, files_of, inside, read_text, safe_path
from .source import find_source

# Where skills go if the agent has no directory of skills of its own.
FALLBACK_SKILLS = ".agents/skills"
# Cursor applies a rule always only if its head says so.
_RULES_FRONT_MATTER = "---\nalwaysApply: true\n---\n"
# Characters of a line that are searched for as evidence.
_MARKER = 120
# The same of a skill's description, which programs cut when they list many.
_DESCRIPTION = 60


def resolve(
    harness: Harness, agent: str, *, sources: Mapping[str, str | Path] | None = None, cache: Path | None = None
) -> Overlay:
    """What ``harness`` places for ``agent``. ``sources`` and ``cache``: see :func:`.source.find_source`.

    Raises:
        HarnessError: a file is missing or would be placed twice, or there is no clone of the harness's project.
    """
    if harness.folder:
        overlay, text = folder_overlay(harness, agent)
        markers = harness.check.markers or _markers(_without_front_matter(text))
        overlay = structs.replace(overlay, markers=tuple(markers), skills=skill_marks(overlay.repository))
        return structs.replace(overlay, digest=_digest(overlay))
    sources = sources or {}
    known = conventions(agent)
    clone = find_source(harness, sources, cache) if harness.source is not None else None
    notes: list[str] = []
    repository: list[PlacedFile] = []
    appended: list[PlacedFile] = []
    home: list[PlacedFile] = []
    for rule in harness.file:
        if rule.agents and canonical(agent) not in rule.agents:
            continue
        for placed in _files(harness, rule, clone):
            (home if rule.path.startswith(HOME) else repository).append(placed)
    text = _instructions(harness, agent, clone, sources, cache, notes)
    if harness.skills is not None:
        placed_skills, sentence = _skills(harness, agent, known, clone, notes)
        repository += placed_skills
        text += sentence
    prefix = harness.prompt_prefix
    files: tuple[str, ...] = ()
    if text:
        file = _instruction_file(harness, agent, known, notes)
        fitted = _fitted(file, text, harness)
        if file is None:
            prefix = f"{fitted.rstrip()}\n\n{prefix}" if prefix else fitted
        else:
            files = (file,)
            appended.append(PlacedFile(file, fitted.encode()))
            if known.settings is not None and file == known.instructions:
                repository.append(PlacedFile(known.settings[0], known.settings[1].encode()))
    if harness.hook:
        repository += _hooks(harness, agent, known, notes)
    _no_duplicates(harness, [*repository, *appended], home)
    markers = harness.check.markers or _markers(text or harness.prompt_prefix.replace(LIMITS, "\n"))
    overlay = Overlay(
        repository=tuple(repository),
        appended=tuple(appended),
        home=tuple(home),
        env=dict(harness.env),
        prompt_prefix=prefix,
        instruction_files=files,
        markers=tuple(markers),
        read_files=_read_files(harness, repository),
        skills=skill_marks(repository),
        notes=tuple(notes),
        reading=len(text)
        + len(harness.prompt_prefix)
        + sum(len(f.data.decode("utf-8", "replace")) for f in repository if f.path in harness.check.files),
        clone=clone,
    )
    return structs.replace(overlay, digest=_digest(overlay))


def _files(harness: Harness, rule: FileRule, clone: Clone | None) -> list[PlacedFile]:
    target = safe_path(rule.path.removeprefix(HOME))
    assert target is not None  # checked by load_harness
    what = f"{harness.name}: {rule.path}"
    if rule.content is not None:
        return [PlacedFile(target, rule.content.encode(), rule.executable)]
    if rule.from_argument:
        path = Path(harness.argument or "")
    elif rule.content_from is not None:
        path = inside(harness.directory, rule.content_from, what)
    else:
        assert clone is not None
        path = inside(clone.path, rule.from_source or "", what)
    found = files_of(path, target, what)
    return [structs.replace(f, executable=True) for f in found] if rule.executable else found


def _instructions(
    harness: Harness,
    agent: str,
    clone: Clone | None,
    sources: Mapping[str, str | Path],
    cache: Path | None,
    notes: list[str],
) -> str:
    given = harness.instructions
    if given is None:
        return ""
    what = f"{harness.name}: instructions"
    if given.text is not None:
        text = given.text
    elif given.from_argument:
        text = read_text(Path(harness.argument or ""), what)
    elif given.text_from is not None:
        text = read_text(inside(harness.directory, given.text_from, what), what)
    else:
        assert clone is not None
        text = read_text(inside(clone.path, given.from_source or "", what), what)
    if given.skip_front_matter:
        text = _without_front_matter(text)
    if harness.placebo is not None:
        text = placebo_text(text, _placebo_length(harness, agent, sources, cache, notes))
    return text if text.endswith("\n") else text + "\n"


def _without_front_matter(text: str) -> str:
    if not text.startswith("---\n"):
        return text
    _, end, rest = text[4:].partition("\n---\n")
    return rest.lstrip("\n") if end else text


def _placebo_length(
    harness: Harness, agent: str, sources: Mapping[str, str | Path], cache: Path | None, notes: list[str]
) -> int:
    placebo = harness.placebo
    assert placebo is not None
    if not placebo.matches:
        return placebo.length
    other = load_harness(placebo.matches)
    if other.source is not None and other.name not in sources and placebo.length:
        notes.append(
            f"as long as {other.name} was when it was measured ({placebo.length} characters); no clone was given"
        )
        return placebo.length
    length = resolve(other, agent, sources=sources, cache=cache).reading
    if not length:
        raise HarnessError(
            f"{harness.spelling}: {other.name} makes the agent read nothing; there is no length to match"
        )
    notes.append(f"as long as what {other.name} makes {agent} read ({length} characters)")
    return length


def _instruction_file(harness: Harness, agent: str, known: Conventions, notes: list[str]) -> str | None:
    requested = harness.instructions.file if harness.instructions is not None else None
    if requested is not None and known.reads(requested):
        return requested
    if known.instructions is None:
        notes.append(f"{agent} reads no instruction file: the instructions stand in front of the task's prompt")
    elif requested is not None:
        notes.append(f"{agent} does not read {requested}: the instructions are in {known.instructions}")
    return known.instructions


def _fitted(file: str | None, text: str, harness: Harness) -> str:
    """The text in the form of the file: Cursor's rules need a head, which has no meaning elsewhere."""
    requested = harness.instructions.file if harness.instructions is not None else None
    if file is not None and file.endswith(".mdc"):
        return text if text.startswith("---\n") else _RULES_FRONT_MATTER + text
    return _without_front_matter(text) if requested is not None and requested.endswith(".mdc") else text


def _skills(
    harness: Harness, agent: str, known: Conventions, clone: Clone | None, notes: list[str]
) -> tuple[list[PlacedFile], str]:
    """The skills' files, and a sentence for the instructions if the agent does not look for skills by itself."""
    skills = harness.skills
    assert skills is not None
    what = f"{harness.name}: skills"
    if skills.from_source is not None:
        assert clone is not None
        path = inside(clone.path, skills.from_source, what)
    else:
        path = inside(harness.directory, skills.content_from or "", what)
    if next(path.glob("*/SKILL.md"), None) is None:
        raise HarnessError(f"{path}: {what}: no directory in it has a SKILL.md")
    if known.skills is not None:
        return files_of(path, known.skills, what), ""
    notes.append(f"{agent} looks for no skills: they are in {FALLBACK_SKILLS}, and the instructions say so")
    sentence = f"\nThe skills are directories in {FALLBACK_SKILLS}/; to use one, read its SKILL.md.\n"
    return files_of(path, FALLBACK_SKILLS, what), sentence


def _hooks(harness: Harness, agent: str, known: Conventions, notes: list[str]) -> list[PlacedFile]:
    if known.hooks is None:
        notes.append(f"{agent}: hooks are written for Claude Code only; {len(harness.hook)} left out")
        return []
    events: dict[str, list[dict[str, object]]] = {}
    for hook in harness.hook:
        entry: dict[str, object] = {"hooks": [{"type": "command", "command": hook.command}]}
        if hook.matcher is not None:
            entry["matcher"] = hook.matcher
        events.setdefault(hook.event, []).append(entry)
    return [PlacedFile(known.hooks, (json.dumps({"hooks": events}, indent=2, sort_keys=True) + "\n").encode())]


def _no_duplicates(harness: Harness, *groups: list[PlacedFile]) -> None:
    for group in groups:
        seen: set[str] = set()
        for file in group:
            if file.path in seen:
                raise HarnessError(f"{harness.name}: {file.path}: placed twice")
            seen.add(file.path)


def skill_marks(files: Iterable[PlacedFile]) -> dict[str, SkillMarks]:
    """The skills among placed files, by name; those without a description or a text cannot be told apart."""
    found: dict[str, SkillMarks] = {}
    for file in files:
        if PurePosixPath(file.path).name != "SKILL.md":
            continue
        text = file.data.decode("utf-8", "replace")
        front = dict(re.findall(r"^(name|description):[ \t]*(\S.*?)[ \t]*$", text.partition("\n---")[0], re.MULTILINE))
        name = front.get("name", "").strip("'\"") or PurePosixPath(file.path).parent.name
        marks = _markers(_without_front_matter(text))
        offered = normal(front.get("description", "").strip("'\""))[:_DESCRIPTION]
        found[name] = SkillMarks(offered, marks[0] if marks else "")
    return found


def _markers(text: str) -> tuple[str, ...]:
    """A long line near the start and one near the end; the second shows whether the whole text arrived."""
    lines = [line for line in map(normal, text.splitlines()) if len(line) >= 20] or [normal(text)]
    lines = [line for line in lines if line]
    if not lines:
        return ()
    third = max(1, len(lines) // 3)
    found = [max(lines[:third], key=len)[:_MARKER], max(lines[-third:], key=len)[:_MARKER]]
    return tuple(dict.fromkeys(found))


def normal(text: str) -> str:
    """``text`` with every run of white space as one space."""
    return " ".join(text.split())


def _read_files(harness: Harness, repository: list[PlacedFile]) -> dict[str, str]:
    found = {}
    for name in harness.check.files:
        file = next((f for f in repository if f.path == name), None)
        if file is None:
            raise HarnessError(f"{harness.name}: check.files: {name} is not placed")
        marker = _markers(file.data.decode("utf-8", errors="replace"))
        found[name] = marker[0] if marker else ""
    return found


def _digest(overlay: Overlay) -> str:
    """SHA-256 over everything that is placed, by kind, name, mode and content."""
    total = hashlib.sha256()
    for kind, files in (("repository", overlay.repository), ("appended", overlay.appended), ("home", overlay.home)):
        for file in sorted(files, key=lambda f: f.path):
            mode = "755" if file.executable else "644"
            total.update(f"{kind}\0{file.path}\0{mode}\0{hashlib.sha256(file.data).hexdigest()}\n".encode())
    for name, value in sorted(overlay.env.items()):
        total.update(f"env\0{name}\0{value}\n".encode())
    total.update(f"prompt\0{overlay.prompt_prefix}\n".encode())
    return total.hexdigest()


def placebo_text(base: str, length: int) -> str:
    """``base`` repeated and cut to ``length`` characters, at most one word less, with a full stop at the end.

    Each repetition has a heading with its number, so that no two parts are equal.
    """
    pieces = [base.strip()]
    size = len(pieces[0])
    while size < length:
        piece = f"\n\n## Part {len(pieces) + 1}\n\n{_body(base)}"
        pieces.append(piece)
        size += len(piece)
    text = "".join(pieces)
    if len(text) <= length:
        return text + "\n"
    cut = text[: length - 2]
    # Cut neither within a word nor directly after the marks of a heading.
    if not text[length - 2].isspace() and " " in cut:
        cut = cut[: cut.rindex(" ")]
    return cut.rstrip(" \n#,;:.") + ".\n"


def _body(base: str) -> str:
    lines = base.strip().splitlines()
    while lines and (lines[0].startswith("#") or not lines[0].strip()):
        lines.pop(0)
    return "\n".join(lines)
