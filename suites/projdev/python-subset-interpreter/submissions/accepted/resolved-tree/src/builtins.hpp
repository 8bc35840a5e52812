// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
// The functions that every program has.
#pragma once

#include <map>
#include <string>

#include "value.hpp"

std::map<std::string, Value> builtins();
