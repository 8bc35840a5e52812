// rigorbench-canary af2a9595-30e3-4ce1-b98c-b2b53c6d44b8
// The entries of the command `bulk`, as the statement defines them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "entry.hpp"

struct BulkOrder {
  std::string_view stem;
  std::uint64_t seed, words, each, card_seed;
};

// All entries that the order makes, sorted, each once.
std::vector<Entry> bulk_entries(const BulkOrder& order);
