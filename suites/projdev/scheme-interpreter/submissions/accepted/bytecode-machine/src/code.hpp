// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// Instructions of the machine, and the compiler that makes them from data.
#ifndef CODE_HPP
#define CODE_HPP

#include <vector>

#include "value.hpp"

enum class Op : std::uint8_t {
  constant,        // push constants[a]
  local,           // push slot b of the a-th frame outwards
  global,          // push the value of symbol a
  set_local,       // pop into slot b of the a-th frame outwards
  set_global,      // pop into symbol a, which must be bound
  define_global,   // pop into symbol a
  pop,
  jump,            // to a
  jump_false,      // pop; to a if it is #f
  keep_false,      // to a if the top is #f; otherwise pop
  keep_true,       // to a if the top is not #f; otherwise pop
  closure,         // push a procedure of codes[a]
  promise,         // wrap the procedure on top into a promise
  call,            // a arguments above the procedure
  tail_call,       // the same in place of the present call
  return_,
  push_frame,      // a new frame with b slots, the first a of which are popped
  pop_frame,
  push_guard,      // a handler at a
  pop_guard,
  raise            // pop, and raise it
};

struct Instruction {
  Op op;
  std::uint32_t a = 0, b = 0;
};

// A procedure's instructions. Lives as long as the program.
struct Code {
  std::vector<Instruction> instructions;
  std::vector<Value> constants;
  std::vector<Symbol*> symbols;
  std::vector<const Code*> codes;
  std::uint32_t parameters = 0;
  bool rest = false;
};

// Compiles a form of the top level. Raises the condition "bad syntax" before anything of the form has been evaluated.
const Code* compile(Value form);

#endif  // CODE_HPP
