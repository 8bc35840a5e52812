// rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
// Sailings with their free berths, bookings, and those who wait.
//
// A sailing has two chains of bookings, both by number: those that are booked or waiting, and those that wait. An account has a chain of
// all of its bookings, the newest first. Links are numbers of bookings; as these begin with 1, 0 is the end of a chain.
#pragma once

#include <cstdint>
#include <optional>

#include "ferries/accounts.hpp"
#include "ferries/fleet.hpp"
#include "storage/table.hpp"

namespace ferries {

enum class State : std::uint8_t { none, booked, waiting, refunded, cancelled };

struct Booking {
  std::uint32_t account = 0;
  std::uint16_t line = 0;
  std::uint16_t berths = 0;
  std::uint8_t day = 0;  // of the sailing
  std::uint8_t first = 0;
  std::uint8_t last = 0;
  State state = State::none;
  std::uint32_t older = 0;
  std::uint32_t before = 0, after = 0;
  std::uint32_t waits_before = 0, waits_after = 0;
};

struct Sailing {
  std::uint16_t free[kMostPorts - 1] = {};
  std::uint16_t used = 0;  // 0: nobody has booked yet, and the record is all zero
  std::uint32_t first = 0, last = 0;
  std::uint32_t first_waiting = 0, last_waiting = 0;
};

// What is to be booked: ports by their places on the line.
struct Voyage {
  std::uint32_t line;
  std::uint32_t day;  // of the sailing
  std::uint32_t first;
  std::uint32_t last;
};

class Bookings {
 public:
  Bookings(PageCache& cache, Table<std::uint32_t>& counters, Accounts& accounts, const Fleet& fleet);

  struct Made {
    std::uint32_t number;
    Booking booking;
  };
  struct Refund {
    std::uint64_t price;
    std::uint32_t served;
  };

  // None if too few berths are free and the account does not wait.
  std::optional<Made> book(std::uint32_t account, const Voyage& voyage, std::uint32_t berths, bool wait);
  // None if the account has no such booking that is booked or waiting.
  std::optional<Refund> refund(std::uint32_t account, std::uint32_t number);
  // Ends all bookings of a sailing that are booked or waiting; returns how many.
  std::uint32_t cancel(std::uint32_t line, std::uint32_t day);

  Booking get(std::uint32_t number) const { return bookings_.get(number - 1); }
  std::uint64_t price(const Booking& booking) const;
  // The first booking of a sailing that is booked or waiting; `after` leads to the next.
  std::uint32_t first_of(std::uint32_t line, std::uint32_t day) const { return sailing(line, day).first; }
  // The smallest number of free berths between two ports.
  std::uint32_t free(const Voyage& voyage) const;

 private:
  static constexpr std::uint32_t kDays = 101;

  void put(std::uint32_t number, const Booking& booking) { bookings_.put(number - 1, booking); }
  Sailing sailing(std::uint32_t line, std::uint32_t day) const;
  void put(std::uint32_t line, std::uint32_t day, const Sailing& sailing) { sailings_.put(line * kDays + day, sailing); }
  std::uint32_t serve(Sailing& sailing);
  void append(Sailing& sailing, std::uint32_t number, Booking& booking);
  void append_waiting(Sailing& sailing, std::uint32_t number, Booking& booking);
  void unlink(Sailing& sailing, const Booking& booking);
  void unlink_waiting(Sailing& sailing, Booking& booking);

  Table<Sailing> sailings_;
  Table<Booking> bookings_;
  Counter count_;
  Accounts& accounts_;
  const Fleet& fleet_;
};

}  // namespace ferries
