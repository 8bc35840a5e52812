// rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
// How many questions pushes, merges, pops and building from a range ask, and whether elements stay where they are.
#include "run.hpp"

#include <vector>

#include "count.hpp"
#include "elements.hpp"

namespace {

using drive::counted;
using drive::questions;
template <class queue>
struct costs {
  // What was asked too much, and what else the statement rules out, over a whole case.
  struct tally {
    std::int64_t over = 0;       // pushes, merges and ranges that asked more than they may
    std::int64_t moved = 0;      // elements copied, moved, made or ended by merges
    std::int64_t idle = 0;       // questions asked by what must not ask any
    std::int64_t displaced = 0;  // tops that are no longer where they were
    std::int64_t pops = 0, pop_questions = 0, pop_allowed = 0;
    drive::digest values;

    void push(queue& into, std::uint64_t number) {
      const std::int64_t before = questions::asked;
      into.emplace(static_cast<std::int64_t>(number));
      over += questions::asked - before > drive::allowed(into.size());
    }

    void merge(queue& into, queue& from) {
      const counted* first = into.empty() ? nullptr : &into.top();
      const counted* second = from.empty() ? nullptr : &from.top();
      const std::int64_t asked = questions::asked, lives = counted::live();
      const std::int64_t work = counted::copies() + counted::moves();
      into.merge(from);
      over += questions::asked - asked > drive::allowed(into.size());
      moved += counted::copies() + counted::moves() - work + (counted::live() != lives);
      if (!into.empty()) displaced += &into.top() != first && &into.top() != second;
      displaced += !from.empty();
    }

    void pop(queue& from) {
      const std::int64_t asked = questions::asked;
      pop_allowed += drive::allowed(from.size());
      values.add(static_cast<std::uint64_t>(from.top().read()));
      idle += questions::asked - asked;
      from.pop();
      ++pops;
      pop_questions += questions::asked - asked;
    }

    void drain(queue& from) {
      while (!from.empty()) pop(from);
    }

    // Pops may be dear now and then, so pushes and merges pay in advance: their own allowance counts as well.
    void show(std::ostream& out, std::int64_t others) const {
      out << "over " << over << "\nmoved " << moved << "\nidle " << idle << "\ndisplaced " << displaced << '\n';
      out << "pops " << pops << (pop_questions > pop_allowed + others ? " dear" : " fair") << '\n';
      out << "values " << values.value() << '\n';
    }
  };

  static std::uint64_t drawn(drive::splitmix& random) { return random.below(1'000'000'000); }

  // Two queues grow in the ways that are hard for one structure or another, and are merged again and again.
  static void rounds(std::istream& in, tally& all, std::int64_t& others) {
    std::uint64_t count = 0, size = 0, seed = 0;
    std::string growth;
    in >> count >> size >> growth >> seed;
    drive::splitmix random(seed);
    queue main;
    std::uint64_t next = 500'000'000;
    for (std::uint64_t round = 0; round < count; ++round) {
      queue other;
      for (std::uint64_t i = 0; i < size; ++i) {
        const std::uint64_t number = growth == "falling" ? --next : growth == "rising" ? ++next : drawn(random);
        all.push(other, number);
        others += drive::allowed(other.size());
      }
      if (round % 2 == 0) {
        all.merge(main, other);
      } else {
        all.merge(other, main);
        main.swap(other);
      }
      others += drive::allowed(main.size());
      if (round % 3 == 2) all.pop(main);
    }
    all.drain(main);
  }

  // Queues of one size meet in pairs, as in a tournament.
  static void tournament(std::istream& in, tally& all, std::int64_t& others) {
    std::uint64_t leaves = 0, seed = 0;
    in >> leaves >> seed;
    drive::splitmix random(seed);
    std::vector<queue> open(leaves);
    for (queue& each : open) all.push(each, drawn(random));
    while (open.size() > 1) {
      for (std::size_t i = 0; i + 1 < open.size(); i += 2) {
        all.merge(open[i], open[i + 1]);
        others += drive::allowed(open[i].size());
        if (i > 0) open[i / 2] = std::move(open[i]);
      }
      if (open.size() % 2 == 1) open[open.size() / 2] = std::move(open.back());
      const std::size_t half = (open.size() + 1) / 2;
      while (open.size() > half) open.pop_back();
    }
    all.drain(open[0]);
  }

  // A queue from a range, its copy, and what of both asks nothing at all.
  static void range(std::istream& in, tally& all, std::int64_t& others) {
    std::uint64_t count = 0, seed = 0;
    in >> count >> seed;
    drive::splitmix random(seed);
    std::vector<counted> from;
    from.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) from.emplace_back(static_cast<std::int64_t>(drawn(random)));
    const std::int64_t asked = questions::asked;
    queue built(from.begin(), from.end());
    all.over += questions::asked - asked > static_cast<std::int64_t>(6 * count);
    others += static_cast<std::int64_t>(6 * count);

    const std::int64_t before = questions::asked;
    queue copy(built);
    queue assigned;
    assigned = copy;
    const std::int64_t work = counted::copies() + counted::moves();
    const counted* top = count > 0 ? &assigned.top() : nullptr;
    queue moved(std::move(assigned));
    if (count > 0) all.displaced += &moved.top() != top;
    moved.swap(copy);
    if (count > 0) all.displaced += &copy.top() != top;
    assigned = std::move(copy);
    if (count > 0) all.displaced += &assigned.top() != top;
    assigned.merge(assigned);
    all.displaced += assigned.size() != count;
    all.moved += counted::copies() + counted::moves() - work;
    moved.clear();
    all.idle += questions::asked - before;
    all.drain(assigned);
    all.drain(built);
  }

  static void run(std::istream& in, std::ostream& out) {
    std::string what;
    while (in >> what) {
      tally all;
      std::int64_t others = 0;
      if (what == "rounds") rounds(in, all, others);
      if (what == "tournament") tournament(in, all, others);
      if (what == "range") range(in, all, others);
      all.show(out, others);
    }
    out << "left " << counted::live() << " ghosts " << counted::ghosts() << '\n';
  }
};

}  // namespace

#include "merge_queue.hpp"

int main() { return drive::report(costs<mq::merge_queue<counted, drive::asking<counted>>>::run); }
