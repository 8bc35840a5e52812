// Tokens of a program.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

struct Token {
  enum class Kind {
    name,
    keyword,
    integer,
    real,
    string,    // text: its characters, escapes replaced
    symbol,    // an operator or a bracket, a comma, a colon, a dot
    line_end,  // of a line that has other tokens
    indent,    // before the first line of a block
    dedent,    // behind the last line of a block
    end        // of the program
  };
  Kind kind;
  std::string text;
  int line;  // from 1
};

// Programs of the tests are always well formed; yours during development may not be.
struct SyntaxError : std::runtime_error {
  SyntaxError(int line, const std::string& what) : std::runtime_error("line " + std::to_string(line) + ": " + what) {}
};

// All tokens of a program; the last one is Token::Kind::end.
std::vector<Token> tokenize(const std::string& program);
