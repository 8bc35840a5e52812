// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
#include "text.hpp"

#include <array>
#include <charconv>

#include "function.hpp"

namespace {

// The fewest digits that mean this number, with the point where the statement says.
std::string shown_real(double value) {
  std::array<char, 40> place{};
  const auto written = std::to_chars(place.data(), place.data() + place.size(), value, std::chars_format::scientific);
  const std::string text(place.data(), written.ptr);
  const std::size_t mark = text.find('e');
  const int exponent = std::stoi(text.substr(mark + 1));
  if (exponent < -4 || exponent >= 16) return text;
  std::string digits;
  for (char c : text.substr(0, mark)) {
    if (c != '-' && c != '.') digits += c;
  }
  std::string result = text[0] == '-' ? "-" : "";
  if (exponent < 0) return result + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) digits.append(whole + 1 - digits.size(), '0');
  return result + digits.substr(0, whole) + "." + digits.substr(whole);
}

std::string quoted_string(const std::string& text) {
  std::string result = "\"";
  for (char c : text) {
    switch (c) {
      case '"': result += "\\\""; break;
      case '\\': result += "\\\\"; break;
      case '\n': result += "\\n"; break;
      case '\t': result += "\\t"; break;
      default: result += c;
    }
  }
  return result + "\"";
}

std::string shown_tuple(const Values& elements) {
  std::string result = "(";
  for (const Value& element : elements) {
    if (result.size() > 1) result += ", ";
    result += quoted(element);
  }
  return result + (elements.size() == 1 ? ",)" : ")");
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads the parts of a number from left to right.
class NumberText {
 public:
  explicit NumberText(const std::string& text) : text_(text) {}
  bool is_over() const { return at_ == text_.size(); }

  bool take(char c) {
    const bool found = !is_over() && text_[at_] == c;
    if (found) ++at_;
    return found;
  }

  std::string digits() {
    const std::size_t from = at_;
    while (!is_over() && is_digit(text_[at_])) ++at_;
    if (at_ == from) fail("wrong value");
    return text_.substr(from, at_ - from);
  }

 private:
  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string shown(const Value& value) {
  switch (value.type()) {
    case Type::none: return "None";
    case Type::truth: return value.truth() ? "True" : "False";
    case Type::small: return std::to_string(value.small());
    case Type::real: return shown_real(value.real());
    case Type::big: return value.big().to_string();
    case Type::string: return value.text();
    case Type::tuple: return shown_tuple(value.elements());
    case Type::range: return "<range>";
    case Type::function: return "<function " + value.function().code->name + ">";
    case Type::builtin: return "<function " + value.builtin().name + ">";
    case Type::unset: break;
  }
  return "";
}

std::string quoted(const Value& value) { return value.is(Type::string) ? quoted_string(value.text()) : shown(value); }

Value parse_integer(const std::string& text) {
  NumberText number(text);
  const bool negative = number.take('-');
  if (!negative) number.take('+');
  BigInteger size(number.digits());
  if (!number.is_over()) fail("wrong value");
  return Value::integer(negative ? size.negated() : std::move(size));
}

Value parse_real(const std::string& text) {
  NumberText number(text);
  if (!number.take('-')) number.take('+');
  number.digits();
  if (number.take('.')) number.digits();
  if (number.take('e')) {
    if (!number.take('-')) number.take('+');
    number.digits();
  }
  if (!number.is_over()) fail("wrong value");
  return Value::real(std::strtod(text.c_str(), nullptr));
}
