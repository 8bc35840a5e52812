// rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
// Answers, collected and written in large pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ferries {

// A point in time, in minutes since the midnight at which day 0 would begin.
struct Moment {
  std::uint32_t minutes;
};

class Output {
 public:
  Output() = default;
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  Output& operator<<(std::string_view text);
  Output& operator<<(const char* text) { return *this << std::string_view(text); }
  Output& operator<<(char character) { return *this << std::string_view(&character, 1); }
  Output& operator<<(std::uint64_t number);
  Output& operator<<(std::uint32_t number) { return *this << std::uint64_t{number}; }
  Output& operator<<(Moment moment);

  // Everything is on standard output afterwards; throws if it cannot be written.
  void flush();

 private:
  static constexpr std::size_t kSize = 1 << 16;

  char buffer_[kSize];
  std::size_t used_ = 0;
};

}  // namespace ferries
