from housetab.cli import main
from housetab.report import report, settlement
from housetab.storage import parse

TAB = """\
2024-03-02 | ana | 84.00 | groceries | equal: ana ben cho
2024-03-11 | ana | -12.00 | deposit back | equal: ana ben cho
"""


def test_the_report_lists_expenses_and_balances():
    text = report(parse(TAB))
    assert "groceries" in text
    assert "ana 28.00, ben 28.00, cho 28.00" in text
    assert text.splitlines()[-3].split() == ["ana", "48.00"]
    assert "off by" not in text


def test_the_settlement_says_who_pays_whom():
    assert settlement(parse(TAB)).splitlines() == ["ben pays ana 24.00", "cho pays ana 24.00"]


def test_an_even_house():
    assert settlement(parse("2024-03-02 | ana | 5.00 | tea | equal: ana")) == "everybody is even"


def test_the_command_line_reports(tmp_path, capsys):
    tab = tmp_path / "march.tab"
    tab.write_text(TAB)
    assert main(["settle", str(tab)]) == 0
    assert "ben pays ana" in capsys.readouterr().out


def test_the_command_line_says_what_is_wrong(tmp_path, capsys):
    tab = tmp_path / "march.tab"
    tab.write_text("nonsense")
    assert main(["report", str(tab)]) == 1
    assert "line 1" in capsys.readouterr().err
    assert main(["report", str(tmp_path / "gone.tab")]) == 1
