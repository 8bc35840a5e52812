// rigorbench-canary 74a1702a-6ecf-460f-ad58-eec864a688ab
// A sorted list of fixed-size entries in a file: blocks on disk, a directory of them in memory.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

// Entry: trivially copyable, ordered by operator<. Summary: made from nothing, takes entries and other summaries in
// ascending order with add().
template <class Entry, class Summary>
class BlockList {
 public:
  static constexpr std::size_t kBytes = 4096;
  static constexpr std::size_t kRoom = kBytes / sizeof(Entry);

  explicit BlockList(const std::string& name) : directory_name_(name + ".directory") {
    file_ = ::open((name + ".blocks").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file_ < 0) throw std::runtime_error("cannot open " + name + ".blocks");
    cache_.resize(kCached);
    load();
  }

  ~BlockList() { ::close(file_); }
  BlockList(const BlockList&) = delete;
  BlockList& operator=(const BlockList&) = delete;

  // The entry that equals `wanted`, copied into it; false if there is none.
  bool find(Entry& wanted) {
    if (slots_.empty()) return false;
    const std::size_t at = slot_of(wanted);
    Block& block = fetch(at);
    Entry* place = std::lower_bound(block.begin(), block.end(slots_[at].count), wanted);
    if (place == block.end(slots_[at].count) || wanted < *place) return false;
    wanted = *place;
    return true;
  }

  // False, and nothing changed, if an equal one is there.
  bool insert(const Entry& entry) {
    if (slots_.empty()) {
      slots_.push_back(Slot{entry, fresh_page(), 0, {}});
      blank(slots_.front().page);
    }
    std::size_t at = slot_of(entry);
    if (slots_[at].count == kRoom) {
      split(at);
      at = slot_of(entry);
    }
    Block& block = fetch(at);
    Slot& slot = slots_[at];
    Entry* place = std::lower_bound(block.begin(), block.end(slot.count), entry);
    if (place != block.end(slot.count) && !(entry < *place)) return false;
    std::copy_backward(place, block.end(slot.count), block.end(slot.count) + 1);
    *place = entry;
    ++slot.count;
    settle(slot, block);
    return true;
  }

  // Put `entry` in the place of an equal one that is there.
  void replace(const Entry& entry) {
    const std::size_t at = slot_of(entry);
    Block& block = fetch(at);
    *std::lower_bound(block.begin(), block.end(slots_[at].count), entry) = entry;
    settle(slots_[at], block);
  }

  void erase(const Entry& entry) {
    const std::size_t at = slot_of(entry);
    Block& block = fetch(at);
    Slot& slot = slots_[at];
    Entry* place = std::lower_bound(block.begin(), block.end(slot.count), entry);
    std::copy(place + 1, block.end(slot.count), place);
    --slot.count;
    if (slot.count > 0) settle(slot, block);
    shrink(at);
  }

  // Summary of the entries from `low` to `high`, both included.
  Summary summary(const Entry& low, const Entry& high) {
    Summary result;
    if (slots_.empty()) return result;
    const std::size_t first = slot_of(low), last = slot_of(high);
    for (std::size_t at = first; at <= last; ++at) {
      if (at > first && at < last) {
        result.add(slots_[at].summary);
        continue;
      }
      Block& block = fetch(at);
      for (Entry* entry = block.begin(); entry != block.end(slots_[at].count); ++entry)
        if (!(*entry < low) && !(high < *entry)) result.add(*entry);
    }
    return result;
  }

  // Up to `most` entries from `low` to `high`, in order, appended to `found`.
  void list(const Entry& low, const Entry& high, std::size_t most, std::vector<Entry>& found) {
    if (slots_.empty()) return;
    for (std::size_t at = slot_of(low); at < slots_.size() && most > 0; ++at) {
      Block& block = fetch(at);
      Entry* const end = block.end(slots_[at].count);
      for (Entry* entry = std::lower_bound(block.begin(), end, low); entry != end && most > 0; ++entry, --most) {
        if (high < *entry) return;
        found.push_back(*entry);
      }
    }
  }

  // Write everything that is not in the files yet.
  void save() {
    for (Block& block : cache_) flush(block);
    std::FILE* out = std::fopen(directory_name_.c_str(), "wb");
    if (out == nullptr) throw std::runtime_error("cannot write " + directory_name_);
    const std::uint64_t sizes[3] = {slots_.size(), free_.size(), pages_};
    bool good = std::fwrite(sizes, sizeof sizes, 1, out) == 1;
    good = write_all(slots_, out) && write_all(free_, out) && good;
    good = std::fclose(out) == 0 && good;
    if (!good) throw std::runtime_error("cannot write " + directory_name_);
  }

 private:
  static constexpr std::size_t kCached = 64;
  static constexpr std::uint32_t kNone = 0xffffffffu;

  struct Slot {
    Entry first;
    std::uint32_t page;
    std::uint32_t count;
    Summary summary;
  };

  struct Block {
    std::uint32_t page = kNone;
    bool dirty = false;
    std::uint64_t used = 0;
    alignas(8) char bytes[kBytes];

    Entry* begin() { return reinterpret_cast<Entry*>(bytes); }
    Entry* end(std::size_t count) { return begin() + count; }
  };

