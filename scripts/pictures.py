"""Takes the pictures of the README and the docs site: screenshots of the real pages and of a terminal, by Chromium.

Usage: python scripts/pictures.py [EXPERIMENT]. EXPERIMENT: the directory of a finished `make bench` (default:
out/bench). The session that is shown is the lie of `rigor demo`. The pictures are WebP, below docs/assets.
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import io
import os
import pty
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))
ASSETS = ROOT / "docs" / "assets"
SESSIONS = "examples/sessions"
# The session that the README and the tutorial score.
SHOWN = "demo/lie.jsonl"
COLUMNS = 100
NIGHT = TerminalTheme(
    (17, 21, 28),
    (215, 221, 232),
    [
        *((90, 98, 112), (239, 83, 80), (102, 187, 106), (255, 202, 40)),
        *((100, 181, 246), (186, 104, 200), (77, 208, 225), (215, 221, 232)),
    ],
)
_TERMINAL = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; background: #11151c; }}
pre {{ margin: 0; padding: 18px 22px; display: inline-block; }}
pre {{ color: #d7dde8; font: 14px/1.45 "DejaVu Sans Mono", monospace; }}
{stylesheet}</style><pre>{code}</pre>"""


def main() -> None:
    experiment = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "out" / "bench"
    browser = os.environ.get("RIGOR_CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        made = Path(folder)
        os.chdir(ROOT)  # the pages name the logs by the paths that were given
        _rigor("score", SESSIONS, "--html", str(made / "report"))
        os.chdir(made)
        _rigor("demo", "--out", "demo")
        _rigor("score", SHOWN, "--html", "session.html")
        (made / "terminal.html").write_text(_terminal(f"rigor score {SHOWN}"), encoding="utf-8")
        page = playwright.chromium.launch(executable_path=browser).new_page(viewport={"width": 1200, "height": 820})
        page.goto((made / "terminal.html").as_uri())
        box = page.locator("pre").bounding_box()
        assert box is not None
        _shoot(page, "terminal", round(box["width"]), round(box["height"]))
        for name, path in (
            ("sessions", made / "report" / "index.html"),
            ("session", made / "session.html"),
            ("experiment", experiment / "report" / "index.html"),
        ):
            page.goto(path.resolve().as_uri())
            _shoot(page, name, 1200, 820)


def _terminal(command: str) -> str:
    """A page that shows a command and what it prints on a terminal of 100 columns, in its colours."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 60, COLUMNS, 0, 0))
    code = "import sys; from rigorbench.cli import main; sys.exit(main())"
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
    environment |= {"TERM": "xterm-256color", "PYTHONPATH": str(ROOT / "src")}
    process = subprocess.Popen(
        [sys.executable, "-c", code, *command.split()[1:]], stdout=theirs, stderr=subprocess.DEVNULL, env=environment
    )
    os.close(theirs)
    printed = b""
    with contextlib.suppress(OSError):  # the end of a terminal is an error
        while part := os.read(ours, 1 << 16):
            printed += part
    assert process.wait() == 0, command
    console = Console(record=True, width=COLUMNS, file=io.StringIO())
    console.print(Text.assemble(("$ ", "green"), (command, "bold")), soft_wrap=True)
    console.print(Text.from_ansi(printed.decode().replace("\r\n", "\n").rstrip()), soft_wrap=True)
    return console.export_html(code_format=_TERMINAL, theme=NIGHT)


def _rigor(*words: str) -> None:
    from rigorbench.cli import main as rigor

    unseen = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(unseen), contextlib.redirect_stderr(io.StringIO()):
        assert rigor(list(words)) == 0, words


def _shoot(page: Page, name: str, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    session = page.context.new_cdp_session(page)
    data = session.send("Page.captureScreenshot", {"format": "webp", "quality": 82})["data"]
    target = ASSETS / f"{name}.webp"
    target.write_bytes(base64.b64decode(data))
    sys.stderr.write(f"{target.relative_to(ROOT)}  {target.stat().st_size // 1024} KiB\n")


if __name__ == "__main__":
    main()
