import copy

import pytest

from boltons.dictutils import OrderedMultiDict
from boltons.fileutils import AtomicSaver, iter_find_files
from boltons.setutils import IndexedSet
from boltons.strutils import singularize


@pytest.fixture
def thinned():
    found = IndexedSet("abcdefghij")
    for gone in "bfg":
        found.remove(gone)
    return found


@pytest.mark.parametrize("start", [None, -20, -7, -2, 0, 3, 7, 20])
@pytest.mark.parametrize("stop", [None, -20, -7, -2, 0, 3, 7, 20])
@pytest.mark.parametrize("step", [None, 1, 2])
def test_a_slice_is_that_of_the_list(thinned, start, stop, step):
    assert list(thinned[start:stop:step]) == list(thinned)[start:stop:step]


@pytest.mark.parametrize("index", [7, 8, 9, -8, -9, -12, -15])
def test_an_index_outside_is_an_error(thinned, index):
    with pytest.raises(IndexError):
        thinned[index]
    with pytest.raises(IndexError):
        thinned.pop(index)
    assert "".join(thinned) == "acdehij"


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy])
def test_a_copy_keeps_all_values(how):
    pairs = [("k", 1), ("m", 2), ("k", 3)]
    assert how(OrderedMultiDict(pairs)).items(multi=True) == pairs


def test_path_objects(tmp_path):
    with AtomicSaver(tmp_path / "a.txt") as saver:
        saver.write(b"text")
    assert [*iter_find_files(tmp_path, "*.txt")] == [str(tmp_path / "a.txt")]


@pytest.mark.parametrize("word", ["moss", "Cross", "CHESS"])
def test_double_s_is_singular(word):
    assert singularize(word) == word
