from pathlib import Path

import pytest

from scoreshelf import AccessService, NotFound
from scoreshelf.files import load

CHOIR = Path(__file__).parents[1] / "examples" / "choir.json"


@pytest.fixture
def archive():
    return load(CHOIR)


@pytest.fixture
def service(archive):
    return AccessService(archive)


def test_groups_of_a_member(service):
    assert service.groups_of("petra") == ["board", "choir", "sopranos"]
    assert service.groups_of("jonas") == ["basses", "choir"]


def test_grants_hold_for_the_folders_below(service):
    assert service.level("ana", "requiem") == "read"
    assert service.level("ana", "minutes") is None
    assert service.level("petra", "minutes") == "write"


def test_the_highest_level_counts(service):
    service.grant("requiem", "sopranos", "write")
    assert service.level("ana", "requiem") == "write"
    assert service.level("ana", "music") == "read"


def test_folders_of_a_member(service):
    assert service.folders("jonas") == [
        {"folder": "music", "level": "read"},
        {"folder": "requiem", "level": "read"},
    ]


def test_what_is_unknown(service):
    with pytest.raises(NotFound, match="unknown member: ilse"):
        service.level("ilse", "music")
    with pytest.raises(NotFound, match="unknown folder: attic"):
        service.level("ana", "attic")
    with pytest.raises(NotFound, match="unknown member"):
        service.folders("ilse")


def test_a_new_group_counts_at_once(service):
    assert service.groups_of("jonas") == ["basses", "choir"]
    service.put_into("board", "jonas")
    assert service.groups_of("jonas") == ["basses", "board", "choir"]


def test_answers_are_kept(archive, service):
    service.level("ana", "requiem")
    told = []
    archive.on_read = told.append
    assert service.level("ana", "requiem") == "read"
    assert told == []
