// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
// Integers of any size.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

class BigInteger {
 public:
  BigInteger() = default;
  explicit BigInteger(std::int64_t value);
  explicit BigInteger(double whole);                  // a finite number, cut off behind the point
  explicit BigInteger(const std::string& digits);     // at least one digit, nothing else

  bool is_zero() const { return limbs_.empty(); }
  bool is_negative() const { return negative_; }
  bool is_odd() const { return !limbs_.empty() && (limbs_[0] & 1) != 0; }
  bool fits() const;                                  // std::int64_t
  std::int64_t small() const;                         // if it fits
  double to_double() const;                           // the nearest one, half to even; infinite if it is too large
  std::string to_string() const;

  BigInteger negated() const;
  BigInteger operator+(const BigInteger& right) const;
  BigInteger operator-(const BigInteger& right) const { return *this + right.negated(); }
  BigInteger operator*(const BigInteger& right) const;
  // Quotient rounded down, and the remainder of that, with the sign of `right`, which is not 0.
  std::pair<BigInteger, BigInteger> divided(const BigInteger& right) const;
  BigInteger power(const BigInteger& exponent) const;  // exponent >= 0
  BigInteger power(const BigInteger& exponent, const BigInteger& modulus) const;

  std::strong_ordering operator<=>(const BigInteger& right) const;
  bool operator==(const BigInteger& right) const = default;

 private:
  using Limbs = std::vector<std::uint32_t>;
  BigInteger(Limbs limbs, bool negative);
  template <typename Reduce>
  BigInteger powered(const BigInteger& exponent, Reduce reduce) const;

  static std::strong_ordering compare(const Limbs& left, const Limbs& right);
  static Limbs sum(const Limbs& left, const Limbs& right);
  static Limbs difference(const Limbs& larger, const Limbs& smaller);
  static std::pair<Limbs, std::uint32_t> short_division(const Limbs& left, std::uint32_t right);
  static std::pair<Limbs, Limbs> division(const Limbs& left, const Limbs& right);
  static Limbs shifted_left(const Limbs& limbs, int bits);
  static Limbs shifted_right(Limbs limbs, int bits);
  static std::uint32_t subtract_multiple(std::uint32_t* from, const Limbs& right, std::uint64_t factor);
  static void add_back(std::uint32_t* to, const Limbs& right);

  Limbs limbs_;  // to the base 2^32, the lowest first, the last one is not 0
  bool negative_ = false;
};
