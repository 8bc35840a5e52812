// rigorbench-canary 30995173-b7c4-441e-8bd0-91a05f94348c
// Large maps: regular hash values, maps with few elements left, a cache, swaps, memory that is given back.
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
  // Keys that are their own hash values: drawn, or multiples of 2^shift.
  static std::uint64_t key(const std::string& order, int shift, std::uint64_t i, splitmix& random) {
    return order == "drawn" ? random() : i << shift;
  }

  // Every key goes in, all are searched, half of them go again.
  static void fill(const std::string& order, int shift, std::uint64_t count, splitmix& random, digest& values) {
    Map map;
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 0; i < count; ++i) {
      keys.push_back(key(order, shift, i, random));
      map.try_emplace(keys.back(), i);
    }
    Map copy(map);
    for (std::uint64_t i = 0; i < count; ++i) values.add(map.contains(keys[i] + 1) ? 3 : map.at(keys[i]));
    for (std::uint64_t i = 0; i < count; i += 2) values.add(map.erase(keys[i]));
    for (const auto& [first, second] : map) values.add(first + second);
    while (!map.empty()) {
      values.add(map.begin()->second);
      map.erase(map.begin());
    }
    values.add(copy.size());
  }

  // Many were there, few are left: beginnings and ways over all elements depend on those that are left.
  static void sparse(const std::string& order, int shift, std::uint64_t count, splitmix& random, digest& values) {
    Map map;
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 0; i < count; ++i) {
      keys.push_back(key(order, shift, i, random));
      map.try_emplace(keys.back(), i);
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      if (i % (count / 5) != 7) map.erase(keys[i]);
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      for (const auto& [first, second] : map) values.add(first ^ second);
      map.to_back(map.begin());
    }
  }

  // A cache of a thousand: what is used goes to the end, what is at the beginning goes.
  static void cache(const std::string&, int shift, std::uint64_t count, splitmix& random, digest& values) {
    Map map;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t wanted = random.below(1500) << shift;
      const auto it = map.find(wanted);
      if (it != map.end()) {
        values.add(it->second++);
        map.to_back(it);
      } else {
        if (map.size() == 1000) map.erase(map.begin());
        map[wanted] = i;
      }
    }
    for (const auto& [first, second] : map) values.add(first + second);
  }

  static void swaps(const std::string& order, int shift, std::uint64_t count, splitmix& random, digest& values) {
    std::vector<Map> row(10);
    for (Map& each : row) {
      for (std::uint64_t i = 0; i < count / 10; ++i) each[key(order, shift, i, random)] = random();
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
    for (const Map& each : row) values.add(each.begin()->second);
  }

  // Large values come and go, two hundred at a time; all of them together are more than there is memory.
  static void pages(const std::string& order, int shift, std::uint64_t count, splitmix& random, digest& values) {
    Pages map;
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 0; i < count; ++i) {
      keys.push_back(key(order, shift, i, random));
      map.try_emplace(keys.back(), i);
      if (i >= 200) values.add(map.erase(keys[i - 200]));
      if (i % 100 == 99) values.add(map.begin()->second.number);
    }
    values.add(map.size());
  }

  static void run(std::istream& in, std::ostream& out) {
    std::string what, order;
    int shift = 0;
    std::uint64_t count = 0, seed = 0;
    while (in >> what >> order >> shift >> count >> seed) {
      digest values;
      splitmix random(seed);
      if (what == "fill") fill(order, shift, count, random, values);
      if (what == "sparse") sparse(order, shift, count, random, values);
      if (what == "cache") cache(order, shift, count, random, values);
      if (what == "swaps") swaps(order, shift, count, random, values);
      if (what == "pages") pages(order, shift, count, random, values);
      out << what << ' ' << values.value() << '\n';
    }
  }
};

}  // namespace drive

#endif  // VOLUME_HPP
