"""A task so small that its proof takes seconds, whole or broken in a way that a test names.

Faults and near misses are directories that are laid over a tree, so that a test can write them as plain text.
"""

from __future__ import annotations

from pathlib import Path

from rigorbench.bench.tasks.suite import SuiteTask, load_suite
from sources import text_file

PAGES = text_file("provable_task.pages.txt")
FLOOR, ROUND, CEILING = "count // size", "round(count / size)", "-(-count // size)"


def source(pages: str, label: str) -> str:
    return PAGES.format(pages=pages, label=label)


GOLDEN = source(CEILING, "p. ")
STARTER = {
    "README.md": "# pages\n\nA list is cut into pages of one size.\n",
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["src"]\n',
    "src/pages.py": source(FLOOR, "page "),
    "tests/test_pages.py": "from pages import pages\n\n\ndef test_full_pages():\n    assert pages(20, 10) == 2\n",
}
HIDDEN = text_file("provable_task.hidden.txt")
FILES = {
    **{f"environment/repo/{name}": text for name, text in STARTER.items()},
    "instruction.md": "Make pages() count parts of a page too, and labels shorter. Commit your work.\n",
    "tests/test_hidden.py": HIDDEN,
    "solution/golden/src/pages.py": GOLDEN,
    "faulty/part/src/pages.py": source(FLOOR, "p. "),
    "faulty/none/src/pages.py": source(f"max(1, {CEILING})", "p. "),
    "faulty/label/src/pages.py": source(CEILING, "page "),
    "near_misses/rounded/src/pages.py": source(ROUND, "p. "),
    "near_misses/elsewhere/src/parts.py": "PARTS = True\n",
    "near_misses/labels-only/src/pages.py": source(FLOOR, "p. "),
}
TASK = text_file("provable_task.task.toml")
SOLVABLE = """\
category = "verify-or-die"
build = "python -m compileall -q src"
test = "python -m pytest -q"
reference = "solution/golden"
"""
# Both stand in one task, so that one proof runs everything that the categories have.
STATIONS = """\
[[metadata.rigor.checkpoints]]
id = "short"
text = "labels are short"
check = "grep -q 'p[.] ' src/pages.py"
[metadata.rigor.root_cause]
text = "the division rounds down"
paths = ["src/pages.py"]
tests = ["test_hidden.py::test_a_part_is_a_page"]
"""


def write(
    directory: Path,
    name: str = "pages",
    *,
    top: str = SOLVABLE,
    tables: str = STATIONS,
    faults: bool = True,
    category: str = "verify-or-die",
    files: dict[str, str] | None = None,
) -> SuiteTask:
    """The task in ``directory``/<category>/<name>; ``files`` replace or join its own."""
    faulty = {k: f'faulty = "faulty/{k}"\n' if faults else "" for k in ("part", "none", "label")}
    parts = {**FILES, "task.toml": TASK.format(id=name, top=top, tables=tables, **faulty), **(files or {})}
    place = directory / category / name
    for path, text in parts.items():
        target = place / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return load_suite(place).tasks[0]
