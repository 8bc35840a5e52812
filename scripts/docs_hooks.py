"""What the docs site needs beside its pages: the demo report, lists of pages in the navigation, links to sources.

MkDocs calls these functions while it builds (``hooks`` in mkdocs.yml).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
# The sample sessions, and the two of `rigor demo`.
SESSIONS = ("examples/sessions", "src/rigorbench/cli/demo")
# A link of a page to a file of the repository that is no page.
_OUTSIDE = re.compile(r"\[([^\]]+)\]\((\.\./(?:\.\./)*[^)\s]+)\)")
_demo: tempfile.TemporaryDirectory[str] | None = None


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Replace ``FOLDER/*`` in the navigation by the pages of the folder, in the order of their names."""
    config.nav = _expanded(config.nav or [], Path(config.docs_dir))
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the demo report: the pages that ``rigor score --html`` makes of sample sessions and of stored readings."""
    global _demo
    _demo = tempfile.TemporaryDirectory(prefix="rigor-docs-")
    made, store = Path(_demo.name) / "demo", Path(_demo.name) / "readings"
    source = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH")]))
    scored = "from rigorbench.cli import main; sys.exit(main())"
    for code, arguments in (
        ("from stored_readings import keep; keep(*sys.argv[1:])", [str(store)]),
        (scored, ["score", *SESSIONS, "--html", str(made), "--reader", "stored", "--store", str(store)]),
    ):
        command = [sys.executable, "-c", f"import sys; sys.path.append('scripts'); {code}", *arguments]
        subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": source}, capture_output=True, check=True)
    for page in sorted(made.iterdir()):
        files.append(File.generated(config, f"demo/{page.name}", abs_src_path=str(page)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """A link out of the docs becomes the name of the file: the site has no copy of the repository."""

    def named(link: re.Match[str]) -> str:
        target = (Path(page.file.abs_src_path or "").parent / link[2].partition("#")[0]).resolve()
        if target.is_relative_to(config.docs_dir):
            return link[0]
        if not target.exists():
            raise FileNotFoundError(f"{page.file.src_path}: {link[2]} does not exist")
        return f"{link[1]} (`{target.relative_to(ROOT).as_posix()}`)"

    return _OUTSIDE.sub(named, markdown)


def on_post_build(config: MkDocsConfig) -> None:
    if _demo is not None:
        _demo.cleanup()


def _expanded(entries: list[Any], docs: Path) -> list[Any]:
    found: list[Any] = []
    for entry in entries:
        if isinstance(entry, dict):
            ((title, value),) = entry.items()
            value = [value] if isinstance(value, str) and value.endswith("/*") else value
            found.append({title: _expanded(value, docs)} if isinstance(value, list) else entry)
        elif entry.endswith("/*"):
            found += sorted(p.relative_to(docs).as_posix() for p in (docs / entry[:-2]).glob("*.md"))
        else:
            found.append(entry)
    return found
