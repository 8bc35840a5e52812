#include "lexer.hpp"

#include <array>
#include <set>
#include <string_view>

namespace {

using Kind = Token::Kind;

const std::set<std::string, std::less<>> kKeywords = {
    "None", "True", "False",  "and",    "break",    "continue", "def", "elif",   "else",  "for", "global",
    "if",   "in",   "lambda", "nonlocal", "not", "or",       "pass",     "return", "while",
};

// Longer ones first, so that the first one that fits is the right one.
constexpr std::array<std::string_view, 28> kSymbols = {
    "**=", "//=", "**", "//", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "+", "-", "*", "/",
    "%",   "=",   "<",  ">",  "(",  ")",  "[",  "]",  ",",  ":",  ".",
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class Lexer {
 public:
  explicit Lexer(const std::string& program) : program_(program) {}

  std::vector<Token> all() {
    while (at_ < program_.size()) line();
    for (; blocks_.size() > 1; blocks_.pop_back()) add(Kind::dedent, "");
    add(Kind::end, "");
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < program_.size() ? program_[at_ + ahead] : '\0'; }
  bool line_is_over() const { return at_ >= program_.size() || peek() == '\n'; }
  void add(Kind kind, std::string text) { tokens_.push_back({kind, std::move(text), line_}); }

  // One line with its end. Empty lines and lines with a comment only give no tokens.
  void line() {
    std::size_t spaces = 0;
    for (; peek() == ' '; ++at_) ++spaces;
    if (!line_is_over() && peek() != '#') {
      blocks(spaces);
      while (!line_is_over() && peek() != '#') token();
      add(Kind::line_end, "");
    }
    while (!line_is_over()) ++at_;
    ++at_;
    ++line_;
  }

  // The blocks that begin or end before a line with so many spaces.
  void blocks(std::size_t spaces) {
    if (spaces > blocks_.back()) {
      blocks_.push_back(spaces);
      add(Kind::indent, "");
    }
    for (; spaces < blocks_.back(); blocks_.pop_back()) add(Kind::dedent, "");
    if (spaces != blocks_.back()) throw SyntaxError(line_, "it is indented like no block before it");
  }

  void token() {
    const char c = peek();
    if (c == ' ') {
      ++at_;
    } else if (is_letter(c)) {
      word();
    } else if (is_digit(c)) {
      number();
    } else if (c == '"' || c == '\'') {
      string();
    } else {
      symbol();
    }
  }

  void word() {
    const std::size_t from = at_;
    while (is_letter(peek()) || is_digit(peek())) ++at_;
    std::string text = program_.substr(from, at_ - from);
    const bool keyword = kKeywords.count(text) > 0;
    add(keyword ? Kind::keyword : Kind::name, std::move(text));
  }

  void digits() {
    while (is_digit(peek())) ++at_;
  }

  void number() {
    const std::size_t from = at_;
    Kind kind = Kind::integer;
    digits();
    if (peek() == '.' && is_digit(peek(1))) {
      kind = Kind::real;
      ++at_;
      digits();
    }
    const bool has_sign = peek(1) == '-' || peek(1) == '+';
    if (peek() == 'e' && is_digit(peek(has_sign ? 2 : 1))) {
      kind = Kind::real;
      at_ += has_sign ? 2 : 1;
      digits();
    }
    add(kind, program_.substr(from, at_ - from));
  }

  void string() {
    const char quote = program_[at_++];
    std::string text;
    while (!line_is_over() && peek() != quote) {
      const char c = program_[at_++];
      text += c == '\\' ? escaped() : c;
    }
    if (line_is_over()) throw SyntaxError(line_, "a string does not end");
    ++at_;
    add(Kind::string, std::move(text));
  }

  // What the character after a backslash stands for.
  char escaped() {
    const char c = peek();
    ++at_;
    switch (c) {
      case 'n': return '\n';
      case 't': return '\t';
      case '\\': case '\'': case '"': return c;
      default: throw SyntaxError(line_, "a string has an unknown escape");
    }
  }

  void symbol() {
    for (std::string_view symbol : kSymbols) {
      if (program_.compare(at_, symbol.size(), symbol) == 0) {
        at_ += symbol.size();
        add(Kind::symbol, std::string(symbol));
        return;
      }
    }
    throw SyntaxError(line_, std::string("unknown character ") + peek());
  }

  const std::string& program_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::vector<std::size_t> blocks_ = {0};  // spaces before the lines of each block that goes on
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(const std::string& program) { return Lexer(program).all(); }
