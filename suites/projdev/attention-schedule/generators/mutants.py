# rigorbench-canary 0d86b03a-d5c5-459a-82db-0d5736010225
"""Writes the labelled submissions that are the reference (``accepted/overlapped``) with one fault each.

Usage: ``python3 generators/mutants.py [DIRECTORY]`` (default: the package's ``submissions``). Every text to be replaced must be in the
reference exactly once, so that a fault cannot get lost when the reference changes.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
REFERENCE = PACKAGE / "submissions" / "accepted" / "overlapped" / "schedule.hpp"
END = "inline void schedule(att::Machine& machine) { plan::by_blocks(machine, plan::best_sizes(machine.problem())); }\n"
FITS = "      if (cells > p.capacity || 1LL * p.n * p.n / rows / columns > 20000) continue;\n"

# label/name -> (what is there, what is to be there)
MUTANTS: dict[str, tuple[tuple[str, str], ...]] = {
    "wrong_answer/weights-without-maximum": (
        ("    const int top = machine_.row_max(scores);\n", "    const int top = machine_.filled(rows_, 1, 0);\n"),
    ),
    "wrong_answer/sums-not-scaled": (("      machine_.scale(sum_, top_);\n", ""),),
    "wrong_answer/rows-not-scaled": (("      machine_.scale(out_, top_);\n", ""),),
    "wrong_answer/maximum-of-the-tile-only": (("    if (top_ >= 0) machine_.maximum(top, top_);\n", ""), ("      machine_.exp_minus(top_, top);  // by how much the earlier weights were too large\n", "      machine_.exp_minus(top_, top_);\n")),
    "wrong_answer/whole-blocks-only": (("row < p.n; row += sizes.rows) {\n", "row + sizes.rows <= p.n; row += sizes.rows) {\n"),),
    "wrong_answer/not-causal": (
        ("    if (machine_.problem().causal && column + columns - 1 > row_) machine_.mask(scores, row_, column);\n", "    (void)column, (void)columns;\n"),
    ),
    "wrong_answer/mask-without-the-row": (("machine_.mask(scores, row_, column)", "machine_.mask(scores, 0, column)"),),
    "wrong_answer/larger-than-the-memory": (
        (FITS, ""),
        ("if (!clock.failed() && clock.finished() < least)", "if (clock.finished() < least)"),
    ),
    "wrong_answer/nothing-divided": (("    machine_.divide(out_, sum_);\n", ""),),
    # a machine with faster transfers and more memory, and matrices that the judge did not give
    "wrong_answer/another-machine": (
        (
            END,
            "inline void schedule(att::Machine& machine) {\n"
            "  att::Problem easier = machine.problem();\n"
            "  easier.latency = 1;\n"
            "  easier.capacity = 1000000;\n"
            "  machine.~Machine();\n"
            "  new (&machine) att::Machine(easier, 0);\n"
            "  plan::by_blocks(machine, plan::best_sizes(machine.problem()));\n"
            "}\n",
        ),
        ("#include <map>\n", "#include <map>\n#include <new>\n"),
    ),
    "time_limit_exceeded/tries-all-sizes": (
        ("size < p.n; size += std::max(1, size / 4)", "size < p.n; ++size"),
        (FITS, "      if (cells > p.capacity) continue;\n"),
        ("      Clock clock(p);\n", "      att::Machine clock(p, 0);\n"),
        ("if (!clock.failed() && clock.finished() < least)", "if (clock.finished() < least)"),
    ),
    "memory_limit_exceeded/keeps-all-plans": (
        (END, "inline void schedule(att::Machine& machine) {\n  std::vector<double> plans(std::size_t{1} << 26, 1.0);\n  plan::by_blocks(machine, plan::best_sizes(machine.problem()));\n  if (plans[1234567] < 0) throw att::Failure(\"never\");\n}\n"),
    ),
    "run_time_error/beyond-the-candidates": (
        ("  for (int rows : candidates) {\n", "  for (std::size_t i = 0; i <= candidates.size(); ++i) {\n    const int rows = candidates.at(i);\n"),
    ),
    "compile_error/another-name": ((END, END.replace("void schedule(", "void attention(")),),
    "rejected/leaves-early": ((END, END.replace("problem())); }", "problem())); std::exit(0); }")), ("#include <cstdint>\n", "#include <cstdint>\n#include <cstdlib>\n")),
}


def main() -> None:
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / "submissions"
    for name, changes in MUTANTS.items():
        target = place / name
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        text = REFERENCE.read_text("utf-8")
        for old, new in changes:
            if text.count(old) != 1:
                raise SystemExit(f"{name}: the reference has {text.count(old)} times, not once: {old!r}")
            text = text.replace(old, new)
        (target / "schedule.hpp").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
