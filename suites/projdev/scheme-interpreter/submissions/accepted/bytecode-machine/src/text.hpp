// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// Programs to data, and data to text.
#ifndef TEXT_HPP
#define TEXT_HPP

#include <string>

#include "lexer.hpp"
#include "value.hpp"

class Reader {
 public:
  explicit Reader(std::string program) : lexer_(std::move(program)) {}
  // The next datum; false at the end of the program.
  bool read(Value& datum);

 private:
  Value datum(const Token& token);
  Value list();

  Lexer lexer_;
};

// quoted: strings in quotes, as write does; otherwise as display does.
std::string to_text(Value value, bool quoted);

#endif  // TEXT_HPP
