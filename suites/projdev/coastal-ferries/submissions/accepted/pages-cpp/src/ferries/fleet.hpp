// rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
// Lines with their ports and timetables. There are few of them, so that they are in memory as well as in their table.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/index.hpp"
#include "base/list.hpp"
#include "base/text.hpp"
#include "storage/table.hpp"

namespace ferries {

inline constexpr std::uint32_t kMostPorts = 24;
inline constexpr std::uint32_t kDayMinutes = 1440;

// A line's record has been scrapped (or was never written) if it is `none`.
enum class Stage : std::uint8_t { none, draft, launched };

struct Line {
  Text<16> name;
  Stage stage = Stage::none;
  std::uint8_t ports = 0;
  std::uint8_t first_day = 0;
  std::uint8_t last_day = 0;
  std::uint16_t berths = 0;
  // For each port: its number; minutes since the midnight of the sailing's day; the price of a berth from the first one.
  std::uint16_t port[kMostPorts] = {};
  std::uint16_t arrival[kMostPorts] = {};
  std::uint16_t departure[kMostPorts] = {};
  std::uint32_t price[kMostPorts] = {};
  // A bit for each day with a cancelled sailing.
  std::uint64_t cancelled[2] = {};

  bool sails(std::uint32_t day) const {
    return day >= first_day && day <= last_day && (cancelled[day / 64] >> day % 64 & 1) == 0;
  }
  // The first day from this one on with a sailing.
  std::optional<std::uint32_t> next_sailing(std::uint32_t day) const {
    for (day = day < first_day ? first_day : day; day <= last_day; ++day) {
      if (sails(day)) return day;
    }
    return std::nullopt;
  }
  // The day of the sailing that leaves this port on this day, if there is one.
  std::optional<std::uint32_t> sailing_that_leaves(std::uint32_t place, std::uint32_t day) const {
    const std::uint32_t later = departure[place] / kDayMinutes;
    if (day < later || !sails(day - later)) return std::nullopt;
    return day - later;
  }
  std::optional<std::uint32_t> place_of(std::uint32_t number) const {
    for (std::uint32_t place = 0; place < ports; ++place) {
      if (port[place] == number) return place;
    }
    return std::nullopt;
  }
};

// That a launched line serves a port, and where in its order.
struct Call {
  std::uint16_t line;
  std::uint8_t place;
};

class Words;

class Fleet {
 public:
  Fleet(PageCache& cache, Table<std::uint32_t>& counters);

  // `words` are those of the command; a line of this name must not be there.
  void draft(const Words& words);
  void scrap(std::uint32_t line);
  void launch(std::uint32_t line);
  void cancel(std::uint32_t line, std::uint32_t day);

  std::optional<std::uint32_t> find(std::string_view name) const { return names_.find(name); }
  const Line& operator[](std::uint32_t line) const { return lines_[line]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(lines_.size()); }

  std::optional<std::uint32_t> port(std::string_view name) const { return ports_.find(name); }
  std::string_view port_name(std::uint32_t port) const { return ports_.name(port); }
  // Which launched lines serve a port, in the order of launching or loading.
  const List<Call>& calls(std::uint32_t port) const { return *calls_[port]; }

  ~Fleet();
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

 private:
  using PortName = Text<16>;

  std::uint32_t port_to_serve(std::string_view name);
  void add_port(std::string_view name, std::uint32_t number);
  void add_calls(std::uint32_t line);
  std::uint32_t free_number();
  void store(std::uint32_t line) { table_.put(line, lines_[line]); }

  Table<Line> table_;
  Table<PortName> port_table_;
  Counter count_;
  Counter port_count_;
  List<Line> lines_;
  List<std::uint32_t> scrapped_;
  Index<16> names_;
  Index<16> ports_;
  List<List<Call>*> calls_;  // owned
};

}  // namespace ferries
