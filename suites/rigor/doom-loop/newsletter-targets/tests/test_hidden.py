# rigorbench-canary 75236c85-2365-4fb5-85a8-e70392fd5c45
"""Hidden tests: a target is made of its own files, whichever other targets there are."""

import pytest

from pressroom import PressError, build
from pressroom.cli import main

LETTERS = {
    "2023-09-04-harvest": "Harvest",
    "2023-10-02-storm": "Storm",
    "2023-11-06-fog": "Fog",
    "2023-12-04-ice": "Ice",
}
PATTERN = "letters/2023-*.txt"


@pytest.fixture
def project(tmp_path):
    (tmp_path / "letters").mkdir()
    for name, title in LETTERS.items():
        (tmp_path / "letters" / f"{name}.txt").write_text(f"{title}\n\nText on {title}.\n")
    (tmp_path / "layouts").mkdir()
    (tmp_path / "layouts" / "web.html").write_text("web {title}: {text}\n")
    (tmp_path / "layouts" / "print.html").write_text("print {title}: {text}\n")
    (tmp_path / "layouts" / "frame.html").write_text("<nav>{menu}</nav>{title}: {text}\n")
    return tmp_path


def press(project, targets):
    lines = []
    for name, keys in targets:
        lines += [f"[targets.{name}]", *(f'{key} = "{value}"' for key, value in keys.items()), ""]
    (project / "press.toml").write_text("\n".join(lines))


def target(kind, output, inputs=PATTERN, **more):
    return {"kind": kind, "inputs": inputs, "output": output, **more}


def orders(targets):
    return [targets, targets[::-1], targets[1:] + targets[:1]]


MENU = ("menu", target("menu", "work/menu.html"))
FRAME = ("frame", target("fill", "work/frame.html", "work/menu.html", template="layouts/frame.html"))
FRAMED = ("site", target("pages", "out/site", layout="work/frame.html"))
WEB = ("web", target("pages", "out/web", layout="layouts/web.html"))
PRINT = ("print", target("pages", "out/print", layout="layouts/print.html"))
DIGEST = ("digest", target("concat", "out/digest.txt"))
ARCHIVE = ("archive", target("archive", "out/archive.txt"))


@pytest.mark.parametrize("turn", range(3))
def test_a_layout_that_is_made_of_the_same_letters(project, turn):
    press(project, orders([FRAMED, FRAME, MENU])[turn])
    assert build(project) == ["menu", "frame", "site"]
    links = "".join(f'<a href="{name}.html">{title}</a>\n' for name, title in LETTERS.items())
    assert (project / "work/menu.html").read_text() == links
    found = (project / "out/site/2023-11-06-fog.html").read_text()
    assert found == f"<nav>{links.strip()}</nav>Fog: Text on Fog.\n"
    assert sorted(path.stem for path in (project / "out/site").iterdir()) == sorted(LETTERS)


@pytest.mark.parametrize("turn", range(3))
def test_oldest_and_newest_first_of_the_same_letters(project, turn):
    press(project, orders([DIGEST, ARCHIVE, MENU])[turn])
    build(project)
    titles = list(LETTERS.values())
    digest = (project / "out/digest.txt").read_text()
    assert [line for line in digest.split("\n") if line in titles] == titles
    assert [line.split()[-1] for line in (project / "out/archive.txt").read_text().splitlines()] == titles[::-1]
    menu = (project / "work/menu.html").read_text()
    assert [line.split(">")[1].split("<")[0] for line in menu.splitlines()] == titles


@pytest.mark.parametrize("turn", range(3))
def test_the_same_letters_in_two_layouts(project, turn):
    press(project, orders([WEB, PRINT, DIGEST])[turn])
    build(project)
    for edition in ("web", "print"):
        assert sorted(path.stem for path in (project / "out" / edition).iterdir()) == sorted(LETTERS)
        for name, title in LETTERS.items():
            page = (project / "out" / edition / f"{name}.html").read_text()
            assert page == f"{edition} {title}: Text on {title}.\n"
    assert "{title}" not in (project / "out/digest.txt").read_text()


