// rigorbench-canary a25b6a18-b249-4263-8654-8ba6031f129a
// Lets an operation fail at every comparison, copy and request for memory in turn, and looks at what is left each time.
#ifndef THROWING_HPP
#define THROWING_HPP

#include <algorithm>
#include <cstdint>
#include <functional>
#include <istream>
#include <new>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "cost.hpp"
#include "elements.hpp"
#include "memory.hpp"
#include "run.hpp"

namespace drive {

template <class List>
struct failures {
  using places = typename costs<List>::places;
  struct scene {
    List first, second;
  };
  // What must be as before: everything, or only which elements there are, in any order and list.
  enum class kept { all, elements, order };

  static void fill(List& into, std::uint64_t count, splitmix& random, bool sorted) {
    std::int64_t last = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      last = static_cast<std::int64_t>(random.below(1000)) % 50 + (sorted ? last : 0);
      into.emplace(into.end(), last);
    }
  }

  // Forward and backward; the size is that of the elements.
  static bool whole(const List& list, const places& all) {
    places back;
    for (auto it = list.end(); it != list.begin();) {
      --it;
      back.emplace_back(&*it, it->read());
    }
    std::reverse(back.begin(), back.end());
    return back == all && list.size() == all.size();
  }

  // Elements that were removed may be missing, the others are in their order.
  static bool subsequence(const places& part, const places& all) {
    std::size_t at = 0;
    for (const auto& each : all) at += at < part.size() && part[at] == each;
    return at == part.size();
  }

  static bool stayed(kept what, const scene& now, const places& first, const places& second) {
    const places one = costs<List>::seen(now.first), other = costs<List>::seen(now.second);
    if (!whole(now.first, one) || !whole(now.second, other)) return false;
    if (what == kept::all) return one == first && other == second;
    if (what == kept::order) return subsequence(one, first) && other == second;
    places before = first, after = one;
    before.insert(before.end(), second.begin(), second.end());
    after.insert(after.end(), other.begin(), other.end());
    return costs<List>::same(before, after);
  }

  static void attempts(std::ostream& out, std::uint64_t size, std::uint64_t other, std::uint64_t seed,
                       const std::string& kind, bool sorted, kept what, const std::function<void(scene&)>& act,
                       const std::function<bool()>& argument) {
    std::int64_t changed = 0, lost = 0;
    bool failed = true;
    for (std::int64_t at = 1; failed && changed == 0; ++at) {
      const std::int64_t live = counted::live;
      {
        splitmix random(seed);
        scene now;
        fill(now.first, size, random, sorted);
        fill(now.second, other, random, sorted);
        const places first = costs<List>::seen(now.first), second = costs<List>::seen(now.second);
        failed = false;
        (kind == "question" ? asking::fuse : kind == "copy" ? counted::fuse : memory::fuse) = at;
        try {
          act(now);
        } catch (const broken&) {
          failed = true;
        } catch (const std::bad_alloc&) {
          failed = true;
        }
        asking::fuse = counted::fuse = memory::fuse = 0;
        if (failed) {
          bool same = argument() && stayed(what, now, first, second);
          same = same && counted::live - live == static_cast<std::int64_t>(now.first.size() + now.second.size());
          now.first.emplace(now.first.begin(), 3);  // it can still be used
          now.first.reverse();
          changed += !same || now.first.back().read() != 3;
        } else {
          digest values;
          costs<List>::add(values, now.first);
          costs<List>::add(values, now.second);
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
      counted value(number);
      std::vector<counted> many;
      many.reserve(other);
      for (std::uint64_t i = 0; i < other; ++i) many.emplace_back(static_cast<std::int64_t>(random.below(1000)));
      const auto untouched = [&] { return value.read() == number; };
      const auto go = [&](const std::function<void(scene&)>& act, kept what_stays = kept::all, bool sorted = false) {
        attempts(out, size, other, seed, with, sorted, what_stays, act, untouched);
      };
      if (what == "push") go([&](scene& now) { now.first.push_back(std::as_const(value)); });
      if (what == "push-moved") go([&](scene& now) { now.first.push_front(std::move(value)); });
      if (what == "insert") go([&](scene& now) { now.first.insert(++now.first.begin(), std::as_const(value)); });
      if (what == "insert-moved") go([&](scene& now) { now.first.insert(++now.first.begin(), std::move(value)); });
      if (what == "assign") go([&](scene& now) { now.first = std::as_const(now.second); });
      if (what == "copy") go([&](scene& now) { List copy(std::as_const(now.second)); copy.swap(now.first); });
      if (what == "range") go([&](scene& now) { List built(many.cbegin(), many.cend()); now.first.swap(built); });
      if (what == "sort") go([&](scene& now) { now.first.sort(asking{}); }, kept::elements);
      if (what == "merge") go([&](scene& now) { now.first.merge(now.second, asking{}); }, kept::elements, true);
      if (what == "unique") go([&](scene& now) { now.first.unique(asking{true}); }, kept::order, true);
      if (what == "remove") go([&](scene& now) { now.first.remove_if([&](const counted& each) { return asking{}(each, value); }); }, kept::order);
    }
  }
};

}  // namespace drive

#endif  // THROWING_HPP
