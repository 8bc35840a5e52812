# rigorbench-canary b76f2ed8-39b3-42b4-8341-ff4cc67fc380
"""Hidden tests: references, order, replacement, removal and drift, one requirement each, by command and cloud."""

import json
from pathlib import Path

import pytest

from groundwork.cli import main


class Site:
    def __init__(self, root, capsys):
        self.root, self.capsys = root, capsys
        self.file, self.state, self.cloud = root / "mill.gw", root / "mill.state", root / "cloud.json"

    def run(self, command, text=None):
        """(exit status, lines of output, error)."""
        words = [command]
        if text is not None:
            self.file.write_text(text)
            words.append(str(self.file))
        status = main([*words, "--state", str(self.state), "--cloud", str(self.cloud)])
        output = self.capsys.readouterr()
        return status, output.out.splitlines(), output.err

    def apply(self, text):
        status, lines, error = self.run("apply", text)
        assert (status, error) == (0, "")
        return lines

    def document(self):
        return json.loads(self.cloud.read_text())

    def change(self, **parts):
        self.cloud.write_text(json.dumps(self.document() | parts))

    def journal(self):
        """What the cloud did since this was asked last: pairs of action and prefix of the id."""
        entries = [(action, number.partition("-")[0]) for action, number in self.document()["journal"]]
        self.change(journal=[])
        return entries

    def of(self, kind):
        """The attributes of the objects of a kind."""
        return [o["attributes"] for o in self.document()["objects"].values() if o["kind"] == kind]

    def ids(self):
        return sorted(self.document()["objects"])


@pytest.fixture
def site(tmp_path, capsys):
    return Site(tmp_path, capsys)


def network(address="10.7.0.0/16", label="mill", name="lan"):
    return f'network {name} {{\n  range = "{address}"\n  label = "{label}"\n}}\n'


def server(name="web", image="alpine-3", net="network.lan.id", more=""):
    return f'server {name} {{\n  image = "{image}"\n  network = {net}\n{more}}}\n'


DISK = "disk data {\n  size = 30\n}\n"


def record(target, name="www"):
    return f'record {name} {{\n  name = "{name}.example.org"\n  target = {target}\n}}\n'


def test_references_get_the_values_of_others(site):
    more = "  disk = disk.data.id\n  cores = disk.data.size\n  label = network.lan.range\n"
    site.apply(network() + DISK + server(more=more) + record("server.web.address"))
    [net], [disk] = ([n for n in site.ids() if n.startswith(prefix)] for prefix in ("net", "dsk"))
    [made] = site.of("server")
    assert (made["network"], made["disk"], made["cores"], made["label"]) == (net, disk, 30, "10.7.0.0/16")
    assert site.of("record")[0]["target"] == made["address"]
    # Nothing is left to do, and a change is passed on.
    assert site.run("plan", site.file.read_text())[1] == ["0 to create, 0 to change, 0 to replace, 0 to delete"]
    text = site.file.read_text().replace("size = 30", "size = 31")
    lines = site.apply(text)
    assert lines[:2] == ["~ disk.data  (size: 30 -> 31)", "~ server.web  (cores: 30 -> 31)"]
    assert site.of("server")[0]["cores"] == 31


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("network.wan.id", "network.wan"),
        ("house.lan.id", "house.lan"),
        ("network.lan.colour", "colour"),
        ("network.lan.address", "address"),
        ("disk.data.size", ""),
        ("network.lan", ""),
    ],
)
def test_bad_references(site, value, word):
    for command in ("plan", "apply"):
        status, lines, error = site.run(command, network() + DISK + server(net=value))
        assert (status, lines) == (1, [])
        assert error.startswith(f"groundwork: {site.file}:10: ")
        assert word in error
        assert error.count("\n") == 1
    assert not site.cloud.exists()
    site.apply(network() + DISK + server())


def test_circles(site):
    one, two = (f'record {a} {{\n  name = "{a}"\n  target = record.{b}.target\n}}\n' for a, b in ("xy", "yz"))
    three = 'record z {\n  name = "z"\n  target = record.x.target\n}\n'
    for text, names in ((one + two + three + network(), "xyz"), (record("record.www.target"), ["www"])):
        for command in ("plan", "apply"):
            status, lines, error = site.run(command, text)
            assert (status, lines) == (1, [])
            assert error.startswith(f"groundwork: {site.file}:")
            assert all(f"record.{name}" in error for name in names)
            assert "network" not in error
    assert not site.cloud.exists()


