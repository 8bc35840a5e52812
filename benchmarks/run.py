"""Measures RigorBench: `python benchmarks/run.py throughput|startup|memory|jobs|stream`. See README.md beside this."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import corpora


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=corpora.DATA, help="directory of real logs")
    commands = parser.add_subparsers(dest="what", required=True)
    throughput = commands.add_parser("throughput", help="MB per CPU second beside parsers and another converter")
    throughput.add_argument("--runs", type=int, default=7)
    throughput.add_argument("--more", type=Path, action="append", default=[], metavar="DIR", help="further logs")
    throughput.add_argument("--megabytes", type=float, default=20.0, help="size of the synthetic Codex corpus")
    throughput.add_argument("--atif-make", type=Path, metavar="DIR", help="virtual environment for the other converter")
    startup = commands.add_parser("startup", help="wall time of whole processes")
    startup.add_argument("--runs", type=int, default=10)
    memory = commands.add_parser("memory", help="peak memory of one large session")
    memory.add_argument("--megabytes", type=float, default=100.0)
    jobs = commands.add_parser("jobs", help="wall time over the number of processes")
    jobs.add_argument("--runs", type=int, default=3)
    stream = commands.add_parser("stream", help="peak memory over the number of sessions")
    stream.add_argument("--counts", type=int, nargs="+", default=[2_000, 20_000])
    args = parser.parse_args()
    if args.what == "throughput":
        import throughput as module

        module.command(args.data, args.more, args.runs, args.megabytes, args.atif_make)
        return
    import processes

    if args.what == "startup":
        processes.startup(args.data, args.runs)
    elif args.what == "memory":
        processes.memory(args.data, args.megabytes)
    elif args.what == "jobs":
        processes.jobs(args.data, args.runs)
    else:
        processes.stream(args.data, args.counts)


if __name__ == "__main__":
    main()
