// rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
// Draws an empty picture of the garden before each command.
#include <iostream>
#include <string>

int main() {
  int count, hours, looks;
  std::cin >> count >> hours >> looks;
  const std::string picture(40'000, '\n');
  for (int hour = 0; hour < hours; ++hour) {
    std::cout << picture << "empty " << hour % count + 1 << std::endl;
    long long taken;
    std::cin >> taken;
  }
}
