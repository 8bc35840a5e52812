// rigorbench-canary 579b0d88-8290-490f-b38c-6908e7f20bb5
// Integers of any size: a sign, and digits of base 10^9 with the least one first. Long products use a Fourier transform of complex numbers,
// long quotients a reciprocal that is refined by Newton's iteration.
#ifndef BIG_INTEGER_HPP
#define BIG_INTEGER_HPP

#include <algorithm>
#include <cmath>
#include <compare>
#include <complex>
#include <cstdint>
#include <numbers>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace big {

namespace natural {

using digits = std::vector<std::uint32_t>;
inline constexpr std::uint64_t kBase = 1'000'000'000;
// Below so many digits the simple methods are faster.
inline constexpr std::size_t kShortProduct = 48, kShortQuotient = 250;

inline void trim(digits& a) {
  while (!a.empty() && a.back() == 0) a.pop_back();
}

inline std::strong_ordering compare(const digits& a, const digits& b) {
  if (a.size() != b.size()) return a.size() <=> b.size();
  for (std::size_t i = a.size(); i-- > 0;) {
    if (a[i] != b[i]) return a[i] <=> b[i];
  }
  return std::strong_ordering::equal;
}

inline void add(digits& a, const digits& b) {
  if (a.size() < b.size()) a.resize(b.size());
  std::uint32_t carry = 0;
  for (std::size_t i = 0; i < a.size() && (i < b.size() || carry != 0); ++i) {
    std::uint32_t sum = a[i] + carry + (i < b.size() ? b[i] : 0);
    carry = sum >= kBase;
    a[i] = carry != 0 ? sum - static_cast<std::uint32_t>(kBase) : sum;
  }
}

// a must not be smaller than b.
inline void subtract(digits& a, const digits& b) {
  std::int64_t borrow = 0;
  for (std::size_t i = 0; i < a.size() && (i < b.size() || borrow != 0); ++i) {
    std::int64_t rest = static_cast<std::int64_t>(a[i]) - borrow - (i < b.size() ? b[i] : 0);
    borrow = rest < 0;
    a[i] = static_cast<std::uint32_t>(borrow != 0 ? rest + static_cast<std::int64_t>(kBase) : rest);
  }
  trim(a);
}

inline digits shifted_up(const digits& a, std::size_t count) {
  if (a.empty()) return {};
  digits result(count);
  result.insert(result.end(), a.begin(), a.end());
  return result;
}

inline digits shifted_down(const digits& a, std::size_t count) {
  if (count >= a.size()) return {};
  return digits(a.begin() + static_cast<std::ptrdiff_t>(count), a.end());
}

inline digits short_product(const digits& a, const digits& b) {
  digits result(a.size() + b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < b.size() || carry != 0; ++j) {
      std::uint64_t sum = result[i + j] + carry + (j < b.size() ? std::uint64_t{a[i]} * b[j] : 0);
      result[i + j] = static_cast<std::uint32_t>(sum % kBase);
      carry = sum / kBase;
    }
  }
  trim(result);
  return result;
}

using complex = std::complex<double>;

// In place; the result is in the order of reversed bits, which `inverse` takes.
class transform {
 public:
  explicit transform(std::size_t size) : roots_(size / 2) {
    for (std::size_t i = 0; i < roots_.size(); ++i) {
      double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(size);
      roots_[i] = {std::cos(angle), std::sin(angle)};
    }
  }

  void forward(std::vector<complex>& values) const {
    for (std::size_t half = values.size() / 2, step = 1; half > 0; half /= 2, step *= 2) {
      for (std::size_t block = 0; block < values.size(); block += 2 * half) {
        for (std::size_t i = 0; i < half; ++i) {
          complex a = values[block + i], b = values[block + i + half];
          values[block + i] = a + b;
          values[block + i + half] = times(a - b, roots_[i * step]);
        }
      }
    }
  }

  void inverse(std::vector<complex>& values) const {
    for (std::size_t half = 1, step = values.size() / 2; half < values.size(); half *= 2, step /= 2) {
      for (std::size_t block = 0; block < values.size(); block += 2 * half) {
        for (std::size_t i = 0; i < half; ++i) {
          complex a = values[block + i], b = times(values[block + i + half], std::conj(roots_[i * step]));
          values[block + i] = a + b;
          values[block + i + half] = a - b;
        }
      }
    }
  }

