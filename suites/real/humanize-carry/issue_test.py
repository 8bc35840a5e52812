import pytest

from humanize import fractional, intcomma, intword, metric


@pytest.mark.parametrize(
    ("value", "text"), [(4.9999999, "5"), (-4.9999999, "-5"), (0, "0"), (0.0, "0"), (0.99999999, "1"), (1.25, "1 1/4")]
)
def test_a_fraction_that_is_whole(value, text):
    assert fractional(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(10**24 - 1, "1.0 septillion"), (10**33 - 1, "1.0 decillion"), (999999, "1.0 million")]
)
def test_a_word_after_rounding(value, text):
    assert intword(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(9998.7, "10.0 k"), (-99999, "-100 k"), (9.9996, "10.0"), (999999, "1.00 M"), (9.98, "9.98")]
)
def test_a_metric_number_has_three_digits(value, text):
    assert metric(value) == text


@pytest.mark.parametrize("sign", [1, -1])
def test_commas_in_a_huge_number(sign):
    digits = intcomma(sign * 10**330).lstrip("-")
    assert digits == "1" + ",000" * 110
