#include "solver.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>

namespace {

constexpr double kUnknown = -2;
// Placements tried in one component before the densities of its constraints have to do.
constexpr long kMostSteps = 400'000;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

double log_choose(int n, int k) {
  if (k < 0 || k > n) return -INFINITY;
  return std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0);
}

// Cells that are joined by constraints, and all ways to place mines in them that meet these.
class Component {
 public:
  struct Local {
    std::vector<int> cells;
    int mines;
  };

  Component(std::vector<int> cells, std::vector<Local> constraints)
      : cells_(std::move(cells)), constraints_(std::move(constraints)), of_cell_(cells_.size()), value_(cells_.size()) {
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
      open_.push_back(static_cast<int>(constraints_[i].cells.size()));
      left_.push_back(constraints_[i].mines);
      for (const int cell : constraints_[i].cells) of_cell_[at(cell)].push_back(i);
    }
    ways_.resize(cells_.size() + 1);
    mined_.assign(cells_.size() + 1, std::vector<double>(cells_.size()));
    place(0, 0);
  }

  const std::vector<int>& cells() const { return cells_; }
  bool complete() const { return steps_ < kMostSteps; }
  // The number of placements with so many mines, and of those among them that mine a cell.
  const std::vector<double>& ways() const { return ways_; }
  double mined(std::size_t mines, std::size_t cell) const { return mined_[mines][cell]; }

 private:
  void place(std::size_t next, std::size_t mines) {
    if (++steps_ >= kMostSteps) return;
    if (next == cells_.size()) {
      ways_[mines] += 1;
      for (std::size_t i = 0; i < cells_.size(); ++i) mined_[mines][i] += value_[i];
      return;
    }
    for (const int value : {0, 1}) {
      bool possible = true;
      for (const std::size_t i : of_cell_[next]) {
        --open_[i];
        left_[i] -= value;
        possible = possible && left_[i] >= 0 && left_[i] <= open_[i];
      }
      value_[next] = value;
      if (possible) place(next + 1, mines + static_cast<std::size_t>(value));
      for (const std::size_t i : of_cell_[next]) {
        ++open_[i];
        left_[i] += value;
      }
    }
  }

  std::vector<int> cells_;
  std::vector<Local> constraints_;
  std::vector<std::vector<std::size_t>> of_cell_;
  std::vector<int> value_, open_, left_;
  std::vector<double> ways_;
  std::vector<std::vector<double>> mined_;
  long steps_ = 0;
};

// Components: cells that constraints join, in the order in which they are met, which keeps neighbours together.
struct Split {
  std::vector<Component> components;
  std::vector<std::vector<std::size_t>> of_cell;  // the constraints of each cell
  std::vector<bool> placed;                       // whether a cell is in a component
};

Split split(const std::vector<Constraint>& all, std::size_t size) {
  Split found{{}, std::vector<std::vector<std::size_t>>(size), std::vector<bool>(size)};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const int cell : all[i].cells) found.of_cell[at(cell)].push_back(i);
  }
  std::vector<bool> taken(all.size());
  for (std::size_t start = 0; start < all.size(); ++start) {
    if (taken[start]) continue;
    std::vector<std::size_t> order{start};
    std::vector<int> cells;
    std::vector<Component::Local> locals;
    std::map<int, int> index;
    taken[start] = true;
    for (std::size_t next = 0; next < order.size(); ++next) {
      for (const int cell : all[order[next]].cells) {
        if (found.placed[at(cell)]) continue;
        found.placed[at(cell)] = true;
        index[cell] = static_cast<int>(cells.size());
        cells.push_back(cell);
        for (const std::size_t other : found.of_cell[at(cell)]) {
          if (!taken[other]) order.push_back(other);
          taken[other] = true;
        }
      }
    }
    for (const std::size_t i : order) {
      Component::Local local{{}, all[i].mines};
      for (const int cell : all[i].cells) local.cells.push_back(index[cell]);
      locals.push_back(std::move(local));
    }
    found.components.emplace_back(std::move(cells), std::move(locals));
  }
  return found;
}

// The components that were counted to the end. The others are put aside with the density of their constraints.
std::vector<const Component*> put_aside(const Split& parts, const std::vector<Constraint>& all, int& mines,
                                        std::vector<double>& known) {
  std::vector<const Component*> counted;
  for (const Component& one : parts.components) {
    if (one.complete()) {
      counted.push_back(&one);
      continue;
    }
    double expected = 0;
    for (const int cell : one.cells()) {
      double worst = 0;
      for (const std::size_t i : parts.of_cell[at(cell)]) {
        worst = std::max(worst, static_cast<double>(all[i].mines) / static_cast<double>(all[i].cells.size()));
      }
      known[at(cell)] = worst;
      expected += worst;
    }
    mines -= static_cast<int>(std::lround(expected));
  }
  return counted;
}

// Numbers of placements with k mines in two parts together. Logarithms would be too coarse to subtract; the numbers are
// scaled instead.
std::vector<double> combine(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> sum(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size() && a[i] != 0; ++j) sum[i + j] += a[i] * b[j];
  }
  const double largest = *std::max_element(sum.begin(), sum.end());
  for (double& each : sum) each /= largest > 0 ? largest : 1;
  return sum;
}

}  // namespace

