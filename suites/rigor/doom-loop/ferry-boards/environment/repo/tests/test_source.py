from strata.source import statements


def test_a_statement_for_each_line():
    found = list(statements("a.conf", "a = 1\n\n# a comment\nb = 2\n"))
    assert [(str(one.place), one.text) for one in found] == [("a.conf:1", "a = 1"), ("a.conf:4", "b = 2")]


def test_brackets_hold_lines_together():
    found = list(statements("a.conf", "a = [\n  1,\n  {b = 2,\n   c = 3},\n]\nd = 4"))
    assert [one.place.line for one in found] == [1, 6]
    assert found[0].text.count("\n") == 4


def test_a_comment_stays_in_the_statement_that_it_stands_in():
    (found,) = statements("a.conf", "a = [  # first\n  # second\n  1,\n]\n")
    assert found.text == "a = [  # first\n  # second\n  1,\n]"
