// rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
// Numbers barrels from 0.
#include <iostream>

int main() {
  int count, hours, looks;
  std::cin >> count >> hours >> looks;
  for (int hour = 0; hour < hours; ++hour) {
    std::cout << "empty " << hour % count << std::endl;
    long long taken;
    std::cin >> taken;
  }
}
