// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
// The kinds of statements.
#pragma once

#include <utility>
#include <vector>

#include "arithmetic.hpp"
#include "code.hpp"

// One variable, or several that get the elements of a value.
struct Target {
  bool unpacks;
  std::vector<Place> places;
  void set(Frame& frame, const Value& value) const;
};

class Evaluate : public Statement {
 public:
  Evaluate(int line, ExpressionPtr value) : Statement(line), value_(std::move(value)) {}
  Flow run(Frame& frame) const override;

 private:
  ExpressionPtr value_;
};

class Assign : public Statement {
 public:
  Assign(int line, std::vector<Target> targets, ExpressionPtr value)
      : Statement(line), targets_(std::move(targets)), value_(std::move(value)) {}
  Flow run(Frame& frame) const override;

 private:
  std::vector<Target> targets_;
  ExpressionPtr value_;
};

class If : public Statement {
 public:
  If(int line, ExpressionPtr condition, BlockPtr yes, BlockPtr no)
      : Statement(line), condition_(std::move(condition)), yes_(std::move(yes)), no_(std::move(no)) {}
  Flow run(Frame& frame) const override;

 private:
  ExpressionPtr condition_;
  BlockPtr yes_, no_;
};

class While : public Statement {
 public:
  While(int line, ExpressionPtr condition, BlockPtr body)
      : Statement(line), condition_(std::move(condition)), body_(std::move(body)) {}
  Flow run(Frame& frame) const override;

 private:
  ExpressionPtr condition_;
  BlockPtr body_;
};

class For : public Statement {
 public:
  For(int line, Target target, ExpressionPtr sequence, BlockPtr body)
      : Statement(line), target_(std::move(target)), sequence_(std::move(sequence)), body_(std::move(body)) {}
  Flow run(Frame& frame) const override;

 private:
  Target target_;
  ExpressionPtr sequence_;
  BlockPtr body_;
};

class Return : public Statement {
 public:
  Return(int line, ExpressionPtr value) : Statement(line), value_(std::move(value)) {}
  Flow run(Frame& frame) const override;

 private:
  ExpressionPtr value_;
};

// `break`, `continue`, and what does nothing.
class Leave : public Statement {
 public:
  Leave(int line, Flow flow) : Statement(line), flow_(flow) {}
  Flow run(Frame&) const override { return flow_; }

 private:
  Flow flow_;
};
