#include <iostream>
#include <iterator>
#include <string>

#include "lexer.hpp"
#include "parser.hpp"

int main() {
  const std::string program{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  try {
    const NodePtr tree = parse(program);
    // Carry it out here.
  } catch (const SyntaxError& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
