// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// A program as a tree that can be evaluated.
#ifndef NODE_HPP
#define NODE_HPP

#include "cell.hpp"

// Variables are a list, the innermost first; a node knows how far out its variable is.
class Node {
 public:
  virtual ~Node() = default;
  // In a tail position the result may be of type tail: then the call that was put off is to be made by finish().
  virtual Value evaluate(Value variables) const = 0;
};

// Checks a form of the top level and turns it into a tree.
const Node* analyze(Value form);
// Evaluates a tree to its end.
Value run(const Node* node, Value variables);
// Calls a procedure from C++.
Value call(Value procedure, Value* arguments, int count);

#endif  // NODE_HPP
