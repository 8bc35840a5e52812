// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
#include "machine.hpp"

Value Machine::evaluate(Value form) {
  values_.clear();
  calls_.clear();
  guards_.clear();
  code_ = nullptr;
  frame_ = nullptr;
  enter_code(compile(form), nullptr, false);
  for (;;) {
    try {
      return run();
    } catch (const Raised& raised) {
      handle(raised.value);
    }
  }
}

Value Machine::run() {
  while (step(code_->instructions[at_++])) {
  }
  return pop();
}

void Machine::handle(Value raised) {
  if (guards_.empty()) throw Raised{raised};
  Guard guard = guards_.back();
  guards_.pop_back();
  values_.resize(guard.values);
  calls_.resize(guard.calls);
  code_ = guard.code;
  at_ = guard.at;
  frame_ = guard.frame;
  values_.push_back(raised);
}

// One instruction. False: the form of the top level has its value.
bool Machine::step(const Instruction& instruction) {
  const auto [op, a, b] = instruction;
  switch (op) {
    case Op::constant: values_.push_back(code_->constants[a]); break;
    case Op::local: values_.push_back(frame_at(a)->slots()[b]); break;
    case Op::global: {
      const Symbol& symbol = *code_->symbols[a];
      if (!symbol.bound) fail("unbound variable " + symbol.name);
      values_.push_back(symbol.value);
      break;
    }
    case Op::set_local: frame_at(a)->slots()[b] = pop(); break;
    case Op::set_global: {
      Symbol& symbol = *code_->symbols[a];
      if (!symbol.bound) fail("unbound variable " + symbol.name);
      symbol.value = pop();
      break;
    }
    case Op::define_global:
      code_->symbols[a]->value = pop();
      code_->symbols[a]->bound = true;
      break;
    case Op::pop: values_.pop_back(); break;
    case Op::jump: at_ = a; break;
    case Op::jump_false:
      if (pop().is_false()) at_ = a;
      break;
    case Op::keep_false:
    case Op::keep_true:
      if (values_.back().is_false() == (op == Op::keep_false)) {
        at_ = a;
      } else {
        values_.pop_back();
      }
      break;
    case Op::closure: values_.push_back(heap.closure(code_->codes[a], frame_)); break;
    case Op::promise: values_.back() = heap.promise(values_.back()); break;
    case Op::call: apply(a, false); break;
    case Op::tail_call: apply(a, true); break;  // a built-in procedure goes on with the return that follows
    case Op::return_: {
      Call call = calls_.back();
      calls_.pop_back();
      code_ = call.code;
      at_ = call.at;
      frame_ = call.frame;
      return code_ != nullptr;
    }
    case Op::push_frame: {
      frame_ = heap.frame(frame_, b);
      for (std::uint32_t i = 0; i < b; ++i) frame_->slots()[i] = i < a ? values_[values_.size() - a + i] : Value();
      values_.resize(values_.size() - a);
      break;
    }
    case Op::pop_frame: frame_ = frame_->up; break;
    case Op::push_guard: guards_.push_back({values_.size(), calls_.size(), a, code_, frame_}); break;
    case Op::pop_guard: guards_.pop_back(); break;
    case Op::raise: throw Raised{pop()};
  }
  return true;
}

// The procedure and its arguments are on top of the stack.
void Machine::apply(std::size_t count, bool tail) {
  Value procedure = values_[values_.size() - count - 1];
  switch (procedure.tag) {
    case Tag::closure: enter(procedure.closure(), count, tail); break;
    case Tag::builtin: run_builtin(*procedure.builtin, count, tail); break;
    case Tag::continuation:
      if (count != 1) fail("wrong number of arguments");
      resume(procedure.continuation(), pop());
      break;
    default: fail("not a procedure");
  }
}

void Machine::enter(Closure& closure, std::size_t count, bool tail) {
  const Code& code = *closure.code;
  if (count < code.parameters || (count > code.parameters && !code.rest)) fail("wrong number of arguments");
  if (heap.is_due()) collect();
  Frame* frame = heap.frame(closure.frame, code.parameters + (code.rest ? 1 : 0));
  const Value* arguments = values_.data() + values_.size() - count;
  for (std::uint32_t i = 0; i < code.parameters; ++i) frame->slots()[i] = arguments[i];
  if (code.rest) {
    Value rest = Value::nil();
    for (std::size_t i = count; i > code.parameters; --i) rest = heap.pair(arguments[i - 1], rest);
    frame->slots()[code.parameters] = rest;
  }
  values_.resize(values_.size() - count - 1);
  enter_code(&code, frame, tail);
}

void Machine::enter_code(const Code* code, Frame* frame, bool tail) {
  if (!tail) calls_.push_back({code_, at_, frame_});
  code_ = code;
  at_ = 0;
  frame_ = frame;
}

void Machine::run_builtin(const Builtin& builtin, std::size_t count, bool tail) {
  if (static_cast<int>(count) < builtin.least || (builtin.most >= 0 && static_cast<int>(count) > builtin.most)) {
    fail("wrong number of arguments");
  }
  switch (builtin.role) {
    case Builtin::Role::apply: spread(count, tail); return;
    case Builtin::Role::call_cc: call_with_continuation(tail); return;
    case Builtin::Role::eval: {
      const Code* code = compile(pop());
      values_.pop_back();
      enter_code(code, nullptr, tail);
      return;
    }
    case Builtin::Role::plain: break;
  }
  if (heap.is_due()) collect();
  Value result = builtin.run(values_.data() + values_.size() - count, static_cast<int>(count));
  values_.resize(values_.size() - count);
  values_.back() = result;
}

// (apply f a b '(c d)): the arguments take their places on the stack.
void Machine::spread(std::size_t count, bool tail) {
  Value list = pop();
  // apply itself goes; f and the arguments before the list move down.
  values_.erase(values_.end() - static_cast<std::ptrdiff_t>(count));
  std::size_t given = count - 2;
  for (; list.is(Tag::pair); list = list.pair().tail, ++given) values_.push_back(list.pair().head);
  if (!list.is(Tag::nil)) fail("wrong type");
  apply(given, tail);
}

void Machine::call_with_continuation(bool tail) {
  Value procedure = pop();
  values_.pop_back();
  Continuation* made = heap.continuation();
  made->values = values_.size();
  made->calls = calls_.size();
  made->guards = guards_.size();
  made->at = at_;
  made->code = code_;
  made->frame = frame_;
  values_.push_back(procedure);
  values_.push_back(Value::of(Tag::continuation, made));
  apply(1, tail);
}

void Machine::resume(const Continuation& continuation, Value value) {
  values_.resize(continuation.values);
  calls_.resize(continuation.calls);
  guards_.resize(continuation.guards);
  code_ = continuation.code;
  at_ = continuation.at;
  frame_ = continuation.frame;
  values_.push_back(value);
}

void Machine::collect() {
  for (Value value : values_) heap.mark(value);
  for (const Call& call : calls_) heap.mark(call.frame);
  for (const Guard& guard : guards_) heap.mark(guard.frame);
  heap.mark(frame_);
  heap.sweep();
}
