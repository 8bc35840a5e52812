import pytest

from pressroom import PressError
from pressroom.buildfile import load


def test_targets_keep_their_order(press):
    root = press(
        digest={"kind": "concat", "inputs": "letters/*.txt", "output": "out/digest.txt"},
        archive={"kind": "archive", "inputs": "letters/*.txt", "output": "out/archive.txt"},
    )
    assert [target.name for target in load(root)] == ["digest", "archive"]


def test_a_missing_key_is_named(press):
    root = press(digest={"kind": "concat", "inputs": "letters/*.txt"})
    with pytest.raises(PressError, match="digest: 'output' is missing"):
        load(root)


def test_two_targets_do_not_make_the_same(press):
    root = press(
        one={"kind": "concat", "inputs": "letters/*.txt", "output": "out/digest.txt"},
        two={"kind": "menu", "inputs": "letters/*.txt", "output": "out/digest.txt"},
    )
    with pytest.raises(PressError, match=r"one and two both make out/digest\.txt"):
        load(root)


def test_without_a_build_file(tmp_path):
    with pytest.raises(PressError, match=r"there is no press\.toml"):
        load(tmp_path)
