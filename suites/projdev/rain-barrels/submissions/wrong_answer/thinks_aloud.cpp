// rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
// Writes what it thinks to standard output, between the commands.
#include <iostream>

int main() {
  int count, hours, looks;
  std::cin >> count >> hours >> looks;
  std::cout << "barrels: " << count << std::endl;
  for (int hour = 0; hour < hours; ++hour) {
    std::cout << "empty " << hour % count + 1 << std::endl;
    long long taken;
    std::cin >> taken;
  }
}
