// rigorbench-canary 0acfbf02-af4d-4026-9032-675bb485a582
#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

// The minutes from `first` up to but not including `end`.
struct Booking {
  std::uint64_t first;
  std::uint64_t end;
};

struct Summary {
  std::uint64_t booked = 0;
  std::uint64_t blocks = 0;
  std::uint64_t gap = 0;
};

// All bookings of an input that have a minute.
std::vector<Booking> read_bookings(std::istream& input);

Summary summarise(std::vector<Booking> bookings);