  // The last slot whose first entry is not behind `entry`; the very first one if there is none.
  std::size_t slot_of(const Entry& entry) const {
    auto after = std::upper_bound(slots_.begin(), slots_.end(), entry,
                                  [](const Entry& one, const Slot& slot) { return one < slot.first; });
    return after == slots_.begin() ? 0 : static_cast<std::size_t>(after - slots_.begin()) - 1;
  }

  void settle(Slot& slot, Block& block) {
    block.dirty = true;
    slot.first = *block.begin();
    slot.summary = {};
    for (Entry* entry = block.begin(); entry != block.end(slot.count); ++entry) slot.summary.add(*entry);
  }

  void split(std::size_t at) {
    const std::uint32_t page = fresh_page();
    Block& upper = blank(page);
    Block& lower = fetch(at);
    const std::uint32_t keep = kRoom / 2, moved = slots_[at].count - keep;
    std::copy(lower.begin() + keep, lower.begin() + slots_[at].count, upper.begin());
    slots_[at].count = keep;
    settle(slots_[at], lower);
    Slot added{*upper.begin(), page, moved, {}};
    settle(added, upper);
    slots_.insert(slots_.begin() + static_cast<std::ptrdiff_t>(at) + 1, added);
  }

  // After an erasure: drop an empty block, join a sparse one to a neighbour that leaves room for growth.
  void shrink(std::size_t at) {
    if (slots_[at].count == 0) {
      drop(at);
      return;
    }
    if (slots_[at].count > kRoom / 3) return;
    const std::size_t lower = at > 0 && slots_[at - 1].count + slots_[at].count <= kRoom * 3 / 4 ? at - 1 : at;
    if (lower + 1 >= slots_.size() || slots_[lower].count + slots_[lower + 1].count > kRoom * 3 / 4) return;
    Block& from = fetch(lower + 1);
    Block& to = fetch(lower);
    std::copy(from.begin(), from.end(slots_[lower + 1].count), to.end(slots_[lower].count));
    slots_[lower].count += slots_[lower + 1].count;
    settle(slots_[lower], to);
    drop(lower + 1);
  }

  void drop(std::size_t at) {
    for (Block& block : cache_)
      if (block.page == slots_[at].page) block.page = kNone, block.dirty = false;
    free_.push_back(slots_[at].page);
    slots_.erase(slots_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  std::uint32_t fresh_page() {
    if (free_.empty()) return pages_++;
    const std::uint32_t page = free_.back();
    free_.pop_back();
    return page;
  }

  // The block of slot `at`. Two blocks that were asked for last stay valid: eviction takes the least recently used.
  Block& fetch(std::size_t at) {
    const std::uint32_t page = slots_[at].page;
    if (Block* block = cached(page)) return *block;
    Block& block = blank(page);
    block.dirty = false;
    const ssize_t got = ::pread(file_, block.bytes, kBytes, static_cast<off_t>(page) * kBytes);
    if (got != static_cast<ssize_t>(kBytes)) throw std::runtime_error("a block is cut off");
    return block;
  }

  Block* cached(std::uint32_t page) {
    for (Block& block : cache_)
      if (block.page == page) {
        block.used = ++clock_;
        return &block;
      }
    return nullptr;
  }

  Block& blank(std::uint32_t page) {
    Block* oldest = &cache_.front();
    for (Block& block : cache_)
      if (block.used < oldest->used) oldest = &block;
    flush(*oldest);
    oldest->page = page;
    oldest->dirty = true;
    oldest->used = ++clock_;
    return *oldest;
  }

  void flush(Block& block) {
    if (block.page == kNone || !block.dirty) return;
    const ssize_t put = ::pwrite(file_, block.bytes, kBytes, static_cast<off_t>(block.page) * kBytes);
    if (put != static_cast<ssize_t>(kBytes)) throw std::runtime_error("a block cannot be written");
    block.dirty = false;
  }

  // The C library wants a place even for nothing, which an empty vector has not.
  template <class Item>
  static bool write_all(const std::vector<Item>& items, std::FILE* out) {
    return items.empty() || std::fwrite(items.data(), sizeof(Item), items.size(), out) == items.size();
  }

  template <class Item>
  static bool read_all(std::vector<Item>& items, std::FILE* in) {
    return items.empty() || std::fread(items.data(), sizeof(Item), items.size(), in) == items.size();
  }

  void load() {
    std::FILE* in = std::fopen(directory_name_.c_str(), "rb");
    if (in == nullptr) return;  // the first run
    std::uint64_t sizes[3];
    bool good = std::fread(sizes, sizeof sizes, 1, in) == 1;
    if (good) {
      slots_.resize(sizes[0]);
      free_.resize(sizes[1]);
      pages_ = static_cast<std::uint32_t>(sizes[2]);
      good = read_all(slots_, in) && read_all(free_, in);
    }
    std::fclose(in);
    if (!good) throw std::runtime_error(directory_name_ + " is damaged");
  }

  std::string directory_name_;
  int file_ = -1;
  std::uint32_t pages_ = 0;
  std::uint64_t clock_ = 0;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  std::vector<Block> cache_;
};
