from fleets import FLEET

from edgeplan import parse
from edgeplan.balancer import balancer_file
from edgeplan.capacity import shortages
from edgeplan.names import names_file
from edgeplan.status import overview

MAINTAINED = FLEET.replace("weight = 30", "weight = 30\nmaintenance = true")


def test_the_balancer_file_has_every_host_with_its_state():
    assert balancer_file(parse(MAINTAINED)) == (
        "service chat\n  serve fra-a 20\n  drain osl-a 30\nservice shop\n  serve fra-a 20"
    )


def test_names_are_answered_where_a_host_is_in_service():
    assert names_file(parse(FLEET)).splitlines() == [
        "chat.edge.example.org 198.51.100.10",
        "chat.edge.example.org 198.51.100.20",
        "shop.edge.example.org 198.51.100.10",
    ]
    assert "chat.edge.example.org 198.51.100.20" not in names_file(parse(MAINTAINED))


def test_too_little_in_service():
    assert shortages(parse(FLEET)) == []
    assert shortages(parse(MAINTAINED)) == ["chat: weight 20 in service, 30 needed"]


def test_the_overview_shows_regions_and_hosts():
    text = FLEET + '\n[regions.mad]\ntitle = "Madrid"\nentry = "198.51.100.30"\n'
    assert overview(parse(text)) == (
        "fra: Frankfurt\n  fra-a serve (chat, shop)\nosl: Oslo\n  osl-a serve (chat)\nmad: Madrid\n  no hosts"
    )
