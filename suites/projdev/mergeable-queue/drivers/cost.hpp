// rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
// How many questions pushes, merges, pops and building from a range ask, and whether elements stay where they are.
#ifndef COST_HPP
#define COST_HPP

#include <cstdint>
#include <istream>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "count.hpp"
#include "elements.hpp"
#include "run.hpp"

namespace drive {

template <class Queue>
struct costs {
  // What was asked too much, and what else the statement rules out, over a whole case.
  struct tally {
    std::int64_t over = 0;       // pushes, merges and ranges that asked more than they may
    std::int64_t moved = 0;      // merges and pops that copied or moved elements
    std::int64_t idle = 0;       // questions asked by what must not ask any
    std::int64_t displaced = 0;  // elements that are no longer where they were
    std::int64_t late = 0;       // operations after which the number of objects is not that of the elements
    std::int64_t pops = 0, pop_questions = 0, pop_allowed = 0;
    std::int64_t paid = 0;  // what pushes, merges, ranges and copies may ask: pops may be dear if these were cheap
    std::set<const counted*> places;  // of all elements whose place is known
    digest values;

    static std::int64_t work() { return counted::copies + counted::moves; }

    // In turn, by the three ways in which an element can enter.
    void push(Queue& into, std::int64_t number, std::uint64_t turn) {
      const std::int64_t asked = questions::asked, live = counted::live;
      if (turn % 3 == 0) {
        into.push(counted(number));
      } else if (turn % 3 == 1) {
        const counted value(number);
        into.push(value);
      } else {
        places.insert(&into.emplace(number));
      }
      over += questions::asked - asked > allowed(into.size());
      paid += allowed(into.size());
      late += counted::live != live + 1;
    }

    void merge(Queue& into, Queue& from) {
      const counted* first = into.empty() ? nullptr : &into.top();
      const counted* second = from.empty() ? nullptr : &from.top();
      const std::int64_t asked = questions::asked, live = counted::live, done = work();
      into.merge(from);
      over += questions::asked - asked > allowed(into.size());
      paid += allowed(into.size());
      moved += work() != done;
      late += counted::live != live;
      if (!into.empty()) displaced += &into.top() != first && &into.top() != second;
      displaced += !from.empty();
    }

    void pop(Queue& from) {
      const std::int64_t asked = questions::asked, live = counted::live, done = work();
      pop_allowed += allowed(from.size());
      const counted& top = from.top();
      const std::int64_t number = top.read();
      displaced += here(&top, number);
      values.add(static_cast<std::uint64_t>(number));
      idle += questions::asked - asked;
      if (pops % 2 == 0) {
        from.pop();
        moved += work() != done;
      } else {
        late += from.extract().read() != number;
      }
      late += counted::live != live - 1;
      ++pops;
      pop_questions += questions::asked - asked;
    }

    // 1 for an element that is known to have been somewhere else. Only rounds notes places, and of every third element,
    // whose number says so.
    bool here(const counted* top, std::int64_t number) { return number % 4 == 1 && places.erase(top) == 0; }

    void drain(Queue& from) {
      while (!from.empty()) pop(from);
    }

    void show(std::ostream& out) const {
      out << "over " << over << " moved " << moved << " idle " << idle << " displaced " << displaced << " late " << late;
      out << " pops " << pops << (pop_questions > pop_allowed + paid ? " dear" : " fair");
      out << " values " << values.value() << '\n';
    }
  };

