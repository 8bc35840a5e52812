// rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
// Commands: words in, answers out. What may be done and what follows is decided by accounts, fleet and bookings.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/output.hpp"
#include "base/words.hpp"
#include "ferries/accounts.hpp"
#include "ferries/bookings.hpp"
#include "ferries/connections.hpp"
#include "ferries/fleet.hpp"

namespace ferries {

class Commands {
 public:
  Commands(Accounts& accounts, Fleet& fleet, Bookings& bookings, Output& out)
      : accounts_(accounts), fleet_(fleet), bookings_(bookings), connections_(fleet), out_(out) {}

  void answer(const Words& words);

 private:
  // Each answers and returns true, or returns false: the command is refused.
  using Handler = bool (Commands::*)(std::uint32_t actor, const Words& words);
  struct Entry {
    std::string_view name;
    Handler handler;
    bool account;  // given by an account
    bool staff;
  };
  static const Entry kEntries[];

  bool enter(std::uint32_t actor, const Words& words);
  bool leave(std::uint32_t actor, const Words& words);
  bool enrol(std::uint32_t actor, const Words& words);
  bool profile(std::uint32_t actor, const Words& words);
  bool alter(std::uint32_t actor, const Words& words);
  bool draft(std::uint32_t actor, const Words& words);
  bool scrap(std::uint32_t actor, const Words& words);
  bool launch(std::uint32_t actor, const Words& words);
  bool cancel(std::uint32_t actor, const Words& words);
  bool manifest(std::uint32_t actor, const Words& words);
  bool show(std::uint32_t actor, const Words& words);
  bool search(std::uint32_t actor, const Words& words);
  bool change(std::uint32_t actor, const Words& words);
  bool book(std::uint32_t actor, const Words& words);
  bool list(std::uint32_t actor, const Words& words);
  bool refund(std::uint32_t actor, const Words& words);

  bool done();
  std::optional<std::uint32_t> line_at(std::string_view name, Stage stage) const;
  std::optional<std::uint32_t> sailing_line(const Words& words) const;
  std::optional<Voyage> voyage(const Words& words) const;
  void tell(const Account& account);
  void tell(const Voyage& part);
  void tell_booking(std::uint32_t number, const Booking& booking);
  void tell_port(std::uint32_t line, std::uint32_t day, std::uint32_t place);

  Accounts& accounts_;
  Fleet& fleet_;
  Bookings& bookings_;
  Connections connections_;
  Output& out_;
};

}  // namespace ferries
