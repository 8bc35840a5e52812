// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// Symbols, strings, vectors, promises, errors, output, and procedures that the machine runs itself.
#include <algorithm>
#include <cstdio>

#include "builtins.hpp"
#include "heap.hpp"
#include "text.hpp"

Output output;

void Output::write(const std::string& text) {
  if (text.empty()) return;
  waiting_ += text;
  in_line_ = text.back() != '\n';
  if (waiting_.size() > 1 << 16) flush();
}

void Output::fresh_line() {
  if (in_line_) write("\n");
}

void Output::flush() {
  std::fwrite(waiting_.data(), 1, waiting_.size(), stdout);
  std::fflush(stdout);
  waiting_.clear();
}

namespace {

Value truth(bool holds) { return Value::boolean(holds); }

Value not_(Value* arguments, int) { return truth(arguments[0].is_false()); }
Value same(Value* arguments, int) { return truth(is_same(arguments[0], arguments[1])); }
Value equal(Value* arguments, int) { return truth(is_equal(arguments[0], arguments[1])); }
Value is_number(Value* arguments, int) { return truth(arguments[0].is(Tag::integer)); }
Value is_boolean(Value* arguments, int) { return truth(arguments[0].is(Tag::boolean)); }
Value is_symbol(Value* arguments, int) { return truth(arguments[0].is(Tag::symbol)); }
Value is_string(Value* arguments, int) { return truth(arguments[0].is(Tag::string)); }
Value is_vector(Value* arguments, int) { return truth(arguments[0].is(Tag::vector)); }
Value procedure(Value* arguments, int) { return truth(is_procedure(arguments[0])); }
Value is_promise(Value* arguments, int) { return truth(arguments[0].is(Tag::promise)); }
Value is_condition(Value* arguments, int) { return truth(arguments[0].is(Tag::condition)); }

Value symbol_to_string(Value* arguments, int) {
  need(arguments[0].is(Tag::symbol));
  return heap.text(arguments[0].symbol->name);
}
Value string_to_symbol(Value* arguments, int) { return Value::of(heap.symbol(characters(arguments[0]))); }
Value string_length(Value* arguments, int) {
  return Value::integer(static_cast<std::int64_t>(characters(arguments[0]).size()));
}

Value string_append(Value* arguments, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += characters(arguments[i]);
  return heap.text(all);
}

// Checks 0 <= index <= size.
std::size_t index(Value value, std::size_t size) {
  std::int64_t number = integer(value);
  if (number < 0 || static_cast<std::size_t>(number) > size) fail("out of range");
  return static_cast<std::size_t>(number);
}

Value substring(Value* arguments, int) {
  const std::string& text = characters(arguments[0]);
  need(arguments[1].is(Tag::integer) && arguments[2].is(Tag::integer));
  std::size_t from = index(arguments[1], text.size()), to = index(arguments[2], text.size());
  if (from > to) fail("out of range");
  return heap.text(text.substr(from, to - from));
}

Value string_same(Value* arguments, int) { return truth(characters(arguments[0]) == characters(arguments[1])); }
Value string_less(Value* arguments, int) { return truth(characters(arguments[0]) < characters(arguments[1])); }

std::vector<Value>& items(Value value) {
  need(value.is(Tag::vector));
  return value.vector().items;
}

Value& slot(Value* arguments) {
  std::vector<Value>& all = items(arguments[0]);
  need(arguments[1].is(Tag::integer));
  if (all.empty()) fail("out of range");
  return all[index(arguments[1], all.size() - 1)];
}

Value make_vector(Value* arguments, int count) {
  std::int64_t size = integer(arguments[0]);
  if (size < 0) fail("out of range");
  return heap.vector(std::vector<Value>(static_cast<std::size_t>(size), count == 2 ? arguments[1] : Value::integer(0)));
}

Value vector(Value* arguments, int count) { return heap.vector({arguments, arguments + count}); }
Value vector_length(Value* arguments, int) {
  return Value::integer(static_cast<std::int64_t>(items(arguments[0]).size()));
}
Value vector_ref(Value* arguments, int) { return slot(arguments); }

Value vector_set(Value* arguments, int) {
  slot(arguments) = arguments[2];
  return Value();
}

Value vector_fill(Value* arguments, int) {
  std::fill(items(arguments[0]).begin(), items(arguments[0]).end(), arguments[1]);
  return Value();
}

Value vector_to_list(Value* arguments, int) {
  const std::vector<Value>& all = items(arguments[0]);
  Value made = Value::nil();
  for (std::size_t i = all.size(); i-- > 0;) made = heap.pair(all[i], made);
  return made;
}
Value list_to_vector(Value* arguments, int) { return heap.vector(elements(arguments[0])); }

Value is_known(Value* arguments, int) { return truth(arguments[0].promise().known); }
Value promise_value(Value* arguments, int) { return arguments[0].promise().value; }

// What was found out first stays.
Value keep_promise(Value* arguments, int) {
  Promise& promise = arguments[0].promise();
  if (!promise.known) promise.value = arguments[1];
  promise.known = true;
  return promise.value;
}

Value raise(Value* arguments, int) { throw Raised{arguments[0]}; }

Value error(Value* arguments, int count) {
  std::string message = characters(arguments[0]);
  Value irritants = Value::nil();
  for (int i = count; i-- > 1;) irritants = heap.pair(arguments[i], irritants);
  throw Raised{heap.condition(message, irritants)};
}

Value message(Value* arguments, int) {
  need(arguments[0].is(Tag::condition));
  return heap.text(arguments[0].condition().message);
}

Value irritants(Value* arguments, int) {
  need(arguments[0].is(Tag::condition));
  return arguments[0].condition().irritants;
}

Value display(Value* arguments, int) {
  output.write(to_text(arguments[0], false));
  return Value();
}

Value write(Value* arguments, int) {
  output.write(to_text(arguments[0], true));
  return Value();
}

Value newline(Value*, int) {
  output.write("\n");
  return Value();
}

Value leave(Value*, int) { throw Exit(); }

Builtin table[] = {
    {"not", not_, 1, 1},
    {"eq?", same, 2, 2},
    {"eqv?", same, 2, 2},
    {"equal?", equal, 2, 2},
    {"number?", is_number, 1, 1},
    {"integer?", is_number, 1, 1},
    {"boolean?", is_boolean, 1, 1},
    {"symbol?", is_symbol, 1, 1},
    {"string?", is_string, 1, 1},
    {"vector?", is_vector, 1, 1},
    {"procedure?", procedure, 1, 1},
    {"symbol->string", symbol_to_string, 1, 1},
    {"string->symbol", string_to_symbol, 1, 1},
    {"string-length", string_length, 1, 1},
    {"string-append", string_append, 0, -1},
    {"substring", substring, 3, 3},
    {"string=?", string_same, 2, 2},
    {"string<?", string_less, 2, 2},
    {"make-vector", make_vector, 1, 2},
    {"vector", vector, 0, -1},
    {"vector-length", vector_length, 1, 1},
    {"vector-ref", vector_ref, 2, 2},
    {"vector-set!", vector_set, 3, 3},
    {"vector-fill!", vector_fill, 2, 2},
    {"vector->list", vector_to_list, 1, 1},
    {"list->vector", list_to_vector, 1, 1},
    {"%promise?", is_promise, 1, 1},
    {"%known?", is_known, 1, 1},
    {"%promise-value", promise_value, 1, 1},
    {"%keep-promise", keep_promise, 2, 2},
    {"raise", raise, 1, 1},
    {"error", error, 1, -1},
    {"error-object?", is_condition, 1, 1},
    {"error-message", message, 1, 1},
    {"error-irritants", irritants, 1, 1},
    {"display", display, 1, 1},
    {"write", write, 1, 1},
    {"newline", newline, 0, 0},
    {"exit", leave, 0, 0},
    {"apply", nullptr, 2, -1, Builtin::Role::apply},
    {"call/cc", nullptr, 1, 1, Builtin::Role::call_cc},
    {"eval", nullptr, 1, 1, Builtin::Role::eval},
};

}  // namespace

