// rigorbench-canary 0d86b03a-d5c5-459a-82db-0d5736010225
// Repeats the calls of a schedule on the problem as it was given, and turns their time into a share of the points: 0 at the slow time of
// the test, 1 at the good one, linear in its speed.
//
// Called as INPUT ANSWER FEEDBACK_DIR with the driver's output on standard input; ends with 42 (right) or 43.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>

#include "machine.hpp"

namespace {

constexpr double kLongest = 20;  // seconds for repeating
std::string feedback;

int ended(int status, const std::string& text) {
  for (const char* name : {"judgemessage.txt", "teammessage.txt"}) std::ofstream(feedback + name) << text.substr(0, 200);
  return status;
}

int wrong(const std::string& text) { return ended(43, text); }

}  // namespace

int main(int, char** arguments) {
  std::ifstream input(arguments[1]), answer(arguments[2]);
  feedback = arguments[3];
  att::Problem p;
  std::uint64_t seed = 0;
  int causal = 0;
  att::Machine::Time slow = 0, good = 0;
  input >> p.n >> p.d >> p.capacity >> p.latency >> p.rate >> causal >> seed;
  answer >> slow >> good;
  p.causal = causal != 0;
  if (!input || !answer) return 1;

  std::string word, rest;
  std::size_t count = 0;
  std::cin >> word;
  if (word != "operations") {
    std::getline(std::cin, rest);
    return wrong(word.empty() ? "the driver reported nothing" : word + rest);
  }
  const att::Machine given(p, seed);
  att::Machine machine(given);
  std::cin >> count;
  for (std::size_t done = 0; done < count; ++done) {
    int kind = 0;
    att::Operation one{};
    std::uint64_t value = 0;
    std::cin >> kind;
    for (int& number : one.numbers) std::cin >> number;
    if (!(std::cin >> value) || kind < 0 || kind > att::Operation::maximum) return wrong("what the driver reported is no list of operations");
    one.kind = att::Operation::Kind(kind);
    one.value = std::bit_cast<double>(value);
    if (one.kind == att::Operation::load && (one.numbers[0] < 0 || one.numbers[0] > 4)) return wrong("there is no such matrix");
    try {
      machine.repeat(one);
    } catch (const att::Failure&) {
      // The schedule caught it as well.
    }
    if (double(std::clock()) / CLOCKS_PER_SEC > kLongest) return wrong("the operations take too long");
  }
  if (!std::cin) return wrong("what the driver reported is no list of operations");
  if (!(machine.error(given) < 1e-6)) return wrong("failed: O is not the attention of Q, K and V");
  const att::Machine::Time time = machine.finished();
  const double least = double(good) / double(slow);
  const double share = time > 0 ? (double(good) / double(time) - least) / (1 - least) : 1;
  std::ofstream(feedback + "score_multiplier.txt") << std::fixed << std::setprecision(6) << std::clamp(share, 0.0, 1.0) << '\n';
  return ended(42, "time " + std::to_string(time) + "; slow " + std::to_string(slow) + ", good " + std::to_string(good));
}
