// rigorbench-canary af2a9595-30e3-4ce1-b98c-b2b53c6d44b8
// An entry of the index, and places in the order of all entries.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

using Card = std::uint32_t;

// A word, filled up with zero bytes: then the order of the bytes is the order of the words.
class Word {
 public:
  static constexpr std::size_t kLength = 40;

  Word() = default;
  explicit Word(std::string_view text) { std::copy_n(text.begin(), std::min(text.size(), kLength), bytes_.begin()); }

  int compare(const Word& other) const { return std::memcmp(bytes_.data(), other.bytes_.data(), kLength); }
  bool operator==(const Word& other) const { return compare(other) == 0; }
  std::string_view text() const { return {bytes_.data(), ::strnlen(bytes_.data(), kLength)}; }

 private:
  std::array<char, kLength> bytes_{};
};

struct Entry {
  Word word;
  Card card = 0;

  bool operator==(const Entry& other) const { return card == other.card && word == other.word; }
  bool operator<(const Entry& other) const {
    const int order = word.compare(other.word);
    return order < 0 || (order == 0 && card < other.card);
  }
};

// A place between entries: before all entries that are not less than (word, card).
struct Bound {
  static constexpr std::uint64_t kAfterAllCards = std::uint64_t{1} << 32;

  Word word;
  std::uint64_t card = 0;

  static Bound before(const Word& word) { return {word, 0}; }
  static Bound before(const Entry& entry) { return {entry.word, entry.card}; }
  static Bound after(const Word& word) { return {word, kAfterAllCards}; }

  // Whether the entry comes before this place.
  bool follows(const Entry& entry) const {
    const int order = entry.word.compare(word);
    return order < 0 || (order == 0 && entry.card < card);
  }
};
