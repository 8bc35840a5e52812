// rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae
// All deals, in a file: for each the sums up to it, so that any sum over the last deals is a difference of two records.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "words.hpp"

struct Sums {
  Cents in = 0;
  Cents out = 0;
};

class Ledger {
 public:
  explicit Ledger(std::string path);

  void add(Cents in, Cents out);
  std::int64_t size() const { return stored_ + static_cast<std::int64_t>(recent_.size()); }
  // Sums over the last deals; `count` is at most `size()`.
  Sums last(std::int64_t count);
  void save() { write_recent(); }

 private:
  // Sums up to a number of deals.
  Sums up_to(std::int64_t count);
  void write_recent();

  std::string path_;
  std::int64_t stored_ = 0;
  std::vector<Sums> recent_;  // not in the file yet
  Sums total_;
};
