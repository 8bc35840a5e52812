// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// Runs compiled code.
#ifndef MACHINE_HPP
#define MACHINE_HPP

#include <vector>

#include "code.hpp"
#include "heap.hpp"

class Machine {
 public:
  // The value of a form of the top level. Throws Raised if nothing in it handles what was raised.
  Value evaluate(Value form);

 private:
  // What a call returns to.
  struct Call {
    const Code* code;
    std::size_t at;
    Frame* frame;
  };
  // A handler of a guard, and what the stacks were when it was set.
  struct Guard {
    std::size_t values, calls, at;
    const Code* code;
    Frame* frame;
  };

  Value run();
  bool step(const Instruction& instruction);
  void apply(std::size_t count, bool tail);
  void enter(Closure& closure, std::size_t count, bool tail);
  void enter_code(const Code* code, Frame* frame, bool tail);
  void run_builtin(const Builtin& builtin, std::size_t count, bool tail);
  void spread(std::size_t count, bool tail);
  void call_with_continuation(bool tail);
  void resume(const Continuation& continuation, Value value);
  void handle(Value raised);
  void collect();
  Value pop() {
    Value value = values_.back();
    values_.pop_back();
    return value;
  }
  Frame* frame_at(std::uint32_t depth) {
    Frame* frame = frame_;
    for (; depth > 0; --depth) frame = frame->up;
    return frame;
  }

  std::vector<Value> values_;
  std::vector<Call> calls_;
  std::vector<Guard> guards_;
  // Registers: the next instruction of the present call, and its variables.
  const Code* code_ = nullptr;
  std::size_t at_ = 0;
  Frame* frame_ = nullptr;
};

#endif  // MACHINE_HPP
