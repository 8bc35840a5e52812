// rigorbench-canary b8a9a7c5-2800-409d-bf7a-99652dc62872
// How often keys are compared, whether elements stay where they are, and when they are destroyed.
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

template <class Map>
struct costs {
  using pair = typename Map::value_type;
  using iterator = typename Map::iterator;

  // What a line found, beyond what the statement allows.
  struct tally {
    std::int64_t over = 0;    // operations that compared too often
    std::int64_t worked = 0;  // operations that copied, moved or requested memory where they must not
    std::int64_t late = 0;    // operations after which the number of objects is not that of the elements
    digest values;

    void show(std::ostream& out) const {
      out << "over " << over << " worked " << worked << " late " << late << " values " << values.value() << '\n';
    }
  };

  static std::int64_t allowed(std::size_t elements) {
    std::int64_t log = 0;
    for (elements += 1; elements >>= 1;) ++log;
    return 4 * log + 8;
  }

  // The work since the last look: questions, copies and moves, requests for memory, objects.
  class watch {
   public:
    explicit watch(tally& all) : all_(all) { now(); }
    void look(std::int64_t questions, std::int64_t constructions, std::int64_t requests, std::int64_t objects) {
      all_.over += nearest::asked - asked_ > questions;
      all_.worked += counted::copies + counted::moves - work_ > constructions || memory::requests - requests_ > requests;
      all_.late += counted::live - live_ != objects;
      now();
    }
    void now() {
      asked_ = nearest::asked;
      work_ = counted::copies + counted::moves;
      requests_ = memory::requests;
      live_ = counted::live;
    }

   private:
    tally& all_;
    std::int64_t asked_ = 0, work_ = 0, requests_ = 0, live_ = 0;
  };

  static void add(digest& values, const Map& map) {
    values.add(map.size());
    for (const pair& each : map) {
      values.add(static_cast<std::uint64_t>(each.first.read()));
      values.add(static_cast<std::uint64_t>(each.second.read()));
    }
  }

  static std::int64_t drawn(const std::string& order, std::int64_t index, splitmix& random) {
    if (order == "rising") return index;
    if (order == "falling") return -index;
    return static_cast<std::int64_t>(random.below(1'000'000));
  }

  // Insertion, search and removal, each within its number of comparisons; elements keep their places.
  static void search(tally& all, const std::string& order, std::int64_t count, splitmix& random) {
    Map map{nearest(-2'000'000)};
    std::vector<std::pair<std::int64_t, const pair*>> places;
    {
      watch eye(all);
      for (std::int64_t i = 0; i < count; ++i) {
        const counted key(drawn(order, i, random));
        eye.now();
        const auto [it, fresh] = map.try_emplace(key, i);
        eye.look(allowed(map.size()), fresh ? 1 : 0, fresh ? 2 : 0, fresh ? 2 : 0);
        if (fresh) places.emplace_back(key.read(), &*it);
      }
      eye.now();
      for (const auto& [number, place] : places) {
        const counted key(number);
        eye.now();
        const auto it = map.find(key);
        eye.look(allowed(map.size()), 0, 0, 0);
        all.worked += &*it != place;
        all.values.add(static_cast<std::uint64_t>(map.upper_bound(key) == map.end() ? 7 : map.at(key).read()));
        eye.look(2 * allowed(map.size()), 0, 0, 0);
        all.over += map.lower_bound(key) != it;
        eye.look(allowed(map.size()), 0, 0, 0);
        const std::size_t rank = map.rank(it);
        all.values.add(rank);
        all.over += map.nth(rank) != it;
        eye.look(0, 0, 0, 0);
      }
    }
    removal(all, map, places);
  }

  static void removal(tally& all, Map& map, std::vector<std::pair<std::int64_t, const pair*>>& places) {
    watch eye(all);
    for (std::size_t i = 0; i + 1 < places.size(); i += 2) {
      const counted key(places[i].first);
      eye.now();
      const std::int64_t most = allowed(map.size());
      all.values.add(map.erase(key));
      eye.look(most, 0, 0, -2);
      const auto other = map.find(counted(places[i + 1].first));
      all.worked += &*other != places[i + 1].second;
      eye.now();
      if (i % 4 == 0) {
        const auto behind = map.erase(other);
        all.values.add(behind == map.end() ? 7 : static_cast<std::uint64_t>(behind->first.read()));
        eye.look(0, 0, 0, -2);
      }
    }
    add(all.values, map);
    eye.now();
    const std::size_t half = map.size() / 2;
    const auto rest = map.erase(map.nth(half / 2), map.nth(half + half / 2));
    eye.look(0, 0, 0, -2 * static_cast<std::int64_t>(half));
    all.over += map.rank(rest) != half / 2;
    add(all.values, map);
  }

  // Copies, moves, swaps and iteration compare nothing; only copies copy.
  static void whole(tally& all, const std::string& order, std::int64_t count, splitmix& random) {
    Map map{nearest(500'000)};
    for (std::int64_t i = 0; i < count; ++i) map.try_emplace(counted(drawn(order, i, random)), i);
    const std::int64_t size = static_cast<std::int64_t>(map.size());
    watch eye(all);
    Map copy(std::as_const(map));
    eye.look(0, 2 * size, 2 * size + 8, 2 * size);
    const auto first = copy.begin();
    const pair* const place = size > 0 ? &*first : nullptr;
    eye.now();
    Map taken(std::move(copy));
    copy = std::move(taken);
    taken.swap(copy);
    swap_twice(taken, map);
    eye.look(0, 0, 0, 0);
    if (size > 0) all.worked += &*taken.begin() != place || taken.begin() != first || taken.rank(first) != 0;
    std::int64_t sum = 0;
    for (auto it = taken.begin(); it != taken.end(); ++it) sum += it->first.read();
    for (auto it = taken.end(); it != taken.begin();) sum -= (--it)->first.read();
    all.over += sum != 0;
    eye.look(0, 0, 0, 0);
    copy = std::as_const(taken);
    eye.look(0, 2 * size, 2 * size + 8, 2 * size);
    add(all.values, copy);
    eye.now();
    copy.clear();
    eye.look(0, 0, 0, -2 * size);
    add(all.values, taken);
  }

  static void swap_twice(Map& first, Map& second) {
    first.swap(second);
    first.swap(first);
    second.swap(first);
  }

  // What is there already is neither copied nor constructed, and takes no memory.
  static void again(tally& all, const std::string& order, std::int64_t count, splitmix& random) {
    Map map{nearest(0)};
    for (std::int64_t i = 0; i < count; ++i) map.try_emplace(counted(drawn(order, i, random)), i);
    std::vector<std::int64_t> keys;
    for (const pair& each : map) keys.push_back(each.first.read());
    watch eye(all);
    for (std::int64_t number : keys) {
      pair element(counted(number), counted(5));
      const counted key(number);
      eye.now();
      const bool fresh = map.insert(std::as_const(element)).second || map.try_emplace(key, 5).second;
      all.worked += fresh || map.insert(std::move(element)).second || element.second.read() != 5;
      eye.look(3 * allowed(map.size()), 0, 0, 0);
    }
    add(all.values, map);
  }

  static void run(std::istream& in, std::ostream& out) {
    std::string what, order;
    std::int64_t count = 0;
    std::uint64_t seed = 0;
    while (in >> what >> order >> count >> seed) {
      tally all;
      splitmix random(seed);
      if (what == "search") search(all, order, count, random);
      if (what == "whole") whole(all, order, count, random);
      if (what == "again") again(all, order, count, random);
      all.show(out);
    }
  }
};

}  // namespace drive

#endif  // COST_HPP
