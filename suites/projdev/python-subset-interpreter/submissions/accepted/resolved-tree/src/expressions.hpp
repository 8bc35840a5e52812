// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
// The kinds of expressions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "arithmetic.hpp"
#include "code.hpp"

// Where a frame has a variable.
Value& variable(Frame& frame, Place place);

class Constant : public Expression {
 public:
  explicit Constant(Value value) : value_(std::move(value)) {}
  Value evaluate(Frame&) const override { return value_; }

 private:
  Value value_;
};

class Variable : public Expression {
 public:
  Variable(std::string name, Place place) : name_(std::move(name)), place_(place) {}
  Value evaluate(Frame& frame) const override;

 private:
  std::string name_;
  Place place_;
};

class TupleOf : public Expression {
 public:
  explicit TupleOf(std::vector<ExpressionPtr> elements) : elements_(std::move(elements)) {}
  Value evaluate(Frame& frame) const override;

 private:
  std::vector<ExpressionPtr> elements_;
};

class Sign : public Expression {
 public:
  Sign(bool minus, ExpressionPtr operand) : minus_(minus), operand_(std::move(operand)) {}
  Value evaluate(Frame& frame) const override;

 private:
  bool minus_;
  ExpressionPtr operand_;
};

class Binary : public Expression {
 public:
  Binary(Operator operation, ExpressionPtr left, ExpressionPtr right)
      : operation_(operation), left_(std::move(left)), right_(std::move(right)) {}
  Value evaluate(Frame& frame) const override;

 private:
  Operator operation_;
  ExpressionPtr left_, right_;
};

class Chain : public Expression {
 public:
  Chain(std::vector<Comparison> comparisons, std::vector<ExpressionPtr> operands)
      : comparisons_(std::move(comparisons)), operands_(std::move(operands)) {}
  Value evaluate(Frame& frame) const override;

 private:
  std::vector<Comparison> comparisons_;
  std::vector<ExpressionPtr> operands_;
};

// `and`, `or`: the left value if its truth is `decides`, otherwise the right one.
class Either : public Expression {
 public:
  Either(bool decides, ExpressionPtr left, ExpressionPtr right)
      : decides_(decides), left_(std::move(left)), right_(std::move(right)) {}
  Value evaluate(Frame& frame) const override;

 private:
  bool decides_;
  ExpressionPtr left_, right_;
};

class Not : public Expression {
 public:
  explicit Not(ExpressionPtr operand) : operand_(std::move(operand)) {}
  Value evaluate(Frame& frame) const override;

 private:
  ExpressionPtr operand_;
};

class Conditional : public Expression {
 public:
  Conditional(ExpressionPtr condition, ExpressionPtr yes, ExpressionPtr no)
      : condition_(std::move(condition)), yes_(std::move(yes)), no_(std::move(no)) {}
  Value evaluate(Frame& frame) const override;

 private:
  ExpressionPtr condition_, yes_, no_;
};

class Call : public Expression {
 public:
  // An argument without a name has an empty one.
  Call(ExpressionPtr callee, std::vector<std::pair<std::string, ExpressionPtr>> arguments)
      : callee_(std::move(callee)), arguments_(std::move(arguments)) {}
  Value evaluate(Frame& frame) const override;

 private:
  ExpressionPtr callee_;
  std::vector<std::pair<std::string, ExpressionPtr>> arguments_;
};

class MethodCall : public Expression {
 public:
  MethodCall(std::string name, ExpressionPtr object, std::vector<ExpressionPtr> arguments)
      : name_(std::move(name)), object_(std::move(object)), arguments_(std::move(arguments)) {}
  Value evaluate(Frame& frame) const override;

 private:
  std::string name_;
  ExpressionPtr object_;
  std::vector<ExpressionPtr> arguments_;
};

class Element : public Expression {
 public:
  Element(ExpressionPtr sequence, ExpressionPtr index) : sequence_(std::move(sequence)), index_(std::move(index)) {}
  Value evaluate(Frame& frame) const override;

 private:
  ExpressionPtr sequence_, index_;
};

class Slice : public Expression {
 public:
  // Bounds may be null.
  Slice(ExpressionPtr sequence, ExpressionPtr start, ExpressionPtr stop, ExpressionPtr step)
      : sequence_(std::move(sequence)), start_(std::move(start)), stop_(std::move(stop)), step_(std::move(step)) {}
  Value evaluate(Frame& frame) const override;

 private:
  ExpressionPtr sequence_, start_, stop_, step_;
};

class MakeFunction : public Expression {
 public:
  explicit MakeFunction(std::shared_ptr<const FunctionCode> code) : code_(std::move(code)) {}
  Value evaluate(Frame& frame) const override;

 private:
  std::shared_ptr<const FunctionCode> code_;
};
