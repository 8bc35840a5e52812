// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// Pairs and lists.
#include "builtins.hpp"
#include "heap.hpp"

std::vector<Value> elements(Value list) {
  std::vector<Value> found;
  for (; list.is(Tag::pair); list = list.pair().tail) found.push_back(list.pair().head);
  need(list.is(Tag::nil));
  return found;
}

bool is_same(Value a, Value b) {
  if (a.tag != b.tag) return false;
  switch (a.tag) {
    case Tag::unspecified:
    case Tag::nil: return true;
    case Tag::boolean: return a.truth == b.truth;
    case Tag::integer: return a.number == b.number;
    default: return a.object == b.object;
  }
}

bool is_equal(Value a, Value b) {
  for (;;) {
    if (a.tag != b.tag) return false;
    if (a.is(Tag::string)) return a.text().characters == b.text().characters;
    if (a.is(Tag::vector)) {
      const std::vector<Value>&left = a.vector().items, &right = b.vector().items;
      if (left.size() != right.size()) return false;
      for (std::size_t i = 0; i < left.size(); ++i) {
        if (!is_equal(left[i], right[i])) return false;
      }
      return true;
    }
    if (!a.is(Tag::pair)) return is_same(a, b);
    if (!is_equal(a.pair().head, b.pair().head)) return false;
    a = a.pair().tail;
    b = b.pair().tail;
  }
}

namespace {

Value joined(const std::vector<Value>& items, Value tail) {
  for (std::size_t i = items.size(); i-- > 0;) tail = heap.pair(items[i], tail);
  return tail;
}

Value cons(Value* arguments, int) { return heap.pair(arguments[0], arguments[1]); }
Value car(Value* arguments, int) { return pair(arguments[0]).head; }
Value cdr(Value* arguments, int) { return pair(arguments[0]).tail; }
Value caar(Value* arguments, int) { return pair(pair(arguments[0]).head).head; }
Value cadr(Value* arguments, int) { return pair(pair(arguments[0]).tail).head; }
Value cddr(Value* arguments, int) { return pair(pair(arguments[0]).tail).tail; }
Value caddr(Value* arguments, int) { return pair(pair(pair(arguments[0]).tail).tail).head; }

Value set_car(Value* arguments, int) {
  pair(arguments[0]).head = arguments[1];
  return Value();
}

Value set_cdr(Value* arguments, int) {
  pair(arguments[0]).tail = arguments[1];
  return Value();
}

Value list(Value* arguments, int count) {
  Value made = Value::nil();
  while (count-- > 0) made = heap.pair(arguments[count], made);
  return made;
}

Value length(Value* arguments, int) {
  std::int64_t count = 0;
  Value rest = arguments[0];
  for (; rest.is(Tag::pair); rest = rest.pair().tail) ++count;
  need(rest.is(Tag::nil));
  return Value::integer(count);
}

Value append(Value* arguments, int count) {
  if (count == 0) return Value::nil();
  Value made = arguments[count - 1];
  std::vector<std::vector<Value>> lists;
  for (int i = 0; i < count - 1; ++i) lists.push_back(elements(arguments[i]));
  for (std::size_t i = lists.size(); i-- > 0;) made = joined(lists[i], made);
  return made;
}

Value reverse(Value* arguments, int) {
  Value made = Value::nil();
  Value rest = arguments[0];
  for (; rest.is(Tag::pair); rest = rest.pair().tail) made = heap.pair(rest.pair().head, made);
  need(rest.is(Tag::nil));
  return made;
}

Value list_tail(Value* arguments, int) {
  Value rest = arguments[0];
  need(rest.is(Tag::pair) || rest.is(Tag::nil));
  std::int64_t count = integer(arguments[1]);
  if (count < 0) fail("out of range");
  for (; count > 0; --count) {
    if (!rest.is(Tag::pair)) fail("out of range");
    rest = rest.pair().tail;
  }
  return rest;
}

Value list_ref(Value* arguments, int count) {
  Value rest = list_tail(arguments, count);
  if (!rest.is(Tag::pair)) fail("out of range");
  return rest.pair().head;
}

template <class Same>
Value found_in(Value wanted, Value rest, Same same) {
  elements(rest);
  for (; rest.is(Tag::pair); rest = rest.pair().tail) {
    if (same(wanted, rest.pair().head)) return rest;
  }
  return Value::boolean(false);
}

template <class Same>
Value associated(Value wanted, Value rest, Same same) {
  for (Value entry : elements(rest)) {
    if (same(wanted, pair(entry).head)) return entry;
  }
  return Value::boolean(false);
}

Value memq(Value* arguments, int) { return found_in(arguments[0], arguments[1], is_same); }
Value member(Value* arguments, int) { return found_in(arguments[0], arguments[1], is_equal); }
Value assq(Value* arguments, int) { return associated(arguments[0], arguments[1], is_same); }
Value assoc(Value* arguments, int) { return associated(arguments[0], arguments[1], is_equal); }

Value is_pair(Value* arguments, int) { return Value::boolean(arguments[0].is(Tag::pair)); }
Value is_null(Value* arguments, int) { return Value::boolean(arguments[0].is(Tag::nil)); }

Value is_list(Value* arguments, int) {
  Value rest = arguments[0];
  while (rest.is(Tag::pair)) rest = rest.pair().tail;
  return Value::boolean(rest.is(Tag::nil));
}

// For the prelude: the list itself, if it is one.
Value check_list(Value* arguments, int) {
  need(is_list(arguments, 1).truth);
  return arguments[0];
}

Builtin table[] = {
    {"cons", cons, 2, 2},         {"car", car, 1, 1},           {"cdr", cdr, 1, 1},         {"caar", caar, 1, 1},
    {"cadr", cadr, 1, 1},         {"cddr", cddr, 1, 1},         {"caddr", caddr, 1, 1},     {"set-car!", set_car, 2, 2},
    {"set-cdr!", set_cdr, 2, 2},  {"list", list, 0, -1},        {"length", length, 1, 1},   {"append", append, 0, -1},
    {"reverse", reverse, 1, 1},   {"list-tail", list_tail, 2, 2}, {"list-ref", list_ref, 2, 2}, {"memq", memq, 2, 2},
    {"member", member, 2, 2},     {"assq", assq, 2, 2},         {"assoc", assoc, 2, 2},     {"pair?", is_pair, 1, 1},
    {"null?", is_null, 1, 1},     {"list?", is_list, 1, 1},     {"%check-list", check_list, 1, 1},
};

}  // namespace

std::span<Builtin> list_builtins() { return table; }
