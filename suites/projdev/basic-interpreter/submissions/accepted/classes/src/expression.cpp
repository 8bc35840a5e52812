// rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
#include "expression.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace {

using Int = std::int64_t;

void no_overflow(bool overflow) {
  if (overflow) throw BasicError{"OVERFLOW"};
}

Int add(Int a, Int b) {
  Int result = 0;
  no_overflow(__builtin_add_overflow(a, b, &result));
  return result;
}

Int subtract(Int a, Int b) {
  Int result = 0;
  no_overflow(__builtin_sub_overflow(a, b, &result));
  return result;
}

Int multiply(Int a, Int b) {
  Int result = 0;
  no_overflow(__builtin_mul_overflow(a, b, &result));
  return result;
}

Int divide(Int a, Int b) {
  if (b == 0) throw BasicError{"DIVISION BY ZERO"};
  no_overflow(a == std::numeric_limits<Int>::min() && b == -1);
  return a / b;
}

Int rest(Int a, Int b) {
  if (b == 0) throw BasicError{"DIVISION BY ZERO"};
  return b == -1 ? 0 : a % b;
}

// Functions of one operand have a second one that does not matter.
Int absolute(Int a, Int) { return a < 0 ? subtract(0, a) : a; }
Int sign(Int a, Int) { return (a > 0) - (a < 0); }
Int lesser(Int a, Int b) { return std::min(a, b); }
Int greater(Int a, Int b) { return std::max(a, b); }

}  // namespace

std::int64_t Reference::evaluate() const {
  if (!variable_->known) throw BasicError{"UNDEFINED VARIABLE"};
  return variable_->value;
}

std::int64_t& Element::place() const {
  std::int64_t index = index_->evaluate();
  if (!array_->known) throw BasicError{"UNDEFINED ARRAY"};
  if (index < 0 || index >= static_cast<std::int64_t>(array_->elements.size())) {
    throw BasicError{"INDEX OUT OF RANGE"};
  }
  return array_->elements[static_cast<std::size_t>(index)];
}

std::int64_t Operation::evaluate() const {
  std::int64_t left = left_->evaluate();
  return function_(left, right_->evaluate());
}

Operation::Function Operation::of(const std::string& sign_or_name) {
  static const std::unordered_map<std::string, Function> table = {
      {"+", add},        {"-", subtract}, {"*", multiply}, {"/", divide},    {"%", rest},
      {"ABS", absolute}, {"SGN", sign},   {"MIN", lesser}, {"MAX", greater},
  };
  return table.at(sign_or_name);
}

Comparison::Comparison(std::string sign, bool negated, ExpressionPtr left, ExpressionPtr right)
    : less_((sign == "<" || sign == "<=" || sign == "<>") != negated),
      same_((sign == "=" || sign == "<=" || sign == ">=") != negated),
      more_((sign == ">" || sign == ">=" || sign == "<>") != negated),
      left_(std::move(left)),
      right_(std::move(right)) {}

bool Comparison::holds() const {
  std::int64_t left = left_->evaluate(), right = right_->evaluate();
  return left < right ? less_ : left == right ? same_ : more_;
}
