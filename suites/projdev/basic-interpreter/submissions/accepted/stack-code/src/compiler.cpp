// rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
#include "compiler.hpp"

#include <set>

namespace {

using Kind = Token::Kind;
const std::set<std::string> kReserved = {
    "ABS", "AND", "BYE",   "CLEAR", "DIM", "END",  "FOR",   "GOSUB",    "GOTO",   "IF",  "INPUT", "LET",  "LIST", "MAX",
    "MIN", "NEW", "NEXT", "NOT",   "OR",  "PRINT", "REM",   "RENUMBER", "RETURN", "RUN", "SGN",   "STEP", "THEN", "TO",
};

[[noreturn]] void wrong() { throw Failure{"SYNTAX ERROR"}; }

bool number_of(const std::string& digits, std::int64_t& value) {
  value = 0;
  for (char c : digits) {
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, c - '0', &value)) return false;
  }
  return true;
}

}  // namespace

int line_of(const std::string& digits) {
  std::int64_t value = 0;
  return number_of(digits, value) && value >= 1 && value <= 99'999 ? static_cast<int>(value) : 0;
}

bool Compiler::accept(const std::string& value) {
  const Token& token = tokens_[at_];
  if ((token.kind != Kind::word && token.kind != Kind::sign) || token.value != value) return false;
  ++at_;
  return true;
}

void Compiler::expect(const std::string& value) {
  if (!accept(value)) wrong();
}

std::string Compiler::name() {
  const Token& token = tokens_[at_];
  if (token.kind != Kind::word || token.value.size() > 16 || kReserved.contains(token.value)) wrong();
  ++at_;
  return token.value;
}

void Compiler::add_text(const std::string& text) {
  add(Do::text, static_cast<std::int64_t>(code_.texts.size()));
  code_.texts.push_back(text);
}

void Compiler::compile(const std::string& text) {
  tokens_ = tokenize(text);
  first_ = tokens_[0].value;
  statement(false);
  if (tokens_[at_].kind != Kind::end) wrong();
}

void Compiler::statement(bool after_then) {
  if (accept("LET")) return let();
  if (accept("PRINT")) return print();
  if (accept("INPUT")) return add(Do::input, machine_.slot(name(), false));
  if (accept("GOTO")) return branch(Do::go);
  if (accept("GOSUB")) return branch(Do::call);
  if (accept("RETURN")) return add(Do::back);
  if (accept("END")) return add(Do::stop);
  if (after_then) wrong();
  if (accept("REM")) {
    at_ = tokens_.size() - 1;
  } else if (accept("DIM")) {
    std::int64_t array = machine_.slot(name(), true);
    expect("(");
    sum();
    expect(")");
    add(Do::dimension, array);
  } else if (accept("IF")) {
    if_();
  } else if (accept("FOR")) {
    for_();
  } else if (accept("NEXT")) {
    std::int64_t variable = machine_.slot(name(), false);
    add(Do::next_round, variable);
    code_.ends.emplace_back(variable, code_.steps.size());
  } else {
    wrong();
  }
}

void Compiler::let() {
  std::string target = name();
  if (!accept("(")) {
    expect("=");
    sum();
    return add(Do::store, machine_.slot(target, false));
  }
  std::int64_t array = machine_.slot(target, true);
  sum();
  expect(")");
  expect("=");
  add(Do::check_element, array);
  sum();
  add(Do::store_element, array);
}

void Compiler::print() {
  std::string end = "\n";
  while (tokens_[at_].kind != Kind::end) {
    end = "\n";
    if (tokens_[at_].kind == Kind::text) {
      add_text(tokens_[at_++].value);
    } else {
      sum();
      add(Do::number);
    }
    if (accept(",")) {
      add_text(" ");
      if (tokens_[at_].kind == Kind::end) wrong();
    } else if (accept(";")) {
      end.clear();
    } else if (tokens_[at_].kind != Kind::end) {
      wrong();
    }
  }
  add_text(end);
  add(Do::show);
}

void Compiler::branch(Do what) {
  const Token& token = tokens_[at_];
  int line = token.kind == Kind::number ? line_of(token.value) : 0;
  if (line == 0) wrong();
  targets_.push_back({token.place, token.value.size(), line});
  ++at_;
  add(what, line);
}

void Compiler::if_() {
  either();
  expect("THEN");
  std::size_t test = code_.steps.size();
  add(Do::unless);
  if (tokens_[at_].kind == Kind::number) {
    branch(Do::go);
  } else {
    statement(true);
  }
  code_.steps[test].operand = static_cast<std::int64_t>(code_.steps.size());
}

void Compiler::for_() {
  std::int64_t variable = machine_.slot(name(), false);
  expect("=");
  sum();
  expect("TO");
  sum();
  if (accept("STEP")) {
    sum();
  } else {
    add(Do::push, 1);
  }
  add(Do::begin_loop, variable);
}

void Compiler::either() {
  both();
  while (accept("OR")) {
    std::size_t skip = code_.steps.size();
    add(Do::skip_if_true);
    add(Do::drop);
    both();
    code_.steps[skip].operand = static_cast<std::int64_t>(code_.steps.size());
  }
}

void Compiler::both() {
  comparison();
  while (accept("AND")) {
    std::size_t skip = code_.steps.size();
    add(Do::skip_if_false);
    add(Do::drop);
    comparison();
    code_.steps[skip].operand = static_cast<std::int64_t>(code_.steps.size());
  }
}

void Compiler::comparison() {
  static const std::pair<const char*, Do> relations[] = {
      {"=", Do::equal}, {"<>", Do::unequal}, {"<=", Do::at_most}, {">=", Do::at_least}, {"<", Do::less}, {">", Do::more},
  };
  bool inverted = accept("NOT");
  sum();
  for (const auto& [sign, what] : relations) {
    if (accept(sign)) {
      sum();
      add(what);
      if (inverted) add(Do::invert);
      return;
    }
  }
  wrong();
}

void Compiler::sum() {
  product();
  for (;;) {
    if (accept("+")) {
      product();
      add(Do::add);
    } else if (accept("-")) {
      product();
      add(Do::subtract);
    } else {
      return;
    }
  }
}

void Compiler::product() {
  factor();
  for (;;) {
    Do what = Do::multiply;
    if (accept("/")) {
      what = Do::divide;
    } else if (accept("%")) {
      what = Do::rest;
    } else if (!accept("*")) {
      return;
    }
    factor();
    add(what);
  }
}

void Compiler::factor() {
  if (accept("-")) {
    factor();
    return add(Do::negate);
  }
  if (accept("(")) {
    sum();
    return expect(")");
  }
  const Token& token = tokens_[at_];
  if (token.kind == Kind::number) {
    std::int64_t value = 0;
    if (!number_of(token.value, value)) wrong();
    ++at_;
    return add(Do::push, value);
  }
  for (const char* function : {"ABS", "SGN", "MIN", "MAX"}) {
    if (accept(function)) return call(function);
  }
  std::string word = name();
  if (!accept("(")) return add(Do::load, machine_.slot(word, false));
  sum();
  expect(")");
  add(Do::load_element, machine_.slot(word, true));
}

void Compiler::call(const std::string& function) {
  expect("(");
  sum();
  if (function[0] == 'M') {
    expect(",");
    sum();
    add(function == "MIN" ? Do::lesser : Do::greater);
  } else {
    add(function == "ABS" ? Do::absolute : Do::sign);
  }
  expect(")");
}
