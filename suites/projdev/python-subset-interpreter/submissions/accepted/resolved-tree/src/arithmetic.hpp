// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
// Operators.
#pragma once

#include <string>

#include "value.hpp"

enum class Operator { add, subtract, multiply, divide, floor_divide, remainder, power };
enum class Comparison { equal, different, less, at_most, greater, at_least, contained, not_contained };

Operator operator_of(const std::string& symbol);
Comparison comparison_of(const std::string& symbol);

Value apply(Operator operation, const Value& left, const Value& right);
Value negative(const Value& value);
bool compare(Comparison comparison, const Value& left, const Value& right);
