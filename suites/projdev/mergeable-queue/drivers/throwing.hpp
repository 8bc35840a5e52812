// rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
// Lets an operation fail at every question, copy and request for memory in turn, and looks at what is left each time.
#ifndef THROWING_HPP
#define THROWING_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <new>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "count.hpp"
#include "elements.hpp"
#include "memory.hpp"
#include "run.hpp"

namespace drive {

template <class Queue>
struct failures {
  using row = std::vector<std::int64_t>;

  // Two queues, and what operations take and give.
  struct scene {
    Queue first, second;
    row in_first, in_second;  // what should be in them
    std::int64_t number;
    counted value;
    std::vector<counted> many;
    std::int64_t taken = -1;

    scene(std::uint64_t size, std::uint64_t other, std::uint64_t seed)
        : number(drawn(seed + 1, size)), value(number) {
      splitmix random(seed);
      fill(first, in_first, size, random);
      fill(second, in_second, other, random);
      many.reserve(size);
      splitmix more(seed + 2);
      for (std::uint64_t i = 0; i < size; ++i) many.emplace_back(below(more, size));
    }

    static std::int64_t below(splitmix& random, std::uint64_t size) {
      return static_cast<std::int64_t>(random.below(10 * size + 10));
    }
    static std::int64_t drawn(std::uint64_t seed, std::uint64_t size) {
      splitmix random(seed);
      return below(random, size);
    }

    // Pushes and some pops in between, so that the queues have a past.
    static void fill(Queue& into, row& model, std::uint64_t count, splitmix& random) {
      for (std::uint64_t i = 0; i < count + count / 2; ++i) {
        model.push_back(below(random, count));
        into.emplace(model.back());
        if (i % 3 == 2) {
          into.pop();
          model.erase(std::min_element(model.begin(), model.end()));
        }
      }
      std::sort(model.begin(), model.end());
    }
  };

  struct operation {
    const char* name;
    void (*act)(scene&);
  };
  inline static const operation operations[] = {
      {"push", [](scene& now) { now.first.push(std::as_const(now.value)); }},
      {"push-moved", [](scene& now) { now.first.push(std::move(now.value)); }},
      {"again", [](scene& now) { now.first.push(now.first.top()); }},
      {"emplace", [](scene& now) { now.first.emplace(now.number); }},
      {"emplace-copied", [](scene& now) { now.first.emplace(std::as_const(now.value)); }},
      {"top", [](scene& now) { now.taken = std::as_const(now.first).top().read(); }},
      {"pop", [](scene& now) { now.first.pop(); }},
      {"extract", [](scene& now) { now.taken = now.first.extract().read(); }},
      {"merge", [](scene& now) { now.first.merge(now.second); }},
      {"merge-self", [](scene& now) { now.first.merge(now.first); }},
      {"assign", [](scene& now) { now.first = std::as_const(now.second); }},
      {"assign-self", [](scene& now) { Queue& same = now.first; now.first = std::as_const(same); }},
      {"copy", [](scene& now) { Queue copy(std::as_const(now.second)); copy.swap(now.first); }},
      {"range", [](scene& now) { Queue built(now.many.cbegin(), now.many.cend()); built.swap(now.first); }},
      {"move", [](scene& now) { now.first = std::move(now.second); }},
      {"take", [](scene& now) { Queue taken(std::move(now.second)); taken.swap(now.first); }},
      {"swap", [](scene& now) { now.first.swap(now.second); }},
      {"clear", [](scene& now) { now.first.clear(); }},
  };

  static std::int64_t& fuse(const std::string& kind) {
    return kind == "question" ? questions::fuse : kind == "copy" ? counted::fuse : memory::fuse;
  }

  static row drained(Queue& from) {
    row values;
    while (!from.empty()) {
      values.push_back(from.top().read());
      from.pop();
    }
    return values;
  }

  static std::uint64_t contents(scene& now) {
    digest values;
    for (Queue* each : {&now.first, &now.second}) {
      values.add(each->size());
      for (std::int64_t value : drained(*each)) values.add(static_cast<std::uint64_t>(value));
    }
    return values.value();
  }

  struct attempt {
    bool failed = false;
    bool same = true;  // as it was before the failure
    std::uint64_t contents = 0;
    std::int64_t taken = -1;
  };

  // On a fresh scene; the failure is at the question, copy or request number `at`. After a failure the operation is
  // either carried out again, which must then give what it would have given at once, or all elements are looked at.
  static attempt tried(std::uint64_t size, std::uint64_t other, std::uint64_t seed, const std::string& kind,
                       std::int64_t at, const operation& what, bool again) {
    attempt result;
    scene now(size, other, seed);
    const counted* first = size > 0 ? &now.first.top() : nullptr;
    const counted* second = other > 0 ? &now.second.top() : nullptr;
    const std::int64_t live = counted::live;
    fuse(kind) = at;
    try {
      what.act(now);
    } catch (const broken&) {
      result.failed = true;
    } catch (const std::bad_alloc&) {
      result.failed = true;
    }
    fuse(kind) = 0;
    if (result.failed) {
      result.same = counted::live == live && now.value.read() == now.number && now.taken == -1;
      result.same = result.same && now.first.size() == size && now.second.size() == other;
      result.same = result.same && now.first.empty() == (size == 0) && now.second.empty() == (other == 0);
      result.same = result.same && (size == 0 || &now.first.top() == first) && (other == 0 || &now.second.top() == second);
      if (again && result.same) {
        what.act(now);
      } else if (result.same) {
        result.same = drained(now.first) == now.in_first && drained(now.second) == now.in_second;
        return result;
      }
    }
    result.taken = now.taken;
    if (result.same) result.contents = contents(now);
    return result;
  }

  // Fails at the first, second, third ... place, until there is none.
  static void attempts(std::ostream& out, std::uint64_t size, std::uint64_t other, std::uint64_t seed,
                       const std::string& kind, const operation& what) {
    std::int64_t changed = 0;
    const std::int64_t live = counted::live;
    const attempt straight = tried(size, other, seed, kind, 0, what, false);
    for (std::int64_t at = 1; changed == 0; ++at) {
      const attempt failed = tried(size, other, seed, kind, at, what, false);
      if (!failed.failed) break;
      const attempt repeated = tried(size, other, seed, kind, at, what, true);
      changed += !failed.same || !repeated.same;
      changed += repeated.contents != straight.contents || repeated.taken != straight.taken;
    }
    out << "values " << straight.contents << " taken " << straight.taken;
    out << " changed " << changed << " lost " << counted::live - live << '\n';
  }

  static void run(std::istream& in, std::ostream& out) {
    std::string name, with;
    std::uint64_t size = 0, other = 0, seed = 0;
    while (in >> name >> with >> size >> other >> seed) {
      for (const operation& each : operations) {
        if (name == each.name) attempts(out, size, other, seed, with, each);
      }
    }
  }
};

}  // namespace drive

#endif  // THROWING_HPP
