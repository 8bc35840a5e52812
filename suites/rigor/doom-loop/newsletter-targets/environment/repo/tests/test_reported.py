"""What came in from the editors after the update."""

import pytest

from pressroom import PressError, build

LETTERS = "letters/*.txt"
TITLES = ["Snow", "Thaw", "Crocuses"]
MENU = {"kind": "menu", "inputs": LETTERS, "output": "work/menu.html"}
FRAME = {
    "kind": "fill",
    "inputs": "work/menu.html",
    "template": "layouts/frame.html",
    "output": "work/frame.html",
}
DIGEST = {"kind": "concat", "inputs": LETTERS, "output": "out/digest.txt"}


@pytest.fixture(autouse=True)
def frame(project):
    (project / "layouts/frame.html").write_text("<nav>{menu}</nav><h1>{title}</h1>{text}\n")


def test_a_project_with_a_frame(press):
    web = {"kind": "pages", "inputs": LETTERS, "layout": "work/frame.html", "output": "out/web"}
    root = press(web=web, frame=FRAME, menu=MENU)
    assert build(root) == ["menu", "frame", "web"]
    assert "<h1>Thaw</h1>About thaw." in (root / "out/web/2024-02-12.html").read_text()
    # A letter comes in: it is in the menu of every page, after one build.
    (root / "letters/2024-04-08.txt").write_text("Lambs\n\nMany.\n")
    assert build(root) == ["menu", "frame", "web"]
    for path in (root / "out/web").iterdir():
        assert ">Lambs</a>" in path.read_text(), path.name


def test_a_mail_digest_beside_the_archive(press):
    root = press(archive={"kind": "archive", "inputs": LETTERS, "output": "out/archive.txt"}, digest=DIGEST)
    build(root)
    lines = (root / "out/digest.txt").read_text().splitlines()
    assert [line for line in lines if line in TITLES] == TITLES


def test_a_frame_that_waits_for_its_own_menu(press):
    menu = {**FRAME, "inputs": "work/frame.html", "output": "work/menu.html"}
    with pytest.raises(PressError, match="cycle: frame -> menu -> frame"):
        build(press(frame=FRAME, menu=menu, digest=DIGEST))


def test_a_frame_in_the_pattern_of_its_own_menu(press):
    """The pattern is matched by what the frame has made before, so each is made of the other."""
    root = press(frame=FRAME, menu={**MENU, "inputs": "work/f*.html"})
    (root / "work").mkdir()
    (root / "work/frame.html").write_text("Frame\n")
    with pytest.raises(PressError, match="cycle"):
        build(root)
