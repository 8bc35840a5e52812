// rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
// Weighs every order of six barrels to empty, at every hour.
#include <algorithm>
#include <iostream>
#include <vector>

long long best_of(const std::vector<double>& rates, std::vector<int>& last, int hour, int depth, int& chosen) {
  if (depth == 0) return 0;
  long long most = -1;
  for (int barrel = 0; barrel < static_cast<int>(rates.size()); ++barrel) {
    const int before = last[barrel];
    last[barrel] = hour;
    int ignored = 0;
    const long long sum =
        static_cast<long long>(rates[barrel] * (hour - before)) + best_of(rates, last, hour + 1, depth - 1, ignored);
    last[barrel] = before;
    if (sum > most) {
      most = sum;
      chosen = barrel;
    }
  }
  return most;
}

int main() {
  int count, hours, looks;
  std::cin >> count >> hours >> looks;
  std::vector<double> rates(count, 1e6);
  std::vector<int> last(count, 0);
  for (int hour = 1; hour <= hours; ++hour) {
    int chosen = 0;
    best_of(rates, last, hour, 6, chosen);
    std::cout << "empty " << chosen + 1 << std::endl;
    double taken = 0;
    std::cin >> taken;
    rates[chosen] = taken / std::max(1, hour - last[chosen]);
    last[chosen] = hour;
  }
}
