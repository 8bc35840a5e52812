import json

import pytest

from gaugeline import Job, Pipeline, run

LINES = [
    {"station": "MOL-03", "time": "2024-03-01T06:00:00+01:00", "level": 2.5},
    {"station": "MOL-03", "time": "2024-03-01T06:00:00Z", "level": 260, "unit": "cm"},
    {"station": "ELB-1", "time": "2024-03-01T06:00:00Z", "level": 10, "unit": "ft"},
    {"station": "MOL-03", "time": "2024-03-01T07:00:00Z", "level": 99},
    {"station": "MOL-03", "level": 2.5},
    {"station": "MOL-03", "time": "2024-03-01T09:00:00Z", "level": 2.75},
]
STAGES = [{"name": "units"}, {"name": "range", "high": 12}, {"name": "gaps"}]


class Place:
    """A directory with an input, and runs over it."""

    def __init__(self, root):
        self.source, self.target, self.checkpoint = root / "in.jsonl", root / "out.jsonl", root / "run.ckpt"
        self.write(LINES)

    def write(self, lines):
        self.source.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def run(self, stages=STAGES, **options):
        return run(Job(self.source, self.target, Pipeline(stages), **options))

    def kept(self, **options):
        return self.run(checkpoint=self.checkpoint, **options)

    def output(self):
        return [json.loads(line) for line in self.target.read_text().splitlines()]


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)
