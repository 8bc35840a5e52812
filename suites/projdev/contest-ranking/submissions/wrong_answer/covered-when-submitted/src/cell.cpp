// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
#include "cell.hpp"

void Cell::count(const Submissions& all) {
  solution_ = 0;
  attempts_ = 0;
  hidden_ = 0;
  for (const std::int32_t number : numbers_) {
    const Submission& one = all[number - 1];
    if (one.hidden) {
      if (!one.solved) ++hidden_;
    } else if (solution_ != 0) {
      continue;  // counts nowhere; hidden ones behind it are still to be found
    } else if (one.verdict == Verdict::accepted) {
      solution_ = number;
    } else if (one.verdict != Verdict::compile) {
      ++attempts_;
    }
  }
}

void Cell::uncover(Submissions& all) const {
  for (const std::int32_t number : numbers_) all[number - 1].hidden = false;
}
