// rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
// A short text of bounded length that can be part of a record in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>

namespace ferries {

template <std::size_t N>
class Text {
  static_assert(N < 256, "the length is one byte");

 public:
  Text() = default;
  explicit Text(std::string_view text) {
    if (text.size() > N) throw std::length_error("a word is longer than the statement allows");
    size_ = static_cast<std::uint8_t>(text.size());
    std::memcpy(characters_, text.data(), text.size());
  }

  std::string_view view() const { return {characters_, size_}; }

 private:
  char characters_[N] = {};
  std::uint8_t size_ = 0;
};

}  // namespace ferries
