// rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
// From a name to its number: a hash table with open addressing. Names are numbered by who adds them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/list.hpp"
#include "base/text.hpp"

namespace ferries {

template <std::size_t N>
class Index {
 public:
  Index() { slots_.resize(kSmallest, kEmpty); }

  std::optional<std::uint32_t> find(std::string_view name) const {
    const std::uint32_t number = slots_[slot_of(name)];
    if (number == kEmpty) return std::nullopt;
    return number;
  }

  // `name` must not be there, and no other name may have this number.
  void add(std::string_view name, std::uint32_t number) {
    if (number >= names_.size()) names_.resize(number + 1);
    names_[number] = Text<N>(name);
    if (2 * ++used_ > slots_.size()) grow();
    slots_[slot_of(name)] = number;
  }

  // `name` must be there. The slots behind it move up, so that no search ends too early.
  void remove(std::string_view name) {
    std::size_t hole = slot_of(name);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t next = (hole + 1) & mask; slots_[next] != kEmpty; next = (next + 1) & mask) {
      const std::size_t home = hash(names_[slots_[next]].view()) & mask;
      if (((next - home) & mask) < ((next - hole) & mask)) continue;
      slots_[hole] = slots_[next];
      hole = next;
    }
    slots_[hole] = kEmpty;
    --used_;
  }

  std::string_view name(std::uint32_t number) const { return names_[number].view(); }

 private:
  static constexpr std::uint32_t kEmpty = 0xFFFFFFFF;
  static constexpr std::size_t kSmallest = 64;

  static std::size_t hash(std::string_view name) {
    std::uint64_t found = 14695981039346656037ULL;
    for (const char one : name) found = (found ^ static_cast<unsigned char>(one)) * 1099511628211ULL;
    return static_cast<std::size_t>(found ^ (found >> 32));
  }

  // The slot of this name, or the free one where it belongs.
  std::size_t slot_of(std::string_view name) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash(name) & mask;
    while (slots_[at] != kEmpty && names_[slots_[at]].view() != name) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    List<std::uint32_t> before;
    for (const std::uint32_t number : slots_) {
      if (number != kEmpty) before.add(number);
    }
    const std::size_t size = 2 * slots_.size();
    slots_.clear();
    slots_.resize(size, kEmpty);
    for (const std::uint32_t number : before) slots_[slot_of(names_[number].view())] = number;
  }

  List<Text<N>> names_;
  List<std::uint32_t> slots_;
  std::size_t used_ = 0;
};

}  // namespace ferries
