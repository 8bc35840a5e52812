// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
// Elements, parts and methods of strings and tuples.
#pragma once

#include <string>

#include "value.hpp"

Value element(const Value& sequence, const Value& index);
// A bound that is not given is unset.
Value slice(const Value& sequence, const Value& start, const Value& stop, const Value& step);
Value call_method(const Value& object, const std::string& method, const Values& arguments);