  static complex times(complex a, complex b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

 private:
  std::vector<complex> roots_;
};

// Each digit becomes three of base 1000: sums of products stay far below the precision of double. The numbers are the real and the imaginary part of one
// transform; the imaginary part of its square is twice the product.
inline digits long_product(const digits& a, const digits& b) {
  std::size_t size = 1;
  while (size < 3 * (a.size() + b.size())) size *= 2;
  std::vector<complex> values(size);
  auto part = [](std::uint32_t digit, std::size_t which) {
    return static_cast<double>(which == 0 ? digit % 1000 : which == 1 ? digit / 1000 % 1000 : digit / 1'000'000);
  };
  for (std::size_t i = 0; i < 3 * a.size(); ++i) values[i].real(part(a[i / 3], i % 3));
  for (std::size_t i = 0; i < 3 * b.size(); ++i) values[i].imag(part(b[i / 3], i % 3));
  transform fourier(size);
  fourier.forward(values);
  for (complex& value : values) value = transform::times(value, value);
  fourier.inverse(values);
  digits result(a.size() + b.size());
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::uint64_t digit = 0, unit = 1;
    for (std::size_t k = 0; k < 3; ++k, unit *= 1000) {
      carry += static_cast<std::uint64_t>(std::llround(values[3 * i + k].imag() / (2 * static_cast<double>(size))));
      digit += carry % 1000 * unit;
      carry /= 1000;
    }
    result[i] = static_cast<std::uint32_t>(digit);
  }
  trim(result);
  return result;
}

inline digits product(const digits& a, const digits& b) {
  if (a.empty() || b.empty()) return {};
  return std::min(a.size(), b.size()) < kShortProduct ? short_product(a, b) : long_product(a, b);
}

// a becomes the quotient; the remainder is returned.
inline std::uint32_t divide_by_digit(digits& a, std::uint32_t b) {
  std::uint64_t rest = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    rest = rest * kBase + a[i];
    a[i] = static_cast<std::uint32_t>(rest / b);
    rest %= b;
  }
  trim(a);
  return static_cast<std::uint32_t>(rest);
}

inline void multiply_by_digit(digits& a, std::uint32_t b) {
  std::uint64_t carry = 0;
  for (std::uint32_t& digit : a) {
    carry += std::uint64_t{digit} * b;
    digit = static_cast<std::uint32_t>(carry % kBase);
    carry /= kBase;
  }
  if (carry != 0) a.push_back(static_cast<std::uint32_t>(carry));
}

// Digit by digit, as on paper. a becomes the remainder. The divisor's first digit is made large, so that the estimate of each digit is at most two too large.
inline digits short_quotient(digits& a, digits b) {
  if (compare(a, b) < 0) return {};
  auto scale = static_cast<std::uint32_t>(kBase / (b.back() + std::uint64_t{1}));
  multiply_by_digit(a, scale);
  multiply_by_digit(b, scale);
  std::size_t n = b.size();
  a.push_back(0);
  digits result(a.size() - n);
  for (std::size_t at = result.size(); at-- > 0;) {
    std::uint64_t top = a[at + n] * kBase + a[at + n - 1];
    std::uint64_t guess = std::min(top / b.back(), kBase - 1);
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i <= n; ++i) {
      std::int64_t rest = a[at + i] - borrow - static_cast<std::int64_t>(i < n ? guess * b[i] : 0);
      borrow = 0;
      if (rest < 0) {
        borrow = (-rest + static_cast<std::int64_t>(kBase) - 1) / static_cast<std::int64_t>(kBase);
        rest += borrow * static_cast<std::int64_t>(kBase);
      }
      a[at + i] = static_cast<std::uint32_t>(rest);
    }
    for (; borrow != 0; --guess) {
      std::uint64_t carry = 0;
      for (std::size_t i = 0; i <= n; ++i) {
        carry += a[at + i] + (i < n ? std::uint64_t{b[i]} : 0);
        a[at + i] = static_cast<std::uint32_t>(carry % kBase);
        carry /= kBase;
      }
      borrow -= static_cast<std::int64_t>(carry);
    }
    result[at] = static_cast<std::uint32_t>(guess);
  }
  trim(a);
  divide_by_digit(a, scale);
  trim(result);
  return result;
}

// base^(2 n) / b for the n digits of b, at most a few units from the exact value.
inline digits reciprocal(const digits& b) {
  std::size_t n = b.size();
  if (n <= kShortQuotient) {
    digits one = shifted_up({1}, 2 * n);
    return short_quotient(one, b);
  }
  std::size_t half = n / 2 + 2;
  digits first = reciprocal(shifted_down(b, n - half));
  // 2 r - b r^2 / base^(2 n), where r is `first` with n - half zeros behind it
  digits square = product(b, product(first, first));
  digits change = shifted_down(square, 2 * half);
  digits result = shifted_up(first, n - half);
  add(result, result.empty() ? digits{} : digits(result));
  subtract(result, change);
  return result;
}

// One block: a < b base^n. a becomes the remainder.
inline digits block_quotient(digits& a, const digits& b, const digits& inverse) {
  digits quotient = shifted_down(product(a, inverse), 2 * b.size());
  digits taken = product(quotient, b);
  while (compare(taken, a) > 0) {
    subtract(quotient, {1});
    subtract(taken, b);
  }
  subtract(a, taken);
  while (compare(a, b) >= 0) {
    subtract(a, b);
    add(quotient, {1});
  }
  return quotient;
}

