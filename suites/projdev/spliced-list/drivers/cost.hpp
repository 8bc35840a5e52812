// rigorbench-canary a25b6a18-b249-4263-8654-8ba6031f129a
// How often elements are compared, whether anything but links changes, and when elements are destroyed.
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

// Counts its calls and can fail at one of them. Elements are compared without their last digit.
struct asking {
  bool equality = false;
  bool operator()(const counted& a, const counted& b) const {
    ++asked;
    if (fuse > 0 && --fuse == 0) throw broken();
    return equality ? a.read() / 10 == b.read() / 10 : a.read() / 10 < b.read() / 10;
  }
  inline static std::int64_t asked = 0;
  inline static std::int64_t fuse = 0;  // the call that fails, counted from now; 0: none
};

template <class List>
struct costs {
  // What a line found, beyond what the statement allows.
  struct tally {
    std::int64_t over = 0;    // operations that compared too often
    std::int64_t worked = 0;  // operations that copied, moved, constructed or requested memory where they must not
    std::int64_t late = 0;    // operations after which the number of objects is not that of the elements
    std::int64_t strayed = 0; // elements that are not where they were
    digest values;

    void show(std::ostream& out) const {
      out << "over " << over << " worked " << worked << " late " << late << " strayed " << strayed;
      out << " values " << values.value() << '\n';
    }
  };

  // The work since the last look.
  class watch {
   public:
    explicit watch(tally& all) : all_(all) { now(); }
    void look(std::int64_t questions, std::int64_t constructions, std::int64_t requests, std::int64_t objects) {
      all_.over += asking::asked - asked_ > questions;
      all_.worked += counted::copies + counted::moves - work_ > constructions || memory::requests - requests_ > requests;
      all_.late += counted::live - live_ != objects;
      now();
    }
    void links(std::int64_t questions, std::int64_t objects = 0) { look(questions, 0, 0, objects); }
    void now() {
      asked_ = asking::asked;
      work_ = counted::copies + counted::moves;
      requests_ = memory::requests;
      live_ = counted::live;
    }

   private:
    tally& all_;
    std::int64_t asked_ = 0, work_ = 0, requests_ = 0, live_ = 0;
  };

  // Which number is at which address; all addresses of a list must be known.
  using places = std::vector<std::pair<const counted*, std::int64_t>>;

  static places seen(const List& list) {
    places all;
    for (const counted& each : list) all.emplace_back(&each, each.read());
    return all;
  }

  // The same elements in two rows, in any order.
  static bool same(places a, places b) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b;
  }

  static void add(digest& values, const List& list) {
    values.add(list.size());
    for (const counted& each : list) values.add(static_cast<std::uint64_t>(each.read()));
  }

  static std::int64_t drawn(const std::string& order, std::int64_t index, std::int64_t count, splitmix& random) {
    if (order == "rising") return index;
    if (order == "falling") return count - index;
    return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(count) + 5));
  }

  static void fill(List& list, const std::string& order, std::int64_t count, splitmix& random) {
    for (std::int64_t i = 0; i < count; ++i) list.emplace(list.end(), drawn(order, i, count, random));
  }

  static std::int64_t sorting(std::int64_t count) {
    std::int64_t log = 0;
    while ((std::int64_t{1} << log) < count) ++log;
    return count * log;
  }

  static void sort(tally& all, const std::string& order, std::int64_t count, splitmix& random) {
    List list;
    fill(list, order, count, random);
    const places before = seen(list);
    watch eye(all);
    list.sort(asking{});
    eye.links(sorting(count));
    all.strayed += !same(before, seen(list));
    add(all.values, list);
    eye.now();
    list.reverse();
    eye.links(0);
    add(all.values, list);
    const std::size_t size = list.size();
    eye.now();
    const std::size_t removed = list.unique(asking{true});
    eye.links(count > 0 ? count - 1 : 0, -static_cast<std::int64_t>(size - list.size()));
    all.late += removed != size - list.size();
    const std::int64_t left = static_cast<std::int64_t>(list.size());
    list.remove_if([](const counted& each) { return each.read() % 3 == 0; });
    eye.links(0, static_cast<std::int64_t>(list.size()) - left);
    add(all.values, list);
  }

  // Two sorted lists become one, and again.
  static void merge(tally& all, const std::string& order, std::int64_t count, splitmix& random) {
    List main;
    for (int round = 0; round < 4; ++round) {
      List other;
      fill(other, order, round == 2 ? count / 10 : count, random);
      other.sort(asking{});
      places before = seen(main);
      for (const auto& each : seen(other)) before.push_back(each);
      const std::int64_t both = static_cast<std::int64_t>(before.size());
      watch eye(all);
      if (round % 2 == 0) {
        main.merge(other, asking{});
      } else {
        other.merge(main, asking{});
        main.swap(other);
      }
      eye.links(both > 0 ? both - 1 : 0);
      main.merge(main, asking{});
      eye.links(0);
      all.strayed += !same(before, seen(main)) || !other.empty();
      add(all.values, main);
    }
  }

  // Whole lists and single elements change their list; nothing is compared.
  static void splice(tally& all, const std::string& order, std::int64_t count, splitmix& random) {
    List first, second;
    fill(first, order, count, random);
    fill(second, order, count, random);
    places before = seen(first);
    for (const auto& each : seen(second)) before.push_back(each);
    watch eye(all);
    auto middle = first.begin();
    for (std::int64_t i = 0; i < count / 2; ++i) ++middle;
    for (std::int64_t i = 0; i < count / 3; ++i) {
      first.splice(middle, second, second.begin());
      first.splice(first.begin(), first, --first.end());
      second.splice(second.end(), first, first.begin());
    }
    eye.links(0);
    first.splice(middle, second);
    first.splice(middle, first);
    List taken(std::move(first));
    first.swap(taken);
    taken = std::move(first);
    eye.links(0);
    all.strayed += !same(before, seen(taken)) || !first.empty() || !second.empty();
    add(all.values, taken);
    eye.now();
    List copy(std::as_const(taken));
    eye.look(0, 2 * count, 2 * count, 2 * count);
    add(all.values, copy);
    eye.now();
    copy.clear();
    eye.links(0, -2 * count);
  }

  static void run(std::istream& in, std::ostream& out) {
    std::string what, order;
    std::int64_t count = 0;
    std::uint64_t seed = 0;
    while (in >> what >> order >> count >> seed) {
      tally all;
      splitmix random(seed);
      if (what == "sort") sort(all, order, count, random);
      if (what == "merge") merge(all, order, count, random);
      if (what == "splice") splice(all, order, count, random);
      all.show(out);
    }
  }
};

}  // namespace drive

#endif  // COST_HPP
