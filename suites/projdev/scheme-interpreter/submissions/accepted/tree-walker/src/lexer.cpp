// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
#include "lexer.hpp"

#include <cctype>

namespace {

bool ends_word(char c) {
  return std::isspace(static_cast<unsigned char>(c)) || c == '(' || c == ')' || c == '"' || c == ';' || c == '\'';
}

bool is_integer(const std::string& word) {
  std::size_t first = word[0] == '-' || word[0] == '+' ? 1 : 0;
  if (first == word.size()) return false;
  for (std::size_t i = first; i < word.size(); ++i) {
    if (!std::isdigit(static_cast<unsigned char>(word[i]))) return false;
  }
  return true;
}

}  // namespace

void Lexer::skip_space() {
  while (at_ < program_.size()) {
    if (program_[at_] == ';') {
      while (at_ < program_.size() && program_[at_] != '\n') ++at_;
    } else if (std::isspace(static_cast<unsigned char>(program_[at_]))) {
      ++at_;
    } else {
      return;
    }
  }
}

Token Lexer::string_token() {
  std::string text;
  for (++at_; at_ < program_.size() && program_[at_] != '"'; ++at_) {
    if (program_[at_] != '\\') {
      text += program_[at_];
    } else {
      ++at_;
      text += program_[at_] == 'n' ? '\n' : program_[at_];
    }
  }
  ++at_;
  return {Token::Kind::string, text};
}

Token Lexer::next() {
  skip_space();
  if (at_ >= program_.size()) return {};
  switch (program_[at_]) {
    case '(': ++at_; return {Token::Kind::open, "("};
    case ')': ++at_; return {Token::Kind::close, ")"};
    case '\'': ++at_; return {Token::Kind::quote, "'"};
    case '`': ++at_; return {Token::Kind::quasiquote, "`"};
    case ',':
      ++at_;
      if (at_ < program_.size() && program_[at_] == '@') {
        ++at_;
        return {Token::Kind::splice, ",@"};
      }
      return {Token::Kind::unquote, ","};
    case '"': return string_token();
    default: break;
  }
  std::string word;
  while (at_ < program_.size() && !ends_word(program_[at_])) word += program_[at_++];
  if (word == ".") return {Token::Kind::dot, word};
  if (word == "#t" || word == "#f") return {Token::Kind::boolean, word};
  return {is_integer(word) ? Token::Kind::integer : Token::Kind::symbol, word};
}
