// rigorbench-canary ff6c925b-e7ec-441b-b728-dfa192fd87f2
// Large vectors: growth, erasure of ranges, insertion in the middle, swaps, memory that is given back.
#ifndef VOLUME_HPP
#define VOLUME_HPP

#include <cstdint>
#include <cstring>
#include <istream>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "run.hpp"

namespace drive {

// A large element.
struct page {
  explicit page(std::uint64_t from) : number(from) { std::memset(rest, 1, sizeof rest); }
  std::uint64_t number;
  char rest[1016];
};

template <class Vector, class Pages>
struct volumes {
  static void fill(Vector& vector, std::uint64_t count, splitmix& random) {
    for (std::uint64_t i = 0; i < count; ++i) vector.push_back(random());
  }

  static void grow(std::uint64_t count, splitmix& random, digest& values) {
    Vector vector;
    fill(vector, count, random);
    std::uint64_t sum = 0;
    for (std::uint64_t each : vector) sum += each;
    for (std::uint64_t i = 0; i < count; ++i) sum ^= vector[(i * 7919) % count];
    for (auto it = vector.begin(); it != vector.end(); ++it) *it /= 2;
    values.add(sum);
    for (std::uint64_t i = 0; i < count / 2; ++i) vector.pop_back();
    values.add(vector.back());
  }

  static void middle(std::uint64_t count, splitmix& random, digest& values) {
    Vector vector;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto where = vector.begin() + static_cast<std::int64_t>(random.below(i + 1));
      vector.insert(where, random());
    }
    for (std::uint64_t i = 0; i < count / 2; ++i) {
      const std::int64_t at = static_cast<std::int64_t>(random.below(vector.size()));
      values.add(vector[static_cast<std::size_t>(at)]);
      vector.erase(vector.begin() + at);
    }
  }

  // Most of the first half of what is left is erased, until little is left; twenty times, from fresh copies.
  static void cuts(std::uint64_t count, splitmix& random, digest& values) {
    Vector whole;
    fill(whole, count, random);
    for (int i = 0; i < 20; ++i) {
      Vector copy(whole);
      while (copy.size() > 8) {
        const std::int64_t half = static_cast<std::int64_t>(copy.size() / 2);
        copy.erase(copy.begin() + i % 4, copy.begin() + half);
      }
      values.add(copy.front() ^ copy.back());
      values.add(copy.size());
    }
  }

  // Grows, becomes small, gives memory back; again and again. All rounds together take more memory than there is.
  static void rounds(std::uint64_t count, splitmix& random, digest& values) {
    Pages vector;
    for (int i = 0; i < 60; ++i) {
      const std::uint64_t first = random();
      vector.reserve(count);
      for (std::uint64_t k = 0; k < count; ++k) vector.emplace_back(first + k);
      values.add(vector[count / 3].number);
      while (vector.size() > 10) vector.pop_back();
      vector.shrink_to_fit();
      Pages other;
      other.push_back(vector.back());
      vector.swap(other);
      values.add(other.size());
    }
  }

  static void swaps(std::uint64_t count, splitmix& random, digest& values) {
    std::vector<Vector> row(10);
    for (Vector& each : row) fill(each, count / 10, random);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::size_t a = random.below(10), b = random.below(10);
      if (i % 2 == 0) {
        row[a].swap(row[b]);
      } else {
        Vector taken(std::move(row[a]));
        row[a] = std::move(row[b]);
        row[b] = std::move(taken);
      }
    }
    for (const Vector& each : row) values.add(each.empty() ? 0 : each.front());
  }

  static void run(std::istream& in, std::ostream& out) {
    std::string what;
    std::uint64_t count = 0, seed = 0;
    while (in >> what >> count >> seed) {
      digest values;
      splitmix random(seed);
      if (what == "grow") grow(count, random, values);
      if (what == "middle") middle(count, random, values);
      if (what == "cuts") cuts(count, random, values);
      if (what == "rounds") rounds(count, random, values);
      if (what == "swaps") swaps(count, random, values);
      out << what << ' ' << values.value() << '\n';
    }
  }
};

}  // namespace drive

#endif  // VOLUME_HPP
