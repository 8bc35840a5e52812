// rigorbench-canary ff6c925b-e7ec-441b-b728-dfa192fd87f2
// Lets an operation fail at every copy and request for memory in turn, and looks at what is left each time.
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

template <class Vector>
struct failures {
  using row = std::vector<std::int64_t>;
  struct scene {
    Vector first, second;
  };

  // With a past: some elements more, which are gone again; with or without room for another one.
  static void fill(Vector& into, std::uint64_t count, std::uint64_t spare, splitmix& random) {
    for (std::uint64_t i = 0; i < count + spare; ++i) into.emplace_back(static_cast<std::int64_t>(random.below(1000)));
    for (std::uint64_t i = 0; i < spare; ++i) into.pop_back();
  }

  static row contents(const Vector& vector) {
    row values;
    for (const counted& each : vector) values.push_back(each.read());
    return values;
  }

  // Tries `act` on fresh scenes; the failure is at the first, second, third ... copy or request, until there is none.
  static void attempts(std::ostream& out, std::uint64_t size, std::uint64_t other, std::uint64_t seed, bool copies,
                       const std::function<void(scene&)>& act, const std::function<bool()>& kept) {
    std::int64_t changed = 0, lost = 0;
    bool failed = true;
    for (std::int64_t at = 1; failed && changed == 0; ++at) {
      const std::int64_t live = counted::live;
      {
        splitmix random(seed);
        scene now;
        fill(now.first, size, seed % 3, random);
        fill(now.second, other, seed % 2, random);
        const row first = contents(now.first), second = contents(now.second);
        const auto begin = now.first.begin(), end = now.first.end();
        const std::int64_t before = counted::live;
        failed = false;
        (copies ? counted::fuse : memory::fuse) = at;
        try {
          act(now);
        } catch (const broken&) {
          failed = true;
        } catch (const std::bad_alloc&) {
          failed = true;
        }
        counted::fuse = memory::fuse = 0;
        if (failed) {
          bool same = counted::live == before && kept();
          same = same && now.first.begin() == begin && now.first.end() == end;
          same = same && contents(now.first) == first && contents(now.second) == second;
          now.first.emplace_back(7);  // it can still be used
          changed += !same || now.first.back().read() != 7;
        } else {
          digest values;
          for (const Vector* each : {&now.first, &now.second}) {
            values.add(each->size());
            for (std::int64_t value : contents(*each)) values.add(static_cast<std::uint64_t>(value));
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
      const std::int64_t number = static_cast<std::int64_t>(random.below(1000));
      const std::int64_t at = static_cast<std::int64_t>(random.below(size + 1));
      counted value(number);
      std::vector<counted> many;
      many.reserve(other);
      for (std::uint64_t i = 0; i < other; ++i) many.emplace_back(static_cast<std::int64_t>(random.below(1000)));
      const auto kept = [&] { return value.read() == number; };
      const auto go = [&](const std::function<void(scene&)>& act) {
        attempts(out, size, other, seed, with == "copy", act, kept);
      };
      if (what == "push") go([&](scene& now) { now.first.push_back(std::as_const(value)); });
      if (what == "push-moved") go([&](scene& now) { now.first.push_back(std::move(value)); });
      if (what == "emplace") go([&](scene& now) { now.first.emplace_back(std::as_const(value)); });
      if (what == "insert") go([&](scene& now) { now.first.insert(now.first.begin() + at, std::as_const(value)); });
      if (what == "insert-moved") go([&](scene& now) { now.first.insert(now.first.begin() + at, std::move(value)); });
      if (what == "again") go([&](scene& now) { now.first.insert(now.first.begin(), now.first.back()); });
      if (what == "reserve") go([&](scene& now) { now.first.reserve(4 * size + 20); });
      if (what == "shrink") go([&](scene& now) { now.first.shrink_to_fit(); });
      if (what == "resize") go([&](scene& now) { now.first.resize(size + other, value); });
      if (what == "assign") go([&](scene& now) { now.first = std::as_const(now.second); });
      if (what == "copy") go([&](scene& now) { Vector copy(std::as_const(now.second)); copy.swap(now.first); });
      if (what == "range") go([&](scene& now) { Vector built(many.cbegin(), many.cend()); now.first.swap(built); });
    }
  }
};

}  // namespace drive

#endif  // THROWING_HPP
