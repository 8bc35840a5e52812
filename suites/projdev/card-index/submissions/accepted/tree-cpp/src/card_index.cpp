// rigorbench-canary af2a9595-30e3-4ce1-b98c-b2b53c6d44b8
#include "card_index.hpp"

#include <algorithm>

namespace {
// So many entries at a time are taken out of the tree: enough to visit a leaf seldom twice, and little memory.
constexpr std::size_t kBatch = 8192;
}  // namespace

std::uint32_t CardIndex::bulk(const BulkOrder& order) {
  std::uint32_t added = 0;
  for (const Entry& entry : bulk_entries(order)) added += tree_.insert(entry);  // in order: each leaf is visited once
  return added;
}

std::uint32_t CardIndex::weed(const Range& range, std::uint64_t divisor, std::uint64_t rest) {
  std::uint32_t removed = 0;
  Bound bound = Bound::before(range.from);
  for (;;) {
    const std::vector<Entry> batch = some_from(bound, range, kBatch);
    for (const Entry& entry : batch) {
      if (entry.card % divisor == rest) removed += tree_.erase(entry);
    }
    if (batch.size() < kBatch) return removed;
    bound = Bound::before(batch.back());
    ++bound.card;
  }
}

Moved CardIndex::move(const Word& from, const Word& to, std::uint32_t& added) {
  added = 0;
  const Range all = {from, from};
  if (count(all).entries == 0) return Moved::none;
  if (from == to) return Moved::same;
  for (;;) {
    const std::vector<Entry> batch = some_from(Bound::before(from), all, kBatch);
    for (const Entry& entry : batch) tree_.erase(entry);
    for (const Entry& entry : batch) added += tree_.insert({to, entry.card});
    if (batch.size() < kBatch) return Moved::done;
  }
}

Tally CardIndex::count(const Range& range) {
  Tally tally = tree_.before(Bound::after(range.to));
  const Tally before = tree_.before(Bound::before(range.from));
  tally.entries -= before.entries;
  tally.words -= before.words;
  return tally;
}

std::vector<Entry> CardIndex::list(const Range& range, std::uint64_t skip, std::size_t most) {
  const std::uint32_t entries = count(range).entries;
  if (skip >= entries) return {};
  return tree_.entries_at(tree_.before(Bound::before(range.from)).entries + skip, std::min<std::uint64_t>(most, entries - skip));
}

std::vector<WordCount> CardIndex::words(const Range& range, std::uint64_t skip, std::size_t most) {
  const std::uint32_t words = count(range).words;
  if (skip >= words) return {};
  const std::uint64_t first = tree_.before(Bound::before(range.from)).words + skip;
  return words_at(static_cast<std::uint32_t>(first), std::min<std::uint64_t>(most, words - skip));
}

std::optional<WordCount> CardIndex::next(const Word& word) {
  const std::vector<WordCount> found = words_at(tree_.before(Bound::after(word)).words, 1);
  return found.empty() ? std::nullopt : std::optional(found[0]);
}

std::optional<WordCount> CardIndex::previous(const Word& word) {
  const std::uint32_t before = tree_.before(Bound::before(word)).words;
  return before == 0 ? std::nullopt : std::optional(words_at(before - 1, 1)[0]);
}

std::vector<Entry> CardIndex::some_from(const Bound& bound, const Range& range, std::size_t most) {
  std::vector<Entry> found = tree_.entries_at(tree_.before(bound).entries, most);
  const Bound end = Bound::after(range.to);
  const auto beyond = std::partition_point(found.begin(), found.end(), [&](const Entry& entry) { return end.follows(entry); });
  found.erase(beyond, found.end());
  return found;
}

std::vector<WordCount> CardIndex::words_at(std::uint32_t number, std::size_t most) {
  std::vector<WordCount> found;
  auto first = tree_.word_at(number);
  while (found.size() < most && first) {
    const auto following = tree_.word_at(++number);
    const std::uint32_t end = following ? following->before : tree_.total().entries;
    found.push_back({first->entry.word, end - first->before});
    first = following;
  }
  return found;
}
