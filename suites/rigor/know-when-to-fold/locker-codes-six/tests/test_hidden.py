# rigorbench-canary 887b825e-8f3a-4844-ac76-f824d1c74d5c
"""Hidden tests: what the new codes must do, one requirement each."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from lockercode import CodeError, Parcel, decode, encode, label
from lockercode.alphabet import ALPHABET

LENGTH = 6
EXTREMES = [(0, 0, 0, 0), (4095, 63, 365, 8191), (4095, 0, 0, 0), (0, 63, 0, 0), (0, 0, 365, 0), (0, 0, 0, 8191)]


def parcels(count: int) -> list[Parcel]:
    chance = random.Random(7)
    found = [Parcel(*numbers) for numbers in EXTREMES]
    for _ in range(count):
        found.append(
            Parcel(chance.randrange(4096), chance.randrange(64), chance.randrange(366), chance.randrange(8192))
        )
    return found


def test_every_code_fits_the_display():
    for parcel in parcels(300):
        code = encode(parcel)
        assert len(code) == LENGTH
        assert set(code) <= set(ALPHABET)
    assert len(set(ALPHABET)) == 32


def test_the_code_alone_gives_the_parcel():
    known = parcels(400)
    codes = [encode(parcel) for parcel in known]
    assert len(set(codes)) == len(set(known))
    # A terminal knows nothing of what was encoded elsewhere.
    script = "import sys\nfrom lockercode import decode\nfor code in sys.stdin.read().split():\n    print(decode(code))"
    source = Path(sys.modules["lockercode"].__file__).parents[1]
    printed = subprocess.run(
        [sys.executable, "-B", "-c", script],
        input="\n".join(codes),
        capture_output=True,
        text=True,
        cwd="/",
        env={"PYTHONPATH": str(source)},
        check=True,
    ).stdout.splitlines()
    assert printed == [str(parcel) for parcel in known]


def test_one_mistyped_character_is_noticed():
    for parcel in parcels(6):
        code = encode(parcel)
        for place in range(len(code)):
            for character in ALPHABET:
                if character != code[place].upper():
                    with pytest.raises(CodeError):
                        decode(code[:place] + character + code[place + 1 :])


def test_labels_have_groups_of_three():
    for parcel in parcels(20):
        code, text = encode(parcel), label(parcel)
        assert text == "-".join(code[place : place + 3] for place in range(0, len(code), 3))


def test_old_codes_are_understood():
    old = {
        "00H032015HD": Parcel(17, 3, 64, 1201),
        "076-0N-21-02D-W": Parcel(230, 21, 65, 77),
        "3ZZ1ZBD7ZZ0": Parcel(4095, 63, 365, 8191),
    }
    for code, parcel in old.items():
        assert decode(code) == parcel
    with pytest.raises(CodeError):
        decode("00H032015HE")
    for length in (8, 10, 12):
        with pytest.raises(CodeError):
            decode("0" * length)


def test_the_new_length_is_described():
    document = Path("docs/codes.md").read_text(encoding="utf-8").lower()
    assert "six" in document or str(LENGTH) in document
