// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// Procedures that call procedures, errors, and output.
#include "library.hpp"
#include "node.hpp"
#include "parser.hpp"

std::string output;

namespace {

// Calls f with the next element of one list or two.
Value call_next(Value f, Value& left, Value& right, int lists) {
  Value arguments[] = {left.cell->first, lists == 2 ? right.cell->first : kNone};
  left = left.cell->second;
  if (lists == 2) right = right.cell->second;
  return call(f, arguments, lists);
}

Value map(Value* a, int count) {
  for (int i = 1; i < count; ++i) need_list(a[i]);
  Value left = a[1], right = count == 3 ? a[2] : kNone, before = cons(kNone, kEmpty), last = before;
  while (left.type == Type::pair) {
    Value value = call_next(a[0], left, right, count - 1);
    last = last.cell->second = cons(value, kEmpty);
  }
  return before.cell->second;
}

Value for_each(Value* a, int count) {
  for (int i = 1; i < count; ++i) need_list(a[i]);
  Value left = a[1], right = count == 3 ? a[2] : kNone;
  while (left.type == Type::pair) call_next(a[0], left, right, count - 1);
  return kNone;
}

Value filter(Value* a, int) {
  need_list(a[1]);
  Value before = cons(kNone, kEmpty), last = before;
  for (Value rest = a[1]; rest.type == Type::pair; rest = rest.cell->second) {
    Value item = rest.cell->first;
    Value argument = item;
    if (call(a[0], &argument, 1).truth()) last = last.cell->second = cons(item, kEmpty);
  }
  return before.cell->second;
}

Value fold_left(Value* a, int) {
  need_list(a[2]);
  Value value = a[1];
  for (Value rest = a[2]; rest.type == Type::pair; rest = rest.cell->second) {
    Value arguments[] = {value, rest.cell->first};
    value = call(a[0], arguments, 2);
  }
  return value;
}

Value apply(Value* a, int count) {
  need_list(a[count - 1]);
  // The list keeps the arguments alive.
  std::vector<Value> arguments(a + 1, a + count - 1);
  for (Value rest = a[count - 1]; rest.type == Type::pair; rest = rest.cell->second) {
    arguments.push_back(rest.cell->first);
  }
  return call(a[0], arguments.data(), static_cast<int>(arguments.size()));
}

Value call_cc(Value* a, int) {
  Value continuation = make(Type::continuation, kNone, kNone);
  Value argument = continuation;
  try {
    return call(a[0], &argument, 1);
  } catch (const Escape& escape) {
    if (escape.continuation != continuation.cell) throw;
    return escape.value;
  }
}

Value force(Value* a, int) {
  if (a[0].type != Type::promise) return a[0];
  Cell& promise = *a[0].cell;
  if (!promise.first.truth()) {
    Value value = call(promise.second, nullptr, 0);
    if (!promise.first.truth()) promise.second = value;
    promise.first = kTrue;
  }
  return promise.second;
}

Value error(Value* a, int count) {
  need(a[0].type == Type::string);
  Value irritants = kEmpty;
  for (int i = count; i-- > 1;) irritants = cons(a[i], irritants);
  throw Raised{make(Type::error, a[0], irritants)};
}

Value is_procedure(Value* a, int) {
  Type type = a[0].type;
  return boolean(type == Type::closure || type == Type::builtin || type == Type::continuation);
}

Cell& error_of(Value value) {
  need(value.type == Type::error);
  return *value.cell;
}

const Builtin kTable[] = {
    {"map", 2, 3, map},
    {"for-each", 2, 3, for_each},
    {"filter", 2, 2, filter},
    {"fold-left", 3, 3, fold_left},
    {"apply", 2, -1, apply},
    {"call/cc", 1, 1, call_cc},
    {"eval", 1, 1, [](Value* a, int) { return run(analyze(a[0]), kEmpty); }},
    {"force", 1, 1, force},
    {"raise", 1, 1, [](Value* a, int) -> Value { throw Raised{a[0]}; }},
    {"error", 1, -1, error},
    {"procedure?", 1, 1, is_procedure},
    {"error-object?", 1, 1, [](Value* a, int) { return boolean(a[0].type == Type::error); }},
    {"error-message", 1, 1, [](Value* a, int) { return error_of(a[0]).first; }},
    {"error-irritants", 1, 1, [](Value* a, int) { return error_of(a[0]).second; }},
    {"display", 1, 1, [](Value* a, int) { return output += show(a[0], false), kNone; }},
    {"write", 1, 1, [](Value* a, int) { return output += show(a[0], true), kNone; }},
    {"newline", 0, 0, [](Value*, int) { return output += '\n', kNone; }},
    {"exit", 0, 0, [](Value*, int) -> Value { throw Exit(); }},
};

}  // namespace

std::span<const Builtin> control() { return kTable; }
