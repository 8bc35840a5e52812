// rigorbench-canary 0d86b03a-d5c5-459a-82db-0d5736010225
// Runs the schedule on one problem and reports its calls; the checker repeats them on a machine that the schedule cannot reach.
#include "rigor_driver.hpp"

#include <bit>
#include <cstdint>
#include <exception>
#include <iostream>
#include <string>

#include "machine.hpp"

namespace drive {
void run(att::Machine& machine);
}

int main() {
  att::Problem p;
  std::uint64_t seed = 0;
  int causal = 0;
  std::cin >> p.n >> p.d >> p.capacity >> p.latency >> p.rate >> causal >> seed;
  p.causal = causal != 0;
  std::string failure;
  att::Machine machine(p, seed);
  try {
    drive::run(machine);
  } catch (const att::Failure& error) {
    failure = error.what();
  }
  if (!failure.empty()) {
    rigor::out << "failed: " << failure << '\n';
  } else {
    rigor::out << "operations " << machine.operations().size() << '\n';
    for (const att::Operation& one : machine.operations()) {
      rigor::out << int(one.kind);
      for (const int number : one.numbers) rigor::out << ' ' << number;
      rigor::out << ' ' << std::bit_cast<std::uint64_t>(one.value) << '\n';
    }
  }
  rigor::finish();
  return 0;
}

#include "schedule.hpp"

void drive::run(att::Machine& machine) { schedule(machine); }
