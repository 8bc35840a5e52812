// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// Kinds of nodes. Nodes live as long as the program.
#ifndef NODES_HPP
#define NODES_HPP

#include <vector>

#include "node.hpp"

struct Constant : Node {
  explicit Constant(Value value) : value(value) {}
  Value evaluate(Value variables) const override;
  Value value;
};

struct Local : Node {
  explicit Local(int distance) : distance(distance) {}
  Value evaluate(Value variables) const override;
  int distance;
};

struct Global : Node {
  explicit Global(Name* name) : name(name) {}
  Value evaluate(Value variables) const override;
  Name* name;
};

struct SetLocal : Node {
  SetLocal(int distance, const Node* value) : distance(distance), value(value) {}
  Value evaluate(Value variables) const override;
  int distance;
  const Node* value;
};

struct SetGlobal : Node {
  SetGlobal(Name* name, const Node* value, bool define) : name(name), value(value), define(define) {}
  Value evaluate(Value variables) const override;
  Name* name;
  const Node* value;
  bool define;
};

struct If : Node {
  If(const Node* test, const Node* then, const Node* otherwise) : test(test), then(then), otherwise(otherwise) {}
  Value evaluate(Value variables) const override;
  const Node *test, *then, *otherwise;
};

// and, or: the first value that is true or not as `until` says, otherwise the last one.
struct Either : Node {
  Either(std::vector<const Node*> parts, bool until) : parts(std::move(parts)), until(until) {}
  Value evaluate(Value variables) const override;
  std::vector<const Node*> parts;
  bool until;
};

struct Sequence : Node {
  explicit Sequence(std::vector<const Node*> parts) : parts(std::move(parts)) {}
  Value evaluate(Value variables) const override;
  std::vector<const Node*> parts;
};

struct Lambda : Node {
  Value evaluate(Value variables) const override;
  int parameters = 0;
  bool rest = false;
  const Node* body = nullptr;
};

// New variables; those without a value (letrec, definitions) are set by the body.
struct Let : Node {
  Let(std::vector<const Node*> values, const Node* body) : values(std::move(values)), body(body) {}
  Value evaluate(Value variables) const override;
  std::vector<const Node*> values;
  const Node* body;
};

struct Delay : Node {
  explicit Delay(const Node* procedure) : procedure(procedure) {}
  Value evaluate(Value variables) const override;
  const Node* procedure;
};

struct Call : Node {
  Call(const Node* operation, std::vector<const Node*> operands)
      : operation(operation), operands(std::move(operands)) {}
  Value evaluate(Value variables) const override;
  const Node* operation;
  std::vector<const Node*> operands;
};

struct Guard : Node {
  Guard(const Node* body, const Node* clauses) : body(body), clauses(clauses) {}
  Value evaluate(Value variables) const override;
  const Node *body, *clauses;
};

struct Reraise : Node {
  Value evaluate(Value variables) const override;
};

#endif  // NODES_HPP
