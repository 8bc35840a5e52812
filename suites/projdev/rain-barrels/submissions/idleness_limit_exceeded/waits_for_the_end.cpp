// rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
// Waits for a last word of the judge's that never comes.
#include <iostream>
#include <string>

int main() {
  int count, hours, looks;
  std::cin >> count >> hours >> looks;
  for (int hour = 0; hour < hours; ++hour) {
    std::cout << "empty " << hour % count + 1 << std::endl;
    long long taken;
    std::cin >> taken;
  }
  std::string word;
  std::cin >> word;
  return word == "end" ? 0 : 1;
}
