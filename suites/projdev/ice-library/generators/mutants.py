# rigorbench-canary 74a1702a-6ecf-460f-ad58-eec864a688ab
"""Writes the labelled submissions that are the reference (``accepted/blocks-cpp``) with one fault each.

Usage: ``python3 generators/mutants.py [DIRECTORY]`` (default: the package's ``submissions``). Every text to be replaced
must stand in the reference exactly once, so that a fault cannot get lost when the reference changes.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
REFERENCE = PACKAGE / "submissions" / "accepted" / "blocks-cpp"
LIST, LIBRARY, TYPES, MAIN = "src/block_list.hpp", "src/library.cpp", "src/library.hpp", "src/main.cpp"

# label/name -> (file, what stands there, what shall stand there)
MUTANTS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "wrong_answer/range-without-its-end": ((LIST, "!(high < *entry)", "*entry < high"),),
    "wrong_answer/starts-empty": (
        (LIST, "    cache_.resize(kCached);\n    load();\n", "    cache_.resize(kCached);\n"),
        (LIBRARY, "table >> name >> core.number >> core.count >> core.grams", "false"),
    ),
    "wrong_answer/sums-lost-on-restart": (
        (LIBRARY, "cores_[name] = core;", "cores_[name] = {core.number, core.count, 0};"),
    ),
    "wrong_answer/ties-to-the-deeper": ((TYPES, "other.heaviest > heaviest", "other.heaviest >= heaviest"),),
    "wrong_answer/sums-of-32-bits": (
        (
            TYPES,
            "std::uint64_t count = 0, grams = 0;\n  std::uint32_t heaviest",
            "std::uint32_t count = 0, grams = 0, heaviest",
        ),
    ),
    "wrong_answer/errors-in-another-order": (
        (
            LIBRARY,
            "  if (place == cores_.end()) return Result::none;\n  if (cores_.contains(to)) return Result::taken;\n",
            "  if (cores_.contains(to)) return Result::taken;\n  if (place == cores_.end()) return Result::none;\n",
        ),
    ),
    "wrong_answer/finds-what-it-shows": ((LIBRARY, "return marks_.summary(low, high).count;", "return marks.size();"),),
    "wrong_answer/later-piece-wins": (
        (LIBRARY, "    std::stable_sort(", "    std::reverse(samples.begin(), samples.end());\n    std::stable_sort("),
    ),
    "wrong_answer/empty-cores-stay": (
        (
            LIBRARY,
            "place == cores_.end() || place->second.count > 0",
            "place == cores_.end() || place->second.number < 9",
        ),
    ),
    "presentation_error/two-spaces": ((MAIN, '"melted " <<', '"melted  " <<'),),
    "time_limit_exceeded/looks-at-every-sample": ((LIST, "if (at > first && at < last) {", "if (false) {"),),
    "time_limit_exceeded/sorts-all-blocks-again": (
        (
            LIST,
            "    ++slot.count;\n    settle(slot, block);\n    return true;\n",
            "    ++slot.count;\n    settle(slot, block);\n"
            "    std::sort(slots_.begin(), slots_.end(),\n"
            "              [](const Slot& a, const Slot& b) { return a.first < b.first; });\n"
            "    return true;\n",
        ),
    ),
    "run_time_error/unknown-core": (
        (
            LIBRARY,
            "  if (place == cores_.end()) return {};\n  return samples_.summary(",
            "  place->second = cores_.at(core);\n  return samples_.summary(",
        ),
    ),
    "run_time_error/refuses-its-files": (
        (LIST, "O_RDWR | O_CREAT | O_CLOEXEC", "O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC"),
    ),
    "disk_limit_exceeded/never-uses-a-block-again": (
        (LIST, "if (free_.empty()) return", "if (pages_ + 1 > 0) return"),
    ),
    "disk_limit_exceeded/file-for-each-core": (
        (LIBRARY, "  if (added) {\n", '  if (added) {\n    std::ofstream(name + ".core") << name;\n'),
    ),
    "compile_error/file-not-committed": (("CMakeLists.txt", "src/library.cpp)", "src/library.cpp src/words.cpp)"),),
    "compile_error/another-target": (
        ("CMakeLists.txt", "add_executable(code ", "add_executable(register "),
        ("CMakeLists.txt", "options(code ", "options(register "),
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
                raise SystemExit(f"{name}: {file} holds {text.count(old)} times, not once: {old!r}")
            (target / file).write_text(text.replace(old, new), "utf-8")


if __name__ == "__main__":
    main()
