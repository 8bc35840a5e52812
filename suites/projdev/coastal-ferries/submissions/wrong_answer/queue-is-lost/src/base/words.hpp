// rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
// A command's words, and lists and numbers in them. Commands are well formed, so what is read here is only taken apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ferries {

// The parts of a text between separators, one after the other.
class Parts {
 public:
  Parts(std::string_view text, char separator) : rest_(text), separator_(separator) {}

  bool done() const { return done_; }
  std::string_view next();

 private:
  std::string_view rest_;
  char separator_;
  bool done_ = false;
};

class Words {
 public:
  static constexpr std::size_t kMost = 12;

  explicit Words(std::string_view line);

  // The account that gives the command, or nothing.
  std::string_view actor() const { return actor_; }
  std::size_t size() const { return size_; }
  // The word at this place; 0 is the command's name. Nothing if there are fewer.
  std::string_view operator[](std::size_t place) const { return place < size_ ? words_[place] : std::string_view(); }

 private:
  std::string_view actor_;
  std::string_view words_[kMost];
  std::size_t size_ = 0;
};

std::uint32_t number(std::string_view digits);

// Minutes since midnight, of `HH:MM`.
std::uint32_t minutes(std::string_view time);

}  // namespace ferries
