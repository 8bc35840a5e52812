from pressroom import build
from pressroom.cli import main

DIGEST = {"kind": "concat", "inputs": "letters/*.txt", "output": "out/digest.txt"}
MENU = {"kind": "menu", "inputs": "letters/*.txt", "output": "work/menu.html"}


def test_what_is_fresh_is_left_alone(press):
    root = press(digest=DIGEST)
    assert build(root) == ["digest"]
    assert build(root) == []


def test_a_changed_letter_is_noticed(press):
    root = press(digest=DIGEST)
    build(root)
    (root / "letters/2024-02-12.txt").write_text("Rain\n\nAgain.\n")
    assert build(root) == ["digest"]
    assert "Rain" in (root / "out/digest.txt").read_text()


def test_a_new_letter_is_noticed(press):
    root = press(digest=DIGEST)
    build(root)
    (root / "letters/2024-04-08.txt").write_text("Lambs\n\nMany.\n")
    assert build(root) == ["digest"]


def test_a_lost_output_is_built_again(press):
    root = press(digest=DIGEST, menu=MENU)
    build(root)
    (root / "work/menu.html").unlink()
    assert build(root) == ["menu"]


def test_each_pattern_is_looked_up_once(press, capsys):
    root = press(digest=DIGEST, menu=MENU)
    assert main(["--root", str(root), "build", "--verbose"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines.count("scan letters/*.txt (3 files)") == 1
    assert lines[-2:] == ["built menu", "so far 2 built, 0 fresh"]


def test_each_file_is_read_once(press, capsys):
    pages = {"kind": "pages", "inputs": "letters/*.txt", "layout": "layouts/web.html", "output": "out/web"}
    root = press(digest=DIGEST, menu=MENU, web=pages)
    assert main(["--root", str(root), "build", "--verbose"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines.count("read letters/2024-02-12.txt") == 1
    assert lines.count("read layouts/web.html") == 1


def test_an_error_is_one_line(press, capsys):
    root = press(digest={**DIGEST, "inputs": "missing.txt"})
    assert main(["--root", str(root), "build"]) == 1
    assert capsys.readouterr().err == "pressroom: digest: missing.txt: no such file, and no target makes it\n"


def test_list(press, capsys):
    root = press(digest=DIGEST)
    assert main(["--root", str(root), "list"]) == 0
    assert capsys.readouterr().out == "digest (concat): letters/*.txt -> out/digest.txt\n"
