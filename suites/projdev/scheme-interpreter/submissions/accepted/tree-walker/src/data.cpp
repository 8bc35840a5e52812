// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// Pairs, lists, symbols, strings and vectors.
#include <algorithm>

#include "library.hpp"

bool same(Value a, Value b) {
  if (a.type != b.type) return false;
  return a.type == Type::none || a.type == Type::empty || a.number == b.number;
}

bool equal(Value a, Value b) {
  for (; a.type == Type::pair && b.type == Type::pair; a = a.cell->second, b = b.cell->second) {
    if (!equal(a.cell->first, b.cell->first)) return false;
  }
  if (a.type != b.type) return false;
  if (a.type == Type::string) return *a.cell->text == *b.cell->text;
  if (a.type != Type::vector) return same(a, b);
  return std::equal(a.cell->items->begin(), a.cell->items->end(), b.cell->items->begin(), b.cell->items->end(), equal);
}

namespace {

Value first(Value value) { return pair(value).first; }
Value second(Value value) { return pair(value).second; }

// A list that grows at its end.
class Builder {
 public:
  Builder() : before_(cons(kNone, kEmpty)), last_(before_) {}
  void add(Value item) { last_ = last_.cell->second = cons(item, kEmpty); }
  Value with_tail(Value tail) {
    last_.cell->second = tail;
    return before_.cell->second;
  }

 private:
  Value before_, last_;
};

Value list(Value* a, int count) {
  Builder built;
  for (int i = 0; i < count; ++i) built.add(a[i]);
  return built.with_tail(kEmpty);
}

Value length(Value* a, int) {
  need_list(a[0]);
  std::int64_t count = 0;
  for (Value rest = a[0]; rest.type == Type::pair; rest = rest.cell->second) ++count;
  return integer(count);
}

Value append(Value* a, int count) {
  if (count == 0) return kEmpty;
  for (int i = 0; i < count - 1; ++i) need_list(a[i]);
  Builder built;
  for (int i = 0; i < count - 1; ++i) {
    for (Value rest = a[i]; rest.type == Type::pair; rest = rest.cell->second) built.add(rest.cell->first);
  }
  return built.with_tail(a[count - 1]);
}

Value reverse(Value* a, int) {
  need_list(a[0]);
  Value made = kEmpty;
  for (Value rest = a[0]; rest.type == Type::pair; rest = rest.cell->second) made = cons(rest.cell->first, made);
  return made;
}

Value list_tail(Value* a, int) {
  Value rest = a[0];
  need(rest.type == Type::pair || rest.type == Type::empty);
  in_range(number(a[1]) >= 0);
  for (std::int64_t i = 0; i < a[1].number; ++i) {
    in_range(rest.type == Type::pair);
    rest = rest.cell->second;
  }
  return rest;
}

Value list_ref(Value* a, int count) {
  Value rest = list_tail(a, count);
  in_range(rest.type == Type::pair);
  return rest.cell->first;
}

using Same = bool (*)(Value, Value);

template <Same is>
Value member(Value* a, int) {
  need_list(a[1]);
  for (Value rest = a[1]; rest.type == Type::pair; rest = rest.cell->second) {
    if (is(a[0], rest.cell->first)) return rest;
  }
  return kFalse;
}

template <Same is>
Value association(Value* a, int) {
  need_list(a[1]);
  for (Value rest = a[1]; rest.type == Type::pair; rest = rest.cell->second) {
    if (is(a[0], first(rest.cell->first))) return rest.cell->first;
  }
  return kFalse;
}

Value is_list(Value* a, int) {
  Value rest = a[0];
  while (rest.type == Type::pair) rest = rest.cell->second;
  return boolean(rest.type == Type::empty);
}

template <Type type>
Value is_of(Value* a, int) {
  return boolean(a[0].type == type);
}

std::string& text(Value value) {
  need(value.type == Type::string);
  return *value.cell->text;
}

std::vector<Value>& items(Value value) {
  need(value.type == Type::vector);
  return *value.cell->items;
}

Value string_append(Value* a, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text(a[i]);
  return string(all);
}

Value substring(Value* a, int) {
  auto size = static_cast<std::int64_t>(text(a[0]).size());
  std::int64_t from = number(a[1]), to = number(a[2]);
  in_range(0 <= from && from <= to && to <= size);
  return string(text(a[0]).substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from)));
}

Value make_vector(Value* a, int count) {
  in_range(number(a[0]) >= 0);
  return vector(std::vector<Value>(static_cast<std::size_t>(a[0].number), count == 2 ? a[1] : integer(0)));
}