  static std::int64_t drawn(splitmix& random) { return static_cast<std::int64_t>(random.below(1'000'000'000)); }

  // A number of an element, four times as large, and 1 more if the place of the element will be known.
  static std::int64_t marked(std::int64_t number, std::uint64_t turn) { return 4 * number + (turn % 3 == 2); }

  // The next number of a row that grows in a way that is hard for one structure or another. In "zigzag" a smaller one
  // than all others and a larger one take turns.
  class growing {
   public:
    growing(const std::string& way, std::uint64_t seed) : way_(way), random_(seed) {}
    std::int64_t next() {
      ++count_;
      if (way_ == "drawn") return drawn(random_);
      if (way_ == "rising" || (way_ == "zigzag" && count_ % 2 == 0)) return ++high_;
      return --low_;
    }

   private:
    std::string way_;
    splitmix random_;
    std::uint64_t count_ = 0;
    std::int64_t low_ = 500'000'000, high_ = 500'000'000;
  };

  // Two queues grow, and are merged again and again.
  static void rounds(std::istream& in, tally& all) {
    std::uint64_t count = 0, size = 0, seed = 0;
    std::string way;
    in >> count >> size >> way >> seed;
    growing numbers(way, seed);
    Queue main;
    for (std::uint64_t round = 0; round < count; ++round) {
      Queue other;
      for (std::uint64_t i = 0; i < size; ++i) all.push(other, marked(numbers.next(), i), i);
      if (round % 2 == 0) {
        all.merge(main, other);
      } else {
        all.merge(other, main);
        main.swap(other);
      }
      if (round % 3 == 2) all.pop(main);
    }
    all.drain(main);
  }

  // Queues of one size meet in pairs, as in a tournament.
  static void tournament(std::istream& in, tally& all) {
    std::uint64_t leaves = 0, seed = 0;
    in >> leaves >> seed;
    splitmix random(seed);
    std::vector<Queue> open(leaves);
    for (Queue& each : open) all.push(each, 4 * drawn(random), 0);
    while (open.size() > 1) {
      for (std::size_t i = 0; i + 1 < open.size(); i += 2) {
        all.merge(open[i], open[i + 1]);
        if (i > 0) open[i / 2] = std::move(open[i]);
      }
      if (open.size() % 2 == 1) open[open.size() / 2] = std::move(open.back());
      const std::size_t half = (open.size() + 1) / 2;
      while (open.size() > half) open.pop_back();
    }
    all.drain(open[0]);
  }

  // A queue from a range, its copy, and what of both asks nothing at all.
  static void range(std::istream& in, tally& all) {
    std::uint64_t count = 0, seed = 0;
    in >> count >> seed;
    splitmix random(seed);
    std::vector<counted> from;
    from.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) from.emplace_back(4 * drawn(random));
    const std::int64_t asked = questions::asked, most = static_cast<std::int64_t>(6 * count);
    Queue built(from.begin(), from.end());
    all.over += questions::asked - asked > most;
    all.paid += most;

    const std::int64_t before = questions::asked;
    Queue copy(built);
    Queue assigned;
    assigned = copy;
    const std::int64_t work = tally::work();
    const counted* top = count > 0 ? &assigned.top() : nullptr;
    Queue moved(std::move(assigned));
    if (count > 0) all.displaced += &moved.top() != top;
    moved.swap(copy);
    if (count > 0) all.displaced += &copy.top() != top;
    assigned = std::move(copy);
    if (count > 0) all.displaced += &assigned.top() != top;
    assigned.merge(assigned);
    all.displaced += assigned.size() != count;
    all.moved += tally::work() - work;
    moved.clear();
    all.idle += questions::asked - before;
    all.drain(assigned);
    all.drain(built);
  }

  // Copies of a queue, each popped some times: each copied element pays like one that was pushed.
  static void copies(std::istream& in, tally& all) {
    std::uint64_t count = 0, times = 0, pops = 0, seed = 0;
    in >> count >> times >> pops >> seed;
    splitmix random(seed);
    Queue main;
    for (std::uint64_t i = 0; i < count; ++i) all.push(main, 4 * drawn(random), 0);
    for (std::uint64_t i = 0; i < times; ++i) {
      const std::int64_t asked = questions::asked, copied = counted::copies, moves = counted::moves;
      Queue copy(main);
      all.idle += questions::asked - asked;
      all.over += counted::copies - copied != static_cast<std::int64_t>(count);
      all.moved += counted::moves - moves;
      all.paid += static_cast<std::int64_t>(count) * allowed(count);
      for (std::uint64_t k = 0; k < pops; ++k) all.pop(copy);
    }
    all.drain(main);
  }

  static void run(std::istream& in, std::ostream& out) {
    std::string what;
    while (in >> what) {
      tally all;
      if (what == "rounds") rounds(in, all);
      if (what == "tournament") tournament(in, all);
      if (what == "range") range(in, all);
      if (what == "copies") copies(in, all);
      all.show(out);
    }
  }
};

}  // namespace drive

#endif  // COST_HPP
