// rigorbench-canary b8a9a7c5-2800-409d-bf7a-99652dc62872
// Large maps: orders that are hard for one tree or another, ranks, queues, swaps, memory that is given back.
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

// A large value.
struct page {
  explicit page(std::uint64_t from) : number(from) { std::memset(rest, 1, sizeof rest); }
  std::uint64_t number;
  char rest[8184];
};

template <class Map, class Pages>
struct volumes {
  static std::uint64_t key(const std::string& order, std::uint64_t i, std::uint64_t count, splitmix& random) {
    return order == "rising" ? i : order == "falling" ? count - i : order == "organ" ? (i % 2 == 0 ? i : 2 * count - i) : random();
  }

  // Every key goes in; then half of them go again, by key, and the rest by iterators.
  static void fill(const std::string& order, std::uint64_t count, splitmix& random, digest& values) {
    Map map;
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 0; i < count; ++i) {
      keys.push_back(key(order, i, count, random));
      map.try_emplace(keys.back(), i);
    }
    Map copy(map);
    for (std::uint64_t i = 0; i < count; i += 2) values.add(map.erase(keys[i]));
    for (const auto& [first, second] : map) values.add(first + second);
    while (!map.empty()) {
      values.add(map.begin()->second);
      map.erase(map.begin());
      if (map.empty()) break;
      values.add((--map.end())->second);
      map.erase(--map.end());
    }
    values.add(copy.size());
  }

  // A window over rising keys: one comes at the end, one goes at the beginning.
  static void window(const std::string&, std::uint64_t count, splitmix& random, digest& values) {
    Map map;
    std::uint64_t last = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      last += 1 + random.below(5);
      map[last] = i;
      if (i >= 1000) {
        values.add(map.begin()->first);
        map.erase(map.begin());
      }
    }
  }

  static void ranks(const std::string& order, std::uint64_t count, splitmix& random, digest& values) {
    Map map;
    for (std::uint64_t i = 0; i < count; ++i) map[key(order, i, count, random)] = i;
    for (std::uint64_t i = 0; i < count; ++i) {
      auto it = map.nth(random.below(map.size()));
      values.add(it->second);
      if (i % 3 == 0) it = map.erase(it);
      values.add(map.rank(it));
    }
  }

  static void swaps(const std::string& order, std::uint64_t count, splitmix& random, digest& values) {
    std::vector<Map> row(10);
    for (Map& each : row) {
      for (std::uint64_t i = 0; i < count / 10; ++i) each[key(order, i, count, random)] = i;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::size_t a = random.below(10), b = random.below(10);
      if (i % 2 == 0) {
        row[a].swap(row[b]);
      } else {
        Map taken(std::move(row[a]));
        row[a] = std::move(row[b]);
        row[b] = std::move(taken);
      }
    }
    for (const Map& each : row) values.add(each.begin()->first);
  }

  // Large values come and go, two hundred at a time; all of them together are more than there is memory.
  static void pages(const std::string& order, std::uint64_t count, splitmix& random, digest& values) {
    Pages map;
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 0; i < count; ++i) {
      keys.push_back(key(order, i, count, random));
      map.try_emplace(keys.back(), i);
      if (i >= 200) values.add(map.erase(keys[i - 200]));
      if (i % 100 == 99) values.add(map.nth(i % 77)->second.number);
    }
    values.add(map.size());
  }

  static void run(std::istream& in, std::ostream& out) {
    std::string what, order;
    std::uint64_t count = 0, seed = 0;
    while (in >> what >> order >> count >> seed) {
      digest values;
      splitmix random(seed);
      if (what == "fill") fill(order, count, random, values);
      if (what == "window") window(order, count, random, values);
      if (what == "ranks") ranks(order, count, random, values);
      if (what == "swaps") swaps(order, count, random, values);
      if (what == "pages") pages(order, count, random, values);
      out << what << ' ' << values.value() << '\n';
    }
  }
};

}  // namespace drive

#endif  // VOLUME_HPP
