import pytest

from lockercode import CodeError, Parcel, decode, encode

PARCEL = Parcel(station=17, locker=3, day=64, serial=1201)


def test_a_code_gives_the_parcel_back():
    assert decode(encode(PARCEL)) == PARCEL
    assert decode(encode(PARCEL).lower()) == PARCEL


def test_different_parcels_have_different_codes():
    codes = {encode(Parcel(17, locker, 64, serial)) for locker in range(8) for serial in range(8)}
    assert len(codes) == 64


def test_a_mistyped_code_is_refused():
    code = encode(PARCEL)
    wrong = ("X" if code[0] != "X" else "Y") + code[1:]
    with pytest.raises(CodeError, match="mistyped"):
        decode(wrong)


def test_a_code_of_another_length_is_refused():
    with pytest.raises(CodeError, match="characters"):
        decode("ABC")


@pytest.mark.parametrize("numbers", [(4096, 0, 0, 0), (0, 64, 0, 0), (0, 0, 366, 0), (0, 0, 0, 8192), (-1, 0, 0, 0)])
def test_numbers_have_ranges(numbers):
    with pytest.raises(CodeError, match="is not between"):
        Parcel(*numbers)
