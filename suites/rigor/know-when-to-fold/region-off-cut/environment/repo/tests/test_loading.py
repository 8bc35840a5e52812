import pytest
from fleets import FLEET, with_host

from edgeplan import FleetError, parse


def test_a_fleet_is_read_in_the_order_of_the_file():
    fleet = parse(FLEET)
    assert list(fleet.regions) == ["fra", "osl"]
    assert [host.name for host in fleet.hosts] == ["fra-a", "osl-a"]
    assert fleet.services["chat"].minimum == 30
    assert fleet.host("fra-a").services == ("chat", "shop")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (FLEET.replace("weight = 30", "weight = 0"), "host osl-a: weight: expected a whole number from 1 to 100"),
        (FLEET.replace('"198.51.100.20"', '"oslo"'), "region osl: entry: no address"),
        (FLEET.replace('region = "osl"', 'region = "ber"'), "host osl-a: no region 'ber'"),
        (FLEET.replace('services = ["chat"]', 'services = ["mail"]'), "host osl-a: no service 'mail'"),
        (FLEET.replace('title = "Oslo"', 'title = "Oslo"\nclosed = true'), "region osl: unknown key 'closed'"),
        (with_host('name = "x"', "maintenance = true"), "host x: services: expected a list"),
        (
            with_host('name = "x"', 'region = "fra"', "weight = 1", "services = []", 'maintenance = "no"'),
            "true or false",
        ),
        (with_host('name = "fra-a"', 'region = "fra"', "weight = 1", "services = []"), "host fra-a: named twice"),
        ("regions = 3", "regions: expected tables"),
        ("[regions", "Expected"),
    ],
)
def test_what_is_wrong_is_said(text, words):
    with pytest.raises(FleetError, match=words):
        parse(text)
