// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
#include "function.hpp"

#include <algorithm>

#include "code.hpp"

namespace {

constexpr int kMostCalls = 3000;

// The values of the parameters; those that are missing are unset.
Values bound(const FunctionCode& code, Arguments& arguments) {
  Values locals = std::move(arguments.values);
  if (locals.size() > code.parameters.size()) fail("wrong arguments");
  locals.resize(code.locals);
  for (auto& [name, value] : arguments.named) {
    const auto found = std::find(code.parameters.begin(), code.parameters.end(), name);
    if (found == code.parameters.end()) fail("wrong arguments");
    Value& place = locals[static_cast<std::size_t>(found - code.parameters.begin())];
    if (!place.is(Type::unset)) fail("wrong arguments");
    place = std::move(value);
  }
  for (std::size_t i = 0; i < code.parameters.size(); ++i) {
    if (locals[i].is(Type::unset) && code.defaults[i] == nullptr) fail("wrong arguments");
  }
  return locals;
}

Value run(Machine& machine, const Function& function, Values locals) {
  const FunctionCode& code = *function.code;
  Frame frame{machine, std::move(locals), {}, &function};
  frame.cells.reserve(code.cells);
  for (std::size_t i = 0; i < code.cells; ++i) frame.cells.emplace_back(new Cell);
  for (auto [local, cell] : code.shared_parameters) frame.cells[cell]->value = std::move(frame.locals[local]);
  code.body->run(frame);
  return frame.result.is(Type::unset) ? Value::none() : std::move(frame.result);
}

class CountedCall {
 public:
  explicit CountedCall(Machine& machine) : machine_(machine) {
    if (machine_.calls == kMostCalls) fail("too many calls");
    ++machine_.calls;
  }
  CountedCall(const CountedCall&) = delete;
  CountedCall& operator=(const CountedCall&) = delete;
  ~CountedCall() { --machine_.calls; }

 private:
  Machine& machine_;
};

}  // namespace

FunctionCode::FunctionCode() = default;
FunctionCode::~FunctionCode() = default;

Value call(Machine& machine, const Value& callee, Arguments& arguments) {
  if (callee.is(Type::builtin)) return callee.builtin().body(machine, arguments);
  if (!callee.is(Type::function)) fail("wrong type");
  const Ref<Function> function(&callee.function());  // the variable that holds it may change during the call
  Values locals = bound(*function->code, arguments);
  const CountedCall counted(machine);
  for (std::size_t i = 0; i < function->code->parameters.size(); ++i) {
    if (locals[i].is(Type::unset)) {
      const Function& missing = *function->defaults[i];
      locals[i] = run(machine, missing, Values(missing.code->locals));
    }
  }
  return run(machine, *function, std::move(locals));
}
