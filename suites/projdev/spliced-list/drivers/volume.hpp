// rigorbench-canary a25b6a18-b249-4263-8654-8ba6031f129a
// Large lists: sorting and merging, splicing from list to list, memory that is given back.
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

template <class List, class Pages>
struct volumes {
  static std::uint64_t number(const std::string& order, std::uint64_t i, std::uint64_t count, splitmix& random) {
    return order == "rising" ? i : order == "falling" ? count - i : random();
  }

  static void sort(const std::string& order, std::uint64_t count, splitmix& random, digest& values) {
    List list;
    for (std::uint64_t i = 0; i < count; ++i) list.push_back(number(order, i, count, random));
    list.sort();
    std::uint64_t i = 0;
    for (std::uint64_t each : list) values.add(each + i++);
    list.reverse();
    values.add(list.front());
    list.sort([](std::uint64_t a, std::uint64_t b) { return a % 1024 < b % 1024; });
    values.add(list.unique([](std::uint64_t a, std::uint64_t b) { return a % 1024 == b % 1024; }));
    for (std::uint64_t each : list) values.add(each);
  }

  // Small sorted lists go into a large one, which is small in the beginning: short ways only.
  static void tournament(const std::string& order, std::uint64_t count, splitmix& random, digest& values) {
    std::vector<List> open(count);
    for (std::uint64_t i = 0; i < count; ++i) open[i].push_back(number(order, i, count, random));
    while (open.size() > 1) {
      const std::size_t half = open.size() / 2;
      for (std::size_t i = 0; i < half; ++i) {
        open[i].merge(open.back());
        open.pop_back();
      }
    }
    for (std::uint64_t each : open[0]) values.add(each);
  }

  // Whole lists hang on to each other, and single elements go to another place: all in constant time.
  static void splice(const std::string& order, std::uint64_t count, splitmix& random, digest& values) {
    List first, second;
    for (std::uint64_t i = 0; i < count; ++i) first.push_back(number(order, i, count, random));
    for (std::uint64_t i = 0; i < count; ++i) {
      second.splice(i % 2 == 0 ? second.begin() : second.end(), first, i % 3 == 0 ? first.begin() : --first.end());
      values.add(first.size() + second.size());
      if (i % 5 == 0) {
        second.splice(second.begin(), first);
        first.swap(second);
        second.splice(second.end(), first, first.begin());
        first.splice(first.end(), second);
      }
    }
    for (std::uint64_t each : second) values.add(each);
  }

  // Large values come and go, two hundred at a time; all of them together are more than there is memory.
  static void pages(const std::string& order, std::uint64_t count, splitmix& random, digest& values) {
    Pages list;
    for (std::uint64_t i = 0; i < count; ++i) {
      list.emplace(list.end(), number(order, i, count, random));
      if (list.size() > 200) {
        values.add(list.front().number);
        list.pop_front();
      }
    }
    values.add(list.size());
  }

  static void run(std::istream& in, std::ostream& out) {
    std::string what, order;
    std::uint64_t count = 0, seed = 0;
    while (in >> what >> order >> count >> seed) {
      digest values;
      splitmix random(seed);
      if (what == "sort") sort(order, count, random, values);
      if (what == "tournament") tournament(order, count, random, values);
      if (what == "splice") splice(order, count, random, values);
      if (what == "pages") pages(order, count, random, values);
      out << what << ' ' << values.value() << '\n';
    }
  }
};

}  // namespace drive

#endif  // VOLUME_HPP