// a becomes the remainder.
inline digits quotient(digits& a, const digits& b) {
  if (compare(a, b) < 0) return {};
  if (b.size() == 1) {
    std::uint32_t rest = divide_by_digit(a, b[0]);
    digits result = std::exchange(a, rest == 0 ? digits{} : digits{rest});
    return result;
  }
  std::size_t n = b.size();
  if (n <= kShortQuotient || a.size() - n <= kShortQuotient) return short_quotient(a, b);
  digits inverse = reciprocal(b), rest, result;
  for (std::size_t end = a.size(); end > 0;) {
    std::size_t count = end % n == 0 ? n : end % n;
    digits block(a.begin() + static_cast<std::ptrdiff_t>(end - count), a.begin() + static_cast<std::ptrdiff_t>(end));
    block.insert(block.end(), rest.begin(), rest.end());
    trim(block);
    digits part = block_quotient(block, b, inverse);
    rest = std::move(block);
    result = shifted_up(result, count);
    add(result, part);
    end -= count;
  }
  a = std::move(rest);
  return result;
}

}  // namespace natural

class big_integer {
 public:
  big_integer() = default;

  big_integer(long long value) : negative_(value < 0) {
    auto rest = static_cast<std::uint64_t>(value);
    if (negative_) rest = ~rest + 1;
    for (; rest > 0; rest /= natural::kBase) digits_.push_back(static_cast<std::uint32_t>(rest % natural::kBase));
  }

  // Throws std::invalid_argument for anything but digits with at most a minus before them.
  explicit big_integer(std::string_view text) {
    bool negative = !text.empty() && text.front() == '-';
    if (negative) text.remove_prefix(1);
    if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) {
      throw std::invalid_argument("not an integer");
    }
    for (std::size_t end = text.size(); end > 0;) {
      std::size_t first = end < 9 ? 0 : end - 9;
      std::uint32_t digit = 0;
      for (std::size_t i = first; i < end; ++i) digit = digit * 10 + static_cast<std::uint32_t>(text[i] - '0');
      digits_.push_back(digit);
      end = first;
    }
    natural::trim(digits_);
    set_sign(negative);
  }

  std::string to_string() const {
    if (digits_.empty()) return "0";
    std::string text = (negative_ ? "-" : "") + std::to_string(digits_.back());
    for (std::size_t i = digits_.size() - 1; i-- > 0;) {
      std::string part = std::to_string(digits_[i]);
      text.append(9 - part.size(), '0').append(part);
    }
    return text;
  }

  big_integer operator-() const {
    big_integer result = *this;
    result.set_sign(!negative_);
    return result;
  }

  big_integer& operator+=(const big_integer& other) { return accumulate(other, other.negative_); }
  big_integer& operator-=(const big_integer& other) { return accumulate(other, !other.negative_); }

  big_integer& operator*=(const big_integer& other) {
    bool negative = negative_ != other.negative_;
    digits_ = natural::product(digits_, other.digits_);
    set_sign(negative);
    return *this;
  }

  big_integer& operator/=(const big_integer& other) { return *this = divided(other).first; }
  big_integer& operator%=(const big_integer& other) { return *this = divided(other).second; }

  bool operator==(const big_integer& other) const = default;
  std::strong_ordering operator<=>(const big_integer& other) const {
    if (negative_ != other.negative_) return other.negative_ <=> negative_;
    return negative_ ? natural::compare(other.digits_, digits_) : natural::compare(digits_, other.digits_);
  }

 private:
  // Zero has no sign.
  void set_sign(bool negative) { negative_ = negative && !digits_.empty(); }

  // Adds the other's digits with this sign. The other may be this object.
  big_integer& accumulate(const big_integer& other, bool negative) {
    if (negative_ == negative || digits_.empty()) {
      natural::add(digits_, natural::digits(other.digits_));
      set_sign(negative);
    } else if (natural::compare(digits_, other.digits_) >= 0) {
      natural::subtract(digits_, natural::digits(other.digits_));
      set_sign(negative_);
    } else {
      natural::digits rest = other.digits_;
      natural::subtract(rest, digits_);
      digits_ = std::move(rest);
      set_sign(negative);
    }
    return *this;
  }

  // Quotient rounded down, and the remainder, which has the divisor's sign.
  std::pair<big_integer, big_integer> divided(const big_integer& other) const {
    if (other.digits_.empty()) throw std::domain_error("division by zero");
    big_integer quotient, rest = *this;
    quotient.digits_ = natural::quotient(rest.digits_, other.digits_);
    quotient.set_sign(negative_ != other.negative_);
    rest.set_sign(negative_);
    if (!rest.digits_.empty() && negative_ != other.negative_) {
      quotient -= big_integer(1);
      rest += other;
    }
    return {std::move(quotient), std::move(rest)};
  }

  bool negative_ = false;
  natural::digits digits_;
};

inline big_integer operator+(big_integer left, const big_integer& right) { return left += right; }
inline big_integer operator-(big_integer left, const big_integer& right) { return left -= right; }
inline big_integer operator*(big_integer left, const big_integer& right) { return left *= right; }
inline big_integer operator/(big_integer left, const big_integer& right) { return left /= right; }
inline big_integer operator%(big_integer left, const big_integer& right) { return left %= right; }

}  // namespace big

#endif  // BIG_INTEGER_HPP
