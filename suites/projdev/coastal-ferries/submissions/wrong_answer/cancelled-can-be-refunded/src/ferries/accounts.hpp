// rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
// Accounts: who there is, who is present, and who may see and change whom.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/index.hpp"
#include "base/list.hpp"
#include "base/text.hpp"
#include "storage/table.hpp"

namespace ferries {

struct Account {
  Text<16> id;
  Text<24> password;
  Text<24> name;
  std::uint8_t rank = 0;
  // The booking that was made last, plus 1; 0: none. The others are linked behind it.
  std::uint32_t newest_booking = 0;
};

// What `alter` changes: what has no value stays.
struct Changes {
  std::optional<std::string_view> password;
  std::optional<std::string_view> name;
  std::optional<std::uint32_t> rank;
};

class Accounts {
 public:
  static constexpr std::uint32_t kStaff = 5;

  Accounts(PageCache& cache, Table<std::uint32_t>& counters);

  bool enter(std::string_view id, std::string_view password);
  void leave(std::uint32_t account) { present_[account] = false; }
  // The number of an account that is present.
  std::optional<std::uint32_t> present(std::string_view id) const;

  bool staff(std::uint32_t account) const { return get(account).rank >= kStaff; }
  Account get(std::uint32_t account) const { return table_.get(account); }
  void set_newest_booking(std::uint32_t account, std::uint32_t link);

  // The commands of an actor, none where they are refused.
  bool enrol(std::uint32_t actor, std::string_view id, const Changes& words);
  std::optional<Account> profile(std::uint32_t actor, std::string_view id) const;
  std::optional<Account> alter(std::uint32_t actor, std::string_view id, const Changes& changes);

 private:
  std::optional<std::uint32_t> visible(std::uint32_t actor, std::string_view id) const;
  void make(std::string_view id, const Changes& words);

  Table<Account> table_;
  Counter count_;
  Index<16> numbers_;
  List<bool> present_;
};

}  // namespace ferries
