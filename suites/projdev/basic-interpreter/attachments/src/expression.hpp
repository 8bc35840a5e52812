// What can be computed.
#ifndef EXPRESSION_HPP
#define EXPRESSION_HPP

#include <cstdint>

class State;  // variables and arrays; to be written

class Expression {
 public:
  virtual ~Expression() = default;
  virtual std::int64_t evaluate(State& state) const = 0;
};

#endif  // EXPRESSION_HPP
