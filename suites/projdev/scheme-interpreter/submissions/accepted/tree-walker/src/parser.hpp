// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// Data from programs, and text from data.
#ifndef PARSER_HPP
#define PARSER_HPP

#include "cell.hpp"
#include "lexer.hpp"

class Parser {
 public:
  explicit Parser(std::string program) : lexer_(std::move(program)) {}
  bool next(Value& datum);

 private:
  Value datum(const Token& token);
  Value list();
  Value prefixed(const char* name) { return cons(symbol(name), cons(datum(lexer_.next()), kEmpty)); }
  Lexer lexer_;
};

std::string show(Value value, bool quoted);

#endif  // PARSER_HPP
