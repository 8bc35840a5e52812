// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
#include "team.hpp"

#include <algorithm>

bool better(const Result& one, const Result& other) {
  if (one.solved != other.solved) return one.solved > other.solved;
  if (one.penalty != other.penalty) return one.penalty < other.penalty;
  return one.last < other.last;
}

void Team::add(const Submission& made) {
  cells_[made.problem].add(made.number);
  numbers_.push_back(made.number);
  by_verdict_[static_cast<std::size_t>(made.verdict)].insert(made.number);
}

void Team::change_verdict(const Submission& made, Verdict from) {
  by_verdict_[static_cast<std::size_t>(from)].erase(made.number);
  by_verdict_[static_cast<std::size_t>(made.verdict)].insert(made.number);
}

Result Team::count(int problem, const Submissions& all, std::int64_t penalty) {
  Cell& changed = cells_[problem];
  const bool counted = changed.solved();
  changed.count(all);
  (void)counted;
  Result result;
  for (const Cell& cell : cells_) {
    if (!cell.solved()) { result.penalty += penalty * cell.attempts(); continue; }
    const std::int32_t time = all[cell.solution() - 1].time;
    ++result.solved;
    result.penalty += time + penalty * cell.attempts();
    result.last = std::max(result.last, time);
  }
  return result;
}

int Team::first_covered() const {
  for (std::size_t problem = 0; problem < cells_.size(); ++problem)
    if (cells_[problem].covered()) return static_cast<int>(problem);
  return -1;
}

std::int32_t Team::latest(int problem, int verdict, const Submissions& all) const {
  if (problem < 0) {
    if (verdict < 0) return numbers_.empty() ? 0 : numbers_.back();
    const auto& having = by_verdict_[verdict];
    return having.empty() ? 0 : *having.rbegin();
  }
  const auto& numbers = cells_[problem].numbers();
  const auto found = std::find_if(numbers.rbegin(), numbers.rend(), [&](std::int32_t number) {
    return verdict < 0 || static_cast<int>(all[number - 1].verdict) == verdict;
  });
  return found == numbers.rend() ? 0 : *found;
}
