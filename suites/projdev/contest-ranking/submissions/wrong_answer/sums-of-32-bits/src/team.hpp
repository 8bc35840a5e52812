// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
// A team: its cells, its submissions, and what orders it among the others.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cell.hpp"

// What decides about ranks. Teams with equal results share a rank.
struct Result {
  std::int32_t solved = 0;
  std::int32_t last = 0;      // the largest time of a solution
  std::int32_t penalty = 0;   // up to 26 times a billion seconds

  bool operator==(const Result&) const = default;
};

// Whether a result is better than another.
bool better(const Result& one, const Result& other);

class Team {
 public:
  Team(std::string name, int problems) : name_(std::move(name)), cells_(problems) {}

  const std::string& name() const { return name_; }
  const std::vector<Cell>& cells() const { return cells_; }
  const Cell& cell(int problem) const { return cells_[problem]; }
  const Result& result() const { return result_; }

  bool disqualified = false;

  // Takes in a new submission, or one that changed. `count` and `set_result` follow.
  void add(const Submission& made);
  void change_verdict(const Submission& made, Verdict from);
  void uncover(int problem, Submissions& all) { cells_[problem].uncover(all); }

  // Counts a cell again; returns the result that follows from it, which is not set yet: a ranking may hold the old one.
  Result count(int problem, const Submissions& all, std::int64_t penalty);
  void set_result(const Result& result) { result_ = result; }

  // The problem of the first covered cell; -1: there is none.
  int first_covered() const;

  // The latest submission to a problem (-1: any) with a verdict (-1: any); 0: there is none.
  std::int32_t latest(int problem, int verdict, const Submissions& all) const;

 private:
  std::string name_;
  std::vector<Cell> cells_;
  Result result_;
  std::vector<std::int32_t> numbers_;
  std::array<std::set<std::int32_t>, kVerdicts.size()> by_verdict_;
};
