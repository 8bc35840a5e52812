# rigorbench-canary 9a625236-3290-4684-9d26-901f0e50fcf0
"""Writes the labelled submissions that are the reference (``accepted/components-cpp``) with one fault each.

Usage: ``python3 generators/mutants.py [DIRECTORY]`` (default: the package's ``submissions``). Every text to be replaced
must stand in the reference exactly once, so that a fault cannot get lost when the reference changes.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
REFERENCE = PACKAGE / "submissions" / "accepted" / "components-cpp"
BAND, RULES, HEADER = "src/band.hpp", "src/game.cpp", "src/game.hpp"
SERVER, SOLVER, PLAYER = "src/server.cpp", "src/solver.cpp", "src/player.cpp"
COUNTED = "  int count(State state) const { return counts_[static_cast<int>(state)]; }\n"

# label/name -> (file, what stands there, what shall stand there)
MUTANTS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "wrong_answer/borders-do-not-touch": (
        (
            BAND,
            "        if (down != 0 || right != 0) visit(",
            "        if (c + right < 0 || c + right >= columns) continue;\n        if (down != 0 || right != 0) visit(",
        ),
    ),
    "wrong_answer/flood-opens-marked-cells": (
        (
            RULES,
            "      if (state(near) != State::closed) return;\n      set(near",
            "      if (state(near) != State::closed && state(near) != State::marked) return;\n      set(near",
        ),
    ),
    "wrong_answer/undo-keeps-the-explosions": (
        (
            RULES,
            "    --counts_[static_cast<int>(here)];\n    ++counts_[static_cast<int>(last.before)];\n    here",
            "    if (here != State::exploded) --counts_[static_cast<int>(here)];\n"
            "    ++counts_[static_cast<int>(last.before)];\n    here",
        ),
    ),
    "wrong_answer/undo-takes-marks-along": (
        (
            RULES,
            "void Game::toggle_mark(int cell) {\n  begin_move();\n",
            "void Game::toggle_mark(int cell) {\n  if (moves_.empty()) begin_move();\n",
        ),
    ),
    "wrong_answer/an-empty-sweep-is-a-move": (
        (RULES, "  if (journal_.size() == moves_.back()) moves_.pop_back();\n", ""),
    ),
    "wrong_answer/sweep-ends-at-a-mine": (
        (RULES, "state(near) != State::closed || lives() <= 0", "state(near) != State::closed || all.exploded > 0"),
    ),
    "wrong_answer/sweep-does-not-count-explosions": (
        (RULES, "state(near) == State::marked || state(near) == State::exploded", "state(near) == State::marked"),
    ),
    "wrong_answer/cell-before-over": (
        (
            SERVER,
            '    } else if (game_->status() != Game::Status::playing) {\n      out_ << "error over\\n";\n'
            '    } else if (!in_field(numbers[0], numbers[1])) {\n      out_ << "error cell\\n";\n',
            '    } else if (!in_field(numbers[0], numbers[1])) {\n      out_ << "error cell\\n";\n'
            '    } else if (game_->status() != Game::Status::playing) {\n      out_ << "error over\\n";\n',
        ),
    ),
    "wrong_answer/show-ends-at-the-border": ((SERVER, "band.columns - n[1] + 1 + n[3]", "band.columns - n[1] + 1"),),
    "wrong_answer/takes-leading-zeros": ((SERVER, " || word.front() == '0'", ""),),
    "wrong_answer/opens-what-a-flood-opened": (
        (PLAYER, "!over_ && seen_[static_cast<std::size_t>(cell)] == kClosed", "!over_"),
    ),
    "time_limit_exceeded/counts-all-cells-each-time": (
        (
            HEADER,
            COUNTED,
            "  int count(State state) const {\n    int found = 0;\n"
            "    for (int row = 0; row < band_.rows; ++row) {\n"
            "      for (int column = 0; column < band_.columns; ++column) {\n"
            "        if (states_.at(static_cast<std::size_t>(band_.cell(row, column))) == state) ++found;\n"
            "      }\n    }\n    return found;\n  }\n",
        ),
        (HEADER, "lives_ - counts_[static_cast<int>(State::exploded)]", "lives_ - count(State::exploded)"),
    ),
    "memory_limit_exceeded/keeps-a-copy-for-each-move": (
        (RULES, "void Game::begin_move() { moves_", "void Game::begin_move() { copies_.push_back(states_); moves_"),
        (
            HEADER,
            "  std::vector<Change> journal_;\n",
            "  std::vector<Change> journal_;\n  std::vector<std::vector<State>> copies_;\n",
        ),
    ),
    "idleness_limit_exceeded/flushes-at-the-end": (
        (SERVER, "      answer(split(line));\n      out_.flush();\n", "      answer(split(line));\n"),
        (
            "src/main.cpp",
            "  std::ios::sync_with_stdio(false);\n",
            "  std::ios::sync_with_stdio(false);\n  std::cin.tie(nullptr);\n",
        ),
    ),
    "rejected/shows-beyond-the-field": (
        (SERVER, "!in_field(n[0], n[1]) || !in_field(n[2], n[3]) || n[2] < n[0]", "n[2] < n[0]"),
        (
            SERVER,
            "band.cell(row, (n[1] - 1 + i) % band.columns)",
            "band.cell(row + (n[2] > band.rows || n[1] > band.columns ? 1 << 28 : 0), (n[1] - 1 + i) % band.columns)",
        ),
    ),
    "compile_error/a-file-is-not-listed": (("CMakeLists.txt", " src/solver.cpp", ""),),
    # Right, but with less to show for it: their points are in submissions.yaml.
    "accepted/guesses-beside-single-numbers": (
        (
            SOLVER,
            "  for (std::size_t i = 0; i < all.size() && !found; ++i) {",
            "  for (std::size_t i = 0; i < 0; ++i) {",
        ),
        (SOLVER, "  if (!safe) count_worlds(all, seen, known);\n", ""),
    ),
    "accepted/stops-when-nothing-is-certain": (
        (PLAYER, "    return risk * 0.1 < (1 - risk) * 0.5 * hidden_ / all;\n", "    return risk < 0 && all > 0;\n"),
    ),
    "wrong_answer/server-alone": (
        ("src/main.cpp", "    play(std::cin, std::cout);\n", "    std::cout << std::flush;\n"),
    ),
}


def main() -> int:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / "submissions"
    for name, changes in MUTANTS.items():
        place = target / name
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(REFERENCE, place)
        for file, old, new in changes:
            path = place / file
            text = path.read_text(encoding="utf-8")
            if text.count(old) != 1:
                sys.exit(f"{name}: stands {text.count(old)} times in {file}: {old}")
            path.write_text(text.replace(old, new), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