std::span<Builtin> other_builtins() { return table; }

void install_builtins() {
  for (std::span<Builtin> each : {number_builtins(), list_builtins(), other_builtins()}) {
    for (Builtin& builtin : each) {
      for (const std::string& name : {std::string(builtin.name), "%" + std::string(builtin.name)}) {
        Symbol* symbol = heap.symbol(name);
        symbol->value = Value::of(&builtin);
        symbol->bound = true;
      }
    }
  }
}

// Names with % cannot be written in programs, so that no definition of a program changes what these do.
const char* const prelude = R"(
(define (%map1 f rest done)
  (if (%null? rest) (%reverse done) (%map1 f (%cdr rest) (%cons (f (%car rest)) done))))
(define (%map2 f left right done)
  (if (%null? left) (%reverse done)
      (%map2 f (%cdr left) (%cdr right) (%cons (f (%car left) (%car right)) done))))
(define (map f left . right)
  (if (%null? right) (%map1 f (%check-list left) '())
      (%map2 f (%check-list left) (%check-list (%car right)) '())))
(define (%each1 f rest)
  (if (%null? rest) (if #f #f) (begin (f (%car rest)) (%each1 f (%cdr rest)))))
(define (%each2 f left right)
  (if (%null? left) (if #f #f) (begin (f (%car left) (%car right)) (%each2 f (%cdr left) (%cdr right)))))
(define (for-each f left . right)
  (if (%null? right) (%each1 f (%check-list left))
      (%each2 f (%check-list left) (%check-list (%car right)))))
(define (%filter f rest done)
  (if (%null? rest) (%reverse done)
      (%filter f (%cdr rest) (if (f (%car rest)) (%cons (%car rest) done) done))))
(define (filter f list) (%filter f (%check-list list) '()))
(define (%fold f value rest)
  (if (%null? rest) value (%fold f (f value (%car rest)) (%cdr rest))))
(define (fold-left f value list) (%fold f value (%check-list list)))
(define (force promise)
  (if (%promise? promise)
      (if (%known? promise) (%promise-value promise) (%keep-promise promise ((%promise-value promise))))
      promise))
)";
