// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
// Values as text, and text as numbers.
#pragma once

#include <string>

#include "value.hpp"

std::string shown(const Value& value);   // what `print` and `str` give
std::string quoted(const Value& value);  // what `repr` gives: strings in quotation marks

// `wrong value` unless the text is a number of that kind.
Value parse_integer(const std::string& text);
Value parse_real(const std::string& text);
