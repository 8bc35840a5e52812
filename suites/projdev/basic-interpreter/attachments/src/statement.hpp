// What a line does.
#ifndef STATEMENT_HPP
#define STATEMENT_HPP

class State;

class Statement {
 public:
  virtual ~Statement() = default;
  virtual void execute(State& state) const = 0;
};

#endif  // STATEMENT_HPP
