// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
// Functions, and what calls give them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "value.hpp"

class Block;
class Output;

// A variable that functions share.
struct Cell : Object {
  Value value;
};

// Where a variable is found.
struct Place {
  enum class Kind {
    local,     // in the frame
    cell,      // made by the frame, because functions inside of it use the variable
    captured,  // a cell of the function that is running
    global
  };
  Kind kind;
  std::size_t index;
};

// What all functions of one `def`, `lambda` or default have in common.
struct FunctionCode {
  std::string name;
  std::vector<std::string> parameters;     // they are the first locals
  std::size_t locals = 0;
  std::size_t cells = 0;
  std::vector<std::pair<std::size_t, std::size_t>> shared_parameters;  // (local, cell)
  std::vector<Place> captured;             // of the frame in which the function is made
  std::vector<std::shared_ptr<const FunctionCode>> defaults;           // null: the parameter has none
  std::unique_ptr<const Block> body;

  FunctionCode();
  FunctionCode(FunctionCode&&) = delete;
  ~FunctionCode();
};

class Function : public Object {
 public:
  explicit Function(std::shared_ptr<const FunctionCode> made_from) : code(std::move(made_from)) {}
  std::shared_ptr<const FunctionCode> code;
  std::vector<Ref<Cell>> captured;
  std::vector<Ref<Function>> defaults;     // evaluated by each call that needs them
};

struct Arguments {
  Values values;
  std::vector<std::pair<std::string, Value>> named;
};

// Everything that a running program has.
struct Machine {
  explicit Machine(Output& screen) : output(screen) {}
  Output& output;
  Values globals;
  int calls = 0;  // that are running
};

// A call that runs, or the program outside of functions.
struct Frame {
  Machine& machine;
  Values locals = {};
  std::vector<Ref<Cell>> cells = {};
  const Function* function = nullptr;
  Value result = {};
};

class Builtin : public Object {
 public:
  using Body = Value (*)(Machine&, Arguments&);
  Builtin(std::string its_name, Body its_body) : name(std::move(its_name)), body(its_body) {}
  std::string name;
  Body body;
};

Value call(Machine& machine, const Value& callee, Arguments& arguments);
