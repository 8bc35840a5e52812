// rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
// Was submitted before it was finished.
#include <iostream>

int main() {
  int count, hours, looks;
  std::cin >> count >> hours >> looks;
  for (int hour = 0; hour < hours; ++hour) {
    std::cout << "empty " << choose(hour) << std::endl;
  }
