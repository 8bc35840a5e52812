import pytest

from regatta import times


@pytest.mark.parametrize(
    ("text", "hundredths"), [("6:41.07", 40107), ("58.30", 5830), ("0:00.00", 0), ("12:05.99", 72599)]
)
def test_times_are_read(text, hundredths):
    assert times.parse(text) == hundredths


@pytest.mark.parametrize("text", ["", "6:41", "6:61.00", "6:41.7", "6,41.07"])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(ValueError, match="is no time"):
        times.parse(text)


def test_times_are_shown_with_minutes():
    assert times.show(40107) == "6:41.07"
    assert times.show(5830) == "0:58.30"
