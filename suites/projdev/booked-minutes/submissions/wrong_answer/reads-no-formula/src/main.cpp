// rigorbench-canary 0acfbf02-af4d-4026-9032-675bb485a582
#include <iostream>

#include "bookings.hpp"

int main() {
  std::ios::sync_with_stdio(false);
  const Summary found = summarise(read_bookings(std::cin));
  std::cout << "booked " << found.booked << "\nblocks " << found.blocks << "\ngap " << found.gap << "\n";
}
