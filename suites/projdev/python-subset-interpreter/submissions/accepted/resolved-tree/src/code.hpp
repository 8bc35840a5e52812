// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
// What a program is carried out as: expressions that are evaluated, and statements that run.
#pragma once

#include <memory>
#include <vector>

#include "function.hpp"

class Expression {
 public:
  Expression() = default;
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;
  virtual ~Expression() = default;
  virtual Value evaluate(Frame& frame) const = 0;
};

using ExpressionPtr = std::unique_ptr<const Expression>;

// How a statement ends.
enum class Flow { next, break_loop, continue_loop, return_value };

class Statement {
 public:
  explicit Statement(int line) : line_(line) {}
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  virtual ~Statement() = default;
  virtual Flow run(Frame& frame) const = 0;
  int line() const { return line_; }

 private:
  int line_;
};

using StatementPtr = std::unique_ptr<const Statement>;

class Block {
 public:
  explicit Block(std::vector<StatementPtr> statements) : statements_(std::move(statements)) {}
  // Failures get the line of the innermost statement.
  Flow run(Frame& frame) const;

 private:
  std::vector<StatementPtr> statements_;
};

using BlockPtr = std::unique_ptr<const Block>;
