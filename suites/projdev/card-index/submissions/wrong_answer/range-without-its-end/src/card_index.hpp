// rigorbench-canary af2a9595-30e3-4ce1-b98c-b2b53c6d44b8
// The rules of the card index, on top of the tree; nothing here knows of files or of text that is read and written.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bulk.hpp"
#include "card_tree.hpp"
#include "entry.hpp"

struct WordCount {
  Word word;
  std::uint32_t cards;
};

// All words from `from` to `to`, both included.
struct Range {
  Word from, to;
};

enum class Moved { done, same, none };

class CardIndex {
 public:
  explicit CardIndex(CardTree& tree) : tree_(tree) {}

  bool put(const Entry& entry) { return tree_.insert(entry); }
  bool drop(const Entry& entry) { return tree_.erase(entry); }
  bool has(const Entry& entry) { return tree_.contains(entry); }

  // The number of entries that were not there before.
  std::uint32_t bulk(const BulkOrder& order);
  // Removes the entries of a range whose card leaves `rest` when divided by `divisor`; returns their number.
  std::uint32_t weed(const Range& range, std::uint64_t divisor, std::uint64_t rest);
  // Files the cards of one word under another; `added`: how many of them were not there before.
  Moved move(const Word& from, const Word& to, std::uint32_t& added);

  Tally count(const Range& range);
  // Up to `most` entries of a range, after the first `skip` of them.
  std::vector<Entry> list(const Range& range, std::uint64_t skip, std::size_t most);
  std::vector<WordCount> words(const Range& range, std::uint64_t skip, std::size_t most);
  std::optional<WordCount> next(const Word& word);
  std::optional<WordCount> previous(const Word& word);

 private:
  // The entries of a range from a place on, at most `most`.
  std::vector<Entry> some_from(const Bound& bound, const Range& range, std::size_t most);
  // Words number `number`, number + 1, ... of the whole index, with their numbers of cards.
  std::vector<WordCount> words_at(std::uint32_t number, std::size_t most);

  CardTree& tree_;
};
