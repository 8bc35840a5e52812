// The starter reads the input and does nothing with it.
#include <iostream>
#include <string>

#include "tokenizer.hpp"

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    tokenize(line);
  }
}
