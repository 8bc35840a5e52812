// rigorbench-canary 579b0d88-8290-490f-b38c-6908e7f20bb5
// Integers of any size: a sign, and limbs of base 10^6 with the least one first. Long products use a transform of residues by a prime of 64 bits, which is exact;
// long quotients split the divisor in halves, recursively.
#ifndef BIG_INTEGER_HPP
#define BIG_INTEGER_HPP

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace big {

namespace limbs {

using limb = std::uint32_t;
using number = std::vector<limb>;
using view = std::span<const limb>;
inline constexpr limb kBase = 1'000'000;
inline constexpr int kWidth = 6;
inline constexpr std::size_t kSimple = 64;

// Arithmetic by the prime 2^64 - 2^32 + 1, of which 7 is a primitive root.
namespace residue {
using value = std::uint64_t;
inline constexpr value kPrime = 0xFFFFFFFF00000001u;

inline value times(value a, value b) {
  unsigned __int128 full = static_cast<unsigned __int128>(a) * b;
  auto low = static_cast<value>(full);
  auto high = static_cast<value>(full >> 64);
  // 2^64 is 2^32 - 1, and 2^96 is -1
  value top = high >> 32, middle = high & 0xFFFFFFFFu;
  value result = low - top;
  if (low < top) result -= 0xFFFFFFFFu;
  value more = middle * 0xFFFFFFFFu;
  value sum = result + more;
  if (sum < result) sum += 0xFFFFFFFFu;
  return sum >= kPrime ? sum - kPrime : sum;
}
inline value plus(value a, value b) {
  value sum = a + b;
  return sum < a || sum >= kPrime ? sum - kPrime : sum;
}
inline value minus(value a, value b) { return a >= b ? a - b : a + (kPrime - b); }
inline value power(value base, value exponent) {
  value result = 1;
  for (; exponent > 0; exponent /= 2, base = times(base, base)) {
    if (exponent % 2 == 1) result = times(result, base);
  }
  return result;
}

inline std::vector<value> powers(value root, std::size_t count) {
  std::vector<value> result(count, 1);
  for (std::size_t i = 1; i < count; ++i) result[i] = times(result[i - 1], root);
  return result;
}

// Leaves the values in the order of reversed bits. `roots` has the first size / 2 powers of a root of this order.
inline void transform(std::vector<value>& values, const std::vector<value>& roots) {
  for (std::size_t half = values.size() / 2, step = 1; half > 0; half /= 2, step *= 2) {
    for (std::size_t block = 0; block < values.size(); block += 2 * half) {
      for (std::size_t i = 0; i < half; ++i) {
        value a = values[block + i], b = values[block + i + half];
        values[block + i] = plus(a, b);
        values[block + i + half] = times(minus(a, b), roots[i * step]);
      }
    }
  }
}

// From the order that transform() leaves back to the usual one; `roots` of the inverse root.
inline void restore(std::vector<value>& values, const std::vector<value>& roots) {
  for (std::size_t half = 1, step = values.size() / 2; half < values.size(); half *= 2, step /= 2) {
    for (std::size_t block = 0; block < values.size(); block += 2 * half) {
      for (std::size_t i = 0; i < half; ++i) {
        value a = values[block + i], b = times(values[block + i + half], roots[i * step]);
        values[block + i] = plus(a, b);
        values[block + i + half] = minus(a, b);
      }
    }
  }
}
}  // namespace residue

inline view trimmed(view a) {
  while (!a.empty() && a.back() == 0) a = a.first(a.size() - 1);
  return a;
}
inline void trim(number& a) { a.resize(trimmed(a).size()); }

inline int order(view a, view b) {
  a = trimmed(a);
  b = trimmed(b);
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  for (std::size_t i = a.size(); i-- > 0;) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

inline number sum(view a, view b) {
  if (a.size() < b.size()) std::swap(a, b);
  number result(a.begin(), a.end());
  limb carry = 0;
  for (std::size_t i = 0; i < result.size() && (carry != 0 || i < b.size()); ++i) {
    result[i] += carry + (i < b.size() ? b[i] : 0);
    carry = result[i] >= kBase;
    if (carry != 0) result[i] -= kBase;
  }
  if (carry != 0) result.push_back(carry);
  return result;
}

// a - b for a >= b
inline number difference(view a, view b) {
  number result(a.begin(), a.end());
  limb borrow = 0;
  for (std::size_t i = 0; i < result.size() && (borrow != 0 || i < b.size()); ++i) {
    limb taken = borrow + (i < b.size() ? b[i] : 0);
    borrow = result[i] < taken;
    result[i] += (borrow != 0 ? kBase : 0) - taken;
  }
  trim(result);
  return result;
}

inline number carried(const std::vector<std::uint64_t>& sums) {
  number result;
  std::uint64_t carry = 0;
  for (std::uint64_t value : sums) {
    carry += value;
    result.push_back(static_cast<limb>(carry % kBase));
    carry /= kBase;
  }
  for (; carry > 0; carry /= kBase) result.push_back(static_cast<limb>(carry % kBase));
  trim(result);
  return result;
}

inline number product(view a, view b) {
  a = trimmed(a);
  b = trimmed(b);
  if (a.empty() || b.empty()) return {};
  if (std::min(a.size(), b.size()) <= kSimple) {
    // At most 64 products of 10^12 each fit easily.
    std::vector<std::uint64_t> sums(a.size() + b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < b.size(); ++j) sums[i + j] += std::uint64_t{a[i]} * b[j];
    }
    return carried(sums);
  }
  std::size_t size = 1;
  while (size < a.size() + b.size()) size *= 2;
  residue::value root = residue::power(7, (residue::kPrime - 1) / size);
  std::vector<std::uint64_t> left(a.begin(), a.end());
  left.resize(size);
  std::vector<residue::value> roots = residue::powers(root, size / 2);
  residue::transform(left, roots);
  if (a.data() == b.data() && a.size() == b.size()) {
    for (auto& value : left) value = residue::times(value, value);
  } else {
    std::vector<std::uint64_t> right(b.begin(), b.end());
    right.resize(size);
    residue::transform(right, roots);
    for (std::size_t i = 0; i < size; ++i) left[i] = residue::times(left[i], right[i]);
  }
  std::vector<residue::value> inverse_roots = residue::powers(residue::power(root, residue::kPrime - 2), size / 2);
  residue::restore(left, inverse_roots);
  residue::value shrink = residue::power(size, residue::kPrime - 2);
  for (auto& value : left) value = residue::times(value, shrink);
  return carried(left);
}

struct division {
  number quotient, rest;
};

inline division by_limb(view a, limb b) {
  number result(a.size());
  std::uint64_t rest = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    rest = rest * kBase + a[i];
    result[i] = static_cast<limb>(rest / b);
    rest %= b;
  }
  trim(result);
  return {result, rest == 0 ? number{} : number{static_cast<limb>(rest)}};
}

// Limb by limb; b has its highest limb at least half of the base.
inline division simple(view a, view b) {
  if (order(a, b) < 0) return {{}, number(trimmed(a).begin(), trimmed(a).end())};
  number rest(a.begin(), a.end());
  std::size_t n = b.size();
  rest.resize(std::max(rest.size(), n) + 1);
  number result(rest.size() - n);
  for (std::size_t at = result.size(); at-- > 0;) {
    std::uint64_t guess = (std::uint64_t{rest[at + n]} * kBase + rest[at + n - 1]) / b[n - 1];
    guess = std::min<std::uint64_t>(guess, kBase - 1);
    number taken(n + 1);
    auto take = [&] {
      std::uint64_t carry = 0;
      for (std::size_t i = 0; i < n; ++i) {
        carry += guess * b[i];
        taken[i] = static_cast<limb>(carry % kBase);
        carry /= kBase;
      }
      taken[n] = static_cast<limb>(carry);
    };
    view part(rest.data() + at, n + 1);
    for (take(); order(part, taken) < 0; take()) --guess;
    number left = difference(part, taken);
    left.resize(n + 1);
    std::copy(left.begin(), left.end(), rest.begin() + static_cast<std::ptrdiff_t>(at));
    result[at] = static_cast<limb>(guess);
  }
  trim(rest);
  trim(result);
  return {result, rest};
}

inline number joined(view high, view low, std::size_t low_size) {
  number result(low.begin(), low.end());
  result.resize(low_size);
  result.insert(result.end(), high.begin(), high.end());
  trim(result);
  return result;
}
inline view low_part(view a, std::size_t count) { return a.first(std::min(count, a.size())); }
inline view high_part(view a, std::size_t count) { return count < a.size() ? a.subspan(count) : view(); }

// a / b for a < b base^n, where b has n limbs, n is even as often as needed, and the highest limb is at least half of the base.
inline division halves(view a, view b);

// a has at most three halves of a divisor of two halves; the quotient has one half.
inline division three_by_two(view a, view b, std::size_t half) {
  view high = high_part(b, half), low = low_part(b, half);
  division first;
  if (order(high_part(a, 2 * half), high) < 0) {
    first = halves(high_part(a, half), high);
  } else {
    first.quotient.assign(half, kBase - 1);
    number all = joined(high, {}, half);
    first.rest = difference(sum(high_part(a, half), high), all);
  }
  number rest = joined(first.rest, low_part(a, half), half);
  number taken = product(first.quotient, low);
  while (order(rest, taken) < 0) {
    rest = sum(rest, b);
    first.quotient = difference(first.quotient, number{1});
  }
  rest = difference(rest, taken);
  return {first.quotient, rest};
}

inline division halves(view a, view b) {
  std::size_t n = b.size();
  if (n <= kSimple || n % 2 == 1) return simple(trimmed(a), b);
  std::size_t half = n / 2;
  division high = three_by_two(high_part(a, half), b, half);
  number next = joined(high.rest, low_part(a, half), half);
  division low = three_by_two(next, b, half);
  return {joined(high.quotient, low.quotient, half), low.rest};
}

inline division divide(view a, view b) {
  if (order(a, b) < 0) return {{}, number(a.begin(), a.end())};
  if (b.size() == 1) return by_limb(a, b[0]);
  // Both are multiplied so that the divisor begins with a large limb and has a size that can be halved.
  std::size_t pieces = 1;
  while (b.size() > kSimple * pieces) pieces *= 2;
  std::size_t size = (b.size() + pieces - 1) / pieces * pieces, zeros = size - b.size();
  limb scale = kBase / (b.back() + 1);
  number divisor = joined(product(b, number{scale}), {}, zeros), dividend = joined(product(a, number{scale}), {}, zeros);
  number quotient, rest;
  for (std::size_t blocks = (dividend.size() + size - 1) / size; blocks-- > 0;) {
    view block = low_part(high_part(dividend, blocks * size), size);
    division part = halves(joined(rest, block, size), divisor);
    quotient = joined(quotient, part.quotient, size);
    rest = part.rest;
  }
  rest = number(high_part(rest, zeros).begin(), high_part(rest, zeros).end());
  return {quotient, by_limb(rest, scale).quotient};
}

}  // namespace limbs

