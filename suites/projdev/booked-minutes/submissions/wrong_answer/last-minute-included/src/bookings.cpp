// rigorbench-canary 0acfbf02-af4d-4026-9032-675bb485a582
#include "bookings.hpp"

#include <algorithm>
#include <istream>
#include <string>

namespace {

// The formula of `many` lines.
class Formula {
 public:
  explicit Formula(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t end) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 20) % end;
  }

 private:
  std::uint64_t state_;
};

void keep(std::vector<Booking>& bookings, Booking booking) {
  if (booking.first < booking.end) bookings.push_back(booking);
}

}  // namespace

std::vector<Booking> read_bookings(std::istream& input) {
  std::vector<Booking> bookings;
  std::string word;
  while (input >> word) {
    if (word != "many") {
      std::uint64_t end = 0;
      input >> end;
      keep(bookings, {std::stoull(word), end});
      continue;
    }
    std::uint64_t count = 0, seed = 0, span = 0, length = 0;
    input >> count >> seed >> span >> length;
    Formula formula(seed);
    for (; count > 0; --count) {
      const std::uint64_t first = formula.below(span);
      keep(bookings, {first, first + formula.below(length)});
    }
  }
  return bookings;
}

Summary summarise(std::vector<Booking> bookings) {
  std::sort(bookings.begin(), bookings.end(), [](const Booking& a, const Booking& b) { return a.first < b.first; });
  Summary found;
  std::uint64_t end = 0;
  for (const Booking& booking : bookings) {
    if (found.blocks == 0 || booking.first > end + 1) {
      if (found.blocks > 0) found.gap = std::max(found.gap, booking.first - end);
      ++found.blocks;
      end = booking.first;
    }
    if (booking.end > end) {
      found.booked += booking.end - end;
      end = booking.end;
    }
  }
  return found;
}
