#include <iostream>
#include <string>

#include "player.hpp"
#include "server.hpp"

int main() {
  std::ios::sync_with_stdio(false);
  std::string mode;
  std::cin >> mode;
  if (mode == "serve") {
    std::cin.ignore(1);
    serve(std::cin, std::cout);
  } else if (mode == "play") {
    std::cout << std::flush;
  }
}
