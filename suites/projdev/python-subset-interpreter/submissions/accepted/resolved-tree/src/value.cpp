// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
#include "value.hpp"

#include <algorithm>
#include <cmath>

#include "function.hpp"

namespace {

struct BigObject : Object {
  explicit BigObject(BigInteger value) : number(std::move(value)) {}
  BigInteger number;
};

struct StringObject : Object {
  explicit StringObject(std::string value) : text(std::move(value)) {}
  std::string text;
};

struct TupleObject : Object {
  explicit TupleObject(Values values) : elements(std::move(values)) {}
  Values elements;
};

constexpr double kTwoTo63 = 9223372036854775808.0;

// An integer beside a float, by their exact values.
std::strong_ordering order_exactly(const Value& integer, double real) {
  if (integer.is(Type::big)) {
    if (std::fabs(real) < kTwoTo63) return integer.big().is_negative() ? std::strong_ordering::less : std::strong_ordering::greater;
    return integer.big() <=> BigInteger(real);
  }
  if (real >= kTwoTo63) return std::strong_ordering::less;
  if (real < -kTwoTo63) return std::strong_ordering::greater;
  const double whole = std::trunc(real);
  const auto by_whole = integer.small() <=> static_cast<std::int64_t>(whole);
  if (by_whole != 0) return by_whole;
  return real > whole ? std::strong_ordering::less : real < whole ? std::strong_ordering::greater : by_whole;
}

std::strong_ordering reversed(std::strong_ordering order) { return 0 <=> order; }

std::strong_ordering order_numbers(const Value& left, const Value& right) {
  if (left.is(Type::small) && right.is(Type::small)) return left.small() <=> right.small();
  if (left.is(Type::real) && right.is(Type::real)) {
    if (left.real() == right.real()) return std::strong_ordering::equal;
    return left.real() < right.real() ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  if (right.is(Type::real)) return order_exactly(left, right.real());
  if (left.is(Type::real)) return reversed(order_exactly(right, left.real()));
  return left.as_big() <=> right.as_big();
}

std::strong_ordering order_tuples(const Values& left, const Values& right) {
  const std::size_t both = std::min(left.size(), right.size());
  for (std::size_t i = 0; i < both; ++i) {
    if (!equal(left[i], right[i])) return order(left[i], right[i]);
  }
  return left.size() <=> right.size();
}

}  // namespace

void fail(const char* message) { throw Failure{message}; }

Value Value::of(Type type, Object* object) {
  Value made(type);
  made.object_ = object;
  object->keep();
  return made;
}

Value Value::integer(BigInteger value) {
  if (value.fits()) return integer(value.small());
  return of(Type::big, new BigObject(std::move(value)));
}

Value Value::string(std::string text) { return of(Type::string, new StringObject(std::move(text))); }
Value Value::tuple(Values elements) { return of(Type::tuple, new TupleObject(std::move(elements))); }

const BigInteger& Value::big() const { return static_cast<BigObject*>(object_)->number; }
const std::string& Value::text() const { return static_cast<StringObject*>(object_)->text; }
const Values& Value::elements() const { return static_cast<TupleObject*>(object_)->elements; }
const Range& Value::range() const { return *static_cast<Range*>(object_); }
Function& Value::function() const { return *static_cast<Function*>(object_); }
const Builtin& Value::builtin() const { return *static_cast<Builtin*>(object_); }

BigInteger Value::as_big() const { return is(Type::big) ? big() : BigInteger(small()); }

double Value::as_real() const {
  if (is(Type::real)) return real_;
  if (is(Type::small)) return static_cast<double>(number_);
  const double value = big().to_double();
  if (std::isinf(value)) fail("overflow");
  return value;
}

std::int64_t Range::size() const {
  if (step > 0) return start < stop ? (stop - start - 1) / step + 1 : 0;
  return start > stop ? (start - stop - 1) / -step + 1 : 0;
}

bool is_true(const Value& value) {
  switch (value.type()) {
    case Type::none: return false;
    case Type::truth: return value.truth();
    case Type::small: return value.small() != 0;
    case Type::real: return value.real() != 0;
    case Type::string: return !value.text().empty();
    case Type::tuple: return !value.elements().empty();
    case Type::range: return value.range().size() > 0;
    default: return true;
  }
}

bool equal(const Value& left, const Value& right) {
  if (left.is_number() && right.is_number()) return order_numbers(left, right) == 0;
  if (left.type() != right.type()) return false;
  switch (left.type()) {
    case Type::none: return true;
    case Type::truth: return left.truth() == right.truth();
    case Type::string: return left.text() == right.text();
    case Type::tuple: return std::equal(left.elements().begin(), left.elements().end(), right.elements().begin(), right.elements().end(), equal);
    default: return left.object() == right.object();
  }
}

std::strong_ordering order(const Value& left, const Value& right) {
  if (left.is_number() && right.is_number()) return order_numbers(left, right);
  if (left.is(Type::string) && right.is(Type::string)) return left.text().compare(right.text()) <=> 0;
  if (left.is(Type::tuple) && right.is(Type::tuple)) return order_tuples(left.elements(), right.elements());
  fail("wrong type");
}

Iterator::Iterator(Value sequence) : sequence_(std::move(sequence)) {
  switch (sequence_.type()) {
    case Type::string: size_ = static_cast<std::int64_t>(sequence_.text().size()); break;
    case Type::tuple: size_ = static_cast<std::int64_t>(sequence_.elements().size()); break;
    case Type::range: size_ = sequence_.range().size(); break;
    default: fail("wrong type");
  }
}

std::optional<Value> Iterator::next() {
  if (at_ == size_) return std::nullopt;
  const std::int64_t at = at_++;
  if (sequence_.is(Type::range)) return Value::integer(sequence_.range().start + at * sequence_.range().step);
  if (sequence_.is(Type::tuple)) return sequence_.elements()[static_cast<std::size_t>(at)];
  return Value::string(std::string(1, sequence_.text()[static_cast<std::size_t>(at)]));
}

Values elements_of(const Value& sequence) {
  if (sequence.is(Type::tuple)) return sequence.elements();
  Values elements;
  Iterator each(sequence);
  while (auto value = each.next()) elements.push_back(std::move(*value));
  return elements;
}