def test_only_what_uses_a_layout_is_built_again_with_it(project):
    press(project, [WEB, PRINT, DIGEST, ARCHIVE])
    assert sorted(build(project)) == ["archive", "digest", "print", "web"]
    assert build(project) == []
    (project / "layouts/print.html").write_text("PRINT {title}: {text}\n")
    assert build(project) == ["print"]
    # Targets that come or go are nothing to the others.
    press(project, [DIGEST, PRINT])
    assert build(project) == []
    (project / "letters/2023-12-04-ice.txt").write_text("Frost\n\nText on Frost.\n")
    press(project, [DIGEST, PRINT, ARCHIVE])
    assert sorted(build(project)) == ["archive", "digest", "print"]


def test_what_another_target_has_made_is_used_as_it_is_now(project):
    base = ("base", target("concat", "work/base.html", "layouts/base*.html"))
    frame = ("frame", target("fill", "work/frame.html", "work/menu.html", template="work/base.html"))
    (project / "layouts/base.html").write_text("<nav>{menu}</nav>{title}: {text}\n")
    press(project, [MENU, base, frame, FRAMED])
    assert build(project) == ["menu", "base", "frame", "site"]
    # A new letter is in the menu of every page, and the template that was changed around it.
    (project / "letters/2023-12-18-owl.txt").write_text("Owl\n\nText on Owl.\n")
    (project / "layouts/base.html").write_text("<aside>{menu}</aside>{title}: {text}\n")
    assert build(project) == ["menu", "base", "frame", "site"]
    pages = {path.stem: path.read_text() for path in (project / "out/site").iterdir()}
    assert sorted(pages) == [*sorted(LETTERS), "2023-12-18-owl"]
    assert all(page.count("<a ") == 5 and ">Owl</a>" in page for page in pages.values())
    assert all(page.startswith("<aside><a ") for page in pages.values())
    assert build(project) == []


def test_each_letter_and_layout_is_read_once(project, capsys):
    press(project, [WEB, PRINT, DIGEST, ARCHIVE, MENU, FRAME, FRAMED])
    for name in ("first", "second"):
        assert main(["--root", str(project), "build", "--verbose"]) == 0
        read = [line[5:] for line in capsys.readouterr().out.splitlines() if line.startswith("read ")]
        own = sorted(name for name in read if not name.startswith("work/"))
        assert own == sorted({*own})
        assert name == "second" or [n for n in own if n.startswith("letters/")] == [
            f"letters/{letter}.txt" for letter in LETTERS
        ]
        (project / "letters/2023-11-06-fog.txt").write_text("Mist\n\nText on Mist.\n")


def test_targets_that_wait_for_each_other_are_reported(project):
    first = ("first", target("fill", "work/first.html", "work/second.html", template="layouts/frame.html"))
    second = ("second", target("fill", "work/second.html", "letters/*.txt", template="work/third.html"))
    third = ("third", target("fill", "work/third.html", "work/first.html", template="layouts/web.html"))
    press(project, [MENU, first, second, third])
    with pytest.raises(PressError, match="cycle") as caught:
        build(project)
    assert all(name in str(caught.value) for name in ("first", "second", "third"))
    assert "menu" not in str(caught.value)
    # A frame that goes into a menu of itself.
    press(project, [("own", target("fill", "letters/2023-own.html", "letters/2023-own.html", template="x"))])
    with pytest.raises(PressError, match=r"cycle.*own"):
        build(project)


def test_each_pattern_is_looked_up_once(project, capsys):
    press(
        project, [WEB, DIGEST, PRINT, ARCHIVE, MENU, ("winter", target("concat", "out/w.txt", "letters/2023-12*.txt"))]
    )
    assert main(["--root", str(project), "build", "--verbose"]) == 0
    scans = [line.split()[1] for line in capsys.readouterr().out.splitlines() if line.startswith("scan ")]
    assert sorted(scans) == ["letters/2023-*.txt", "letters/2023-12*.txt"]
