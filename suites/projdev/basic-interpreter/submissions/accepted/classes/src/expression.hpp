// rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
// What can be computed.
#ifndef EXPRESSION_HPP
#define EXPRESSION_HPP

#include <cstdint>
#include <memory>
#include <string>

#include "state.hpp"

class Expression {
 public:
  virtual ~Expression() = default;
  virtual std::int64_t evaluate() const = 0;
};
using ExpressionPtr = std::unique_ptr<Expression>;

class Number : public Expression {
 public:
  explicit Number(std::int64_t value) : value_(value) {}
  std::int64_t evaluate() const override { return value_; }

 private:
  std::int64_t value_;
};

class Reference : public Expression {
 public:
  explicit Reference(const Variable* variable) : variable_(variable) {}
  std::int64_t evaluate() const override;

 private:
  const Variable* variable_;
};

class Element : public Expression {
 public:
  Element(Variable* array, ExpressionPtr index) : array_(array), index_(std::move(index)) {}
  std::int64_t evaluate() const override { return place(); }
  std::int64_t& place() const;

 private:
  Variable* array_;
  ExpressionPtr index_;
};

// Operators and functions of two operands, by their sign or name.
class Operation : public Expression {
 public:
  using Function = std::int64_t (*)(std::int64_t, std::int64_t);
  Operation(Function function, ExpressionPtr left, ExpressionPtr right)
      : function_(function), left_(std::move(left)), right_(std::move(right)) {}
  std::int64_t evaluate() const override;
  static Function of(const std::string& sign);

 private:
  Function function_;
  ExpressionPtr left_, right_;
};

class Condition {
 public:
  virtual ~Condition() = default;
  virtual bool holds() const = 0;
};
using ConditionPtr = std::unique_ptr<Condition>;

class Comparison : public Condition {
 public:
  Comparison(std::string sign, bool negated, ExpressionPtr left, ExpressionPtr right);
  bool holds() const override;

 private:
  bool less_, same_, more_;  // in which cases it holds
  ExpressionPtr left_, right_;
};

// AND, OR: the right side is evaluated only if the left one does not decide.
class Both : public Condition {
 public:
  Both(ConditionPtr left, ConditionPtr right) : left_(std::move(left)), right_(std::move(right)) {}
  bool holds() const override { return left_->holds() && right_->holds(); }

 private:
  ConditionPtr left_, right_;
};

class Either : public Condition {
 public:
  Either(ConditionPtr left, ConditionPtr right) : left_(std::move(left)), right_(std::move(right)) {}
  bool holds() const override { return left_->holds() || right_->holds(); }

 private:
  ConditionPtr left_, right_;
};

#endif  // EXPRESSION_HPP
