// rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
// The booking server of Coastal Ferries: one run.
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

#include "base/output.hpp"
#include "base/words.hpp"
#include "ferries/accounts.hpp"
#include "ferries/bookings.hpp"
#include "ferries/commands.hpp"
#include "ferries/fleet.hpp"
#include "storage/page_cache.hpp"
#include "storage/table.hpp"

namespace {

// 12 MiB of pages: all sailings and bookings are three times as large.
constexpr std::uint32_t kFrames = 3072;

void run() {
  ferries::PageCache cache(kFrames);
  ferries::Table<std::uint32_t> counters(cache, "counters.table");
  ferries::Accounts accounts(cache, counters);
  ferries::Fleet fleet(cache, counters);
  ferries::Bookings bookings(cache, counters, accounts, fleet);
  ferries::Output out;
  ferries::Commands commands(accounts, fleet, bookings, out);
  std::string line;
  while (std::getline(std::cin, line) && line != "stop") {
    commands.answer(ferries::Words(line));
  }
  out.flush();
  cache.flush();
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  try {
    run();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "ferries: %s\n", failure.what());
    return 1;
  }
  return 0;
}
