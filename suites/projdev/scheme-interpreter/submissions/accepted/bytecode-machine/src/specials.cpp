// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// Special forms that bind variables, choose, loop and handle errors.
#include "compiler.hpp"
#include "forms.hpp"

const std::unordered_map<const Symbol*, Compiler::Special>& Compiler::specials() {
  static const std::unordered_map<const Symbol*, Special> table = {
      {heap.symbol("quote"), &Compiler::quote},
      {heap.symbol("if"), &Compiler::if_},
      {heap.symbol("define"), &Compiler::define},
      {heap.symbol("set!"), &Compiler::set},
      {heap.symbol("lambda"), &Compiler::lambda},
      {heap.symbol("begin"), &Compiler::begin},
      {heap.symbol("let"), &Compiler::let},
      {heap.symbol("let*"), &Compiler::let_star},
      {heap.symbol("letrec"), &Compiler::letrec},
      {heap.symbol("cond"), &Compiler::cond},
      {heap.symbol("case"), &Compiler::case_},
      {heap.symbol("and"), &Compiler::and_},
      {heap.symbol("or"), &Compiler::or_},
      {heap.symbol("when"), &Compiler::when},
      {heap.symbol("unless"), &Compiler::unless},
      {heap.symbol("do"), &Compiler::do_},
      {heap.symbol("delay"), &Compiler::delay},
      {heap.symbol("quasiquote"), &Compiler::quasiquote},
      {heap.symbol("guard"), &Compiler::guard},
  };
  return table;
}

namespace {

struct Bindings {
  std::vector<Symbol*> names;
  std::vector<Value> values;
};

Bindings bindings(Value list) {
  Bindings found;
  size_of(list);
  for (; list.is(Tag::pair); list = list.pair().tail) {
    require(size_of(list.pair().head) == 2);
    found.names.push_back(name_of(head(list.pair().head)));
    found.values.push_back(second(list.pair().head));
  }
  return found;
}

Value listed(const std::vector<Value>& items) {
  Value list = Value::nil();
  for (std::size_t i = items.size(); i-- > 0;) list = heap.pair(items[i], list);
  return list;
}

}  // namespace

void Compiler::let(Value list, const Scope* scope, bool tail) {
  if (second(list).is(Tag::symbol)) {
    named_let(list, scope, tail);
    return;
  }
  Bindings bound = bindings(second(list));
  for (Value value : bound.values) form(value, scope, false);
  in_frame(bound.names, tail_of(tail_of(list)), scope, tail);
}

// ((letrec ((name (lambda names body...))) name) values...)
void Compiler::named_let(Value list, const Scope* scope, bool tail) {
  Bindings bound = bindings(third(list));
  std::vector<Value> names(bound.names.size());
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = Value::of(bound.names[i]);
  Value procedure = heap.pair(word("lambda"), heap.pair(listed(names), tail_of(tail_of(tail_of(list)))));
  Value name = second(list);
  Value made = list_of(word("letrec"), list_of(list_of(name, procedure)), name);
  form(heap.pair(made, listed(bound.values)), scope, tail);
}

void Compiler::let_star(Value list, const Scope* scope, bool tail) {
  Value bound = second(list);
  bindings(bound);
  if (bound.is(Tag::nil) || bound.pair().tail.is(Tag::nil)) {
    form(heap.pair(word("let"), tail_of(list)), scope, tail);
    return;
  }
  Value inner = heap.pair(word("let*"), heap.pair(bound.pair().tail, tail_of(tail_of(list))));
  form(list_of(word("let"), list_of(bound.pair().head), inner), scope, tail);
}

void Compiler::letrec(Value list, const Scope* scope, bool tail) {
  Bindings bound = bindings(second(list));
  Scope inner{bound.names, scope};
  emit(Op::push_frame, 0, bound.names.size());
  for (std::size_t i = 0; i < bound.names.size(); ++i) {
    form(bound.values[i], &inner, false);
    emit(Op::set_local, 0, i);
  }
  body(tail_of(tail_of(list)), &inner, tail);
  if (!tail) emit(Op::pop_frame);
}

void Compiler::cond(Value list, const Scope* scope, bool tail) {
  require(size_of(list) >= 2);
  clauses(tail_of(list), scope, tail, false);
}

// Without a clause that holds: the value is unspecified, or slot 0 of the frame is raised again.
void Compiler::clauses(Value rest, const Scope* scope, bool tail, bool reraise) {
  std::vector<std::size_t> ends;
  bool complete = false;
  for (; rest.is(Tag::pair) && !complete; rest = rest.pair().tail) {
    Value clause = rest.pair().head;
    std::size_t size = size_of(clause);
    require(size >= 1);
    if (is_word(head(clause), "else")) {
      sequence(tail_of(clause), scope, tail);
      complete = true;
    } else if (size == 1) {
      form(head(clause), scope, false);
      ends.push_back(emit(Op::keep_true));
    } else {
      form(head(clause), scope, false);
      std::size_t next = emit(Op::jump_false);
      sequence(tail_of(clause), scope, tail);
      ends.push_back(emit(Op::jump));
      land(next);
    }
  }
  if (!complete && reraise) {
    emit(Op::local, 0, 0);
    emit(Op::raise);
  } else if (!complete) {
    unspecified();
  }
  for (std::size_t end : ends) land(end);
  if (tail) emit(Op::return_);
}