Value& item(Value* a) {
  std::vector<Value>& all = items(a[0]);
  std::int64_t at = number(a[1]);
  in_range(at >= 0 && at < static_cast<std::int64_t>(all.size()));
  return all[static_cast<std::size_t>(at)];
}

Value vector_to_list(Value* a, int) {
  Builder built;
  for (Value each : items(a[0])) built.add(each);
  return built.with_tail(kEmpty);
}

Value list_to_vector(Value* a, int) {
  need_list(a[0]);
  std::vector<Value> all;
  for (Value rest = a[0]; rest.type == Type::pair; rest = rest.cell->second) all.push_back(rest.cell->first);
  return vector(all);
}

const Builtin kTable[] = {
    {"cons", 2, 2, [](Value* a, int) { return cons(a[0], a[1]); }},
    {"car", 1, 1, [](Value* a, int) { return first(a[0]); }},
    {"cdr", 1, 1, [](Value* a, int) { return second(a[0]); }},
    {"caar", 1, 1, [](Value* a, int) { return first(first(a[0])); }},
    {"cadr", 1, 1, [](Value* a, int) { return first(second(a[0])); }},
    {"cddr", 1, 1, [](Value* a, int) { return second(second(a[0])); }},
    {"caddr", 1, 1, [](Value* a, int) { return first(second(second(a[0]))); }},
    {"set-car!", 2, 2, [](Value* a, int) { return pair(a[0]).first = a[1], kNone; }},
    {"set-cdr!", 2, 2, [](Value* a, int) { return pair(a[0]).second = a[1], kNone; }},
    {"list", 0, -1, list},
    {"length", 1, 1, length},
    {"append", 0, -1, append},
    {"reverse", 1, 1, reverse},
    {"list-tail", 2, 2, list_tail},
    {"list-ref", 2, 2, list_ref},
    {"memq", 2, 2, member<same>},
    {"member", 2, 2, member<equal>},
    {"assq", 2, 2, association<same>},
    {"assoc", 2, 2, association<equal>},
    {"eq?", 2, 2, [](Value* a, int) { return boolean(same(a[0], a[1])); }},
    {"eqv?", 2, 2, [](Value* a, int) { return boolean(same(a[0], a[1])); }},
    {"equal?", 2, 2, [](Value* a, int) { return boolean(equal(a[0], a[1])); }},
    {"not", 1, 1, [](Value* a, int) { return boolean(!a[0].truth()); }},
    {"list?", 1, 1, is_list},
    {"pair?", 1, 1, is_of<Type::pair>},
    {"null?", 1, 1, is_of<Type::empty>},
    {"number?", 1, 1, is_of<Type::integer>},
    {"integer?", 1, 1, is_of<Type::integer>},
    {"boolean?", 1, 1, is_of<Type::boolean>},
    {"symbol?", 1, 1, is_of<Type::symbol>},
    {"string?", 1, 1, is_of<Type::string>},
    {"vector?", 1, 1, is_of<Type::vector>},
    {"symbol->string", 1, 1, [](Value* a, int) { return need(a[0].type == Type::symbol), string(a[0].name->text); }},
    {"string->symbol", 1, 1, [](Value* a, int) { return symbol(text(a[0])); }},
    {"string-length", 1, 1, [](Value* a, int) { return integer(static_cast<std::int64_t>(text(a[0]).size())); }},
    {"string-append", 0, -1, string_append},
    {"substring", 3, 3, substring},
    {"string=?", 2, 2, [](Value* a, int) { return boolean(text(a[0]) == text(a[1])); }},
    {"string<?", 2, 2, [](Value* a, int) { return boolean(text(a[0]) < text(a[1])); }},
    {"make-vector", 1, 2, make_vector},
    {"vector", 0, -1, [](Value* a, int count) { return vector({a, a + count}); }},
    {"vector-length", 1, 1, [](Value* a, int) { return integer(static_cast<std::int64_t>(items(a[0]).size())); }},
    {"vector-ref", 2, 2, [](Value* a, int) { return item(a); }},
    {"vector-set!", 3, 3, [](Value* a, int) { return item(a) = a[2], kNone; }},
    {"vector-fill!", 2, 2, [](Value* a, int) { return std::ranges::fill(items(a[0]), a[1]), kNone; }},
    {"vector->list", 1, 1, vector_to_list},
    {"list->vector", 1, 1, list_to_vector},
};

}  // namespace

std::span<const Builtin> data() { return kTable; }
