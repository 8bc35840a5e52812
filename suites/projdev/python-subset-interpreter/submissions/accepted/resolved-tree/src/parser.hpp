// Programs to syntax trees.
#pragma once

#include <string>

#include "syntax.hpp"

// The block of the whole program. Throws SyntaxError (lexer.hpp) if it is not well formed.
NodePtr parse(const std::string& program);
