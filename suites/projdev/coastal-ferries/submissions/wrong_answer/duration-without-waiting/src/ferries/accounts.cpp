// rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
#include "ferries/accounts.hpp"

namespace ferries {

Accounts::Accounts(PageCache& cache, Table<std::uint32_t>& counters)
    : table_(cache, "accounts.table"), count_(counters, Counted::accounts) {
  for (std::uint32_t number = 0; number < count_.value(); ++number) numbers_.add(get(number).id.view(), number);
  present_.resize(count_.value(), false);
  if (count_.value() == 0) make("master", {"master", "Master", 9});
}

bool Accounts::enter(std::string_view id, std::string_view password) {
  const auto number = numbers_.find(id);
  if (!number || present_[*number] || get(*number).password.view() != password) return false;
  present_[*number] = true;
  return true;
}

std::optional<std::uint32_t> Accounts::present(std::string_view id) const {
  const auto number = numbers_.find(id);
  return number && present_[*number] ? number : std::nullopt;
}

void Accounts::set_newest_booking(std::uint32_t account, std::uint32_t link) {
  Account record = get(account);
  record.newest_booking = link;
  table_.put(account, record);
}

bool Accounts::enrol(std::uint32_t actor, std::string_view id, const Changes& words) {
  if (numbers_.find(id) || *words.rank >= get(actor).rank) return false;
  make(id, words);
  return true;
}

std::optional<Account> Accounts::profile(std::uint32_t actor, std::string_view id) const {
  const auto number = visible(actor, id);
  if (!number) return std::nullopt;
  return get(*number);
}

std::optional<Account> Accounts::alter(std::uint32_t actor, std::string_view id, const Changes& changes) {
  const auto number = visible(actor, id);
  if (!number || (changes.rank && *changes.rank >= get(actor).rank)) return std::nullopt;
  Account record = get(*number);
  if (changes.password) record.password = Text<24>(*changes.password);
  if (changes.name) record.name = Text<24>(*changes.name);
  if (changes.rank) record.rank = static_cast<std::uint8_t>(*changes.rank);
  table_.put(*number, record);
  return record;
}

// An account that the actor may see and change: its own, or one of a lower rank.
std::optional<std::uint32_t> Accounts::visible(std::uint32_t actor, std::string_view id) const {
  const auto number = numbers_.find(id);
  if (!number || (*number != actor && get(*number).rank >= get(actor).rank)) return std::nullopt;
  return number;
}

void Accounts::make(std::string_view id, const Changes& words) {
  Account record;
  record.id = Text<16>(id);
  record.password = Text<24>(*words.password);
  record.name = Text<24>(*words.name);
  record.rank = static_cast<std::uint8_t>(*words.rank);
  const std::uint32_t number = count_.next();
  table_.put(number, record);
  numbers_.add(id, number);
  present_.add(false);
}

}  // namespace ferries
