import pytest
from fleets import FLEET

from edgeplan import FleetError, parse
from edgeplan.routing import keep, pick

CLIENTS = [f"client-{number}" for number in range(300)]


def test_hosts_get_clients_by_their_weight():
    fleet = parse(FLEET)
    share = sum(pick(fleet, "chat", client).name == "osl-a" for client in CLIENTS) / len(CLIENTS)
    assert 0.5 < share < 0.7


def test_new_sessions_avoid_a_host_in_maintenance():
    fleet = parse(FLEET.replace("weight = 30", "weight = 30\nmaintenance = true"))
    assert {pick(fleet, "chat", client).name for client in CLIENTS} == {"fra-a"}


def test_a_session_stays_while_its_host_is_drained_and_moves_when_it_is_refused():
    drained = parse(FLEET.replace("weight = 30", "weight = 30\nmaintenance = true"))
    refused = parse(FLEET.replace("weight = 30", "weight = 30\nquarantined = true"))
    assert keep(drained, "chat", "client-1", "osl-a").name == "osl-a"
    assert keep(refused, "chat", "client-1", "osl-a").name == "fra-a"


def test_nothing_in_service():
    fleet = parse(FLEET.replace("weight = 20", "weight = 20\nmaintenance = true"))
    assert pick(fleet, "shop", "client-1") is None


def test_a_session_can_only_be_on_a_host_of_the_service():
    with pytest.raises(FleetError, match="does not run 'shop'"):
        keep(parse(FLEET), "shop", "client-1", "osl-a")
