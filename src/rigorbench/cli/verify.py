"""``rigor verify``: sign the results of a proctored experiment, or check that they are as they were signed."""

from __future__ import annotations

from pathlib import Path

from ..bench.experiment.proctor import RECORD, sign, verify
from ..bench.pages.tables.gather import gather
from .common import add_json, existing_directory, message, messages, parser, write_json

SCHEMA = "rigor-verify/1"
_SHOWN = 40
_EPILOG = """examples:
  ssh-keygen -t ed25519 -f proctor                 once: a key of who watches runs; publish proctor.pub
  rigor verify out/bench --sign proctor            after the last run: write proctor.json and its signature
  rigor verify out/bench --key proctor.pub         anybody, later: is everything as it was signed?
"""


def command(arguments: list[str]) -> int:
    p = parser(
        "verify",
        "Check that manifest, recordings, results and readings of an experiment are as its proctor signed them.",
        _EPILOG,
    )
    p.add_argument("out", type=existing_directory, metavar="RESULTS", help="an --out directory of `rigor run`")
    way = p.add_mutually_exclusive_group(required=True)
    way.add_argument("--key", type=Path, metavar="FILE", help="the proctor's public key: check the results")
    way.add_argument("--sign", type=Path, metavar="FILE", help="the proctor's private key: sign the results")
    add_json(p)
    args = p.parse_args(arguments)
    if args.sign is not None:
        record = sign(args.out, args.sign)
        message(f"{args.out / RECORD}: {len(record.files):,} files signed")
        if args.json:
            write_json({"schema": SCHEMA, "experiment": record.experiment, "signed": len(record.files)})
        return 0
    found = verify(args.out, args.key)
    # What contradicts itself was wrong before it was signed.
    wrong = [] if found else gather([args.out]).damaged
    if args.json:
        write_json({"schema": SCHEMA, "problems": found, "contradictions": wrong})
    else:
        messages([*(f"{args.out / p.file}: {p.what}" for p in found), *wrong], _SHOWN)
        if not found and not wrong:
            message(f"{args.out}: as it was signed")
    return 1 if found or wrong else 0
