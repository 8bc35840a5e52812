// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// Procedures that are built in. Those of numbers.cpp, lists.cpp and others.cpp are registered under their name and, for the prelude,
// under % and their name.
#ifndef BUILTINS_HPP
#define BUILTINS_HPP

#include <span>
#include <string>

#include "value.hpp"

std::span<Builtin> number_builtins();
std::span<Builtin> list_builtins();
std::span<Builtin> other_builtins();

// Everything that is written, and whether the last character of it ended a line.
class Output {
 public:
  void write(const std::string& text);
  // Ends a line that was begun.
  void fresh_line();
  void flush();

 private:
  std::string waiting_;
  bool in_line_ = false;
};
extern Output output;

// Defines all built-in procedures.
void install_builtins();
// Procedures written in Scheme.
extern const char* const prelude;

bool is_same(Value a, Value b);   // eq?
bool is_equal(Value a, Value b);  // equal?

inline void need(bool holds) {
  if (!holds) fail("wrong type");
}
inline std::int64_t integer(Value value) {
  need(value.is(Tag::integer));
  return value.number;
}
inline Pair& pair(Value value) {
  need(value.is(Tag::pair));
  return value.pair();
}
inline std::string& characters(Value value) {
  need(value.is(Tag::string));
  return value.text().characters;
}
inline bool is_procedure(Value value) {
  return value.is(Tag::closure) || value.is(Tag::builtin) || value.is(Tag::continuation);
}
// Elements of a proper list; anything else is the wrong type.
std::vector<Value> elements(Value list);

#endif  // BUILTINS_HPP