class big_integer {
 public:
  big_integer() = default;
  big_integer(long long value) : big_integer(std::string_view(std::to_string(value))) {}

  explicit big_integer(std::string_view text) {
    bool minus = text.starts_with('-');
    if (minus) text.remove_prefix(1);
    if (text.empty()) throw std::invalid_argument("no digits");
    for (char c : text) {
      if (c < '0' || c > '9') throw std::invalid_argument("not a digit");
    }
    for (std::size_t end = text.size(); end > 0; end -= std::min<std::size_t>(end, limbs::kWidth)) {
      limbs::limb value = 0;
      for (std::size_t i = end < limbs::kWidth ? 0 : end - limbs::kWidth; i < end; ++i) {
        value = value * 10 + static_cast<limbs::limb>(text[i] - '0');
      }
      size_.push_back(value);
    }
    limbs::trim(size_);
    minus_ = minus && !size_.empty();
  }

  std::string to_string() const {
    std::string text;
    for (std::size_t i = 0; i < size_.size(); ++i) {
      limbs::limb value = size_[i];
      bool last = i + 1 == size_.size();
      for (int k = 0; last ? value > 0 : k < limbs::kWidth; ++k, value /= 10) text += static_cast<char>('0' + value % 10);
    }
    if (text.empty()) return "0";
    if (minus_) text += '-';
    return {text.rbegin(), text.rend()};
  }

