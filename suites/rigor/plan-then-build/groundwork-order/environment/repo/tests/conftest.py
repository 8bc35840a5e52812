import json

import pytest

from groundwork import Cloud, apply, load_state, make_plan, parse, save_state
from groundwork.cli import main
from groundwork.plan import describe

TEXT = """
# The shop.
network lan {
  range = "10.1.0.0/16"
}
disk data {
  size = 20
  label = "orders"
}
"""


class Site:
    """A directory with a state and a cloud."""

    def __init__(self, root):
        self.root, self.state, self.cloud = root, root / "site.state", root / "cloud.json"

    def plan(self, text):
        """The lines of the plan."""
        return describe(make_plan(parse(text), load_state(self.state))).splitlines()

    def apply(self, text):
        state = load_state(self.state)
        apply(make_plan(parse(text), state), state, Cloud(self.cloud), lambda now: save_state(now, self.state))
        return load_state(self.state).resources

    def run(self, *words):
        return main([*words, "--state", str(self.state), "--cloud", str(self.cloud)])

    def objects(self):
        return json.loads(self.cloud.read_text())["objects"]

    def journal(self):
        return [" ".join(entry) for entry in json.loads(self.cloud.read_text())["journal"]]

    def change_cloud(self, **parts):
        self.cloud.write_text(json.dumps(json.loads(self.cloud.read_text()) | parts))


@pytest.fixture
def site(tmp_path):
    return Site(tmp_path)
