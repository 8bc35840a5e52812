// What the class promises: text, signs, rounding down, both exceptions, operands that are the same object, long numbers.
#include "../big_integer.hpp"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

using big::big_integer;

static void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "FAILED: %s\n", what);
  std::exit(1);
}

template <class Error, class Act>
static bool throws(Act act) {
  try {
    act();
  } catch (const Error&) {
    return true;
  }
  return false;
}

// Quotient and remainder belong together, and the remainder is in its range.
static bool fits(const big_integer& a, const big_integer& b) {
  big_integer q = a / b, r = a % b, zero;
  return q * b + r == a && (b > zero ? r >= zero && r < b : r <= zero && r > b);
}

static void texts() {
  for (const char* text : {"", "-", "+1", "1-", "12x", " 1"}) {
    check(throws<std::invalid_argument>([&] { big_integer number{std::string_view(text)}; }), text);
  }
  check(big_integer(std::string_view("-000")).to_string() == "0" && big_integer(std::string_view("-000")) == 0, "one zero");
  check(big_integer(std::string_view("-0012345678901")).to_string() == "-12345678901", "zeros at the front");
  check(big_integer(-9223372036854775807LL - 1).to_string() == "-9223372036854775808", "the smallest long long");
}

static void small() {
  for (long long a = -30; a <= 30; ++a) {
    for (long long b = -30; b <= 30; ++b) {
      big_integer x(a), y(b);
      check(x + y == a + b && x - y == a - b && x * y == a * b, "sums and products");
      check((x < y) == (a < b) && (x == y) == (a == b), "order");
      if (b == 0) continue;
      long long q = a / b - (a % b != 0 && (a < 0) != (b < 0));
      check(x / y == q && x % y == a - q * b, "rounded down");
    }
  }
  big_integer seven(7);
  check(throws<std::domain_error>([&] { seven /= 0; }) && throws<std::domain_error>([&] { seven % 0; }), "no division by zero");
  seven += seven;
  check(seven == 14 && (seven *= seven) == 196 && (seven -= seven) == 0, "the same object on both sides");
}

static void large() {
  for (std::size_t digits : {10, 100, 1000, 20000}) {
    big_integer nines(std::string_view(std::string(digits, '9'))), ten(std::string_view("1" + std::string(digits, '0')));
    check(nines + 1 == ten && ten - 1 == nines, "carries");
    check((nines * nines).to_string() == std::string(digits - 1, '9') + "8" + std::string(digits - 1, '0') + "1", "square of nines");
    check(fits(ten * nines, nines) && fits(-ten, nines) && fits(ten, -big_integer(7)), "long quotients");
  }
}

int main() {
  texts();
  small();
  large();
  std::puts("all checks hold");
}
