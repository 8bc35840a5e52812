// The starter reads the program and does nothing with it.
#include <iostream>
#include <iterator>

#include "lexer.hpp"

int main() {
  Lexer lexer(std::string(std::istreambuf_iterator<char>(std::cin), {}));
  while (lexer.next().kind != Token::Kind::end) {
  }
}
