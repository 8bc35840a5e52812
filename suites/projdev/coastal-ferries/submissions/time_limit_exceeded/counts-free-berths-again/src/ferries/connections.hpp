// rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
// Finding sailings: directly, and with one change of ferries.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/list.hpp"
#include "ferries/bookings.hpp"
#include "ferries/fleet.hpp"

namespace ferries {

enum class Order { time, price };

class Connections {
 public:
  static constexpr std::uint32_t kLeastChange = 20;

  struct Change {
    Voyage one;
    Voyage two;
    std::uint32_t price;
    std::uint32_t duration;
  };

  explicit Connections(const Fleet& fleet) : fleet_(fleet) {}

  // Sailings that leave the first port on this day and serve the second later, in this order.
  List<Voyage> direct(std::string_view from, std::string_view to, std::uint32_t day, Order order) const;
  std::optional<Change> with_change(std::string_view from, std::string_view to, std::uint32_t day, Order order);

 private:
  std::uint32_t price(const Voyage& part) const;
  std::uint32_t leaves(const Voyage& part) const;
  std::uint32_t arrives(const Voyage& part) const;
  std::optional<Change> joined(const Voyage& one, std::uint32_t line, std::uint32_t boards) const;
  bool better(const Change& change, const Change& best, Order order) const;

  const Fleet& fleet_;
  // For each line, its place of the port that a question leads to; 0 if it does not serve it. Zero between questions.
  List<std::uint8_t> place_of_end_;
};

}  // namespace ferries
