// rigorbench-canary 30995173-b7c4-441e-8bd0-91a05f94348c
// How often keys are hashed and compared, whether elements stay where they are, memory, and when elements are destroyed.
#ifndef COST_HPP
#define COST_HPP

#include <algorithm>
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

  // What a line found, beyond what the statement allows.
  struct tally {
    std::int64_t over = 0;    // operations that hashed or compared too often
    std::int64_t worked = 0;  // operations that copied, moved or requested memory where they must not
    std::int64_t heavy = 0;   // times at which too much memory was held
    std::int64_t late = 0;    // operations after which the number of objects is not that of the elements
    digest values;

    void show(std::ostream& out) const {
      out << "over " << over << " worked " << worked << " heavy " << heavy << " late " << late;
      out << " values " << values.value() << '\n';
    }
  };

  // The work since the last look.
  class watch {
   public:
    explicit watch(tally& all) : all_(all) { now(); }
    void look(std::int64_t hashes, std::int64_t questions, std::int64_t constructions, std::int64_t objects) {
      all_.over += hasher::asked - hashed_ > hashes || matcher::asked - asked_ > questions;
      all_.worked += counted::copies + counted::moves - work_ > constructions;
      all_.late += counted::live - live_ != objects;
      now();
    }
    // The same for what must do nothing at all; it may request no memory either.
    void nothing(std::int64_t hashes = 0, std::int64_t questions = 0, std::int64_t objects = 0) {
      all_.worked += memory::requests != requests_;
      look(hashes, questions, 0, objects);
    }
    void now() {
      hashed_ = hasher::asked;
      asked_ = matcher::asked;
      work_ = counted::copies + counted::moves;
      requests_ = memory::requests;
      live_ = counted::live;
    }

   private:
    tally& all_;
    std::int64_t hashed_ = 0, asked_ = 0, work_ = 0, requests_ = 0, live_ = 0;
  };

  // A case's line: keys 0, 1, 2 ... or drawn; `share` of them have the same hash value, which is a multiple of 2^shift.
  struct keys {
    std::string order;
    std::int64_t share = 1, shift = 0, count = 0;

    Map map() const { return Map(hasher(share, std::int64_t{1} << shift), matcher(hasher::modulus)); }
    std::int64_t at(std::int64_t index, splitmix& random) const {
      return order == "rising" ? index : static_cast<std::int64_t>(random.below(1'000'000));
    }
  };

  static void add(digest& values, const Map& map) {
    values.add(map.size());
    for (const pair& each : map) {
      values.add(static_cast<std::uint64_t>(each.first.read()));
      values.add(static_cast<std::uint64_t>(each.second.read()));
    }
  }

  static void search(tally& all, const keys& line, splitmix& random) {
    std::vector<std::pair<std::int64_t, const pair*>> places;
    places.reserve(static_cast<std::size_t>(line.count));
    const std::int64_t base = memory::held;
    Map map = line.map();
    watch eye(all);
    memory::most = memory::held;
    for (std::int64_t i = 0; i < line.count; ++i) {
      const counted key(line.at(i, random));
      eye.now();
      const auto [it, fresh] = map.try_emplace(key, i);
      eye.look(1, fresh ? line.share - 1 : line.share, fresh ? 1 : 0, fresh ? 2 : 0);
      if (fresh) places.emplace_back(key.read(), &*it);
      const std::int64_t size = static_cast<std::int64_t>(map.size());
      all.heavy += memory::most - base > size * std::int64_t{sizeof(pair) + 128} + 1024;
    }
    for (const auto& [number, place] : places) {
      const counted key(number), absent(number + 500'000);
      eye.now();
      const auto it = map.find(key);
      all.worked += &*it != place;
      eye.nothing(1, line.share);
      if (map.contains(absent)) all.values.add(static_cast<std::uint64_t>(map.at(absent).read()));
      eye.nothing(2, 2 * line.share);
      if (number % 3 == 0) map.to_back(it);
      if (number % 7 == 0) map.to_front(it);
      eye.nothing();
    }
    add(all.values, map);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const counted key(places[i].first);
      eye.now();
      if (i % 2 == 0) {
        all.values.add(map.erase(key));
        eye.nothing(1, line.share, -2);
      } else if (i % 4 == 1) {
        const auto it = map.find(key);
        eye.now();
        const auto behind = map.erase(it);
        all.values.add(behind == map.end() ? 7 : static_cast<std::uint64_t>(behind->first.read()));
        eye.nothing(0, 0, -2);
      }
    }
    add(all.values, map);
    eye.now();
    map.clear();
    eye.nothing(0, 0, -2 * static_cast<std::int64_t>(places.size() / 4));
  }

  // Room that was reserved: each insertion requests the memory of its element only.
  static void reserve(tally& all, const keys& line, splitmix& random) {
    Map map = line.map();
    map.reserve(static_cast<std::size_t>(line.count));
    for (std::int64_t i = 0; i < line.count; ++i) {
      const counted key(line.at(i, random));
      const std::int64_t requests = memory::requests;
      const bool fresh = map.try_emplace(key, i).second;
      all.worked += memory::requests - requests > (fresh ? 1 : 0);
    }
    add(all.values, map);
  }

  // Copies, moves, swaps and iteration hash and compare nothing; only copies copy.
  static void whole(tally& all, const keys& line, splitmix& random) {
    Map map = line.map();
    for (std::int64_t i = 0; i < line.count; ++i) map.try_emplace(counted(line.at(i, random)), i);
    const std::int64_t size = static_cast<std::int64_t>(map.size());
    watch eye(all);
    Map copy(std::as_const(map));
    eye.look(0, 0, 2 * size, 2 * size);
    const auto first = copy.begin();
    const pair* const place = size > 0 ? &*first : nullptr;
    eye.now();
    Map taken(std::move(copy));
    copy = std::move(taken);
    taken.swap(copy);
    taken.swap(map);
    taken.swap(taken);
    map.swap(taken);
    eye.nothing();
    if (size > 0) all.worked += &*taken.begin() != place || taken.begin() != first;
    std::int64_t sum = 0;
    for (auto it = taken.begin(); it != taken.end(); ++it) sum += it->first.read();
    for (auto it = taken.end(); it != taken.begin();) sum -= (--it)->first.read();
    all.over += sum != 0;
    eye.nothing();
    copy = std::as_const(taken);
    eye.look(0, 0, 2 * size, 2 * size);
    add(all.values, copy);
    eye.now();
    copy.clear();
    eye.nothing(0, 0, -2 * size);
    add(all.values, taken);
  }

  // What is there already is neither copied nor constructed, takes no memory, and keeps its place and its key.
  static void again(tally& all, const keys& line, splitmix& random) {
    Map map = line.map();
    for (std::int64_t i = 0; i < line.count; ++i) map.try_emplace(counted(line.at(i, random)), i);
    std::vector<std::int64_t> there;
    for (const pair& each : map) there.push_back(each.first.read());
    watch eye(all);
    for (std::int64_t number : there) {
      pair element(counted(number + hasher::modulus), counted(5));
      const counted key(number);
      eye.now();
      const bool fresh = map.insert(std::as_const(element)).second || map.try_emplace(key, 5).second;
      all.worked += fresh || map.insert(std::move(element)).second || element.second.read() != 5;
      eye.nothing(3, 3 * line.share);
    }
    add(all.values, map);
  }

  static void run(std::istream& in, std::ostream& out) {
    std::string what;
    keys line;
    std::uint64_t seed = 0;
    while (in >> what >> line.order >> line.share >> line.shift >> line.count >> seed) {
      tally all;
      splitmix random(seed);
      if (what == "search") search(all, line, random);
      if (what == "reserve") reserve(all, line, random);
      if (what == "whole") whole(all, line, random);
      if (what == "again") again(all, line, random);
      all.show(out);
    }
  }
};

}  // namespace drive

#endif  // COST_HPP
