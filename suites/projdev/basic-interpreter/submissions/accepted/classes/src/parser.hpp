// rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
// Statements from the tokens of a line.
#ifndef PARSER_HPP
#define PARSER_HPP

#include "statement.hpp"
#include "tokenizer.hpp"

// Thrown for a line that is no statement.
inline constexpr BasicError kSyntaxError{"SYNTAX ERROR"};

constexpr int kLargestLine = 99'999;

class Parser {
 public:
  // Tokens from `first` on are one statement. Names are those of `names`.
  Parser(const std::vector<Token>& tokens, std::size_t first, Names& names)
      : tokens_(tokens), at_(first), names_(names) {}
  // The whole rest of the line.
  StatementPtr line();
  // Places in `tokens` of the line numbers that the statement goes to.
  const std::vector<std::size_t>& targets() const { return targets_; }

 private:
  StatementPtr statement();
  StatementPtr let();
  StatementPtr dim();
  StatementPtr print();
  StatementPtr if_();
  StatementPtr for_();
  ConditionPtr condition();
  ConditionPtr conjunction();
  ConditionPtr comparison();
  ExpressionPtr expression();
  ExpressionPtr product();
  ExpressionPtr factor();
  ExpressionPtr function(const std::string& name);
  std::string name();
  int line_number();

  const Token& token() const { return tokens_[at_]; }
  bool is(Token::Kind kind, const char* value) const { return token().kind == kind && token().value == value; }
  bool accept(Token::Kind kind, const char* value);
  void expect(Token::Kind kind, const char* value);

  const std::vector<Token>& tokens_;
  std::size_t at_;
  Names& names_;
  std::vector<std::size_t> targets_;
};

// A line number from 1 to kLargestLine, otherwise 0.
int to_line_number(const std::string& digits);

#endif  // PARSER_HPP
