// Integers of any size. Complete this header; see the statement for what each member must do.
#ifndef BIG_INTEGER_HPP
#define BIG_INTEGER_HPP

#include <compare>
#include <string>
#include <string_view>

namespace big {

class big_integer {
 public:
  big_integer();
  big_integer(long long value);
  explicit big_integer(std::string_view text);

  std::string to_string() const;

  big_integer operator-() const;
  big_integer& operator+=(const big_integer& other);
  big_integer& operator-=(const big_integer& other);
  big_integer& operator*=(const big_integer& other);
  big_integer& operator/=(const big_integer& other);
  big_integer& operator%=(const big_integer& other);

  bool operator==(const big_integer& other) const;
  std::strong_ordering operator<=>(const big_integer& other) const;
};

big_integer operator+(big_integer left, const big_integer& right);
big_integer operator-(big_integer left, const big_integer& right);
big_integer operator*(big_integer left, const big_integer& right);
big_integer operator/(big_integer left, const big_integer& right);
big_integer operator%(big_integer left, const big_integer& right);

}  // namespace big

#endif  // BIG_INTEGER_HPP
