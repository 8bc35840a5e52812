// Reads the bookings. What STATEMENT.md asks for is still to be computed.
#include <cstdint>
#include <iostream>
#include <string>

int main() {
  std::string first;
  while (std::cin >> first) {
    if (first == "many") {
      std::uint64_t count = 0, seed = 0, span = 0, length = 0;
      std::cin >> count >> seed >> span >> length;
    } else {
      std::uint64_t from = std::stoull(first), to = 0;
      std::cin >> to;
    }
  }
}
