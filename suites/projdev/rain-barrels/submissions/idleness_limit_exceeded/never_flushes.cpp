// rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
// Fast input and output: commands stay in the buffer while the program waits for the answer.
#include <iostream>

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  int count, hours, looks;
  std::cin >> count >> hours >> looks;
  for (int hour = 0; hour < hours; ++hour) {
    std::cout << "empty " << hour % count + 1 << '\n';
    long long taken;
    std::cin >> taken;
  }
}
