// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
#include "expressions.hpp"

#include "sequences.hpp"

namespace {

Ref<Cell> shared(Frame& frame, Place place) {
  return place.kind == Place::Kind::cell ? frame.cells[place.index] : frame.function->captured[place.index];
}

Ref<Function> made(Frame& frame, const std::shared_ptr<const FunctionCode>& code) {
  Ref<Function> function(new Function(code));
  for (Place place : code->captured) function->captured.push_back(shared(frame, place));
  for (const auto& value : code->defaults) function->defaults.push_back(value == nullptr ? Ref<Function>() : made(frame, value));
  return function;
}

Value evaluated(const ExpressionPtr& expression, Frame& frame) {
  return expression == nullptr ? Value() : expression->evaluate(frame);
}

}  // namespace

Value& variable(Frame& frame, Place place) {
  switch (place.kind) {
    case Place::Kind::local: return frame.locals[place.index];
    case Place::Kind::cell: return frame.cells[place.index]->value;
    case Place::Kind::captured: return frame.function->captured[place.index]->value;
    default: return frame.machine.globals[place.index];
  }
}

Value Variable::evaluate(Frame& frame) const {
  const Value& value = variable(frame, place_);
  if (value.is(Type::unset)) throw Failure{"undefined name " + name_};
  return value;
}

Value TupleOf::evaluate(Frame& frame) const {
  Values values;
  values.reserve(elements_.size());
  for (const ExpressionPtr& element : elements_) values.push_back(element->evaluate(frame));
  return Value::tuple(std::move(values));
}

Value Sign::evaluate(Frame& frame) const {
  Value value = operand_->evaluate(frame);
  if (!value.is_number()) fail("wrong type");
  return minus_ ? negative(value) : value;
}

Value Binary::evaluate(Frame& frame) const {
  const Value left = left_->evaluate(frame);
  return apply(operation_, left, right_->evaluate(frame));
}

Value Chain::evaluate(Frame& frame) const {
  Value left = operands_[0]->evaluate(frame);
  for (std::size_t i = 0; i < comparisons_.size(); ++i) {
    Value right = operands_[i + 1]->evaluate(frame);
    if (!compare(comparisons_[i], left, right)) return Value::truth(false);
    left = std::move(right);
  }
  return Value::truth(true);
}

Value Either::evaluate(Frame& frame) const {
  Value left = left_->evaluate(frame);
  return is_true(left) == decides_ ? left : right_->evaluate(frame);
}

Value Not::evaluate(Frame& frame) const { return Value::truth(!is_true(operand_->evaluate(frame))); }

Value Conditional::evaluate(Frame& frame) const {
  return (is_true(condition_->evaluate(frame)) ? yes_ : no_)->evaluate(frame);
}

Value Call::evaluate(Frame& frame) const {
  const Value callee = callee_->evaluate(frame);
  Arguments arguments;
  arguments.values.reserve(callee.is(Type::function) ? callee.function().code->locals : arguments_.size());
  for (const auto& [name, value] : arguments_) {
    if (name.empty()) {
      arguments.values.push_back(value->evaluate(frame));
    } else {
      arguments.named.emplace_back(name, value->evaluate(frame));
    }
  }
  return call(frame.machine, callee, arguments);
}

Value MethodCall::evaluate(Frame& frame) const {
  const Value object = object_->evaluate(frame);
  Values values;
  for (const ExpressionPtr& argument : arguments_) values.push_back(argument->evaluate(frame));
  return call_method(object, name_, values);
}

Value Element::evaluate(Frame& frame) const {
  const Value sequence = sequence_->evaluate(frame);
  return element(sequence, index_->evaluate(frame));
}

Value Slice::evaluate(Frame& frame) const {
  const Value sequence = sequence_->evaluate(frame);
  const Value start = evaluated(start_, frame);
  const Value stop = evaluated(stop_, frame);
  return slice(sequence, start, stop, evaluated(step_, frame));
}

Value MakeFunction::evaluate(Frame& frame) const { return Value::of(Type::function, made(frame, code_).get()); }
