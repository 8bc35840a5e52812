// rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
#include "ferries/bookings.hpp"

namespace ferries {
namespace {

std::uint32_t free_between(const Sailing& sailing, std::uint32_t first, std::uint32_t last) {
  std::uint32_t least = sailing.free[first];
  for (std::uint32_t leg = first + 1; leg < last; ++leg) {
    if (sailing.free[leg] < least) least = sailing.free[leg];
  }
  return least;
}

bool fits(const Sailing& sailing, const Booking& booking) {
  return free_between(sailing, booking.first, booking.last) >= booking.berths;
}

void take(Sailing& sailing, const Booking& booking) {
  for (std::uint32_t leg = booking.first; leg < booking.last; ++leg) {
    sailing.free[leg] = static_cast<std::uint16_t>(sailing.free[leg] - booking.berths);
  }
}

void give_back(Sailing& sailing, const Booking& booking) {
  for (std::uint32_t leg = booking.first; leg < booking.last; ++leg) {
    sailing.free[leg] = static_cast<std::uint16_t>(sailing.free[leg] + booking.berths);
  }
}

}  // namespace

Bookings::Bookings(PageCache& cache, Table<std::uint32_t>& counters, Accounts& accounts, const Fleet& fleet)
    : sailings_(cache, "sailings.table"),
      bookings_(cache, "bookings.table"),
      count_(counters, Counted::bookings),
      accounts_(accounts),
      fleet_(fleet) {}

std::optional<Bookings::Made> Bookings::book(std::uint32_t account, const Voyage& voyage, std::uint32_t berths,
                                             bool wait) {
  Sailing at = sailing(voyage.line, voyage.day);
  Booking booking;
  booking.account = account;
  booking.line = static_cast<std::uint16_t>(voyage.line);
  booking.berths = static_cast<std::uint16_t>(berths);
  booking.day = static_cast<std::uint8_t>(voyage.day);
  booking.first = static_cast<std::uint8_t>(voyage.first);
  booking.last = static_cast<std::uint8_t>(voyage.last);
  const bool booked = fits(at, booking);
  if (!booked && !wait) return std::nullopt;
  const std::uint32_t number = count_.next() + 1;
  booking.older = accounts_.get(account).newest_booking;
  accounts_.set_newest_booking(account, number);
  append(at, number, booking);
  if (booked) {
    booking.state = State::booked;
    take(at, booking);
  } else {
    booking.state = State::waiting;
    append_waiting(at, number, booking);
  }
  put(number, booking);
  put(voyage.line, voyage.day, at);
  return Made{number, booking};
}

std::optional<Bookings::Refund> Bookings::refund(std::uint32_t account, std::uint32_t number) {
  if (number > count_.value()) return std::nullopt;
  Booking booking = get(number);
  if (booking.account != account) return std::nullopt;
  if (booking.state != State::booked && booking.state != State::waiting) return std::nullopt;
  Sailing at = sailing(booking.line, booking.day);
  const bool booked = booking.state == State::booked;
  booking.state = State::refunded;
  unlink(at, booking);
  if (!booked) unlink_waiting(at, booking);
  put(number, booking);
  Refund refund{0, 0};
  if (booked) {
    give_back(at, booking);
    refund = {price(booking), serve(at)};
  }
  put(booking.line, booking.day, at);
  return refund;
}

std::uint32_t Bookings::cancel(std::uint32_t line, std::uint32_t day) {
  std::uint32_t ended = 0;
  for (std::uint32_t number = sailing(line, day).first; number != 0; ++ended) {
    Booking booking = get(number);
    booking.state = State::cancelled;
    put(number, booking);
    number = booking.after;
  }
  return ended;
}

std::uint64_t Bookings::price(const Booking& booking) const {
  const Line& line = fleet_[booking.line];
  return std::uint64_t{line.price[booking.last] - line.price[booking.first]} * booking.berths;
}

std::uint32_t Bookings::free(const Voyage& voyage) const {
  return free_between(sailing(voyage.line, voyage.day), voyage.first, voyage.last);
}

Sailing Bookings::sailing(std::uint32_t line, std::uint32_t day) const {
  Sailing found = sailings_.get(line * kDays + day);
  if (found.used == 0) {
    found.used = 1;
    for (std::uint16_t& berths : found.free) berths = fleet_[line].berths;
  }
  return found;
}

// Books those who wait and fit, by number; returns how many.
std::uint32_t Bookings::serve(Sailing& sailing) {
  std::uint32_t served = 0;
  for (std::uint32_t number = sailing.first_waiting; number != 0;) {
    Booking booking = get(number);
    const std::uint32_t next = booking.waits_after;
    if (fits(sailing, booking)) {
      take(sailing, booking);
      unlink_waiting(sailing, booking);
      booking.state = State::booked;
      put(number, booking);
      ++served;
    }
    number = next;
  }
  return served;
}

void Bookings::append(Sailing& sailing, std::uint32_t number, Booking& booking) {
  booking.before = sailing.last;
  if (sailing.last == 0) {
    sailing.first = number;
  } else {
    Booking last = get(sailing.last);
    last.after = number;
    put(sailing.last, last);
  }
  sailing.last = number;
}

void Bookings::append_waiting(Sailing& sailing, std::uint32_t number, Booking& booking) {
  booking.waits_before = sailing.last_waiting;
  if (sailing.last_waiting == 0) {
    sailing.first_waiting = number;
  } else {
    Booking last = get(sailing.last_waiting);
    last.waits_after = number;
    put(sailing.last_waiting, last);
  }
  sailing.last_waiting = number;
}

void Bookings::unlink(Sailing& sailing, const Booking& booking) {
  if (booking.before == 0) {
    sailing.first = booking.after;
  } else {
    Booking before = get(booking.before);
    before.after = booking.after;
    put(booking.before, before);
  }
  if (booking.after == 0) {
    sailing.last = booking.before;
  } else {
    Booking after = get(booking.after);
    after.before = booking.before;
    put(booking.after, after);
  }
}

void Bookings::unlink_waiting(Sailing& sailing, Booking& booking) {
  if (booking.waits_before == 0) {
    sailing.first_waiting = booking.waits_after;
  } else {
    Booking before = get(booking.waits_before);
    before.waits_after = booking.waits_after;
    put(booking.waits_before, before);
  }
  if (booking.waits_after == 0) {
    sailing.last_waiting = booking.waits_before;
  } else {
    Booking after = get(booking.waits_after);
    after.waits_before = booking.waits_before;
    put(booking.waits_after, after);
  }
  booking.waits_before = booking.waits_after = 0;
}

}  // namespace ferries
