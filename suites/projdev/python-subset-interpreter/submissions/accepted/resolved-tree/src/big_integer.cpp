// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
#include "big_integer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>

namespace {

constexpr std::uint32_t kChunk = 1'000'000'000;  // nine digits at a time
constexpr std::size_t kChunkDigits = 9;

void trim(std::vector<std::uint32_t>& limbs) {
  while (!limbs.empty() && limbs.back() == 0) limbs.pop_back();
}

}  // namespace

BigInteger::BigInteger(Limbs limbs, bool negative) : limbs_(std::move(limbs)) {
  trim(limbs_);
  negative_ = negative && !limbs_.empty();
}

BigInteger::BigInteger(std::int64_t value) : negative_(value < 0) {
  auto rest = static_cast<std::uint64_t>(value);
  if (negative_) rest = ~rest + 1;
  for (; rest > 0; rest >>= 32) limbs_.push_back(static_cast<std::uint32_t>(rest));
}

BigInteger::BigInteger(double whole) : negative_(whole < 0) {
  int exponent = 0;
  const double share = std::frexp(std::fabs(std::trunc(whole)), &exponent);
  auto bits = static_cast<std::uint64_t>(std::ldexp(share, 53));
  exponent -= 53;
  if (exponent < 0) {
    bits >>= -exponent;
    exponent = 0;
  }
  Limbs limbs(static_cast<std::size_t>(exponent / 32), 0);
  limbs.push_back(static_cast<std::uint32_t>(bits));
  limbs.push_back(static_cast<std::uint32_t>(bits >> 32));
  limbs_ = shifted_left(limbs, exponent % 32);
  trim(limbs_);
  negative_ = negative_ && !limbs_.empty();
}

