// rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
// Large queues: many elements, many merges, long chains.
#ifndef VOLUME_HPP
#define VOLUME_HPP

#include <cstdint>
#include <istream>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "run.hpp"

namespace drive {

template <class Queue>
struct volumes {
  // Pushes and pops mixed, over and over: memory that has been given back must be used again.
  static void churn(std::istream& in, digest& values) {
    std::uint64_t size = 0, steps = 0, seed = 0;
    in >> size >> steps >> seed;
    splitmix random(seed);
    Queue all;
    for (std::uint64_t i = 0; i < size; ++i) all.push(random());
    for (std::uint64_t i = 0; i < steps; ++i) {
      values.add(all.extract());
      all.push(random());
    }
  }

  // Elements in falling, rising or drawn order; then a copy is made, one is cleared and the other one drained in part.
  static void chain(std::istream& in, digest& values) {
    std::string order;
    std::uint64_t size = 0, seed = 0;
    in >> order >> size >> seed;
    splitmix random(seed);
    Queue all;
    for (std::uint64_t i = 0; i < size; ++i) {
      all.push(order == "falling" ? size - i : order == "rising" ? i : random());
    }
    Queue copy(all);
    all.clear();
    for (std::uint64_t i = 0; i < 1000 && !copy.empty(); ++i) values.add(copy.extract());
    values.add(copy.size());
  }

  // A large queue goes into a small one, again and again; what merges by moving elements never ends.
  static void swallow(std::istream& in, digest& values) {
    std::uint64_t size = 0, merges = 0, seed = 0;
    in >> size >> merges >> seed;
    splitmix random(seed);
    Queue all;
    for (std::uint64_t i = 0; i < size; ++i) all.push(random());
    for (std::uint64_t i = 0; i < merges; ++i) {
      Queue small;
      for (std::uint64_t k = i % 3; k > 0; --k) small.push(random());
      small.merge(all);
      all = std::move(small);
      values.add(all.top());
      if (i % 2 == 0) all.pop();
    }
    values.add(all.size());
  }

  // Many queues; two are drawn and merged until one is left.
  static void many(std::istream& in, digest& values) {
    std::uint64_t count = 0, seed = 0;
    in >> count >> seed;
    splitmix random(seed);
    std::vector<Queue> open(count);
    for (Queue& each : open) {
      for (std::uint64_t k = random.below(8); k > 0; --k) each.push(random());
    }
    while (open.size() > 1) {
      Queue& into = open[random.below(open.size())];
      Queue& from = open.back();
      into.merge(from);
      if (!into.empty()) values.add(into.top());
      if (&into != &from) {
        open.pop_back();
      } else if (!into.empty()) {
        values.add(into.extract());
      }
    }
    while (!open[0].empty()) values.add(open[0].extract());
  }

  static void run(std::istream& in, std::ostream& out) {
    std::string what;
    while (in >> what) {
      digest values;
      if (what == "churn") churn(in, values);
      if (what == "chain") chain(in, values);
      if (what == "swallow") swallow(in, values);
      if (what == "many") many(in, values);
      out << what << ' ' << values.value() << '\n';
    }
  }
};

}  // namespace drive

#endif  // VOLUME_HPP
