// rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae
// Who is logged in: a stack, each entry with a chosen book of its own.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "accounts.hpp"
#include "catalogue.hpp"

class Session {
 public:
  explicit Session(const Accounts& accounts) : accounts_(accounts) {}

  // The rank at the counter; 0: nobody is logged in.
  int rank() const;
  void login(const std::string& id) { entries_.push_back({id, nullptr}); }
  // nullptr as password: none is given.
  bool may_login(const std::string& id, const std::string* password) const;
  void logout() { entries_.pop_back(); }
  bool contains(const std::string& id) const;

  Book* chosen() const { return entries_.empty() ? nullptr : entries_.back().book; }
  void choose(Book* book) { entries_.back().book = book; }

 private:
  struct Entry {
    std::string id;
    Book* book;
  };
  const Accounts& accounts_;
  std::vector<Entry> entries_;
};
