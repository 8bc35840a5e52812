from hexland.cli import main

SMALL = """seed 4
    A B C D
01  f f f D
02   . L . .
03  . . . .
"""


def test_a_small_map(capsys):
    assert main(["map", "--seed", "4", "--size", "4x3"]) == 0
    assert capsys.readouterr().out == SMALL


def test_a_book_holds_all_three(capsys):
    assert main(["book", "--seed", "4", "--size", "4x3", "--days", "2"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("seed 4\n\n    A B C D\n")
    assert "\nLongbridge (B02), a hamlet of 60 in the plain\n" in out
    assert "\nday 2: " in out


def test_a_bad_size_is_told(capsys):
    assert main(["map", "--size", "4by3"]) == 1
    assert capsys.readouterr().err == "hexland: size '4by3': expected something like 10x8\n"
