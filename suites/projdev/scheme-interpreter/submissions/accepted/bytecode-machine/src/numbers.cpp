// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// Arithmetic on integers of 64 bits.
#include <algorithm>
#include <charconv>
#include <limits>

#include "builtins.hpp"
#include "heap.hpp"

namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

void need_integers(const Value* arguments, int count) {
  for (int i = 0; i < count; ++i) need(arguments[i].is(Tag::integer));
}

void no_overflow(bool overflow) {
  if (overflow) fail("integer overflow");
}

Value plus(Value* arguments, int count) {
  need_integers(arguments, count);
  std::int64_t sum = 0;
  for (int i = 0; i < count; ++i) no_overflow(__builtin_add_overflow(sum, arguments[i].number, &sum));
  return Value::integer(sum);
}

Value times(Value* arguments, int count) {
  need_integers(arguments, count);
  std::int64_t product = 1;
  for (int i = 0; i < count; ++i) no_overflow(__builtin_mul_overflow(product, arguments[i].number, &product));
  return Value::integer(product);
}

Value minus(Value* arguments, int count) {
  need_integers(arguments, count);
  std::int64_t result = count == 1 ? 0 : arguments[0].number;
  for (int i = count == 1 ? 0 : 1; i < count; ++i) {
    no_overflow(__builtin_sub_overflow(result, arguments[i].number, &result));
  }
  return Value::integer(result);
}

void divisible(Value* arguments) {
  need_integers(arguments, 2);
  if (arguments[1].number == 0) fail("division by zero");
}

Value quotient(Value* arguments, int) {
  divisible(arguments);
  no_overflow(arguments[0].number == kLeast && arguments[1].number == -1);
  return Value::integer(arguments[0].number / arguments[1].number);
}

Value remainder(Value* arguments, int) {
  divisible(arguments);
  return Value::integer(arguments[1].number == -1 ? 0 : arguments[0].number % arguments[1].number);
}

// The result has the sign of the divisor.
Value modulo(Value* arguments, int) {
  divisible(arguments);
  std::int64_t divisor = arguments[1].number;
  std::int64_t rest = divisor == -1 ? 0 : arguments[0].number % divisor;
  return Value::integer(rest != 0 && (rest < 0) != (divisor < 0) ? rest + divisor : rest);
}

template <class Holds>
Value chain(Value* arguments, int count, Holds holds) {
  need_integers(arguments, count);
  bool all = true;
  for (int i = 1; i < count; ++i) all = all && holds(arguments[i - 1].number, arguments[i].number);
  return Value::boolean(all);
}

Value same(Value* arguments, int count) { return chain(arguments, count, std::equal_to<>()); }
Value less(Value* arguments, int count) { return chain(arguments, count, std::less<>()); }
Value more(Value* arguments, int count) { return chain(arguments, count, std::greater<>()); }
Value at_most(Value* arguments, int count) { return chain(arguments, count, std::less_equal<>()); }
Value at_least(Value* arguments, int count) { return chain(arguments, count, std::greater_equal<>()); }

Value least_of(Value* arguments, int count) {
  need_integers(arguments, count);
  std::int64_t best = arguments[0].number;
  for (int i = 1; i < count; ++i) best = std::min(best, arguments[i].number);
  return Value::integer(best);
}

Value most_of(Value* arguments, int count) {
  need_integers(arguments, count);
  std::int64_t best = arguments[0].number;
  for (int i = 1; i < count; ++i) best = std::max(best, arguments[i].number);
  return Value::integer(best);
}

Value absolute(Value* arguments, int) {
  std::int64_t number = integer(arguments[0]);
  no_overflow(number == kLeast);
  return Value::integer(number < 0 ? -number : number);
}

Value power(Value* arguments, int) {
  std::int64_t base = integer(arguments[0]), exponent = integer(arguments[1]), result = 1;
  if (exponent < 0) fail("out of range");
  if (base == 0 || base == 1) return Value::integer(exponent == 0 ? 1 : base);
  if (base == -1) return Value::integer(exponent % 2 == 0 ? 1 : -1);
  for (; exponent > 0; --exponent) no_overflow(__builtin_mul_overflow(result, base, &result));
  return Value::integer(result);
}

Value is_zero(Value* arguments, int) { return Value::boolean(integer(arguments[0]) == 0); }
Value is_positive(Value* arguments, int) { return Value::boolean(integer(arguments[0]) > 0); }
Value is_negative(Value* arguments, int) { return Value::boolean(integer(arguments[0]) < 0); }
Value is_even(Value* arguments, int) { return Value::boolean(integer(arguments[0]) % 2 == 0); }
Value is_odd(Value* arguments, int) { return Value::boolean(integer(arguments[0]) % 2 != 0); }

Value to_string(Value* arguments, int) { return heap.text(std::to_string(integer(arguments[0]))); }

Value from_string(Value* arguments, int) {
  const std::string& text = characters(arguments[0]);
  const char* first = text.data();
  const char* last = first + text.size();
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') ++first;
  std::int64_t number = 0;
  auto [end, error] = std::from_chars(first, last, number);
  return error == std::errc() && end == last ? Value::integer(number) : Value::boolean(false);
}

Builtin table[] = {
    {"+", plus, 0, -1},          {"*", times, 0, -1},          {"-", minus, 1, -1},
    {"quotient", quotient, 2, 2}, {"remainder", remainder, 2, 2}, {"modulo", modulo, 2, 2},
    {"=", same, 1, -1},          {"<", less, 1, -1},           {">", more, 1, -1},
    {"<=", at_most, 1, -1},      {">=", at_least, 1, -1},      {"min", least_of, 1, -1},
    {"max", most_of, 1, -1},     {"abs", absolute, 1, 1},      {"expt", power, 2, 2},
    {"zero?", is_zero, 1, 1},    {"positive?", is_positive, 1, 1}, {"negative?", is_negative, 1, 1},
    {"even?", is_even, 1, 1},    {"odd?", is_odd, 1, 1},       {"number->string", to_string, 1, 1},
    {"string->number", from_string, 1, 1},
};

}  // namespace

std::span<Builtin> number_builtins() { return table; }
