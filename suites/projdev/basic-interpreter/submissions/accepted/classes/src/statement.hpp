// rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
// What a line does.
#ifndef STATEMENT_HPP
#define STATEMENT_HPP

#include <memory>
#include <vector>

#include "expression.hpp"

class Statement {
 public:
  virtual ~Statement() = default;
  virtual void execute(State& state) const = 0;
  // Whether it may stand without a line number.
  virtual bool is_immediate() const { return false; }
  // Whether it may follow THEN.
  virtual bool is_simple() const { return true; }
  // Whether it is the NEXT of this variable.
  virtual bool ends_loop(const Variable*) const { return false; }
};
using StatementPtr = std::unique_ptr<Statement>;

class Remark : public Statement {
 public:
  void execute(State&) const override {}
  bool is_simple() const override { return false; }
};

class Assign : public Statement {
 public:
  Assign(Variable* variable, ExpressionPtr value) : variable_(variable), value_(std::move(value)) {}
  void execute(State& state) const override;
  bool is_immediate() const override { return true; }

 private:
  Variable* variable_;
  ExpressionPtr value_;
};

class AssignElement : public Statement {
 public:
  AssignElement(std::unique_ptr<Element> element, ExpressionPtr value)
      : element_(std::move(element)), value_(std::move(value)) {}
  void execute(State& state) const override;
  bool is_immediate() const override { return true; }

 private:
  std::unique_ptr<Element> element_;
  ExpressionPtr value_;
};

class Dimension : public Statement {
 public:
  Dimension(Variable* array, ExpressionPtr size) : array_(array), size_(std::move(size)) {}
  void execute(State& state) const override;
  bool is_immediate() const override { return true; }
  bool is_simple() const override { return false; }

 private:
  Variable* array_;
  ExpressionPtr size_;
};

class Print : public Statement {
 public:
  // A text, or the value of an expression.
  struct Item {
    std::string text;
    ExpressionPtr value;
  };
  Print(std::vector<Item> items, bool ends_line) : items_(std::move(items)), ends_line_(ends_line) {}
  void execute(State& state) const override;
  bool is_immediate() const override { return true; }

 private:
  std::vector<Item> items_;
  bool ends_line_;
};

class Input : public Statement {
 public:
  explicit Input(Variable* variable) : variable_(variable) {}
  void execute(State& state) const override;
  bool is_immediate() const override { return true; }

 private:
  Variable* variable_;
};

class Goto : public Statement {
 public:
  Goto(int line, bool comes_back) : line_(line), comes_back_(comes_back) {}
  void execute(State& state) const override;

 private:
  int line_;
  bool comes_back_;  // GOSUB
};

class Return : public Statement {
 public:
  void execute(State& state) const override;
};

class If : public Statement {
 public:
  If(ConditionPtr condition, StatementPtr then) : condition_(std::move(condition)), then_(std::move(then)) {}
  void execute(State& state) const override;
  bool is_simple() const override { return false; }

 private:
  ConditionPtr condition_;
  StatementPtr then_;
};

class For : public Statement {
 public:
  For(Variable* variable, ExpressionPtr first, ExpressionPtr limit, ExpressionPtr step)
      : variable_(variable), first_(std::move(first)), limit_(std::move(limit)), step_(std::move(step)) {}
  void execute(State& state) const override;
  bool is_simple() const override { return false; }

 private:
  Variable* variable_;
  ExpressionPtr first_, limit_, step_;
};

class Next : public Statement {
 public:
  explicit Next(Variable* variable) : variable_(variable) {}
  void execute(State& state) const override;
  bool is_simple() const override { return false; }
  bool ends_loop(const Variable* variable) const override { return variable == variable_; }

 private:
  Variable* variable_;
};

class End : public Statement {
 public:
  void execute(State& state) const override { state.ended = true; }
};

#endif  // STATEMENT_HPP
