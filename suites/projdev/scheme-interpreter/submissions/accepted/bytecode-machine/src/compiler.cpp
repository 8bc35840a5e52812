// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// The core of the compiler: variables, calls, procedures and bodies.
#include "compiler.hpp"

#include <deque>

#include "forms.hpp"

const Code* compile(Value form) {
  static std::deque<Code> all;
  Code& code = all.emplace_back();
  Compiler compiler(code);
  compiler.form(form, nullptr, true);
  compiler.finish();
  return &code;
}

std::size_t Compiler::emit(Op op, std::size_t a, std::size_t b) {
  code_.instructions.push_back({op, static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
  return code_.instructions.size() - 1;
}

// The jump goes to the next instruction.
void Compiler::land(std::size_t jump) {
  code_.instructions[jump].a = static_cast<std::uint32_t>(code_.instructions.size());
}

void Compiler::constant(Value value) {
  if (value.on_heap()) heap.keep(value);
  code_.constants.push_back(value);
  emit(Op::constant, code_.constants.size() - 1);
}

void Compiler::reference(Symbol* name, const Scope* scope, bool set) {
  for (std::size_t depth = 0; scope != nullptr; scope = scope->up, ++depth) {
    for (std::size_t slot = scope->names.size(); slot-- > 0;) {
      if (scope->names[slot] == name) {
        emit(set ? Op::set_local : Op::local, depth, slot);
        return;
      }
    }
  }
  code_.symbols.push_back(name);
  emit(set ? Op::set_global : Op::global, code_.symbols.size() - 1);
}

void Compiler::form(Value form, const Scope* scope, bool tail) {
  if (form.is(Tag::symbol)) {
    reference(form.symbol, scope, false);
  } else if (!form.is(Tag::pair)) {
    require(!form.is(Tag::nil));
    constant(form);
  } else {
    size_of(form);
    Value operation = form.pair().head;
    auto special = operation.is(Tag::symbol) ? specials().find(operation.symbol) : specials().end();
    if (special != specials().end()) {
      (this->*special->second)(form, scope, tail);
    } else {
      call(form, scope, tail);
    }
  }
}

void Compiler::call(Value list, const Scope* scope, bool tail) {
  std::size_t count = 0;
  form(list.pair().head, scope, false);
  for (Value rest = list.pair().tail; rest.is(Tag::pair); rest = rest.pair().tail) {
    form(rest.pair().head, scope, false);
    ++count;
  }
  emit(tail ? Op::tail_call : Op::call, count);
  if (tail) emit(Op::return_);
}

void Compiler::sequence(Value forms, const Scope* scope, bool tail) {
  require(forms.is(Tag::pair));
  for (; forms.pair().tail.is(Tag::pair); forms = forms.pair().tail) {
    form(forms.pair().head, scope, false);
    emit(Op::pop);
  }
  form(forms.pair().head, scope, tail);
}

namespace {

bool is_definition(Value form) { return form.is(Tag::pair) && is_word(form.pair().head, "define"); }

// The name that a definition defines.
Symbol* defined(Value form) {
  Value target = second(form);
  return name_of(target.is(Tag::pair) ? target.pair().head : target);
}

}  // namespace

// Definitions at the beginning of a body are variables of a frame of their own.
void Compiler::body(Value forms, const Scope* scope, bool tail) {
  require(size_of(forms) > 0);
  Scope inner{{}, scope};
  for (Value rest = forms; rest.is(Tag::pair) && is_definition(rest.pair().head); rest = rest.pair().tail) {
    inner.names.push_back(defined(rest.pair().head));
  }
  if (inner.names.empty()) {
    sequence(forms, scope, tail);
    return;
  }
  emit(Op::push_frame, 0, inner.names.size());
  sequence(forms, &inner, tail);
  if (!tail) emit(Op::pop_frame);
}

void Compiler::procedure(Value parameters, Value forms, const Scope* scope) {
  Scope inner{{}, scope};
  auto* made = new Code;
  for (; parameters.is(Tag::pair); parameters = parameters.pair().tail) {
    inner.names.push_back(name_of(parameters.pair().head));
  }
  made->parameters = static_cast<std::uint32_t>(inner.names.size());
  if (!parameters.is(Tag::nil)) {
    inner.names.push_back(name_of(parameters));
    made->rest = true;
  }
  Compiler compiler(*made);
  compiler.body(forms, &inner, true);
  compiler.finish();
  code_.codes.push_back(made);
  emit(Op::closure, code_.codes.size() - 1);
}

// The values of the names are on the stack; the forms see them in a new frame.
void Compiler::in_frame(const std::vector<Symbol*>& names, Value forms, const Scope* scope, bool tail) {
  Scope inner{names, scope};
  emit(Op::push_frame, names.size(), names.size());
  body(forms, &inner, tail);
  if (!tail) emit(Op::pop_frame);
}

void Compiler::quote(Value form, const Scope*, bool) {
  require(size_of(form) == 2);
  constant(second(form));
}

void Compiler::if_(Value list, const Scope* scope, bool tail) {
  std::size_t size = size_of(list);
  require(size == 3 || size == 4);
  form(second(list), scope, false);
  std::size_t otherwise = emit(Op::jump_false);
  form(third(list), scope, tail);
  std::size_t end = emit(tail ? Op::return_ : Op::jump);
  land(otherwise);
  if (size == 4) {
    form(third(tail_of(list)), scope, tail);
  } else {
    unspecified();
  }
  if (!tail) land(end);
}

void Compiler::define(Value list, const Scope* scope, bool) {
  Symbol* name = defined(list);
  if (second(list).is(Tag::pair)) {
    procedure(second(list).pair().tail, tail_of(tail_of(list)), scope);
  } else {
    require(size_of(list) == 3);
    form(third(list), scope, false);
  }
  if (scope != nullptr) {
    reference(name, scope, true);
  } else {
    code_.symbols.push_back(name);
    emit(Op::define_global, code_.symbols.size() - 1);
  }
  unspecified();
}

void Compiler::set(Value list, const Scope* scope, bool) {
  require(size_of(list) == 3);
  Symbol* name = name_of(second(list));
  form(third(list), scope, false);
  reference(name, scope, true);
  unspecified();
}

void Compiler::lambda(Value list, const Scope* scope, bool) {
  require(size_of(list) >= 3);
  procedure(second(list), tail_of(tail_of(list)), scope);
}

void Compiler::begin(Value list, const Scope* scope, bool tail) { sequence(tail_of(list), scope, tail); }
