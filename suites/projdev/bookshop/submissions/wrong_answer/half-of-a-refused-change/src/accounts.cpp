// rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae
#include "accounts.hpp"

#include <utility>

#include "tables.hpp"

Accounts::Accounts(std::string path) : path_(std::move(path)) {
  read_table(path_, [this](const Fields& fields) {
    accounts_[fields.at(0)] = {fields.at(1), std::stoi(fields.at(2)), fields.at(3)};
  });
  if (accounts_.empty()) accounts_["owner"] = {"owner", kOwner, "owner"};
}

const Account* Accounts::find(const std::string& id) const {
  const auto found = accounts_.find(id);
  return found == accounts_.end() ? nullptr : &found->second;
}

bool Accounts::add(const std::string& id, Account account) {
  const bool added = accounts_.emplace(id, std::move(account)).second;
  changed_ |= added;
  return added;
}

void Accounts::set_password(const std::string& id, const std::string& password) {
  accounts_.at(id).password = password;
  changed_ = true;
}

void Accounts::remove(const std::string& id) {
  accounts_.erase(id);
  changed_ = true;
}

void Accounts::save() {
  if (!changed_) return;
  write_table(path_, [this](std::ostream& out) {
    for (const auto& [id, account] : accounts_)
      out << id << '\t' << account.password << '\t' << account.rank << '\t' << account.name << '\n';
  });
  changed_ = false;
}
