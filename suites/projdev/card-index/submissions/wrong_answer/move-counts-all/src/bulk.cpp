// rigorbench-canary af2a9595-30e3-4ce1-b98c-b2b53c6d44b8
#include "bulk.hpp"

#include <algorithm>
#include <string>

namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz234567";
constexpr int kStepsPerWord = 2, kLettersPerStep = 12;

std::uint64_t step(std::uint64_t x) { return x * 6364136223846793005u + 1442695040888963407u; }

void append_letters(std::string& text, std::uint64_t x) {
  for (int i = 1; i <= kLettersPerStep; ++i) text += kLetters[x >> (64 - 5 * i) & 31];
}

}  // namespace

std::vector<Entry> bulk_entries(const BulkOrder& order) {
  std::vector<Entry> entries;
  entries.reserve(order.words * order.each);
  std::uint64_t x = order.seed, y = order.card_seed;
  for (std::uint64_t number = 0; number < order.words; ++number) {
    std::string text(order.stem);
    for (int i = 0; i < kStepsPerWord; ++i) append_letters(text, x = step(x));
    const Word word(text);
    for (std::uint64_t i = 0; i < order.each; ++i) {
      y = step(y);
      entries.push_back({word, static_cast<Card>(y >> 32)});
    }
  }
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  return entries;
}