std::vector<Constraint> Solver::constraints(const std::vector<int>& seen,
                                                    const std::vector<double>& known) const {
  std::vector<Constraint> all;
  for (int cell = 0; cell < band_.size(); ++cell) {
    if (seen[at(cell)] <= 0) continue;
    Constraint one{{}, seen[at(cell)]};
    band_.around(cell, [&](int near) {
      if (seen[at(near)] == kExploded || known[at(near)] == 1) {
        --one.mines;
      } else if (seen[at(near)] == kClosed && known[at(near)] != 0) {
        one.cells.push_back(near);
      }
    });
    if (one.cells.empty()) continue;
    std::sort(one.cells.begin(), one.cells.end());
    all.push_back(std::move(one));
  }
  return all;
}

// Conclusions from one constraint, and from one whose cells contain those of another; whether there was a new one.
bool Solver::deduce(const std::vector<Constraint>& all, std::vector<double>& known) const {
  bool found = false;
  const auto settle = [&](const std::vector<int>& cells, int mines) {
    if (mines != 0 && mines != static_cast<int>(cells.size())) return;
    for (const int cell : cells) {
      found = found || known[at(cell)] == kUnknown;
      known[at(cell)] = mines == 0 ? 0 : 1;
    }
  };
  std::vector<std::vector<std::size_t>> of_cell(at(band_.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    settle(all[i].cells, all[i].mines);
    for (const int cell : all[i].cells) of_cell[at(cell)].push_back(i);
  }
  for (std::size_t i = 0; i < all.size() && !found; ++i) {
    for (const std::size_t j : of_cell[at(all[i].cells.front())]) {
      const Constraint &less = all[i], &more = all[j];
      if (i == j || !std::includes(more.cells.begin(), more.cells.end(), less.cells.begin(), less.cells.end())) continue;
      std::vector<int> rest;
      std::set_difference(more.cells.begin(), more.cells.end(), less.cells.begin(), less.cells.end(),
                          std::back_inserter(rest));
      if (!rest.empty()) settle(rest, more.mines - less.mines);
    }
  }
  return found;
}

std::vector<double> Solver::probabilities(const std::vector<int>& seen) const {
  std::vector<double> known(seen.size(), kUnknown);
  std::vector<Constraint> all = constraints(seen, known);
  while (deduce(all, known)) all = constraints(seen, known);
  const bool safe = std::find(known.begin(), known.end(), 0.0) != known.end();
  // Something is safe already: how probable the rest is can wait until more is open.
  if (!safe) count_worlds(all, seen, known);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (seen[i] != kClosed) known[i] = -1;
    if (known[i] == kUnknown) known[i] = 0.5;
  }
  return known;
}

void Solver::count_worlds(const std::vector<Constraint>& all, const std::vector<int>& seen,
                          std::vector<double>& known) const {
  const Split parts = split(all, seen.size());
  int mines = mines_, outside = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    mines -= seen[i] == kExploded || known[i] == 1;
    outside += seen[i] == kClosed && known[i] == kUnknown && !parts.placed[i];
  }
  const std::vector<const Component*> counted = put_aside(parts, all, mines, known);

  const auto weight = [&](std::size_t used) { return log_choose(outside, mines - static_cast<int>(used)); };

  std::vector<std::vector<double>> before{{1.0}}, after{{1.0}};
  for (const Component* one : counted) before.push_back(combine(before.back(), one->ways()));
  for (std::size_t i = counted.size(); i-- > 0;) after.push_back(combine(after.back(), counted[i]->ways()));
  const std::vector<double>& together = before.back();
  double highest = -INFINITY;
  for (std::size_t k = 0; k < together.size(); ++k) {
    if (together[k] > 0) highest = std::max(highest, weight(k));
  }
  double total = 0, mean_outside = 0;
  for (std::size_t k = 0; k < together.size(); ++k) {
    if (together[k] <= 0) continue;
    const double share = together[k] * std::exp(weight(k) - highest);
    total += share;
    mean_outside += share * (mines - static_cast<int>(k));
  }
  if (total <= 0) return;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] == kClosed && known[i] == kUnknown && !parts.placed[i]) known[i] = mean_outside / total / outside;
  }
  for (std::size_t c = 0; c < counted.size(); ++c) {
    const std::vector<double> others = combine(before[c], after[counted.size() - 1 - c]);
    const Component& one = *counted[c];
    std::vector<double> mined(one.cells().size());
    double all_ways = 0;
    for (std::size_t m = 0; m < one.ways().size(); ++m) {
      double factor = 0;
      for (std::size_t k = 0; k < others.size(); ++k) {
        if (others[k] > 0) factor += others[k] * std::exp(weight(k + m) - highest);
      }
      all_ways += factor * one.ways()[m];
      for (std::size_t i = 0; i < mined.size(); ++i) mined[i] += factor * one.mined(m, i);
    }
    for (std::size_t i = 0; i < mined.size() && all_ways > 0; ++i) known[at(one.cells()[i])] = mined[i] / all_ways;
  }
}
