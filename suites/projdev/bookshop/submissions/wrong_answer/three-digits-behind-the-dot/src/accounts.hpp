// rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae
// The accounts of the shop.
#pragma once

#include <map>
#include <string>

inline constexpr int kCustomer = 1, kClerk = 2, kOwner = 3;

struct Account {
  std::string password;
  int rank = 0;
  std::string name;
};

class Accounts {
 public:
  // Reads the file; without one there is the account of the owner only.
  explicit Accounts(std::string path);

  // nullptr: there is no such account.
  const Account* find(const std::string& id) const;
  // false: the ID is taken.
  bool add(const std::string& id, Account account);
  void set_password(const std::string& id, const std::string& password);
  void remove(const std::string& id);
  const std::map<std::string, Account>& all() const { return accounts_; }

  // Writes the file, if something has changed.
  void save();

 private:
  std::string path_;
  std::map<std::string, Account> accounts_;
  bool changed_ = false;
};
