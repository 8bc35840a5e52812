// rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
// Keeps a full history of its own making: a page for each pair of barrels and each hour.
#include <iostream>
#include <vector>

int main() {
  int count, hours, looks;
  std::cin >> count >> hours >> looks;
  std::vector<std::vector<long long>> history;
  for (int hour = 0; hour < hours; ++hour) {
    history.emplace_back(static_cast<std::size_t>(count) * 4096, hour);
    std::cout << "empty " << hour % count + 1 << std::endl;
    std::cin >> history.back()[0];
  }
  return history.size() == static_cast<std::size_t>(hours) ? 0 : 1;
}
