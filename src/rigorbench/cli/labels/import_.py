"""``rigor labels import``: the labels of a filled form go into a file of JSON lines."""

from __future__ import annotations

import sys
from pathlib import Path

from ..common import Usage, message, parser

_EPILOG = """examples:
  rigor labels import project-1.json                 Label Studio: Export, as JSON, JSON-MIN or CSV
  rigor labels import sessions.csv --labeller ada    the sheet

labels/labels.jsonl is only appended to; of two labels of a person on a session the later counts. Exit status: 0 all
labels were taken, 1 some were not.
"""


def command(arguments: list[str]) -> int:
    p = parser("labels import", "Store what people said of sessions.", _EPILOG)
    p.add_argument("file", metavar="FILE", help="an export of Label Studio, or the sheet; - for standard input")
    p.add_argument("--out", metavar="DIR", default="labels", help="where labels are kept (default: labels)")
    p.add_argument("--labeller", metavar="NAME", help="who labelled (default: whom the file names)")
    args = p.parse_args(arguments)
    from ...base.jsonl import Lines
    from ...reader.labels import Label, LabelError, load, read_labels

    path = Path(args.out) / "labels.jsonl"
    try:
        with open(0 if args.file == "-" else args.file, "rb") as file:
            found = list(read_labels(file.read(), args.labeller))
        known = load(path)[0] if path.is_file() and path.stat().st_size else []
    except (LabelError, OSError) as error:
        raise Usage(f"{args.file}: {getattr(error, 'strerror', None) or error}") from None
    labels = [label for label in found if isinstance(label, Label)]
    if fresh := [label for label in labels if label not in known]:
        Lines(path, Label).append(*fresh)
    for problem in found:
        if isinstance(problem, LabelError):
            message(f"{args.file}: not taken: {problem}")
    print(
        f"{len(fresh)} stored in {path}, {len(labels) - len(fresh)} stored before, {len(found) - len(labels)} not taken"
    )
    sys.stdout.flush()
    return 0 if len(labels) == len(found) else 1
