// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
// Syntax trees to code.
#pragma once

#include <string>
#include <vector>

#include "code.hpp"
#include "syntax.hpp"

struct Program {
  BlockPtr body;
  std::vector<std::string> globals;  // the names of Machine::globals
};

Program compile(const Node& tree);