  big_integer operator-() const { return made(size_, !minus_); }
  big_integer& operator+=(const big_integer& other) { return *this = total(other, other.minus_); }
  big_integer& operator-=(const big_integer& other) { return *this = total(other, !other.minus_); }
  big_integer& operator*=(const big_integer& other) {
    return *this = made(limbs::product(size_, other.size_), minus_ != other.minus_);
  }
  big_integer& operator/=(const big_integer& other) {
    limbs::division found = parts(other);
    bool down = minus_ != other.minus_ && !found.rest.empty();
    if (down) found.quotient = limbs::sum(found.quotient, limbs::number{1});
    return *this = made(found.quotient, minus_ != other.minus_);
  }
  big_integer& operator%=(const big_integer& other) {
    limbs::division found = parts(other);
    if (minus_ != other.minus_ && !found.rest.empty()) found.rest = limbs::difference(other.size_, found.rest);
    return *this = made(found.rest, other.minus_);
  }

  bool operator==(const big_integer& other) const { return minus_ == other.minus_ && size_ == other.size_; }
  std::strong_ordering operator<=>(const big_integer& other) const {
    if (minus_ != other.minus_) return minus_ ? std::strong_ordering::less : std::strong_ordering::greater;
    int by_size = limbs::order(size_, other.size_);
    return (minus_ ? -by_size : by_size) <=> 0;
  }

 private:
  static big_integer made(limbs::number size, bool minus) {
    big_integer result;
    limbs::trim(size);
    result.minus_ = minus && !size.empty();
    result.size_ = std::move(size);
    return result;
  }
  big_integer total(const big_integer& other, bool minus) const {
    if (minus_ == minus) return made(limbs::sum(size_, other.size_), minus);
    if (limbs::order(size_, other.size_) >= 0) return made(limbs::difference(size_, other.size_), minus_);
    return made(limbs::difference(other.size_, size_), minus);
  }
  limbs::division parts(const big_integer& other) const {
    if (other.size_.empty()) throw std::domain_error("divisor is zero");
    return limbs::divide(size_, other.size_);
  }

  bool minus_ = false;
  limbs::number size_;  // without its sign
};

inline big_integer operator+(big_integer left, const big_integer& right) { return left += right; }
inline big_integer operator-(big_integer left, const big_integer& right) { return left -= right; }
inline big_integer operator*(big_integer left, const big_integer& right) { return left *= right; }
inline big_integer operator/(big_integer left, const big_integer& right) { return left /= right; }
inline big_integer operator%(big_integer left, const big_integer& right) { return left %= right; }

}  // namespace big

#endif  // BIG_INTEGER_HPP
