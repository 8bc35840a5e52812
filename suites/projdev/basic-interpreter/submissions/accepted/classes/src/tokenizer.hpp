// Splits a line into tokens.
#ifndef TOKENIZER_HPP
#define TOKENIZER_HPP

#include <cstddef>
#include <string>
#include <vector>

struct Token {
  // word: a keyword or a name. sign: an operator, a parenthesis, a comma, a semicolon. bad: anything else.
  enum class Kind { number, word, text, sign, bad, end };
  Kind kind = Kind::end;
  std::string value;      // of a text: without its quotation marks
  std::size_t place = 0;  // of its first character in the line
};

// The last token is of kind end. What follows the word REM is one token of kind text.
std::vector<Token> tokenize(const std::string& line);

#endif  // TOKENIZER_HPP