BigInteger::BigInteger(const std::string& digits) {
  for (std::size_t at = 0; at < digits.size();) {
    const std::size_t count = std::min((digits.size() - at - 1) % kChunkDigits + 1, digits.size() - at);
    std::uint64_t carry = std::stoul(digits.substr(at, count));
    const std::uint64_t factor = count == kChunkDigits ? kChunk : static_cast<std::uint64_t>(std::pow(10, count));
    for (std::uint32_t& limb : limbs_) {
      carry += limb * factor;
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry > 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
    at += count;
  }
}

bool BigInteger::fits() const {
  if (limbs_.size() > 2) return false;
  const std::uint64_t size = limbs_.size() < 2 ? 0 : static_cast<std::uint64_t>(limbs_[1]) << 32 | limbs_[0];
  const std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
  return size <= largest + (negative_ ? 1 : 0);
}

std::int64_t BigInteger::small() const {
  std::uint64_t size = 0;
  for (std::size_t i = limbs_.size(); i-- > 0;) size = size << 32 | limbs_[i];
  return static_cast<std::int64_t>(negative_ ? ~size + 1 : size);
}

double BigInteger::to_double() const {
  if (fits()) return static_cast<double>(small());
  // The highest 64 bits; the lowest of them also stands for all that are left out, so that halves round rightly.
  const int unused = std::countl_zero(limbs_.back());
  Limbs shifted = shifted_left(limbs_, unused);
  trim(shifted);
  const std::size_t size = shifted.size();
  std::uint64_t top = static_cast<std::uint64_t>(shifted[size - 1]) << 32 | shifted[size - 2];
  if (std::any_of(shifted.begin(), shifted.end() - 2, [](std::uint32_t limb) { return limb != 0; })) top |= 1;
  const double result = std::ldexp(static_cast<double>(top), static_cast<int>(std::min<std::size_t>(size - 2, 100)) * 32 - unused);
  return negative_ ? -result : result;
}

std::string BigInteger::to_string() const {
  if (limbs_.empty()) return "0";
  std::string reversed;
  for (Limbs rest = limbs_; !rest.empty();) {
    std::uint32_t chunk = 0;
    std::tie(rest, chunk) = short_division(rest, kChunk);
    for (std::size_t i = 0; i < kChunkDigits && (!rest.empty() || chunk > 0); ++i, chunk /= 10) {
      reversed += static_cast<char>('0' + chunk % 10);
    }
  }
  if (negative_) reversed += '-';
  return {reversed.rbegin(), reversed.rend()};
}

BigInteger BigInteger::negated() const { return {limbs_, !negative_}; }

BigInteger BigInteger::operator+(const BigInteger& right) const {
  if (negative_ == right.negative_) return {sum(limbs_, right.limbs_), negative_};
  if (compare(limbs_, right.limbs_) < 0) return {difference(right.limbs_, limbs_), right.negative_};
  return {difference(limbs_, right.limbs_), negative_};
}

BigInteger BigInteger::operator*(const BigInteger& right) const {
  Limbs product(limbs_.size() + right.limbs_.size(), 0);
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < right.limbs_.size(); ++j) {
      carry += static_cast<std::uint64_t>(limbs_[i]) * right.limbs_[j] + product[i + j];
      product[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    product[i + right.limbs_.size()] = static_cast<std::uint32_t>(carry);
  }
  return {std::move(product), negative_ != right.negative_};
}

std::pair<BigInteger, BigInteger> BigInteger::divided(const BigInteger& right) const {
  auto [quotient, rest] = division(limbs_, right.limbs_);
  BigInteger whole(std::move(quotient), negative_ != right.negative_);
  BigInteger remainder(std::move(rest), negative_);
  // The division of the sizes rounds towards zero.
  if (!remainder.is_zero() && negative_ != right.negative_) {
    whole = whole + BigInteger(std::int64_t{-1});
    remainder = remainder + right;
  }
  return {std::move(whole), std::move(remainder)};
}

template <typename Reduce>
BigInteger BigInteger::powered(const BigInteger& exponent, Reduce reduce) const {
  BigInteger result = reduce(BigInteger(std::int64_t{1}));
  const BigInteger base = reduce(*this);
  for (std::size_t i = exponent.limbs_.size(); i-- > 0;) {
    for (int bit = 31; bit >= 0; --bit) {
      result = reduce(result * result);
      if ((exponent.limbs_[i] >> bit & 1) != 0) result = reduce(result * base);
    }
  }
  return result;
}

BigInteger BigInteger::power(const BigInteger& exponent) const {
  return powered(exponent, [](BigInteger value) { return value; });
}

BigInteger BigInteger::power(const BigInteger& exponent, const BigInteger& modulus) const {
  return powered(exponent, [&](const BigInteger& value) { return value.divided(modulus).second; });
}

std::strong_ordering BigInteger::operator<=>(const BigInteger& right) const {
  if (negative_ != right.negative_) return right.negative_ <=> negative_;
  return negative_ ? compare(right.limbs_, limbs_) : compare(limbs_, right.limbs_);
}

// ------------------------------------------------------------------------------------------------- sizes without sign
std::strong_ordering BigInteger::compare(const Limbs& left, const Limbs& right) {
  if (left.size() != right.size()) return left.size() <=> right.size();
  for (std::size_t i = left.size(); i-- > 0;) {
    if (left[i] != right[i]) return left[i] <=> right[i];
  }
  return std::strong_ordering::equal;
}

BigInteger::Limbs BigInteger::sum(const Limbs& left, const Limbs& right) {
  const auto& [longer, shorter] = left.size() < right.size() ? std::tie(right, left) : std::tie(left, right);
  Limbs result = longer;
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    carry += static_cast<std::uint64_t>(result[i]) + (i < shorter.size() ? shorter[i] : 0);
    result[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  if (carry > 0) result.push_back(1);
  return result;
}

BigInteger::Limbs BigInteger::difference(const Limbs& larger, const Limbs& smaller) {
  Limbs result = larger;
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::uint64_t taken = borrow + (i < smaller.size() ? smaller[i] : 0);
    borrow = result[i] < taken ? 1 : 0;
    result[i] = static_cast<std::uint32_t>(result[i] - taken);
  }
  return result;
}

std::pair<BigInteger::Limbs, std::uint32_t> BigInteger::short_division(const Limbs& left, std::uint32_t right) {
  Limbs quotient = left;
  std::uint64_t rest = 0;
  for (std::size_t i = quotient.size(); i-- > 0;) {
    rest = rest << 32 | quotient[i];
    quotient[i] = static_cast<std::uint32_t>(rest / right);
    rest %= right;
  }
  trim(quotient);
  return {std::move(quotient), static_cast<std::uint32_t>(rest)};
}

// Long division: each limb of the quotient is estimated from the highest limbs, which are made large before; the estimate
// is at most one too large after the correction by the second limb.
std::pair<BigInteger::Limbs, BigInteger::Limbs> BigInteger::division(const Limbs& left, const Limbs& right) {
  if (compare(left, right) < 0) return {Limbs{}, left};
  if (right.size() == 1) {
    auto [quotient, rest] = short_division(left, right[0]);
    return {std::move(quotient), Limbs{rest}};
  }
  const int shift = std::countl_zero(right.back());
  Limbs rest = shifted_left(left, shift);
  Limbs divisor = shifted_left(right, shift);
  trim(divisor);
  const std::size_t size = divisor.size();
  Limbs quotient(rest.size() - size, 0);
  for (std::size_t i = quotient.size(); i-- > 0;) {
    const std::uint64_t top = static_cast<std::uint64_t>(rest[i + size]) << 32 | rest[i + size - 1];
    std::uint64_t guess = top / divisor[size - 1];
    std::uint64_t over = top % divisor[size - 1];
    while (guess >> 32 != 0 || guess * divisor[size - 2] > (over << 32 | rest[i + size - 2])) {
      --guess;
      over += divisor[size - 1];
      if (over >> 32 != 0) break;
    }
    if (subtract_multiple(&rest[i], divisor, guess) != 0) {
      --guess;
      add_back(&rest[i], divisor);
    }
    quotient[i] = static_cast<std::uint32_t>(guess);
  }
  return {std::move(quotient), shifted_right(std::move(rest), shift)};
}

// One limb longer than before.
BigInteger::Limbs BigInteger::shifted_left(const Limbs& limbs, int bits) {
  Limbs result(limbs.size() + 1, 0);
  for (std::size_t i = 0; i < limbs.size(); ++i) {
    const std::uint64_t wide = static_cast<std::uint64_t>(limbs[i]) << bits;
    result[i] |= static_cast<std::uint32_t>(wide);
    result[i + 1] = static_cast<std::uint32_t>(wide >> 32);
  }
  return result;
}

BigInteger::Limbs BigInteger::shifted_right(Limbs limbs, int bits) {
  for (std::size_t i = 0; i < limbs.size(); ++i) {
    const std::uint64_t above = i + 1 < limbs.size() ? limbs[i + 1] : 0;
    limbs[i] = static_cast<std::uint32_t>((above << 32 | limbs[i]) >> bits);
  }
  return limbs;
}

// Takes the multiple from right.size() + 1 limbs; gives 1 if it was larger than they are.
std::uint32_t BigInteger::subtract_multiple(std::uint32_t* from, const Limbs& right, std::uint64_t factor) {
  std::uint64_t carry = 0;
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i <= right.size(); ++i) {
    carry += i < right.size() ? factor * right[i] : 0;
    const std::uint64_t taken = (carry & 0xffffffff) + borrow;
    borrow = from[i] < taken ? 1 : 0;
    from[i] = static_cast<std::uint32_t>(from[i] - taken);
    carry >>= 32;
  }
  return static_cast<std::uint32_t>(borrow);
}

void BigInteger::add_back(std::uint32_t* to, const Limbs& right) {
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i <= right.size(); ++i) {
    carry += static_cast<std::uint64_t>(to[i]) + (i < right.size() ? right[i] : 0);
    to[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
}
