#include <iostream>
#include <string>

int main() {
  std::string mode;
  std::cin >> mode;
  if (mode == "serve") {
    // To be written: the server.
  } else if (mode == "play") {
    // To be written: the player.
  }
}
