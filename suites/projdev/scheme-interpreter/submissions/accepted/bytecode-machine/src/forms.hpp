// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// Small helpers that take forms apart. What has the wrong shape is bad syntax.
#ifndef FORMS_HPP
#define FORMS_HPP

#include <string_view>

#include "heap.hpp"
#include "value.hpp"

inline void require(bool holds) {
  if (!holds) fail("bad syntax");
}
inline Value head(Value list) {
  require(list.is(Tag::pair));
  return list.pair().head;
}
inline Value tail_of(Value list) {
  require(list.is(Tag::pair));
  return list.pair().tail;
}
inline Value second(Value list) { return head(tail_of(list)); }
inline Value third(Value list) { return head(tail_of(tail_of(list))); }
// Number of elements of a proper list.
inline std::size_t size_of(Value list) {
  std::size_t size = 0;
  for (; list.is(Tag::pair); list = list.pair().tail) ++size;
  require(list.is(Tag::nil));
  return size;
}
inline Symbol* name_of(Value value) {
  require(value.is(Tag::symbol));
  return value.symbol;
}
inline Value word(std::string_view name) { return Value::of(heap.symbol(name)); }
inline bool is_word(Value value, std::string_view name) { return value.is(Tag::symbol) && value.symbol->name == name; }
template <class... Values>
Value list_of(Value first, Values... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return heap.pair(first, Value::nil());
  } else {
    return heap.pair(first, list_of(rest...));
  }
}

#endif  // FORMS_HPP
