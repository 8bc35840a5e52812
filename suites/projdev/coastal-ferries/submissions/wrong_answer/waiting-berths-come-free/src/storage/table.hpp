// rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
// Records of one kind, by number, in a file of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "storage/page_cache.hpp"

namespace ferries {

template <class Record>
class Table {
  static_assert(std::is_trivially_copyable_v<Record>, "records are stored as bytes");
  static_assert(sizeof(Record) <= PageCache::kPageSize, "a record is on one page");

 public:
  Table(PageCache& cache, const char* path) : cache_(cache), file_(cache.open(path)) {}

  // A record that was never written has only zero bytes.
  Record get(std::uint32_t number) const {
    Record record;
    std::memcpy(&record, cache_.read(file_, number / kPerPage) + offset(number), sizeof(Record));
    return record;
  }

  void put(std::uint32_t number, const Record& record) {
    std::memcpy(cache_.change(file_, number / kPerPage) + offset(number), &record, sizeof(Record));
  }

 private:
  static constexpr std::uint32_t kPerPage = PageCache::kPageSize / sizeof(Record);

  static std::size_t offset(std::uint32_t number) { return number % kPerPage * sizeof(Record); }

  PageCache& cache_;
  std::uint32_t file_;
};

// How many records of a kind there are. All counters are numbers of one table.
enum class Counted : std::uint32_t { accounts, ports, lines, bookings };

class Counter {
 public:
  Counter(Table<std::uint32_t>& table, Counted kind)
      : table_(table), place_(static_cast<std::uint32_t>(kind)), value_(table.get(place_)) {}

  std::uint32_t value() const { return value_; }
  // The number of the next record, from 0.
  std::uint32_t next() {
    table_.put(place_, value_ + 1);
    return value_++;
  }

 private:
  Table<std::uint32_t>& table_;
  std::uint32_t place_;
  std::uint32_t value_;
};

}  // namespace ferries
