// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
#include <algorithm>
#include <climits>

#include "library.hpp"

namespace {

using Numbers = Value*;

void overflow(bool happened) {
  if (happened) fail("integer overflow");
}

void all_numbers(Numbers n, int count) {
  for (int i = 0; i < count; ++i) number(n[i]);
}

Value add(Numbers n, int count) {
  all_numbers(n, count);
  std::int64_t sum = 0;
  for (int i = 0; i < count; ++i) overflow(__builtin_add_overflow(sum, n[i].number, &sum));
  return integer(sum);
}

Value multiply(Numbers n, int count) {
  all_numbers(n, count);
  std::int64_t product = 1;
  for (int i = 0; i < count; ++i) overflow(__builtin_mul_overflow(product, n[i].number, &product));
  return integer(product);
}

Value subtract(Numbers n, int count) {
  all_numbers(n, count);
  std::int64_t rest = count > 1 ? n[0].number : 0;
  for (int i = count > 1; i < count; ++i) overflow(__builtin_sub_overflow(rest, n[i].number, &rest));
  return integer(rest);
}

void divisor(Numbers n) {
  all_numbers(n, 2);
  if (n[1].number == 0) fail("division by zero");
}

Value quotient(Numbers n, int) {
  divisor(n);
  overflow(n[0].number == LLONG_MIN && n[1].number == -1);
  return integer(n[0].number / n[1].number);
}

Value remainder(Numbers n, int) {
  divisor(n);
  return integer(n[1].number == -1 ? 0 : n[0].number % n[1].number);
}

Value modulo(Numbers n, int) {
  divisor(n);
  std::int64_t rest = n[1].number == -1 ? 0 : n[0].number % n[1].number;
  bool other_sign = rest != 0 && (rest ^ n[1].number) < 0;
  return integer(other_sign ? rest + n[1].number : rest);
}

template <class Order>
Value ordered(Numbers n, int count) {
  all_numbers(n, count);
  for (int i = 1; i < count; ++i) {
    if (!Order()(n[i - 1].number, n[i].number)) return kFalse;
  }
  return kTrue;
}

Value minimum(Numbers n, int count) {
  all_numbers(n, count);
  return *std::min_element(n, n + count, [](Value a, Value b) { return a.number < b.number; });
}

Value maximum(Numbers n, int count) {
  all_numbers(n, count);
  return *std::max_element(n, n + count, [](Value a, Value b) { return a.number < b.number; });
}

Value absolute(Numbers n, int) {
  overflow(number(n[0]) == LLONG_MIN);
  return integer(n[0].number < 0 ? -n[0].number : n[0].number);
}

// By squaring; the last square is not needed and may be too large.
Value power(Numbers n, int) {
  all_numbers(n, 2);
  std::int64_t base = n[0].number, exponent = n[1].number, result = 1;
  in_range(exponent >= 0);
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) overflow(__builtin_mul_overflow(result, base, &result));
    if (exponent > 1) overflow(__builtin_mul_overflow(base, base, &base));
  }
  return integer(result);
}

Value zero(Numbers n, int) { return boolean(number(n[0]) == 0); }
Value positive(Numbers n, int) { return boolean(number(n[0]) > 0); }
Value negative(Numbers n, int) { return boolean(number(n[0]) < 0); }
Value even(Numbers n, int) { return boolean(number(n[0]) % 2 == 0); }
Value odd(Numbers n, int) { return boolean(number(n[0]) % 2 != 0); }
Value to_text(Numbers n, int) { return string(std::to_string(number(n[0]))); }

Value from_text(Value* arguments, int) {
  need(arguments[0].type == Type::string);
  const std::string& text = *arguments[0].cell->text;
  std::size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  if (at == text.size()) return kFalse;
  std::int64_t value = 0;
  for (; at < text.size(); ++at) {
    if (text[at] < '0' || text[at] > '9') return kFalse;
    int digit = text[0] == '-' ? '0' - text[at] : text[at] - '0';
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digit, &value)) return kFalse;
  }
  return integer(value);
}

const Builtin kTable[] = {
    {"+", 0, -1, add},
    {"*", 0, -1, multiply},
    {"-", 1, -1, subtract},
    {"quotient", 2, 2, quotient},
    {"remainder", 2, 2, remainder},
    {"modulo", 2, 2, modulo},
    {"=", 1, -1, ordered<std::equal_to<>>},
    {"<", 1, -1, ordered<std::less<>>},
    {">", 1, -1, ordered<std::greater<>>},
    {"<=", 1, -1, ordered<std::less_equal<>>},
    {">=", 1, -1, ordered<std::greater_equal<>>},
    {"min", 1, -1, minimum},
    {"max", 1, -1, maximum},
    {"abs", 1, 1, absolute},
    {"expt", 2, 2, power},
    {"zero?", 1, 1, zero},
    {"positive?", 1, 1, positive},
    {"negative?", 1, 1, negative},
    {"even?", 1, 1, even},
    {"odd?", 1, 1, odd},
    {"number->string", 1, 1, to_text},
    {"string->number", 1, 1, from_text},
};

}  // namespace

std::span<const Builtin> arithmetic() { return kTable; }
