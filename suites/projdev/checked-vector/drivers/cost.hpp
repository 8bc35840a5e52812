// rigorbench-canary ff6c925b-e7ec-441b-b728-dfa192fd87f2
// How often elements are copied and moved, how much memory is held, and when elements are destroyed.
#ifndef COST_HPP
#define COST_HPP

#include <cstdint>
#include <istream>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "elements.hpp"
#include "memory.hpp"
#include "run.hpp"

namespace drive {

template <class Vector>
struct costs {
  // What a line found, beyond what the statement allows.
  struct tally {
    std::int64_t over = 0;   // operations that copied and moved too often
    std::int64_t heavy = 0;  // times at which too much memory was held
    std::int64_t late = 0;   // operations after which the number of objects is not that of the elements
    digest values;

    void show(std::ostream& out) const {
      out << "over " << over << " heavy " << heavy << " late " << late << " values " << values.value() << '\n';
    }
  };

  // Watches one vector: the work since the last look, the objects, the memory.
  class watch {
   public:
    watch(tally& all, const Vector& vector) : all_(all), vector_(vector), live_(counted::live - size()) {
      base_ = memory::held;
      memory::most = memory::held;
      look(INT64_MAX);
    }
    void reserved(std::int64_t elements) { largest_ = std::max(largest_, elements); }
    void look(std::int64_t allowed) {
      const std::int64_t work = counted::copies + counted::moves;
      all_.over += work - work_ > allowed;
      work_ = work;
      reserved(size());
      all_.late += counted::live - live_ != size();
      all_.heavy += memory::most - base_ > 3 * largest_ * std::int64_t{sizeof(counted)} + 512;
      memory::most = memory::held;
    }

   private:
    std::int64_t size() const { return static_cast<std::int64_t>(vector_.size()); }

    tally& all_;
    const Vector& vector_;
    std::int64_t live_, base_ = 0, work_ = 0, largest_ = 0;
  };

  static std::int64_t drawn(splitmix& random) { return static_cast<std::int64_t>(random.below(1'000'000'000)); }

  static void fill(Vector& vector, std::int64_t count, splitmix& random) {
    for (std::int64_t i = 0; i < count; ++i) vector.emplace_back(drawn(random));
  }

  static void add(digest& values, const Vector& vector) {
    values.add(vector.size());
    for (const counted& each : vector) values.add(static_cast<std::uint64_t>(each.read()));
  }

  // One after the other at the end, from nothing, and away again.
  static void grow(tally& all, std::int64_t count, splitmix& random) {
    Vector vector;
    watch eye(all, vector);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t number = drawn(random);
      if (i % 2 == 0) vector.emplace_back(number);
      else vector.push_back(counted(number));
      eye.reserved(i + 1);
    }
    eye.look(4 * count + 64);
    add(all.values, vector);
    while (vector.size() > 1) {
      vector.pop_back();
      eye.look(0);
    }
    vector.clear();
    eye.look(0);
  }

  // Room that was reserved is used without moving anything, in the middle as well.
  static void reserve(tally& all, std::int64_t count, splitmix& random) {
    Vector vector;
    watch eye(all, vector);
    eye.reserved(2 * count);
    vector.reserve(static_cast<std::size_t>(2 * count));
    eye.look(0);
    for (std::int64_t i = 0; i < count; ++i) {
      vector.emplace_back(drawn(random));
      eye.look(0);
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t at = static_cast<std::int64_t>(random.below(vector.size() + 1));
      vector.emplace(vector.begin() + at, drawn(random));
      eye.look(static_cast<std::int64_t>(vector.size()) - at + 1);
    }
    add(all.values, vector);
    vector.clear();
    vector.shrink_to_fit();
    eye.look(0);
  }

  // Parts of a vector are erased: only what is behind them moves, once.
  static void erase(tally& all, std::int64_t count, splitmix& random) {
    Vector vector;
    fill(vector, count, random);
    watch eye(all, vector);
    while (vector.size() > 3) {
      const std::size_t size = vector.size();
      const std::size_t first = random.below(size), length = random.below(size / 4 + 1);
      const std::size_t last = std::min(first + length, size);
      const auto begin = vector.cbegin();
      vector.erase(begin + static_cast<std::int64_t>(first), begin + static_cast<std::int64_t>(last));
      eye.look(last > first ? static_cast<std::int64_t>(size - last) : 0);
      const std::size_t one = random.below(vector.size());
      vector.erase(vector.begin() + static_cast<std::int64_t>(one));
      eye.look(static_cast<std::int64_t>(vector.size() - one));
      if (!vector.empty()) all.values.add(static_cast<std::uint64_t>(vector[one / 2].read()));
    }
  }

  // A copy copies each element once. Handing over and looking copy and move nothing, and take no memory.
  static void copy(tally& all, std::int64_t count, splitmix& random) {
    Vector vector, second;
    fill(vector, count, random);
    std::int64_t copies = counted::copies, moves = counted::moves;
    Vector copied(std::as_const(vector));
    second = copied;
    all.over += counted::copies - copies > 2 * count || counted::moves != moves;
    copies = counted::copies;
    const std::int64_t requests = memory::requests;
    Vector third(std::move(second));
    third.swap(copied);
    second = std::move(third);
    second = std::move(second);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < second.size(); ++i) sum += second[i].read() % 1000;
    for (auto it = second.end(); it != second.begin();) sum -= (--it)->read() % 1000;
    all.over += counted::copies != copies || counted::moves != moves || sum != 0;
    all.heavy += memory::requests != requests;
    all.late += counted::live != 3 * count;
    add(all.values, second);
    const std::int64_t live = counted::live;
    copies = counted::copies;
    const counted value(drawn(random));
    second.resize(static_cast<std::size_t>(count / 2), value);
    all.over += counted::copies != copies || counted::moves != moves;
    second.reserve(static_cast<std::size_t>(count));
    moves = counted::moves;
    second.resize(static_cast<std::size_t>(count), value);
    all.over += counted::copies - copies > count - count / 2 || counted::moves != moves;
    all.late += counted::live != live + 1;
    add(all.values, second);
  }

  static void run(std::istream& in, std::ostream& out) {
    std::string what;
    std::int64_t count = 0;
    std::uint64_t seed = 0;
    while (in >> what >> count >> seed) {
      tally all;
      splitmix random(seed);
      if (what == "grow") grow(all, count, random);
      if (what == "reserve") reserve(all, count, random);
      if (what == "erase") erase(all, count, random);
      if (what == "copy") copy(all, count, random);
      all.show(out);
    }
  }
};

}  // namespace drive

#endif  // COST_HPP