def test_what_is_referred_to_comes_first(site):
    text = record("server.web.address") + server(more="  disk = disk.data.id\n") + network() + DISK
    lines = site.apply(text)
    order = [line.split()[1] for line in lines[:-1]]
    assert sorted(order) == ["disk.data", "network.lan", "record.www", "server.web"]
    assert order.index("server.web") > max(order.index("network.lan"), order.index("disk.data"))
    assert order.index("record.www") > order.index("server.web")
    assert [kind for _, kind in site.journal()] == [
        {"disk": "dsk", "network": "net", "record": "rec", "server": "srv"}[name.partition(".")[0]] for name in order
    ]
    # What knows nothing of each other keeps the order of the file.
    names = ["pear", "fig", "lime", "apple"]
    lines = site.apply(text + "".join(network(name=name) for name in names))
    assert [line for line in lines if "lan" not in line][:4] == [f"+ network.{name}" for name in names]


def test_what_refers_goes_over_to_the_new_object(site):
    site.apply(network() + DISK + server(more="  disk = disk.data.id\n") + record("server.web.address"))
    site.journal()
    before, address = site.ids(), site.of("server")[0]["address"]
    text = network("10.8.0.0/16") + DISK + server(more="  disk = disk.data.id\n") + record("server.web.address")
    site.apply(text)
    assert site.journal() == [
        ("create", "net"),
        ("create", "srv"),
        ("update", "rec"),
        ("delete", "srv"),
        ("delete", "net"),
    ]
    [net], [made] = site.of("network"), site.of("server")
    assert net["range"] == "10.8.0.0/16"
    assert made["network"] in set(site.ids()) - set(before)
    assert site.of("record")[0]["target"] == made["address"] != address
    assert site.run("plan", text)[1] == ["0 to create, 0 to change, 0 to replace, 0 to delete"]


def test_the_plan_shows_replacements(site):
    first = network() + DISK + server() + record("server.web.address") + record("network.lan.label", "lbl")
    site.apply(first)
    net, address = next(n for n in site.ids() if n.startswith("net")), site.of("server")[0]["address"]
    state = site.state.read_text()
    status, lines, _ = site.run("plan", first.replace("10.7.0.0/16", "10.9.0.0/16"))
    assert status == 0
    assert lines == [
        '* network.lan  (range: "10.7.0.0/16" -> "10.9.0.0/16")',
        f'* server.web  (network: "{net}" -> (known later))',
        f'~ record.www  (target: "{address}" -> (known later))',
        "0 to create, 1 to change, 2 to replace, 0 to delete",
    ]
    assert site.state.read_text() == state


def test_what_is_not_affected_is_left_alone(site):
    text = network() + DISK + server(more="  cores = 2\n  disk = disk.data.id\n")
    text += record("server.web.address") + record("network.lan.label", "lbl") + server("other")
    site.apply(text)
    site.journal()
    site.apply(text.replace("cores = 2", "cores = 4"))
    assert site.journal() == [("update", "srv")]
    site.apply(text.replace("10.7", "10.9"))
    assert sorted(site.journal()) == sorted(
        [("create", "net"), ("create", "srv"), ("create", "srv"), ("update", "rec")]
        + [("delete", "net"), ("delete", "srv"), ("delete", "srv")]
    )
    assert sorted(entry["label"] for entry in site.of("network")) == ["mill"]


def test_what_refers_is_deleted_first(site):
    label = record("network.lan.label")
    site.apply(network() + server() + label + DISK)
    site.journal()
    # All three go; the server and the record refer to the network.
    site.apply(DISK + network(name="wan"))
    journal = site.journal()
    assert journal[0] == ("create", "net")
    assert sorted(journal[1:3]) == [("delete", "rec"), ("delete", "srv")]
    assert journal[3:] == [("delete", "net")]
    # Older things that came to refer to newer ones.
    site.apply(DISK + network(name="wan") + server(net="network.wan.id") + record('"none"'))
    more = "disk fast {\n  size = 1\n}\n" + network(name="dmz")
    text = DISK + network(name="wan") + server(net="network.wan.id", more="  disk = disk.fast.id\n")
    site.apply(text + record("network.dmz.label") + more)
    site.journal()
    site.apply(DISK + network(name="wan"))
    journal = site.journal()
    assert sorted(journal) == [("delete", "dsk"), ("delete", "net"), ("delete", "rec"), ("delete", "srv")]
    assert journal.index(("delete", "srv")) < journal.index(("delete", "dsk"))
    assert journal.index(("delete", "rec")) < journal.index(("delete", "net"))


