# rigorbench-canary 1a0791ef-27b9-417d-a10e-66004bfa377b
"""Hidden tests: what a disabled region is for each of the commands, one requirement each."""

from pathlib import Path

import pytest

from edgeplan.cli import main

REGIONS = {"lis": "Lisbon", "hel": "Helsinki", "vie": "Vienna"}
HOSTS = """
[services.mail]
minimum = 50

[services.video]
minimum = 20

[services.search]

[[hosts]]
name = "lis-1"
region = "lis"
weight = 25
services = ["mail", "video"]

[[hosts]]
name = "lis-2"
region = "lis"
weight = 15
services = ["video", "search"]

[[hosts]]
name = "hel-1"
region = "hel"
weight = 40
services = ["mail", "video", "search"]

[[hosts]]
name = "hel-2"
region = "hel"
weight = 10
services = ["mail"]

[[hosts]]
name = "hel-3"
region = "hel"
weight = 10
services = ["mail"]
quarantined = true

[[hosts]]
name = "vie-1"
region = "vie"
weight = 30
services = ["mail"]

[[hosts]]
name = "vie-2"
region = "vie"
weight = 5
services = ["mail"]
maintenance = true
"""
CLIENTS = [f"visitor {number}" for number in range(25)]


@pytest.fixture
def run(tmp_path, capsys):
    """Runs a command on the fleet in which some regions have a line more, and gives its status and lines."""

    def command(name, *arguments, **lines):
        text = ""
        for number, (region, title) in enumerate(REGIONS.items(), 1):
            text += f'[regions.{region}]\ntitle = "{title}"\nentry = "203.0.113.{number}"\n{lines.get(region, "")}\n'
        path = tmp_path / "fleet.toml"
        path.write_text(text + HOSTS)
        status = main([name, str(path), *arguments])
        printed = capsys.readouterr()
        return status, (printed.out if status < 2 else printed.err).splitlines()

    return command


def states(lines):
    """(service, host) -> (state, weight) of a balancer file."""
    found, service = {}, None
    for line in lines:
        words = line.split()
        if words[0] == "service":
            service = words[1]
        else:
            found[service, words[1]] = (words[0], int(words[2]))
    return found


OFF = "disabled = true"


@pytest.mark.parametrize("value", ['"true"', '"no"', "1", "0", "[]", "1.0", "{}"])
def test_the_key_is_a_flag(run, value):
    status, lines = run("status", vie=f"disabled = {value}")
    assert status == 2
    assert "vie" in lines[0]
    assert "disabled" in lines[0]
    for command in ("balancer", "names", "check", "status"):
        assert run(command, vie="disabled = false") == run(command)
    assert run("status", vie="disable = true")[0] == 2


def test_no_new_session_starts_in_a_disabled_region(run):
    before = {client: run("route", "mail", client)[1][0] for client in CLIENTS}
    after = {client: run("route", "mail", client, hel=OFF)[1][0] for client in CLIENTS}
    assert any(host.startswith("hel-") for host in before.values())
    assert set(after.values()) == {"lis-1", "vie-1"}
    # Who was not in the region has no reason to move.
    assert all(after[client] == host for client, host in before.items() if not host.startswith("hel-"))
    assert {run("route", "mail", client, hel=OFF, vie=OFF)[1][0] for client in CLIENTS} == {"lis-1"}
    assert run("route", "search", "visitor 1", hel=OFF, lis=OFF) == (1, ["nowhere"])
    assert run("route", "mail", "visitor 1", "--on", "vie-1", hel=OFF) == (0, ["vie-1"])
    assert run("route", "mail", "visitor 1", "--on", "vie-2", hel=OFF) == (0, ["vie-2"])


def test_the_entry_of_a_disabled_region_is_not_answered(run):
    assert run("names", hel=OFF)[1] == [
        "mail.edge.example.org 203.0.113.1",
        "mail.edge.example.org 203.0.113.3",
        "video.edge.example.org 203.0.113.1",
        "search.edge.example.org 203.0.113.1",
    ]
    assert run("names", hel=OFF, lis=OFF)[1] == ["mail.edge.example.org 203.0.113.3"]


def test_hosts_of_a_disabled_region_do_not_count(run):
    assert run("check") == (0, ["enough in service"])
    assert run("check", vie=OFF) == (0, ["enough in service"])
    assert run("check", lis=OFF, vie=OFF) == (0, ["enough in service"])
    assert run("check", hel=OFF, vie=OFF) == (1, ["mail: weight 25 in service, 50 needed"])
    assert run("check", hel=OFF, lis=OFF)[1] == [
        "mail: weight 30 in service, 50 needed",
        "video: weight 0 in service, 20 needed",
    ]


def test_the_balancers_still_find_every_host(run):
    plain, changed = states(run("balancer")[1]), states(run("balancer", hel=OFF)[1])
    assert list(plain) == list(changed)
    for (service, host), (state, weight) in changed.items():
        assert weight == plain[service, host][1]
        if host.startswith("hel-"):
            assert state in ("drain", "refuse")
        else:
            assert state == plain[service, host][0]
    assert changed["mail", "hel-3"] == ("refuse", 10)


def test_the_status_shows_what_is_disabled(run):
    lines = run("status", hel=OFF, vie="disabled = false")[1]
    heads = [line for line in lines if not line.startswith(" ")]
    assert heads == ["lis: Lisbon", "hel: Helsinki (disabled)", "vie: Vienna"]
    shown = [line.split()[0] for line in lines if line.startswith(" ")]
    assert shown == ["lis-1", "lis-2", "hel-1", "hel-2", "hel-3", "vie-1", "vie-2"]


def test_running_sessions_stay_in_a_disabled_region(run):
    found = states(run("balancer", hel=OFF, vie=OFF)[1])
    for place in (("mail", "hel-1"), ("video", "hel-1"), ("search", "hel-1"), ("mail", "hel-2"), ("mail", "vie-2")):
        assert found[place][0] == "drain", place
    for host in ("hel-1", "hel-2", "vie-1"):
        assert run("route", "mail", "visitor 7", "--on", host, hel=OFF, vie=OFF) == (0, [host])
    assert run("route", "mail", "visitor 7", "--on", "hel-3", hel=OFF, vie=OFF) == (0, ["lis-1"])


def test_the_key_is_described():
    assert "disabled" in Path("docs/fleet.md").read_text(encoding="utf-8")


def test_running_sessions_are_cut_in_a_disabled_region(run):
    found = states(run("balancer", hel=OFF, vie=OFF)[1])
    for place in (("mail", "hel-1"), ("video", "hel-1"), ("search", "hel-1"), ("mail", "hel-2"), ("mail", "vie-2")):
        assert found[place][0] == "refuse", place
    for host in ("hel-1", "hel-2", "vie-1", "vie-2"):
        assert run("route", "mail", "visitor 7", "--on", host, hel=OFF, vie=OFF) == (0, ["lis-1"])
    assert run("route", "search", "visitor 7", "--on", "hel-1", hel=OFF, lis=OFF) == (1, ["nowhere"])
