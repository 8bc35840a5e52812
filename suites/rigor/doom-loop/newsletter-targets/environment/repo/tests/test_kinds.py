import pytest

from pressroom import PressError, build


def test_concat_is_oldest_first(press):
    root = press(digest={"kind": "concat", "inputs": "letters/*.txt", "output": "out/digest.txt"})
    build(root)
    assert (root / "out/digest.txt").read_text().split("\n")[::4] == ["Snow", "Thaw", "Crocuses"]


def test_menu(press):
    root = press(menu={"kind": "menu", "inputs": "letters/*.txt", "output": "work/menu.html"})
    build(root)
    assert (root / "work/menu.html").read_text().startswith('<a href="2024-01-08.html">Snow</a>\n')


def test_archive_is_newest_first(press):
    root = press(archive={"kind": "archive", "inputs": "letters/*.txt", "output": "out/archive.txt"})
    build(root)
    assert (root / "out/archive.txt").read_text() == "2024-03-11  Crocuses\n2024-02-12  Thaw\n2024-01-08  Snow\n"


def test_pages_are_in_the_layout(press):
    root = press(web={"kind": "pages", "inputs": "letters/*.txt", "layout": "layouts/web.html", "output": "out/web"})
    build(root)
    assert (root / "out/web/2024-02-12.html").read_text() == "<h1>Thaw</h1>About thaw.\n"
    assert len(list((root / "out/web").iterdir())) == 3


def test_pages_need_a_layout(press):
    root = press(web={"kind": "pages", "inputs": "letters/*.txt", "output": "out/web"})
    with pytest.raises(PressError, match="web: a target of kind pages needs 'layout'"):
        build(root)


def test_a_layout_without_a_place_is_noted(press, project):
    (project / "layouts/web.html").write_text("<h1>{title}</h1>\n")
    root = press(web={"kind": "pages", "inputs": "letters/*.txt", "layout": "layouts/web.html", "output": "out/web"})
    notes = []
    build(root, notes.append)
    assert "note: layouts/web.html has no {text}" in notes


def test_an_unknown_kind(press):
    root = press(web={"kind": "poster", "inputs": "letters/*.txt", "output": "out/web"})
    with pytest.raises(PressError, match="unknown kind 'poster'; there are archive, concat"):
        build(root)


def test_fill_puts_the_inputs_into_the_template(press, project):
    (project / "layouts/frame.html").write_text("<nav>{menu}</nav>{text}")
    root = press(
        frame={
            "kind": "fill",
            "inputs": "work/menu.html",
            "template": "layouts/frame.html",
            "output": "work/frame.html",
        },
        menu={"kind": "menu", "inputs": "letters/2024-01-*.txt", "output": "work/menu.html"},
    )
    assert build(root) == ["menu", "frame"]
    assert (root / "work/frame.html").read_text() == '<nav><a href="2024-01-08.html">Snow</a></nav>{text}'