// (let ((%key key)) (cond ((%memv %key '(datum...)) body...)...)); programs cannot write %
void Compiler::case_(Value list, const Scope* scope, bool tail) {
  require(size_of(list) >= 3);
  std::vector<Value> made = {word("cond")};
  for (Value rest = tail_of(tail_of(list)); rest.is(Tag::pair); rest = rest.pair().tail) {
    Value clause = rest.pair().head;
    require(size_of(clause) >= 2);
    Value test = head(clause);
    if (!is_word(test, "else")) {
      size_of(test);
      test = list_of(word("%memq"), word("%key"), list_of(word("quote"), test));
    }
    made.push_back(heap.pair(test, tail_of(clause)));
  }
  form(list_of(word("let"), list_of(list_of(word("%key"), second(list))), listed(made)), scope, tail);
}

void Compiler::and_(Value list, const Scope* scope, bool tail) {
  std::vector<std::size_t> ends;
  Value rest = tail_of(list);
  if (rest.is(Tag::nil)) constant(Value::boolean(true));
  for (; rest.is(Tag::pair); rest = rest.pair().tail) {
    bool last = rest.pair().tail.is(Tag::nil);
    form(rest.pair().head, scope, tail && last);
    if (!last) ends.push_back(emit(Op::keep_false));
  }
  for (std::size_t end : ends) land(end);
}

void Compiler::or_(Value list, const Scope* scope, bool tail) {
  std::vector<std::size_t> ends;
  Value rest = tail_of(list);
  if (rest.is(Tag::nil)) constant(Value::boolean(false));
  for (; rest.is(Tag::pair); rest = rest.pair().tail) {
    bool last = rest.pair().tail.is(Tag::nil);
    form(rest.pair().head, scope, tail && last);
    if (!last) ends.push_back(emit(Op::keep_true));
  }
  for (std::size_t end : ends) land(end);
}

void Compiler::when(Value list, const Scope* scope, bool tail) {
  require(size_of(list) >= 3);
  form(list_of(word("if"), second(list), heap.pair(word("begin"), tail_of(tail_of(list)))), scope, tail);
}

void Compiler::unless(Value list, const Scope* scope, bool tail) {
  require(size_of(list) >= 3);
  Value forms = heap.pair(word("begin"), tail_of(tail_of(list)));
  form(list_of(word("if"), second(list), list_of(word("quote"), Value()), forms), scope, tail);
}

// ((letrec ((%loop (lambda names (if test (begin result...) (begin body... (%loop steps...)))))) %loop) values...)
void Compiler::do_(Value list, const Scope* scope, bool tail) {
  require(size_of(list) >= 3);
  std::vector<Value> names, values, steps = {word("%loop")}, forms = {word("begin")};
  size_of(second(list));
  for (Value rest = second(list); rest.is(Tag::pair); rest = rest.pair().tail) {
    Value variable = rest.pair().head;
    std::size_t size = size_of(variable);
    require(size == 2 || size == 3);
    names.push_back(Value::of(name_of(head(variable))));
    values.push_back(second(variable));
    steps.push_back(size == 3 ? third(variable) : head(variable));
  }
  Value test = third(list);
  require(size_of(test) >= 1);
  Value results = list_of(word("quote"), Value());
  if (size_of(test) > 1) results = heap.pair(word("begin"), tail_of(test));
  for (Value rest = tail_of(tail_of(tail_of(list))); rest.is(Tag::pair); rest = rest.pair().tail) {
    forms.push_back(rest.pair().head);
  }
  forms.push_back(listed(steps));
  Value choice = list_of(word("if"), head(test), results, listed(forms));
  Value procedure = list_of(word("lambda"), listed(names), choice);
  Value made = list_of(word("letrec"), list_of(list_of(word("%loop"), procedure)), word("%loop"));
  form(heap.pair(made, listed(values)), scope, tail);
}

void Compiler::delay(Value list, const Scope* scope, bool) {
  require(size_of(list) == 2);
  procedure(Value::nil(), tail_of(list), scope);
  emit(Op::promise);
}

void Compiler::quasiquote(Value list, const Scope* scope, bool) {
  require(size_of(list) == 2);
  quasi(second(list), scope);
}

void Compiler::quasi(Value pattern, const Scope* scope) {
  if (!pattern.is(Tag::pair)) {
    constant(pattern);
    return;
  }
  Value first = pattern.pair().head;
  if (is_word(first, "unquote")) {
    require(size_of(pattern) == 2);
    form(second(pattern), scope, false);
    return;
  }
  bool splice = first.is(Tag::pair) && is_word(first.pair().head, "unquote-splicing");
  reference(heap.symbol(splice ? "%append" : "%cons"), scope, false);
  if (splice) {
    require(size_of(first) == 2);
    form(second(first), scope, false);
  } else {
    quasi(first, scope);
  }
  quasi(pattern.pair().tail, scope);
  emit(Op::call, 2);
}

// (guard (name clause...) body...)
void Compiler::guard(Value list, const Scope* scope, bool tail) {
  require(size_of(list) >= 3);
  Symbol* name = name_of(head(second(list)));
  require(size_of(second(list)) >= 2);
  std::size_t handler = emit(Op::push_guard);
  body(tail_of(tail_of(list)), scope, false);
  emit(Op::pop_guard);
  std::size_t end = emit(Op::jump);
  land(handler);
  Scope inner{{name}, scope};
  emit(Op::push_frame, 1, 1);
  clauses(tail_of(second(list)), &inner, false, true);
  emit(Op::pop_frame);
  land(end);
  if (tail) emit(Op::return_);
}
