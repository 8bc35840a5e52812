"""The docs site: it builds without a broken link, loads nothing from elsewhere, and names only commands that exist."""

from __future__ import annotations

import functools
import http.server
import os
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from rigorbench.cli import COMMANDS
from rigorbench.cli.commands import find

from .browser import browser, visit

__all__ = ["browser"]

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
# Attributes by which a page loads something when it is opened; a link that a reader follows is none.
_LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "object": "data"}
_LINKS = {"stylesheet", "icon", "preload", "preconnect", "dns-prefetch", "prefetch", "manifest", "modulepreload"}
_ELSEWHERE = re.compile(r"(?:[a-z]+:)?//", re.IGNORECASE)
_FENCED = re.compile(r"^```(?:sh|console)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("mkdocs", reason="MkDocs is not installed (scripts/setup docs)")
    made = tmp_path_factory.mktemp("docs")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(made)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return made


class _Loads(HTMLParser):
    """The addresses that a page loads by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if tag in _LOADS:
            self.found.append(given.get(_LOADS[tag]) or "")
        if tag == "link" and set((given.get("rel") or "").split()) & _LINKS:
            self.found.append(given.get("href") or "")


@pytest.mark.slow  # builds the whole site, half a minute
def test_no_page_and_no_style_loads_anything_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 60
    for path in pages:
        reader = _Loads()
        reader.feed(path.read_text(encoding="utf-8"))
        assert [address for address in reader.found if _ELSEWHERE.match(address)] == [], path
    for path in site.rglob("*.css"):
        loaded = re.findall(r"(?:url\(|@import)\s*[\"']?([^\"')\s]+)", path.read_text(encoding="utf-8"))
        assert [address for address in loaded if _ELSEWHERE.match(address)] == [], path


@pytest.mark.slow
def test_every_section_the_pictures_and_the_demo_are_there(site: Path) -> None:
    for name in ("tutorial", "concepts", "faq", "harnesses", "local-model"):
        assert (site / f"{name}.html").is_file()
    assert "rigorbench.api.read" in (site / "api.html").read_text(encoding="utf-8")
    assert len(list((site / "demo").glob("*.html"))) == 10  # seven samples, the two of `rigor demo`, and the list
    for picture in re.findall(r"assets/[\w-]+\.webp", (site / "tutorial.html").read_text(encoding="utf-8")):
        assert (site / picture).stat().st_size < 150_000
    machine = re.compile(r"/(?:home|root|tmp)/[^\s<]*examples/sessions")
    assert not [p for p in (site / "demo").glob("*.html") if machine.search(p.read_text(encoding="utf-8"))]


@pytest.mark.slow
def test_a_browser_asks_nobody_else(site: Path, browser: Any, served: str) -> None:
    """By what a browser really asks for, the search included, whose code is compressed beyond reading."""
    for page in ("index.html", "tutorial.html", "api.html", "checks.html", "demo/index.html"):
        with visit(browser) as window:
            window.page.goto(f"{served}/{page}", wait_until="networkidle")
            if page == "tutorial.html":
                # Keys, as the search listens to them; a minute, as it first indexes all pages, beside other tests.
                window.page.locator("input[name=query]").press_sequentially("harness")
                window.page.locator(".md-search-result__item").first.wait_for(timeout=60_000)
            assert window.foreign(served) == []
            assert [error for error in window.errors if not error.startswith("warning")] == []


@pytest.fixture
def served(site: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


# -- the commands that pages show


def commands(path: Path) -> Iterator[list[str]]:
    """The ``rigor`` commands in the code blocks of a page, without comments, prompts and what is piped."""
    for block in _FENCED.finditer(path.read_text(encoding="utf-8")):
        for line in block[1].replace("\\\n", " ").splitlines():
            try:
                words = shlex.split(line.strip().removeprefix("$ "), comments=True)
            except ValueError:
                continue
            if words[:1] == ["rigor"] and len(words) > 1 and words[1].islower():
                ends = [n for n, word in enumerate(words) if word in ("|", ">", "&&", ";")]
                yield words[1 : min(ends, default=len(words))]


@functools.cache
def options(*words: str) -> str:
    """The help of a command: its options."""
    code = "import sys; from rigorbench.cli import main; sys.exit(main())"
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "COLUMNS": "200"}
    done = subprocess.run(
        [sys.executable, "-c", code, *words, "--help"], capture_output=True, text=True, env=environment, check=False
    )
    return done.stdout


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_command_and_option_on_a_page_exists(path: Path) -> None:
    for words in commands(path):
        assert find(COMMANDS, words[0]) is not None, words
        shown = options(words[0])
        if re.search(rf" rigor {words[0]} (\[-h\] )?COMMAND", shown):
            shown = options(*words[: 3 if words[:2] == ["judge", "admin"] else 2])
        unknown = [
            word for word in words if re.match(r"--[a-z]", word) and not re.search(rf"{word.split('=')[0]}\b", shown)
        ]
        assert unknown == [], f"rigor {shlex.join(words)}"
