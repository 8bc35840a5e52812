import json

import pytest
from conftest import TEXT

from groundwork import Cloud, CloudError, GroundworkError, load_state


def test_what_is_missing_is_created(site):
    assert site.plan(TEXT)[:2] == ["+ network.lan", "+ disk.data"]
    made = site.apply(TEXT)
    assert {address: entry.id for address, entry in made.items()} == {"network.lan": "net-1", "disk.data": "dsk-2"}
    assert site.objects()["dsk-2"]["attributes"] == {"size": 20, "label": "orders"}
    assert len(site.plan(TEXT)) == 1


def test_what_differs_is_changed(site):
    site.apply(TEXT)
    text = TEXT.replace("20", "40")
    assert site.plan(text)[0] == "~ disk.data  (size: 20 -> 40)"
    assert site.apply(text)["disk.data"].attributes["size"] == 40


def test_what_is_no_longer_there_is_deleted(site):
    site.apply(TEXT)
    assert site.plan(TEXT.partition("disk")[0])[0] == "- disk.data"
    site.apply(TEXT.partition("disk")[0])
    assert list(site.objects()) == ["net-1"]


def test_what_was_done_before_a_failure_is_in_the_state(site):
    server = '\nserver web {\n  image = "beos-5"\n  network = "net-1"\n}\n'
    with pytest.raises(CloudError, match="no such image: beos-5"):
        site.apply(TEXT + server)
    assert list(load_state(site.state).resources) == ["network.lan", "disk.data"]


def test_the_cloud_keeps_what_is_in_use(site):
    site.apply(TEXT + '\nserver web {\n  image = "debian-12"\n  network = "net-1"\n}\n')
    with pytest.raises(CloudError, match="net-1 is in use by srv-3"):
        Cloud(site.cloud).delete("net-1")
    with pytest.raises(CloudError, match="image cannot be changed"):
        Cloud(site.cloud).update("srv-3", {"image": "alpine-3"})
    site.change_cloud(locked=["srv-3"])
    with pytest.raises(CloudError, match="locked"):
        Cloud(site.cloud).delete("srv-3")


def test_states_that_are_refused(site):
    site.state.write_text(json.dumps({"version": 99, "resources": {}}))
    with pytest.raises(GroundworkError, match="version 99 is later"):
        load_state(site.state)
    site.state.write_text("[]")
    with pytest.raises(GroundworkError, match="no state file"):
        load_state(site.state)
