# rigorbench-canary 0acfbf02-af4d-4026-9032-675bb485a582
"""Writes the labelled submissions that are the reference (``accepted/blocks-cpp``) with one fault each.

Usage: ``python3 generators/mutants.py [DIRECTORY]`` (default: the package's ``submissions``). Every text to be replaced must be in the
reference exactly once, so that a fault cannot get lost when the reference changes.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
REFERENCE = PACKAGE / "submissions" / "accepted" / "blocks-cpp"
CODE, TYPES, MAIN, BUILD = "src/bookings.cpp", "src/bookings.hpp", "src/main.cpp", "CMakeLists.txt"
KEEP = "  if (booking.first < booking.end) bookings.push_back(booking);\n"

# label/name -> (file, what is there, what is to be there)
MUTANTS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "wrong_answer/touching-bookings-apart": ((CODE, "booking.first > end", "booking.first >= end"),),
    "wrong_answer/last-minute-included": ((CODE, "booking.first > end)", "booking.first > end + 1)"),),
    "wrong_answer/later-end-wins": (
        (CODE, "    if (booking.end > end) {\n", "    if (booking.end != end) {\n"),
    ),
    "wrong_answer/empty-bookings-count": ((CODE, KEEP, "  bookings.push_back(booking);\n"),),
    "wrong_answer/times-of-32-bits": (
        (TYPES, "  std::uint64_t first;\n  std::uint64_t end;", "  std::uint32_t first;\n  std::uint32_t end;"),
        (
            CODE,
            "keep(bookings, {std::stoull(word), end});",
            "keep(bookings, {static_cast<std::uint32_t>(std::stoull(word)), static_cast<std::uint32_t>(end)});",
        ),
        (
            CODE,
            "keep(bookings, {first, first + formula.below(length)});",
            "const auto begun = static_cast<std::uint32_t>(first);\n"
            "      keep(bookings, {begun, static_cast<std::uint32_t>(begun + formula.below(length))});",
        ),
        (CODE, "std::uint64_t end = 0;\n  for", "std::uint32_t end = 0;\n  for"),
        (CODE, "found.gap = std::max(found.gap, booking.first - end)", "found.gap = std::max<std::uint64_t>(found.gap, booking.first - end)"),
    ),
    "wrong_answer/reads-no-formula": (
        (CODE, "    for (; count > 0; --count) {", "    for (; count > 500000; --count) {"),
    ),
    "wrong_answer/free-time-before-the-first": (
        (CODE, "if (found.blocks > 0) found.gap", "found.gap"),
    ),
    "wrong_answer/needs-a-booking": (
        (CODE, "  Summary found;\n", "  if (bookings.size() < 1) std::exit(0);\n  Summary found;\n"),
        (CODE, "#include <algorithm>\n", "#include <algorithm>\n#include <cstdlib>\n"),
    ),
    "presentation_error/capital-letters": ((MAIN, '"booked "', '"Booked "'),),
    "time_limit_exceeded/inserts-in-order": (
        (
            CODE,
            KEEP,
            "  if (booking.first >= booking.end) return;\n"
            "  auto place = bookings.begin();\n"
            "  while (place != bookings.end() && place->first < booking.first) ++place;\n"
            "  bookings.insert(place, booking);\n",
        ),
    ),
    "memory_limit_exceeded/every-minute": (
        (
            CODE,
            KEEP,
            "  for (; booking.first < booking.end; ++booking.first) bookings.push_back({booking.first, booking.first + 1});\n",
        ),
    ),
    "run_time_error/room-for-a-thousand": (
        (CODE, KEEP, "  if (bookings.size() == 1000) throw std::length_error(\"too many bookings\");\n" + KEEP),
        (CODE, "#include <istream>\n", "#include <istream>\n#include <stdexcept>\n"),
    ),
    "compile_error/file-not-committed": ((BUILD, "src/bookings.cpp)", "src/bookings.cpp src/formula.cpp)"),),
    "compile_error/another-target": (
        (BUILD, "add_executable(code ", "add_executable(booked "),
        (BUILD, "options(code ", "options(booked "),
    ),
}


def main() -> None:
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / "submissions"
    for name, changes in MUTANTS.items():
        target = place / name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(REFERENCE, target)
        for file, old, new in changes:
            text = (target / file).read_text("utf-8")
            if text.count(old) != 1:
                raise SystemExit(f"{name}: {file} has {text.count(old)} times, not once: {old!r}")
            (target / file).write_text(text.replace(old, new), "utf-8")


if __name__ == "__main__":
    main()
