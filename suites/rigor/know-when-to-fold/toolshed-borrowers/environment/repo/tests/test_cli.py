import pytest

from toolshed.cli import main


@pytest.fixture
def run(tmp_path, capsys):
    def running(*words):
        status = main(["--data", str(tmp_path), *words])
        captured = capsys.readouterr()
        return status, (captured.out or captured.err).splitlines()

    running("join", "Piet Aumann", "--on", "2024-05-02")
    running("join", "Hanna Loos", "--on", "2024-05-02")
    running("lend", "1", "jigsaw", "--on", "2024-05-09")
    running("take-back", "jigsaw", "--on", "2024-05-23")
    running("lend", "2", "jigsaw", "--on", "2024-06-06")
    return running


def test_the_list_of_members(run):
    assert run("members") == (0, ["   1  Piet Aumann", "   2  Hanna Loos"])


def test_the_tools_that_are_out(run):
    assert run("out") == (0, ["2024-06-06  jigsaw: Hanna Loos"])


def test_the_history_of_a_tool(run):
    assert run("history", "jigsaw") == (
        0,
        ["2024-05-09 to 2024-05-23  Piet Aumann", "2024-06-06 to now  Hanna Loos"],
    )


def test_the_overview(run):
    run("sign-in", "1", "course", "--on", "2024-07-04")
    assert run("overview")[1][1:] == [
        "Hanna Loos                2024-05-02  2024-06-06  2024-06-06",
        "Piet Aumann               2024-05-02  2024-07-04  2024-05-09",
    ]


def test_the_figures_of_a_year(run):
    assert run("year", "2024") == (
        0,
        ["visits: 5, of 2 people", "loans: 2, to 2 people", "tools lent: 1"],
    )
    assert run("year", "2023")[1][0] == "visits: 0, of 0 people"


def test_what_cannot_be_done_is_said(run):
    assert run("lend", "1", "jigsaw") == (1, ["Hanna Loos has the jigsaw"])
    assert run("sign-in", "9", "evening") == (1, ["there is no member 9"])
