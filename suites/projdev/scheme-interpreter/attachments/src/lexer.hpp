// Splits a program into tokens.
#ifndef LEXER_HPP
#define LEXER_HPP

#include <cstddef>
#include <string>

struct Token {
  // quote, quasiquote, unquote and splice stand for the signs ' ` , and ,@
  enum class Kind { end, open, close, dot, quote, quasiquote, unquote, splice, integer, boolean, string, symbol };
  Kind kind = Kind::end;
  std::string text;  // of a string: its characters, escapes replaced
};

class Lexer {
 public:
  explicit Lexer(std::string program) : program_(std::move(program)) {}
  Token next();

 private:
  void skip_space();
  Token string_token();

  std::string program_;
  std::size_t at_ = 0;
};

#endif  // LEXER_HPP
