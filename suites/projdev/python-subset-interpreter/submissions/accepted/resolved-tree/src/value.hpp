// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
// Values of the language. Small ones are held in place, others are shared and counted.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "big_integer.hpp"

enum class Type : std::uint8_t { unset, none, truth, small, real, big, string, tuple, range, function, builtin };

// What ends a program. Blocks add the line.
struct Failure {
  std::string message;
  int line = 0;
};

[[noreturn]] void fail(const char* message);

class Object {
 public:
  Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  virtual ~Object() = default;
  void keep() { ++references_; }
  void drop() {
    if (--references_ == 0) delete this;
  }

 private:
  std::uint32_t references_ = 0;
};

// A counted pointer.
template <typename T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(T* object) : object_(object) {
    if (object_ != nullptr) object_->keep();
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_ != nullptr) object_->drop();
  }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  T* get() const { return object_; }

 private:
  T* object_ = nullptr;
};

class Value;
using Values = std::vector<Value>;
struct Range;
class Function;
class Builtin;

class Value {
 public:
  Value() : type_(Type::unset), number_(0) {}
  Value(const Value& other) : type_(other.type_), number_(other.number_) {
    if (is_object()) object_->keep();
  }
  Value(Value&& other) noexcept : type_(std::exchange(other.type_, Type::unset)), number_(other.number_) {}
  Value& operator=(const Value& other) { return *this = Value(other); }
  Value& operator=(Value&& other) noexcept {
    std::swap(type_, other.type_);
    std::swap(number_, other.number_);
    return *this;
  }
  ~Value() {
    if (is_object()) object_->drop();
  }

  static Value none() { return Value(Type::none); }
  static Value truth(bool value) {
    Value made(Type::truth);
    made.number_ = value ? 1 : 0;
    return made;
  }
  static Value integer(std::int64_t value) {
    Value made(Type::small);
    made.number_ = value;
    return made;
  }
  static Value integer(BigInteger value);
  static Value real(double value) {  // `overflow` unless it is finite
    Value made(Type::real);
    made.real_ = value;
    if (value - value != 0) fail("overflow");
    return made;
  }
  static Value string(std::string text);
  static Value tuple(Values elements);
  static Value of(Type type, Object* object);

  Type type() const { return type_; }
  bool is(Type type) const { return type_ == type; }
  bool is_integer() const { return type_ == Type::small || type_ == Type::big; }
  bool is_number() const { return is_integer() || type_ == Type::real; }

  // Only for the type that the name says.
  bool truth() const { return number_ != 0; }
  std::int64_t small() const { return number_; }
  double real() const { return real_; }
  const BigInteger& big() const;
  const std::string& text() const;
  const Values& elements() const;
  const Range& range() const;
  Function& function() const;
  const Builtin& builtin() const;
  const Object* object() const { return object_; }

  // Of numbers.
  BigInteger as_big() const;   // an integer
  double as_real() const;      // `overflow` if an integer is too large

 private:
  explicit Value(Type type) : type_(type), number_(0) {}
  bool is_object() const { return type_ >= Type::big; }

  Type type_;
  union {
    std::int64_t number_;
    double real_;
    Object* object_;
  };
};

struct Range : Object {
  std::int64_t start, stop, step;
  std::int64_t size() const;
};

bool is_true(const Value& value);
bool equal(const Value& left, const Value& right);
// `wrong type` if the two have no order.
std::strong_ordering order(const Value& left, const Value& right);

// The elements of a string, tuple or range; `wrong type` for others.
class Iterator {
 public:
  explicit Iterator(Value sequence);
  std::optional<Value> next();
  std::int64_t size() const { return size_; }

 private:
  Value sequence_;
  std::int64_t at_ = 0;
  std::int64_t size_ = 0;
};

Values elements_of(const Value& sequence);
