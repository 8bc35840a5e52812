// rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
// An order that counts how often it is asked, and can fail at a given question.
#ifndef COUNT_HPP
#define COUNT_HPP

#include <cstdint>

#include "elements.hpp"

namespace drive {

// The questions that were asked, of all orders of the program; at `fuse` questions from now (0: never) one fails.
struct questions {
  inline static std::int64_t asked = 0;
  inline static std::int64_t fuse = 0;

  static void ask() {
    ++asked;
    if (fuse > 0 && --fuse == 0) throw broken();
  }
};

template <class Element>
struct asking {
  bool operator()(const Element& a, const Element& b) const {
    questions::ask();
    return a.read() < b.read();
  }
};

// What the statement allows for one push or merge that ends with so many elements, and on average for a pop.
inline std::int64_t allowed(std::uint64_t elements) {
  std::int64_t log = 0;
  while (elements >>= 1) ++log;
  return 4 * log + 8;
}

}  // namespace drive

#endif  // COUNT_HPP
