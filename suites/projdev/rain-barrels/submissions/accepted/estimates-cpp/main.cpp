// rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
// The strategy of estimates.py: estimates of each barrel's rate and capacity, looks where the choice is close.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace {

class barrel {
 public:
  bool seen() const { return seen_; }
  int hours() const { return hours_; }
  void pass_hour() { ++hours_; }
  void emptied() { known_ = 0; }

  double worth() const {
    if (!seen_) return std::numeric_limits<double>::infinity();
    const double content = expected(), most = static_cast<double>(most_);
    // Content times fullness: to leave a barrel that is not full costs nothing.
    return content * std::pow(content / std::max(1.0, full_ ? most : 1.5 * most), 1.5);
  }

  void see(std::int64_t content) {
    if (hours_ > 0) {
      const double rate = static_cast<double>(content - known_) / hours_;
      // The largest content twice in a row is the capacity: gusts and weather would not give the same again.
      if (content == most_ && content > known_) full_ = true;
      if (!seen_) {
        rate_ = rate;
      } else if (full_ && content >= most_) {
        rate_ = std::max(rate_, rate);
      } else {
        rate_ += std::min(0.7, 0.25 + 0.05 * hours_) * (rate - rate_);
      }
      seen_ = true;
    }
    if (content > most_) {
      most_ = content;
      full_ = false;
    }
    known_ = content;
    hours_ = 0;
  }

 private:
  double expected() const {
    const double content = static_cast<double>(known_) + rate_ * hours_;
    const double most = static_cast<double>(most_);
    if (content <= most) return content;
    return full_ ? most : most + 0.7 * (content - most);
  }

  double rate_ = 0;            // centilitres an hour
  std::int64_t most_ = 0;      // the largest content seen
  std::int64_t known_ = 0;     // content when last seen
  int hours_ = 0;              // of rain since then
  bool full_ = false, seen_ = false;
};

std::int64_t ask(const char* command, std::size_t which) {
  std::cout << command << ' ' << which + 1 << std::endl;
  std::int64_t amount = 0;
  std::cin >> amount;
  return amount;
}

}  // namespace

int main() {
  std::size_t count = 0;
  int hours = 0, looks = 0;
  std::cin >> count >> hours >> looks;
  std::vector<barrel> barrels(count);
  const double pace = static_cast<double>(looks) / hours;
  double saved = 0;

  const auto best = [&] {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return barrels[a].worth() > barrels[b].worth(); });
    return order;
  };

  for (int hour = 0; hour < hours && std::cin; ++hour) {
    for (barrel& each : barrels) each.pass_hour();
    auto order = best();
    for (saved += pace; saved >= 1 && looks > 0 && count > 1; --saved, --looks, order = best()) {
      const barrel &leading = barrels[order[0]], &second = barrels[order[1]];
      if (!leading.seen() || second.worth() <= 0.75 * leading.worth()) break;
      if (std::max(leading.hours(), second.hours()) <= 1) break;
      const std::size_t which = leading.hours() >= second.hours() ? order[0] : order[1];
      barrels[which].see(ask("look", which));
    }
    barrel& chosen = barrels[order[0]];
    chosen.see(ask("empty", order[0]));
    chosen.emptied();
  }
}
