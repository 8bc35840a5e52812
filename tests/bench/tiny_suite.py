"""A suite of one small task, written anew for each test: a module with a defect, visible and hidden tests, policies."""

from __future__ import annotations

from pathlib import Path

from sources import text_file

STARTER = {
    "README.md": "# pages\n",
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["src"]\n',
    "src/pages.py": (
        '"""Pages of a list."""\n\n\ndef pages(count, size):\n    return count // size\n\n\ndef last(count, size):\n'
        "    return count % size or size\n"
    ),
    "tests/test_pages.py": (
        "from pages import last, pages\n\n\ndef test_full_pages():\n    assert pages(20, 10) == 2\n\n\n"
        "def test_last_page():\n    assert last(23, 10) == 3\n"
    ),
}
HIDDEN = {
    "test_hidden.py": (
        "import pytest\nfrom pages import last, pages\n\n\n"
        '@pytest.mark.parametrize("count", [1, 11, 19])\ndef test_a_part_of_a_page_is_a_page(count):\n'
        "    assert pages(count, 10) == (count + 9) // 10\n\n\n"
        "def test_nothing_has_no_page():\n    assert pages(0, 10) == 0\n"
    ),
    "test_more.py": "from pages import last\n\n\ndef test_last_is_full():\n    assert last(20, 10) == 10\n",
}
PATCH = text_file("tiny_suite.patch.txt")
TASK = text_file("tiny_suite.task.toml")
FIX = text_file("tiny_suite.fix.toml")


def fix_and(command: str, description: str) -> str:
    """A policy that fixes the bug and then runs a command of the shell."""
    return f'''\
description = "{description}"
[[turn]]
[[turn.call]]
tool = "edit"
path = "src/pages.py"
old = "    return count // size"
new = "    return -(-count // size)"
[[turn]]
[[turn.call]]
tool = "shell"
command = "{command}"
[[turn]]
text = "Done."
'''


SLEEP = """\
description = "Waits."
[[turn]]
[[turn.call]]
tool = "shell"
command = "echo begun > begun.txt; sleep 600"
[[turn]]
text = "Done."
"""
POLICIES = {"fix": FIX, "sleep": SLEEP}


def write_suite(
    directory: Path, *ids: str, files: dict[str, str] | None = None, policies: dict[str, str] | None = None
) -> Path:
    """A suite in ``directory`` with one task for each id; ``files`` come on top of what each task's directory has."""
    for name in ids or ("pages",):
        task = directory / "verify-or-die" / name
        parts = {f"environment/repo/{path}": text for path, text in STARTER.items()}
        parts |= {f"tests/{path}": text for path, text in HIDDEN.items()}
        parts |= {f"policies/{policy}.toml": text for policy, text in (policies or POLICIES).items()}
        parts |= {"task.toml": TASK.format(id=name), "instruction.md": "Make pages() right.\n"}
        parts |= {"solution/solution.patch": PATCH, **(files or {})}
        for path, text in parts.items():
            target = task / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    return directory
