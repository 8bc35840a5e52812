#include "tokenizer.hpp"

#include <cctype>

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

Token next(const std::string& line, std::size_t& at) {
  std::size_t first = at;
  auto made = [&](Token::Kind kind) { return Token{kind, line.substr(first, at - first), first}; };
  char c = line[at];
  if (is_digit(c)) {
    while (at < line.size() && is_digit(line[at])) ++at;
    return made(Token::Kind::number);
  }
  if (is_letter(c)) {
    while (at < line.size() && (is_letter(line[at]) || is_digit(line[at]))) ++at;
    return made(Token::Kind::word);
  }
  if (c == '"') {
    std::size_t end = line.find('"', first + 1);
    at = end == std::string::npos ? line.size() : end + 1;
    if (end == std::string::npos) return made(Token::Kind::bad);
    return {Token::Kind::text, line.substr(first + 1, end - first - 1), first};
  }
  std::string two = line.substr(at, 2);
  at += two == "<=" || two == ">=" || two == "<>" ? 2 : 1;
  return made(std::string("+-*/%()=<>,;").find(c) == std::string::npos ? Token::Kind::bad : Token::Kind::sign);
}

}  // namespace

std::vector<Token> tokenize(const std::string& line) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  for (;;) {
    while (at < line.size() && line[at] == ' ') ++at;
    if (at == line.size()) break;
    if (!tokens.empty() && tokens.back().kind == Token::Kind::word && tokens.back().value == "REM") {
      tokens.push_back({Token::Kind::text, line.substr(at), at});
      break;
    }
    tokens.push_back(next(line, at));
  }
  tokens.push_back({Token::Kind::end, "", line.size()});
  return tokens;
}
