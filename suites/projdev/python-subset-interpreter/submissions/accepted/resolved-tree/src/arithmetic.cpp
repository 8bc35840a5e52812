// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
#include "arithmetic.hpp"

#include <cmath>
#include <map>

namespace {

// --------------------------------------------------------------------------------------------------------- integers
std::int64_t floor_quotient(std::int64_t left, std::int64_t right) {
  const std::int64_t quotient = left / right;
  return left % right != 0 && (left < 0) != (right < 0) ? quotient - 1 : quotient;
}

// The result in `result`, if it fits.
bool apply_small(Operator operation, std::int64_t left, std::int64_t right, std::int64_t& result) {
  switch (operation) {
    case Operator::add: return !__builtin_add_overflow(left, right, &result);
    case Operator::subtract: return !__builtin_sub_overflow(left, right, &result);
    case Operator::multiply: return !__builtin_mul_overflow(left, right, &result);
    case Operator::floor_divide:
    case Operator::remainder:
      if (right == 0) fail("division by zero");
      if (right == -1) return false;  // the smallest number has no opposite
      result = floor_quotient(left, right);
      if (operation == Operator::remainder) result = left - result * right;
      return true;
    default: return false;
  }
}

Value apply_big(Operator operation, const BigInteger& left, const BigInteger& right) {
  switch (operation) {
    case Operator::add: return Value::integer(left + right);
    case Operator::subtract: return Value::integer(left - right);
    case Operator::multiply: return Value::integer(left * right);
    case Operator::power: return Value::integer(left.power(right));
    default: break;
  }
  if (right.is_zero()) fail("division by zero");
  auto [quotient, rest] = left.divided(right);
  return Value::integer(operation == Operator::remainder ? std::move(rest) : std::move(quotient));
}

bool is_negative(const Value& integer) { return integer.is(Type::big) ? integer.big().is_negative() : integer.small() < 0; }

// ----------------------------------------------------------------------------------------------------------- floats
double remainder_of(double left, double right) {
  const double rest = std::fmod(left, right);
  if (rest == 0) return std::copysign(0.0, right);
  return (rest < 0) != (right < 0) ? rest + right : rest;
}

double floor_quotient(double left, double right) {
  double rest = std::fmod(left, right);
  double quotient = (left - rest) / right;
  if (rest != 0 && (rest < 0) != (right < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(0.0, left / right);
  const double whole = std::floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

double power(double left, double right) {
  if (left == 0 && right < 0) fail("division by zero");
  if (left < 0 && std::trunc(right) != right) fail("wrong value");
  return std::pow(left, right);
}

double apply_real(Operator operation, double left, double right) {
  switch (operation) {
    case Operator::add: return left + right;
    case Operator::subtract: return left - right;
    case Operator::multiply: return left * right;
    case Operator::power: return power(left, right);
    default: break;
  }
  if (right == 0) fail("division by zero");
  if (operation == Operator::divide) return left / right;
  return operation == Operator::remainder ? remainder_of(left, right) : floor_quotient(left, right);
}

// ------------------------------------------------------------------------------------------------------------- others
Value apply_numbers(Operator operation, const Value& left, const Value& right) {
  const bool integers = left.is_integer() && right.is_integer();
  const bool to_real = operation == Operator::divide || (operation == Operator::power && integers && is_negative(right));
  if (!integers || to_real) return Value::real(apply_real(operation, left.as_real(), right.as_real()));
  return apply_big(operation, left.as_big(), right.as_big());
}

Value joined(const Value& left, const Value& right) {
  if (left.is(Type::string) && right.is(Type::string)) return Value::string(left.text() + right.text());
  if (!left.is(Type::tuple) || !right.is(Type::tuple)) fail("wrong type");
  Values all;
  all.reserve(left.elements().size() + right.elements().size());
  all.insert(all.end(), left.elements().begin(), left.elements().end());
  all.insert(all.end(), right.elements().begin(), right.elements().end());
  return Value::tuple(std::move(all));
}

Value repeated(const Value& sequence, const Value& times) {
  if (!times.is(Type::small)) fail("wrong type");
  if (sequence.is(Type::string)) {
    std::string all;
    for (std::int64_t i = 0; i < times.small(); ++i) all += sequence.text();
    return Value::string(std::move(all));
  }
  Values all;
  for (std::int64_t i = 0; i < times.small(); ++i) all.insert(all.end(), sequence.elements().begin(), sequence.elements().end());
  return Value::tuple(std::move(all));
}

bool is_repeatable(const Value& value) { return value.is(Type::string) || value.is(Type::tuple); }

bool contains(const Value& part, const Value& whole) {
  if (whole.is(Type::string)) {
    if (!part.is(Type::string)) fail("wrong type");
    return whole.text().find(part.text()) != std::string::npos;
  }
  if (!whole.is(Type::tuple)) fail("wrong type");
  for (const Value& element : whole.elements()) {
    if (equal(part, element)) return true;
  }
  return false;
}

}  // namespace

Operator operator_of(const std::string& symbol) {
  static const std::map<std::string, Operator> kOperators = {
      {"+", Operator::add},           {"-", Operator::subtract},  {"*", Operator::multiply}, {"/", Operator::divide},
      {"//", Operator::floor_divide}, {"%", Operator::remainder}, {"**", Operator::power},
  };
  return kOperators.at(symbol);
}

Comparison comparison_of(const std::string& symbol) {
  static const std::map<std::string, Comparison> kComparisons = {
      {"==", Comparison::equal},    {"!=", Comparison::different}, {"<", Comparison::less},       {"<=", Comparison::at_most},
      {">", Comparison::greater},   {">=", Comparison::at_least},  {"in", Comparison::contained}, {"not in", Comparison::not_contained},
  };
  return kComparisons.at(symbol);
}

Value apply(Operator operation, const Value& left, const Value& right) {
  std::int64_t result = 0;
  if (left.is(Type::small) && right.is(Type::small) && apply_small(operation, left.small(), right.small(), result)) {
    return Value::integer(result);
  }
  if (left.is_number() && right.is_number()) return apply_numbers(operation, left, right);
  if (operation == Operator::add) return joined(left, right);
  if (operation == Operator::multiply && is_repeatable(left)) return repeated(left, right);
  if (operation == Operator::multiply && is_repeatable(right)) return repeated(right, left);
  fail("wrong type");
}

Value negative(const Value& value) {
  if (value.is(Type::real)) return Value::real(-value.real());
  if (!value.is_integer()) fail("wrong type");
  return Value::integer(value.as_big().negated());
}

bool compare(Comparison comparison, const Value& left, const Value& right) {
  switch (comparison) {
    case Comparison::equal: return equal(left, right);
    case Comparison::different: return !equal(left, right);
    case Comparison::less: return order(left, right) < 0;
    case Comparison::at_most: return order(left, right) <= 0;
    case Comparison::greater: return order(left, right) > 0;
    case Comparison::at_least: return order(left, right) >= 0;
    case Comparison::contained: return contains(left, right);
    case Comparison::not_contained: return !contains(left, right);
  }
  return false;
}
