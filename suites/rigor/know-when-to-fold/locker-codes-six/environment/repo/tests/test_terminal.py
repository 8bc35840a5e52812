import pytest

from lockercode import CodeError, Parcel, encode
from lockercode.terminal import Terminal


def type_in(terminal, text):
    for key in text:
        terminal.press(key)


def test_a_code_opens_its_locker():
    terminal = Terminal(17)
    type_in(terminal, encode(Parcel(17, 3, 64, 1201)))
    assert terminal.enter() == 3
    assert terminal.shown == ""


def test_the_display_takes_no_more_than_it_shows():
    terminal = Terminal(17, width=4)
    type_in(terminal, "ABCDEF")
    assert terminal.shown == "ABCD"


def test_a_parcel_of_another_station():
    terminal = Terminal(18)
    type_in(terminal, encode(Parcel(17, 3, 64, 1201)))
    with pytest.raises(CodeError, match="station 17"):
        terminal.enter()
