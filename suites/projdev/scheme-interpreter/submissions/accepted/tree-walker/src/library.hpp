// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// What is built in: arithmetic.cpp, data.cpp and control.cpp each have a table.
#ifndef LIBRARY_HPP
#define LIBRARY_HPP

#include <span>

#include "cell.hpp"

std::span<const Builtin> arithmetic();
std::span<const Builtin> data();
std::span<const Builtin> control();

// Output so far; it is written at the end.
extern std::string output;

bool same(Value a, Value b);
bool equal(Value a, Value b);

inline void need(bool holds) {
  if (!holds) fail("wrong type");
}
inline void in_range(bool holds) {
  if (!holds) fail("out of range");
}
inline std::int64_t number(Value value) {
  need(value.type == Type::integer);
  return value.number;
}
inline Cell& pair(Value value) {
  need(value.type == Type::pair);
  return *value.cell;
}
inline void need_list(Value value) {
  while (value.type == Type::pair) value = value.cell->second;
  need(value.type == Type::empty);
}

#endif  // LIBRARY_HPP
