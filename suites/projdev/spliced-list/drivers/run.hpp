// rigorbench-canary a25b6a18-b249-4263-8654-8ba6031f129a
// How both drivers start: a small stack, the case on standard input, the result to the judge.
#ifndef RUN_HPP
#define RUN_HPP

#include "rigor_driver.hpp"

#include <sys/resource.h>

#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>

namespace drive {

// The generator of the hidden values; generators/model.py has the same one.
class splitmix {
 public:
  explicit splitmix(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t end) { return (*this)() % end; }

 private:
  std::uint64_t state_;
};

// A short value for a long row of numbers; the order counts.
class digest {
 public:
  void add(std::uint64_t value) { state_ = (state_ ^ value) * 0x100000001B3u + 0x9E3779B97F4A7C15u; }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xCBF29CE484222325u;
};

// The statement promises a stack of 1 MiB: an algorithm that recurses as deep as there are elements does not pass.
inline void limit_stack() {
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) == 0) {
    limit.rlim_cur = 1 << 20;
    setrlimit(RLIMIT_STACK, &limit);
  }
}

// A driver's main function. The output of a case goes to the judge in one piece, after all of it has ended well.
inline int report(void (*run)(std::istream&, std::ostream&)) {
  limit_stack();
  std::ios::sync_with_stdio(false);
  std::ostringstream shown;
  run(std::cin, shown);
  rigor::out << shown.str();
  rigor::finish();
  return 0;
}

}  // namespace drive

#endif  // RUN_HPP
