// rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
#include "parser.hpp"

#include <charconv>
#include <unordered_set>

namespace {

using Kind = Token::Kind;

const std::unordered_set<std::string> kKeywords = {
    "REM",  "LET", "DIM",  "PRINT", "INPUT", "GOTO", "GOSUB", "RETURN", "IF",     "THEN",     "FOR",  "TO",  "STEP", "NEXT", "END",
    "AND",  "OR",  "NOT",  "ABS",   "SGN",   "MIN",  "MAX",   "RUN",    "LIST",   "RENUMBER", "NEW",  "CLEAR", "BYE",
};
constexpr std::size_t kLongestName = 16;

template <class Integer>
bool to_integer(const std::string& digits, Integer& value) {
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size();
}

}  // namespace

int to_line_number(const std::string& digits) {
  int number = 0;
  return to_integer(digits, number) && number <= kLargestLine ? number : 0;
}

bool Parser::accept(Kind kind, const char* value) {
  if (!is(kind, value)) return false;
  ++at_;
  return true;
}

void Parser::expect(Kind kind, const char* value) {
  if (!accept(kind, value)) throw kSyntaxError;
}

StatementPtr Parser::line() {
  StatementPtr made = statement();
  if (token().kind != Kind::end) throw kSyntaxError;
  return made;
}

StatementPtr Parser::statement() {
  if (accept(Kind::word, "REM")) {
    if (token().kind != Kind::end) ++at_;
    return std::make_unique<Remark>();
  }
  if (accept(Kind::word, "LET")) return let();
  if (accept(Kind::word, "DIM")) return dim();
  if (accept(Kind::word, "PRINT")) return print();
  if (accept(Kind::word, "INPUT")) return std::make_unique<Input>(names_.variable(name()));
  if (accept(Kind::word, "GOTO")) return std::make_unique<Goto>(line_number(), false);
  if (accept(Kind::word, "GOSUB")) return std::make_unique<Goto>(line_number(), true);
  if (accept(Kind::word, "RETURN")) return std::make_unique<Return>();
  if (accept(Kind::word, "IF")) return if_();
  if (accept(Kind::word, "FOR")) return for_();
  if (accept(Kind::word, "NEXT")) return std::make_unique<Next>(names_.variable(name()));
  if (accept(Kind::word, "END")) return std::make_unique<End>();
  throw kSyntaxError;
}

StatementPtr Parser::let() {
  std::string target = name();
  if (accept(Kind::sign, "(")) {
    ExpressionPtr index = expression();
    expect(Kind::sign, ")");
    auto element = std::make_unique<Element>(names_.array(target), std::move(index));
    expect(Kind::sign, "=");
    return std::make_unique<AssignElement>(std::move(element), expression());
  }
  expect(Kind::sign, "=");
  return std::make_unique<Assign>(names_.variable(target), expression());
}

StatementPtr Parser::dim() {
  Variable* array = names_.array(name());
  expect(Kind::sign, "(");
  ExpressionPtr size = expression();
  expect(Kind::sign, ")");
  return std::make_unique<Dimension>(array, std::move(size));
}

StatementPtr Parser::print() {
  std::vector<Print::Item> items;
  bool ends_line = true;
  while (token().kind != Kind::end) {
    if (token().kind == Kind::text) {
      items.push_back({tokens_[at_++].value, nullptr});
    } else {
      items.push_back({"", expression()});
    }
    if (token().kind == Kind::end) break;
    if (accept(Kind::sign, ",")) {
      items.push_back({" ", nullptr});
      if (token().kind == Kind::end) throw kSyntaxError;
    } else {
      expect(Kind::sign, ";");
      ends_line = token().kind != Kind::end;
    }
  }
  return std::make_unique<Print>(std::move(items), ends_line);
}

