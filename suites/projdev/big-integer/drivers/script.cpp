// rigorbench-canary 579b0d88-8290-490f-b38c-6908e7f20bb5
// Carries out a script of commands on named integers. Large numbers are drawn from seeds and shown by a digest.
#include "rigor_driver.hpp"

#include <compare>
#include <cstdint>
#include <exception>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace {

// generators/model.py draws the same digits.
std::string drawn(std::uint64_t digits, std::uint64_t seed) {
  std::string text;
  text.reserve(digits + 18);
  while (text.size() < digits) {
    std::uint64_t z = (seed += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z = (z ^ (z >> 31)) % 1000000000000000000u;
    std::string part(18, '0');
    for (int i = 17; i >= 0; --i, z /= 10) part[static_cast<std::size_t>(i)] = static_cast<char>('0' + z % 10);
    text += part;
  }
  text.resize(digits);
  if (text[0] == '0') text[0] = '1';
  return text;
}

// Length, both ends, and the remainder by a prime of 61 bits.
std::string digest(const std::string& text) {
  constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;
  unsigned __int128 rest = 0;
  bool minus = !text.empty() && text[0] == '-';
  for (std::size_t i = minus; i < text.size(); ++i) rest = (rest * 10 + static_cast<unsigned>(text[i] - '0')) % prime;
  std::ostringstream out;
  out << text.size() << ' ' << text.substr(0, 12) << ' ' << (text.size() > 12 ? text.substr(text.size() - 12) : text)
      << ' ' << static_cast<std::uint64_t>(rest);
  return out.str();
}

template <class Number>
class Script {
 public:
  void run(std::istream& in, std::ostream& out) {
    std::string command;
    while (in >> command) {
      try {
        step(command, in, out);
      } catch (const std::invalid_argument&) {
        out << "invalid\n";
      } catch (const std::domain_error&) {
        out << "no quotient\n";
      }
    }
  }

 private:
  Number& named(std::istream& in) {
    std::string name;
    in >> name;
    return all_[name];
  }

  void step(const std::string& command, std::istream& in, std::ostream& out) {
    Number& a = named(in);
    if (command == "draw") {
      std::uint64_t digits = 0, seed = 0;
      std::string sign;
      in >> sign >> digits >> seed;
      a = Number(std::string_view((sign == "-" ? "-" : "") + drawn(digits, seed)));
    } else if (command == "ones") {
      // a one and zeros, or only nines
      std::string sign;
      std::uint64_t digits = 0, digit = 0;
      in >> sign >> digit >> digits;
      std::string text = digit == 9 ? std::string(digits, '9') : "1" + std::string(digits - 1, '0');
      a = Number(std::string_view((sign == "-" ? "-" : "") + text));
    } else if (command == "text") {
      std::string text;
      in >> text;
      a = Number(std::string_view(text == "nothing" ? "" : text));
    } else if (command == "small") {
      long long value = 0;
      in >> value;
      a = value;
    } else if (command == "show") {
      out << a.to_string() << '\n';
    } else if (command == "digest") {
      out << digest(a.to_string()) << '\n';
    } else if (command == "fib") {
      int count = 0;
      in >> count;
      Number before(0);
      a = Number(1);
      for (int i = 1; i < count; ++i) {
        before += a;
        std::swap(before, a);
      }
    } else if (command == "fact") {
      int count = 0;
      in >> count;
      a = Number(1);
      for (int i = 2; i <= count; ++i) a *= Number(i);
    } else if (command == "power") {
      Number base = named(in);
      int exponent = 0;
      in >> exponent;
      a = Number(1);
      for (; exponent > 0; exponent /= 2) {
        if (exponent % 2 == 1) a *= base;
        if (exponent > 1) base *= base;
      }
    } else {
      binary(command, a, named(in), in, out);
    }
  }

  void binary(const std::string& command, Number& a, Number& b, std::istream& in, std::ostream& out) {
    if (command == "add") a = b + named(in);
    else if (command == "sub") a = b - named(in);
    else if (command == "mul") a = b * named(in);
    else if (command == "div") a = b / named(in);
    else if (command == "mod") a = b % named(in);
    else if (command == "add-to") a += b;
    else if (command == "sub-from") a -= b;
    else if (command == "mul-by") a *= b;
    else if (command == "div-by") a /= b;
    else if (command == "mod-by") a %= b;
    else if (command == "negate") a = -b;
    else if (command == "copy") a = b;
    else if (command == "move") a = std::move(b), b = Number();
    else if (command == "compare") out << (a < b) << (a > b) << (a <= b) << (a >= b) << (a == b) << (a != b) << '\n';
    else if (command == "check") {
      // quotient and remainder belong together
      Number q = a / b, r = a % b, zero;
      bool fits = b > zero ? r >= zero && r < b : r <= zero && r > b;
      out << (q * b + r == a && fits ? "fits" : "does not fit") << '\n';
    }
  }

  std::map<std::string, Number> all_;
};

// All of the driver comes before the submission, so that no macro of it changes anything here.
template <class Number>
int play() {
  std::ostringstream out;
  Script<Number>().run(std::cin, out);
  rigor::out << out.str();
  rigor::finish();
  return 0;
}

}  // namespace

#include "big_integer.hpp"

int main() { return play<big::big_integer>(); }
