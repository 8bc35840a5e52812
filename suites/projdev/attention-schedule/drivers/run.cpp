// rigorbench-canary 0d86b03a-d5c5-459a-82db-0d5736010225
// Runs the schedule on one problem, checks the result, and reports the time.
#include "rigor_driver.hpp"

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
  const att::Machine given(p, seed);
  att::Machine machine(given);
  try {
    drive::run(machine);
  } catch (const att::Failure& error) {
    failure = error.what();
  }
  if (!failure.empty()) {
    rigor::out << "failed: " << failure << '\n';
  } else if (!(machine.error(given) < 1e-6)) {
    rigor::out << "failed: O is not the attention of Q, K and V\n";
  } else {
    rigor::out << "time " << machine.finished() << '\n';
  }
  rigor::finish();
  return 0;
}

#include "schedule.hpp"

void drive::run(att::Machine& machine) { schedule(machine); }
