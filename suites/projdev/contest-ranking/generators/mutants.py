# rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
"""Writes the labelled submissions that are the reference (``accepted/treap-cpp``) with one fault each.

Usage: ``python3 generators/mutants.py [DIRECTORY]`` (default: the package's ``submissions``). Every text to be replaced
must be in the reference exactly once, so that a fault cannot get lost when the reference changes.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
REFERENCE = PACKAGE / "submissions" / "accepted" / "treap-cpp"
CELL, TEAM, RANKING, CONTEST = "src/cell.cpp", "src/team.cpp", "src/ranking.cpp", "src/contest.cpp"
SCROLL, COMMANDS, TYPES, MAIN = "src/scroll.cpp", "src/commands.cpp", "src/team.hpp", "src/main.cpp"

# label/name -> (file, the text, its replacement)
MUTANTS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "wrong_answer/no-shared-ranks": ((COMMANDS, "  out_ << \"rank \" << contest_.ranking().rank(team->result())", "  out_ << \"rank \" << contest_.ranking().place(*team, team->result()) + 1"), (COMMANDS, "ranking.rank(team.result()) <<", "ranking.place(team, team.result()) + 1 <<"),),
    "wrong_answer/compile-is-an-attempt": ((CELL, "one.verdict != Verdict::compile", "true"),),
    "wrong_answer/attempts-of-unsolved-cells-cost": (
        (TEAM, "  if (!counted && !changed.solved()) return result_;\n", "  (void)counted;\n"),
        (TEAM, "if (!cell.solved()) continue;", "if (!cell.solved()) { result.penalty += penalty * cell.attempts(); continue; }"),
        # An uncovered cell can make a team worse now, which the reference does not expect.
        (SCROLL, "if (now == place) return;", "if (now >= place) return;"),
    ),
    "wrong_answer/stops-at-the-end": (
        (COMMANDS, "    if (!words.empty()) commands.answer(words);\n",
         '    if (!words.empty()) commands.answer(words);\n    if (line == "end") break;\n'),
    ),
    "wrong_answer/shows-hidden-attempts": (
        (CELL, "      ++hidden_;\n", "      ++hidden_;\n      attempts_ += solution_ == 0 && one.verdict != Verdict::accepted;\n"),
    ),
    "wrong_answer/uncovers-from-the-top": ((SCROLL, "std::prev(waiting.end())", "waiting.begin()"),),
    "wrong_answer/tells-every-cell": (
        (SCROLL, "if (now == place) return;", "if (now + 1 == ranking_.size()) return;"),
    ),
    "wrong_answer/end-opens-the-board": (
        (CONTEST, "if (outcome == Outcome::ok) state_ = State::over;",
         "if (outcome == Outcome::ok) {\n    state_ = State::over;\n    int uncovered = 0;\n"
         "    scroll([](const Step&) {}, uncovered);\n  }"),
    ),
    "wrong_answer/first-keeps-the-old-solution": ((CONTEST, "  if (before != 0) solutions_[problem].erase(before);\n", ""),),
    "wrong_answer/solutions-of-disqualified-teams": ((CONTEST, "  list_solutions(*team, false);\n", ""),),
    "wrong_answer/hidden-after-the-scroll": (
        (SCROLL, "if (made.hidden) uncover", "if (made.hidden && !teams_[made.team].disqualified) uncover"),
    ),
    "wrong_answer/covered-when-submitted": (
        (CELL, "      ++hidden_;\n", "      if (!one.solved) ++hidden_;\n"),
        ("src/cell.hpp", "  bool hidden = false;", "  bool hidden = false, solved = false;"),
        (CONTEST, "time, verdict, frozen_});", "time, verdict, frozen_, team->cell(problem).solved()});"),
    ),
    "wrong_answer/last-finds-the-old-verdict": (("src/contest.cpp", "  team.change_verdict(made, was);\n", ""),),
    "wrong_answer/no-last-time": ((TEAM, "  return one.last < other.last;", "  return false;"),
                                  (TEAM, "result.last = std::max(result.last, time);", "result.last = 0;")),
    "wrong_answer/sums-of-32-bits": ((TYPES, "std::int64_t penalty = 0; ", "std::int32_t penalty = 0; "),),
    "presentation_error/two-spaces": ((COMMANDS, '"scrolled "', '"scrolled  "'),),
    "time_limit_exceeded/rank-by-walking": (
        (RANKING, "  int found = 1;\n",
         "  int found = 1;\n"
         "  each(0, size(), [&](const Team& one) { found += better(one.result(), result); });\n"
         "  if (found > 0) return found;\n"),
    ),
    "time_limit_exceeded/scroll-asks-every-team": (
        (SCROLL, "  for (const std::int32_t number : hidden_) {\n    Team& team = teams_[submissions_[number - 1].team];\n",
         "  for (Team& team : teams_) {\n"),
    ),
    "time_limit_exceeded/counts-solutions-again": (
        (CONTEST, "  const auto& numbers = solutions_[problem];\n",
         "  for (const Submission& one : submissions_)\n"
         "    if (one.problem == problem && !teams_[one.team].disqualified &&\n"
         "        teams_[one.team].cell(problem).solution() == one.number && tally(problem).solved > 0)\n"
         "      return one.number;\n"
         "  const auto& numbers = solutions_[problem];\n"),
        (CONTEST, "  return {static_cast<int>(solutions_[problem].size()), verdicts_[problem]};",
         "  int solved = 0;\n"
         "  for (const Team& team : teams_) solved += !team.disqualified && team.cell(problem).solved();\n"
         "  std::array<int, kVerdicts.size()> verdicts{};\n"
         "  for (const Submission& one : submissions_)\n"
         "    if (one.problem == problem) ++verdicts[static_cast<std::size_t>(one.verdict)];\n"
         "  return {solved, verdicts};"),
    ),
    "memory_limit_exceeded/keeps-every-board": (
        ("src/contest.hpp", "  std::vector<std::int32_t> hidden_;", "  std::vector<std::vector<Result>> boards_;\n  std::vector<std::int32_t> hidden_;"),
        (CONTEST, "  recount(*team, problem);\n  return Outcome::ok;",
         "  recount(*team, problem);\n  boards_.emplace_back(teams_.size(), team->result());\n  return Outcome::ok;"),
    ),
    "run_time_error/unknown-team": ((CONTEST, "const Team* Contest::find(const std::string& name) const {\n",
                                     "const Team* Contest::find(const std::string& name) const {\n  if (!name.empty()) return &teams_[by_name_.at(name)];\n"),),
    "compile_error/file-not-committed": (("CMakeLists.txt", "src/commands.cpp)", "src/commands.cpp src/words.cpp)"),),
    "compile_error/another-target": (
        ("CMakeLists.txt", "add_executable(code ", "add_executable(ranking "),
        ("CMakeLists.txt", "options(code ", "options(ranking "),
    ),
}


def main() -> None:
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / "submissions"
    for name, changes in MUTANTS.items():
        target = place / name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(REFERENCE, target, ignore=shutil.ignore_patterns("build"))
        for file, old, new in changes:
            text = (target / file).read_text("utf-8")
            if text.count(old) != 1:
                raise SystemExit(f"{name}: {file} contains this {text.count(old)} times, not once: {old!r}")
            (target / file).write_text(text.replace(old, new), "utf-8")


if __name__ == "__main__":
    main()