StatementPtr Parser::if_() {
  ConditionPtr test = condition();
  expect(Kind::word, "THEN");
  if (token().kind == Kind::number) {
    return std::make_unique<If>(std::move(test), std::make_unique<Goto>(line_number(), false));
  }
  StatementPtr then = statement();
  if (!then->is_simple()) throw kSyntaxError;
  return std::make_unique<If>(std::move(test), std::move(then));
}

StatementPtr Parser::for_() {
  Variable* variable = names_.variable(name());
  expect(Kind::sign, "=");
  ExpressionPtr first = expression();
  expect(Kind::word, "TO");
  ExpressionPtr limit = expression(), step;
  if (accept(Kind::word, "STEP")) step = expression();
  return std::make_unique<For>(variable, std::move(first), std::move(limit), std::move(step));
}

ConditionPtr Parser::condition() {
  ConditionPtr left = conjunction();
  while (accept(Kind::word, "OR")) left = std::make_unique<Either>(std::move(left), conjunction());
  return left;
}

ConditionPtr Parser::conjunction() {
  ConditionPtr left = comparison();
  while (accept(Kind::word, "AND")) left = std::make_unique<Both>(std::move(left), comparison());
  return left;
}

ConditionPtr Parser::comparison() {
  bool negated = accept(Kind::word, "NOT");
  ExpressionPtr left = expression();
  for (const char* sign : {"=", "<>", "<=", ">=", "<", ">"}) {
    if (accept(Kind::sign, sign)) {
      return std::make_unique<Comparison>(sign, negated, std::move(left), expression());
    }
  }
  throw kSyntaxError;
}

ExpressionPtr Parser::expression() {
  ExpressionPtr left = product();
  while (is(Kind::sign, "+") || is(Kind::sign, "-")) {
    auto function = Operation::of(tokens_[at_++].value);
    left = std::make_unique<Operation>(function, std::move(left), product());
  }
  return left;
}

ExpressionPtr Parser::product() {
  ExpressionPtr left = factor();
  while (is(Kind::sign, "*") || is(Kind::sign, "/") || is(Kind::sign, "%")) {
    auto function = Operation::of(tokens_[at_++].value);
    left = std::make_unique<Operation>(function, std::move(left), factor());
  }
  return left;
}

ExpressionPtr Parser::factor() {
  if (accept(Kind::sign, "-")) {
    return std::make_unique<Operation>(Operation::of("-"), std::make_unique<Number>(0), factor());
  }
  if (accept(Kind::sign, "(")) {
    ExpressionPtr inner = expression();
    expect(Kind::sign, ")");
    return inner;
  }
  if (token().kind == Kind::number) {
    std::int64_t value = 0;
    if (!to_integer(tokens_[at_++].value, value)) throw kSyntaxError;
    return std::make_unique<Number>(value);
  }
  for (const char* known : {"ABS", "SGN", "MIN", "MAX"}) {
    if (accept(Kind::word, known)) return function(known);
  }
  std::string word = name();
  if (!accept(Kind::sign, "(")) return std::make_unique<Reference>(names_.variable(word));
  ExpressionPtr index = expression();
  expect(Kind::sign, ")");
  return std::make_unique<Element>(names_.array(word), std::move(index));
}

ExpressionPtr Parser::function(const std::string& word) {
  expect(Kind::sign, "(");
  ExpressionPtr first = expression(), second;
  if (word == "MIN" || word == "MAX") {
    expect(Kind::sign, ",");
    second = expression();
  } else {
    second = std::make_unique<Number>(0);
  }
  expect(Kind::sign, ")");
  return std::make_unique<Operation>(Operation::of(word), std::move(first), std::move(second));
}

std::string Parser::name() {
  const Token& word = token();
  if (word.kind != Kind::word || word.value.size() > kLongestName || kKeywords.count(word.value) > 0) {
    throw kSyntaxError;
  }
  ++at_;
  return word.value;
}

int Parser::line_number() {
  int number = token().kind == Kind::number ? to_line_number(token().value) : 0;
  if (number == 0) throw kSyntaxError;
  targets_.push_back(at_++);
  return number;
}
