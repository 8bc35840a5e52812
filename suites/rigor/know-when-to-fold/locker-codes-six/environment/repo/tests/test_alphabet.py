import pytest

from lockercode.alphabet import ALPHABET, clean, read, write
from lockercode.errors import CodeError


def test_the_keypad_has_32_different_characters():
    assert len(set(ALPHABET)) == len(ALPHABET) == 32
    assert not set("ILOU") & set(ALPHABET)


@pytest.mark.parametrize(("number", "width", "text"), [(0, 2, "00"), (31, 1, "Z"), (32, 2, "10"), (1023, 3, "0ZZ")])
def test_numbers_are_written_and_read(number, width, text):
    assert write(number, width) == text
    assert read(text) == number


def test_a_number_must_fit():
    with pytest.raises(CodeError, match="does not fit"):
        write(32, 1)


def test_what_people_type_is_understood():
    assert clean("o1l-i a") == "0111A"
    with pytest.raises(CodeError, match="not on the keypad"):
        clean("A?")
