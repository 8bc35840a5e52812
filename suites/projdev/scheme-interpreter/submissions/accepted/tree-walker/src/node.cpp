// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// Nodes of the tree, and calls.
#include "nodes.hpp"

#include <alloca.h>

namespace {

// The call that was put off.
const Node* next_body;
Value next_variables;

Value bind(const Lambda& lambda, Value variables, const Value* arguments, int count) {
  if (count < lambda.parameters || (count > lambda.parameters && !lambda.rest)) fail("wrong number of arguments");
  for (int i = 0; i < lambda.parameters; ++i) variables = cons(arguments[i], variables);
  if (lambda.rest) {
    Value rest = kEmpty;
    for (int i = count; i-- > lambda.parameters;) rest = cons(arguments[i], rest);
    variables = cons(rest, variables);
  }
  return variables;
}

// Calls, or puts off the call of a closure.
Value begin_call(Value procedure, Value* arguments, int count) {
  switch (procedure.type) {
    case Type::closure: {
      const auto& lambda = *static_cast<const Lambda*>(procedure.cell->first.code);
      next_variables = bind(lambda, procedure.cell->second, arguments, count);
      next_body = lambda.body;
      return Value(Type::tail);
    }
    case Type::builtin: {
      const Builtin& builtin = *procedure.builtin;
      if (count < builtin.least || (builtin.most >= 0 && count > builtin.most)) fail("wrong number of arguments");
      return builtin.run(arguments, count);
    }
    case Type::continuation:
      if (count != 1) fail("wrong number of arguments");
      throw Escape{procedure.cell, arguments[0]};
    default: fail("not a procedure");
  }
}

Value finish(Value value) {
  while (value.type == Type::tail) {
    Value variables = next_variables;
    value = next_body->evaluate(variables);
  }
  return value;
}

Value& slot(Value variables, int distance) {
  while (distance-- > 0) variables = variables.cell->second;
  return variables.cell->first;
}

}  // namespace

Value run(const Node* node, Value variables) { return finish(node->evaluate(variables)); }
Value call(Value procedure, Value* arguments, int count) { return finish(begin_call(procedure, arguments, count)); }

Value Constant::evaluate(Value) const { return value; }
Value Local::evaluate(Value variables) const { return slot(variables, distance); }

Value Global::evaluate(Value) const {
  if (!name->bound) fail("unbound variable " + name->text);
  return name->value;
}

Value SetLocal::evaluate(Value variables) const {
  Value found = run(value, variables);
  slot(variables, distance) = found;
  return kNone;
}

Value SetGlobal::evaluate(Value variables) const {
  Value found = run(value, variables);
  if (!define && !name->bound) fail("unbound variable " + name->text);
  name->value = found;
  name->bound = true;
  return kNone;
}

Value If::evaluate(Value variables) const {
  return (run(test, variables).truth() ? then : otherwise)->evaluate(variables);
}

Value Either::evaluate(Value variables) const {
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    Value value = run(parts[i], variables);
    if (value.truth() == until) return value;
  }
  return parts.back()->evaluate(variables);
}

Value Sequence::evaluate(Value variables) const {
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) run(parts[i], variables);
  return parts.back()->evaluate(variables);
}

Value Lambda::evaluate(Value variables) const {
  Value code(Type::lambda);
  code.code = this;
  return make(Type::closure, code, variables);
}

Value Let::evaluate(Value variables) const {
  Value inner = variables;
  for (const Node* value : values) inner = cons(value == nullptr ? kNone : run(value, variables), inner);
  return body->evaluate(inner);
}

Value Delay::evaluate(Value variables) const { return make(Type::promise, kFalse, procedure->evaluate(variables)); }

Value Call::evaluate(Value variables) const {
  Value procedure = run(operation, variables);
  int count = static_cast<int>(operands.size());
  auto* arguments = static_cast<Value*>(alloca(sizeof(Value) * (operands.size() + 1)));
  for (int i = 0; i < count; ++i) arguments[i] = run(operands[static_cast<std::size_t>(i)], variables);
  return begin_call(procedure, arguments, count);
}

// The clauses are evaluated outside of catch: what they raise is for the next guard.
Value Guard::evaluate(Value variables) const {
  Value raised;
  try {
    return run(body, variables);
  } catch (const Raised& caught) {
    raised = caught.value;
  }
  return clauses->evaluate(cons(raised, variables));
}

Value Reraise::evaluate(Value variables) const { throw Raised{slot(variables, 0)}; }
