"""A real browser for tests of pages: Chromium where it is installed, else the test is skipped with that reason.

Import the fixture ``browser`` into a test module. A :class:`Visit` is one window: it notes every console message, error
and request, and :func:`barriers` tells what axe-core finds on the page that it shows.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

WIDE, NARROW = 1400, 360
# What axe-core is asked for: WCAG 2.0 and 2.1, levels A and AA.
_RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]},
    "resultTypes": ["violations"],
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium. One per module: while it is there, nothing else may run an event loop in this thread."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = _program()
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--disable-gpu", "--disable-dev-shm-usage"])
        yield started
        started.close()


def _program() -> str:
    program = os.environ.get("RIGOR_CHROMIUM") or shutil.which("chromium")
    if not program:
        pytest.skip("no chromium on the PATH, and RIGOR_CHROMIUM names none")
    try:
        subprocess.run([program, "--version"], capture_output=True, check=True, timeout=30)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"{program} does not run ({error})")
    return program


class Visit:
    """A window and all that happened in it. ``errors``: console errors, warnings and exceptions of scripts."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.errors: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda m: self.errors.append(f"{m.type}: {m.text}") if m.type != "log" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("dialog", self._dialog)

    def _dialog(self, dialog: Any) -> None:
        self.errors.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def foreign(self, prefix: str = "file://") -> list[str]:
        """Addresses that were asked for and do not start with ``prefix``."""
        return [url for url in self.requests if not url.startswith(prefix)]

    def sideways(self) -> int:
        """By how many pixels the page is wider than the window; 0: it does not scroll sideways."""
        return int(self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


@contextmanager
def visit(browser: Any, *, width: int = WIDE, height: int = 900, dark: bool = False, **options: Any) -> Iterator[Visit]:
    """A new window of a size and colour scheme; ``options`` are those of playwright's ``new_context``."""
    scheme = "dark" if dark else "light"
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, **options)
    # A test waits for what it needs; this is when it gives up.
    context.set_default_timeout(10_000)
    try:
        yield Visit(context.new_page())
    finally:
        context.close()


def barriers(page: Any) -> list[str]:
    """What axe-core finds against WCAG 2.1 A and AA: the rule and the first elements that break it, a line each."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    found = axe.Axe().run(page, options=_RULES).response["violations"]
    lines = []
    for rule in found:
        places = "; ".join(f"{n['target'][0]} ({(n.get('failureSummary') or '')[:160]})" for n in rule["nodes"][:3])
        lines.append(f"{rule['id']} x{len(rule['nodes'])}: {places}".replace("\n", " "))
    return lines
