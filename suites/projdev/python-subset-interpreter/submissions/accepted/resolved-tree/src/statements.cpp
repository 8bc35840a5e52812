// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
#include "statements.hpp"

#include "expressions.hpp"

void Target::set(Frame& frame, const Value& value) const {
  if (!unpacks) {
    variable(frame, places[0]) = value;
    return;
  }
  const Values elements = elements_of(value);
  if (elements.size() != places.size()) fail("wrong value");
  for (std::size_t i = 0; i < places.size(); ++i) variable(frame, places[i]) = elements[i];
}

Flow Block::run(Frame& frame) const {
  std::size_t at = 0;
  try {
    for (; at < statements_.size(); ++at) {
      const Flow flow = statements_[at]->run(frame);
      if (flow != Flow::next) return flow;
    }
  } catch (Failure& failure) {
    if (failure.line == 0) failure.line = statements_[at]->line();
    throw;
  }
  return Flow::next;
}

Flow Evaluate::run(Frame& frame) const {
  value_->evaluate(frame);
  return Flow::next;
}

Flow Assign::run(Frame& frame) const {
  const Value value = value_->evaluate(frame);
  for (const Target& target : targets_) target.set(frame, value);
  return Flow::next;
}

Flow If::run(Frame& frame) const {
  if (is_true(condition_->evaluate(frame))) return yes_->run(frame);
  return no_ == nullptr ? Flow::next : no_->run(frame);
}

Flow While::run(Frame& frame) const {
  while (is_true(condition_->evaluate(frame))) {
    const Flow flow = body_->run(frame);
    if (flow == Flow::break_loop) break;
    if (flow == Flow::return_value) return flow;
  }
  return Flow::next;
}

Flow For::run(Frame& frame) const {
  Iterator each(sequence_->evaluate(frame));
  while (auto value = each.next()) {
    target_.set(frame, *value);
    const Flow flow = body_->run(frame);
    if (flow == Flow::break_loop) break;
    if (flow == Flow::return_value) return flow;
  }
  return Flow::next;
}

Flow Return::run(Frame& frame) const {
  frame.result = value_ == nullptr ? Value::none() : value_->evaluate(frame);
  return Flow::return_value;
}