def test_destroy(site):
    site.apply(record('"none"') + network() + server())
    site.apply(network() + server() + record("network.lan.label") + record("network.lan.label", "other"))
    site.file.unlink()
    site.journal()
    status, _, error = site.run("destroy")
    assert (status, error) == (0, "")
    assert site.ids() == []
    assert site.journal()[-1] == ("delete", "net")
    assert site.run("show")[1] == ["nothing was made"]
    assert site.run("destroy")[0] == 0


def test_the_next_apply_finishes(site):
    site.apply(network() + server())
    [old] = [n for n in site.ids() if n.startswith("net")]
    bad = network("10.8.0.0/16") + server(image="amiga-1")
    status, _, error = site.run("apply", bad)
    assert (status, error) == (1, "groundwork: no such image: amiga-1\n")
    assert old in site.ids()
    assert len(site.of("network")) == 2
    good = network("10.8.0.0/16") + server()
    site.apply(good)
    assert [entry["range"] for entry in site.of("network")] == ["10.8.0.0/16"]
    assert len(site.of("server")) == 1
    assert old not in site.ids()
    # Nor after two replacements that came to nothing.
    for number in (1, 2):
        assert site.run("apply", network(f"10.{number}.0.0/16") + server(image="amiga-1"))[0] == 1
    assert len(site.of("network")) == 3
    assert site.run("destroy")[0] == 0
    assert site.ids() == []


def test_an_old_object_that_cannot_be_deleted_yet(site):
    site.apply(network() + server())
    old = [n for n in site.ids() if n.startswith("srv")]
    site.change(locked=old)
    text = network() + server(image="debian-12")
    assert site.run("apply", text)[0] == 1
    assert len(site.of("server")) == 2
    assert site.run("apply", text)[0] == 1
    assert len(site.of("server")) == 2
    site.change(locked=[])
    assert not site.run("plan", text)[1][-1].endswith("0 to delete")
    site.apply(text)
    assert [entry["image"] for entry in site.of("server")] == ["debian-12"]
    assert site.run("plan", text)[1][-1].endswith("0 to delete")


def test_drift(site):
    text = network() + DISK + server(more="  cores = 2\n")
    site.apply(text)
    assert site.run("drift")[:2] == (0, ["no drift"])
    document = site.document()
    for number, entry in list(document["objects"].items()):
        if entry["kind"] == "server":
            del document["objects"][number]
        elif entry["kind"] == "disk":
            entry["attributes"] |= {"size": 45, "label": 'a "b"'}
        else:
            entry["attributes"]["label"] = "m\u00fchle"
    site.change(objects=document["objects"])
    before = site.state.read_bytes(), site.cloud.read_bytes()
    status, lines, _ = site.run("drift")
    assert status == 2
    assert [line.replace("\\u00fc", "\u00fc") for line in lines] == [
        'changed disk.data.label: "" -> "a \\"b\\""',
        "changed disk.data.size: 30 -> 45",
        'changed network.lan.label: "mill" -> "m\u00fchle"',
        "missing server.web",
    ]
    assert (site.state.read_bytes(), site.cloud.read_bytes()) == before


def test_the_version_of_the_state(site):
    site.apply(network())
    [number] = site.ids()
    assert json.loads(site.state.read_text())["version"] == 2
    attributes = site.of("network")[0]
    site.state.write_text(
        json.dumps({"version": 1, "resources": {"network.lan": {"id": number, "attributes": attributes}}})
    )
    site.journal()
    site.apply(network() + server())
    assert site.journal() == [("create", "srv")]
    assert json.loads(site.state.read_text())["version"] == 2
    site.state.write_text(json.dumps({"version": 3, "resources": {}}))
    assert site.run("show")[0] == 1


def test_the_commands_and_the_state_are_described():
    readme, state = (Path(name).read_text(encoding="utf-8") for name in ("README.md", "docs/state.md"))
    assert [word for word in ("destroy", "drift") if word not in readme] == []
    assert "2" in state
