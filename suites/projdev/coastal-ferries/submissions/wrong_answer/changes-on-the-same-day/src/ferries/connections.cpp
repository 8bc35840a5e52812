// rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
#include "ferries/connections.hpp"

#include <algorithm>

namespace ferries {

List<Voyage> Connections::direct(std::string_view from, std::string_view to, std::uint32_t day, Order order) const {
  List<Voyage> found;
  const auto start = fleet_.port(from), end = fleet_.port(to);
  if (!start || !end) return found;
  for (const Call& call : fleet_.calls(*start)) {
    const auto sails = fleet_[call.line].sailing_that_leaves(call.place, day);
    const auto last = fleet_[call.line].place_of(*end);
    if (sails && last && call.place < *last) found.add({call.line, *sails, call.place, *last});
  }
  const auto key = [&](const Voyage& part) {
    return order == Order::price ? price(part) : arrives(part) - leaves(part);
  };
  std::sort(found.begin(), found.end(), [&](const Voyage& a, const Voyage& b) {
    if (key(a) != key(b)) return key(a) < key(b);
    return fleet_[a.line].name.view() < fleet_[b.line].name.view();
  });
  return found;
}

std::optional<Connections::Change> Connections::with_change(std::string_view from, std::string_view to,
                                                            std::uint32_t day, Order order) {
  std::optional<Change> best;
  const auto start = fleet_.port(from), end = fleet_.port(to);
  if (!start || !end) return best;
  place_of_end_.resize(fleet_.size(), 0);
  for (const Call& call : fleet_.calls(*end)) place_of_end_[call.line] = call.place;
  for (const Call& call : fleet_.calls(*start)) {
    const Line& line = fleet_[call.line];
    const auto sails = line.sailing_that_leaves(call.place, day);
    for (std::uint32_t via = call.place + 1U; sails && via < line.ports; ++via) {
      for (const Call& next : fleet_.calls(line.port[via])) {
        if (next.line == call.line || place_of_end_[next.line] <= next.place) continue;
        const auto change = joined({call.line, *sails, call.place, via}, next.line, next.place);
        if (change && (!best || better(*change, *best, order))) best = change;
      }
    }
  }
  for (const Call& call : fleet_.calls(*end)) place_of_end_[call.line] = 0;
  return best;
}

std::uint32_t Connections::price(const Voyage& part) const {
  return fleet_[part.line].price[part.last] - fleet_[part.line].price[part.first];
}

std::uint32_t Connections::leaves(const Voyage& part) const {
  return part.day * kDayMinutes + fleet_[part.line].departure[part.first];
}

std::uint32_t Connections::arrives(const Voyage& part) const {
  return part.day * kDayMinutes + fleet_[part.line].arrival[part.last];
}

// The first part with the first sailing of another line that can be reached, if there is one.
std::optional<Connections::Change> Connections::joined(const Voyage& one, std::uint32_t line,
                                                       std::uint32_t boards) const {
  const Line& following = fleet_[line];
  const std::uint32_t ready = arrives(one) + kLeastChange, departure = following.departure[boards];
  const std::uint32_t earliest = ready <= departure ? 0 : (ready - departure + kDayMinutes - 1) / kDayMinutes;
  const auto day = following.next_sailing(earliest);
  if (!day || *day != earliest) return std::nullopt;
  const Voyage two{line, *day, boards, place_of_end_[line]};
  return Change{one, two, price(one) + price(two), arrives(two) - leaves(one)};
}

bool Connections::better(const Change& change, const Change& best, Order order) const {
  const bool by_time = order == Order::time;
  const std::uint32_t key = by_time ? change.duration : change.price, other = by_time ? best.duration : best.price;
  if (key != other) return key < other;
  const std::uint32_t second = by_time ? change.price : change.duration;
  const std::uint32_t other_second = by_time ? best.price : best.duration;
  if (second != other_second) return second < other_second;
  const auto name = [&](const Voyage& part) { return fleet_[part.line].name.view(); };
  if (const int found = name(change.one).compare(name(best.one)); found != 0) return found < 0;
  if (const int found = name(change.two).compare(name(best.two)); found != 0) return found < 0;
  return change.one.last < best.one.last;
}

}  // namespace ferries
