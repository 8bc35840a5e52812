// rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae
#include "session.hpp"

int Session::rank() const { return entries_.empty() ? 0 : accounts_.find(entries_.back().id)->rank; }

bool Session::may_login(const std::string& id, const std::string* password) const {
  const Account* account = accounts_.find(id);
  if (account == nullptr) return false;
  return password != nullptr ? *password == account->password : rank() > account->rank;
}

bool Session::contains(const std::string& id) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.id == id; });
}
