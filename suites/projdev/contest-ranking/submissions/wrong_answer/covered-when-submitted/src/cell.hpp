// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
// One team's work on one problem.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

enum class Verdict : std::uint8_t { accepted, wrong, crash, slow, compile };

inline constexpr std::array<std::string_view, 5> kVerdicts = {"accepted", "wrong", "crash", "slow", "compile"};

struct Submission {
  std::int32_t number = 0;  // from 1
  std::int32_t team = 0;
  std::int32_t problem = 0;
  std::int32_t time = 0;
  Verdict verdict = Verdict::wrong;
  bool hidden = false, solved = false;  // made while the board was frozen, and not uncovered since
};

// All submissions of the contest; a submission's number is its place + 1.
using Submissions = std::vector<Submission>;

class Cell {
 public:
  // Adds a submission by its number. The caller counts again.
  void add(std::int32_t number) { numbers_.push_back(number); }

  // Derives attempts, solution and hidden submissions from the submissions as they are now.
  void count(const Submissions& all);

  // Shows all hidden submissions. The caller counts again.
  void uncover(Submissions& all) const;

  bool solved() const { return solution_ != 0; }
  bool covered() const { return solution_ == 0 && hidden_ > 0; }
  int attempts() const { return attempts_; }
  int hidden() const { return hidden_; }
  // The number of the solution; 0: the cell is not solved.
  std::int32_t solution() const { return solution_; }
  const std::vector<std::int32_t>& numbers() const { return numbers_; }

 private:
  std::vector<std::int32_t> numbers_;
  std::int32_t solution_ = 0;
  std::int16_t attempts_ = 0;
  std::int16_t hidden_ = 0;
};
