import pytest

from scoreshelf import Archive, BadRequest, NotFound


@pytest.fixture
def archive():
    archive = Archive()
    archive.add_member("ana")
    for group in ("sopranos", "choir"):
        archive.add_group(group)
    archive.put_into("sopranos", "ana")
    archive.put_into("choir", "sopranos")
    archive.place_folder("music")
    archive.place_folder("requiem", "music")
    return archive


def test_groups_hold_members_and_groups(archive):
    assert archive.groups_holding("ana") == ["sopranos"]
    assert archive.groups_holding("sopranos") == ["choir"]


def test_a_group_cannot_hold_itself(archive):
    with pytest.raises(BadRequest, match="hold itself"):
        archive.put_into("sopranos", "choir")


def test_a_folder_cannot_lie_in_itself(archive):
    with pytest.raises(BadRequest, match="lie in itself"):
        archive.place_folder("music", "requiem")


@pytest.mark.parametrize(
    "change",
    [
        lambda archive: archive.put_into("choir", "nobody"),
        lambda archive: archive.put_into("tenors", "ana"),
        lambda archive: archive.take_out("choir", "ana"),
        lambda archive: archive.place_folder("mass", "nowhere"),
        lambda archive: archive.grant("mass", "choir", "read"),
        lambda archive: archive.revoke("music", "choir"),
    ],
)
def test_changes_of_what_is_not_there(archive, change):
    with pytest.raises(NotFound):
        change(archive)


def test_readings_are_told(archive):
    told = []
    archive.on_read = told.append
    archive.grants_on("music")
    archive.parent_of("requiem")
    assert told == ["grants_on", "parent_of"]
