// What can be concluded from the open cells of a field: where mines must be, cannot be, and how probable they are.
#pragma once

#include <vector>

#include "band.hpp"

// What the player sees of a cell: 0 to 8, or one of these.
constexpr int kClosed = -1, kExploded = -2;

// So many mines are in these cells.
struct Constraint {
  std::vector<int> cells;
  int mines;
};

class Solver {
 public:
  Solver(Band band, int mines) : band_(band), mines_(mines) {}

  // The probability of a mine for every closed cell, 0 and 1 where it is certain; -1 for the other cells.
  std::vector<double> probabilities(const std::vector<int>& seen) const;

 private:
  std::vector<Constraint> constraints(const std::vector<int>& seen, const std::vector<double>& known) const;
  bool deduce(const std::vector<Constraint>& all, std::vector<double>& known) const;
  void count_worlds(const std::vector<Constraint>& all, const std::vector<int>& seen, std::vector<double>& known) const;

  Band band_;
  int mines_;
};
