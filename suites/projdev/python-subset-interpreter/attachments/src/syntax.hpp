// The syntax tree of a program.
#pragma once

#include <memory>
#include <string>
#include <vector>

struct Node;
using NodePtr = std::unique_ptr<Node>;

// What a node is. `text`, `words` and `parts` are what the comment says; all others are empty. "?" marks a part that may be null.
enum class Kind {
  // Expressions
  none,
  truth,        // text: "True" or "False"
  integer,      // text: its digits
  real,         // text: as it stands in the program
  string,       // text: its characters
  name,         // text: the name
  tuple,        // parts: elements
  unary,        // text: "+" or "-"; parts: operand
  binary,       // text: one of + - * / // % **; parts: left, right
  compare,      // words: n operators, of == != < <= > >= "in" "not in"; parts: n + 1 operands
  conjunction,  // `and`; parts: left, right
  disjunction,  // `or`; parts: left, right
  negation,     // `not`; parts: operand
  conditional,  // parts: condition, value if it is true, value if it is false
  call,         // parts: what is called, then arguments; one that is given by name is a `keyword`
  keyword,      // text: the name of the parameter; parts: value
  method,       // text: the name of the method; parts: the object, then arguments (never a `keyword`)
  index,        // parts: sequence, index
  slice,        // parts: sequence, start?, stop?, step?
  lambda,       // parts: parameters, then the expression
  parameter,    // text: the name; parts: default?

  // Statements
  block,         // parts: statements
  evaluate,      // an expression that is a statement; parts: expression
  assign,        // parts: targets (each a name or a tuple of names), then the value
  update,        // text: the operator without "="; parts: name, value
  if_else,       // parts: condition, block, (block or if_else)?; `elif` is an if_else
  while_loop,    // parts: condition, block
  for_loop,      // parts: target (a name or a tuple of names), sequence, block
  define,        // text: the function's name; parts: parameters, then the block
  return_value,  // parts: value?
  break_loop,
  continue_loop,
  pass,
  global,    // words: names
  nonlocal,  // words: names
};

struct Node {
  Kind kind;
  int line;  // from 1
  std::string text = {};
  std::vector<std::string> words = {};
  std::vector<NodePtr> parts = {};
};
