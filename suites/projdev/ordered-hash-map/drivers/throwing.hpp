// rigorbench-canary 30995173-b7c4-441e-8bd0-91a05f94348c
// Lets an operation fail at every hash, comparison, copy and request for memory in turn, and looks at what is left each time.
#ifndef THROWING_HPP
#define THROWING_HPP

#include <cstdint>
#include <functional>
#include <istream>
#include <new>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "elements.hpp"
#include "memory.hpp"
#include "run.hpp"

namespace drive {

template <class Map>
struct failures {
  using pair = typename Map::value_type;
  struct scene {
    Map first{hasher(4), matcher(hasher::modulus)}, second{hasher(2), matcher(hasher::modulus)};
  };
  struct seen {
    std::int64_t key, value;
    const pair* place;
    bool operator==(const seen&) const = default;
  };

  // Keys are even, and some elements have come and gone.
  static void fill(Map& into, std::uint64_t count, splitmix& random) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::int64_t number = 2 * static_cast<std::int64_t>(random.below(500));
      into.try_emplace(counted(number), static_cast<std::int64_t>(i));
      if (i % 5 == 4) into.erase(counted(number));
    }
  }

  static std::vector<seen> contents(const Map& map) {
    std::vector<seen> all;
    for (const pair& each : map) all.push_back({each.first.read(), each.second.read(), &each});
    return all;
  }

  static std::int64_t& fuse(const std::string& kind) {
    if (kind == "hash") return hasher::fuse;
    return kind == "question" ? matcher::fuse : kind == "copy" ? counted::fuse : memory::fuse;
  }

  // Tries `act` on fresh scenes; the failure is at the first, second, third ... call, until there is none.
  static void attempts(std::ostream& out, std::uint64_t size, std::uint64_t other, std::uint64_t seed,
                       const std::string& kind, const std::function<void(scene&)>& act,
                       const std::function<bool()>& kept) {
    std::int64_t changed = 0, lost = 0;
    bool failed = true;
    for (std::int64_t at = 1; failed && changed == 0; ++at) {
      const std::int64_t live = counted::live;
      {
        splitmix random(seed);
        scene now;
        fill(now.first, size, random);
        fill(now.second, other, random);
        const std::vector<seen> first = contents(now.first), second = contents(now.second);
        const std::int64_t before = counted::live;
        failed = false;
        fuse(kind) = at;
        try {
          act(now);
        } catch (const broken&) {
          failed = true;
        } catch (const std::bad_alloc&) {
          failed = true;
        }
        hasher::fuse = matcher::fuse = counted::fuse = memory::fuse = 0;
        if (failed) {
          bool same = counted::live == before && kept();
          same = same && now.first.size() == first.size() && now.second.size() == second.size();
          same = same && contents(now.first) == first && contents(now.second) == second;
          for (std::size_t i = 0; i < first.size(); i += 7) same = same && now.first.at(counted(first[i].key)).read() == first[i].value;
          same = same && now.first.try_emplace(counted(-1), 3).second;  // it can still be used
          changed += !same;
        } else {
          digest values;
          for (const Map* each : {&now.first, &now.second}) {
            values.add(each->size());
            for (const seen& one : contents(*each)) {
              values.add(static_cast<std::uint64_t>(one.key));
              values.add(static_cast<std::uint64_t>(one.value));
            }
          }
          out << "values " << values.value() << '\n';
        }
      }
      lost += counted::live - live;
    }
    out << "changed " << changed << " lost " << lost << '\n';
  }

  static void run(std::istream& in, std::ostream& out) {
    std::string what, with;
    std::uint64_t size = 0, other = 0, seed = 0;
    while (in >> what >> with >> size >> other >> seed) {
      splitmix random(seed + 1);
      const std::int64_t odd = 2 * static_cast<std::int64_t>(random.below(500)) + 1;
      pair given{counted(odd), counted(9)};
      counted key(odd);
      // A key that is there, if there is one.
      splitmix again(seed);
      const counted old(2 * static_cast<std::int64_t>(again.below(500)));
      const auto kept = [&] { return given.first.read() == odd && given.second.read() == 9 && key.read() == odd; };
      const auto go = [&](const std::function<void(scene&)>& act) { attempts(out, size, other, seed, with, act, kept); };
      if (what == "insert") go([&](scene& now) { now.first.insert(std::as_const(given)); });
      if (what == "insert-moved") go([&](scene& now) { now.first.insert(std::move(given)); });
      if (what == "try") go([&](scene& now) { now.first.try_emplace(std::as_const(key), std::as_const(given.second)); });
      if (what == "try-moved") go([&](scene& now) { now.first.try_emplace(std::move(key), std::move(given.second)); });
      if (what == "try-old") go([&](scene& now) { now.first.try_emplace(old, std::as_const(given.second)); });
      if (what == "erase") go([&](scene& now) { now.first.erase(old); });
      if (what == "find") go([&](scene& now) { now.first.find(key), now.first.find(old), now.first.contains(old); });
      if (what == "reserve") go([&](scene& now) { now.first.reserve(3 * size + 50); });
      if (what == "assign") go([&](scene& now) { now.first = std::as_const(now.second); });
      if (what == "copy") go([&](scene& now) { Map copy(std::as_const(now.second)); copy.swap(now.first); });
    }
  }
};

}  // namespace drive

#endif  // THROWING_HPP
