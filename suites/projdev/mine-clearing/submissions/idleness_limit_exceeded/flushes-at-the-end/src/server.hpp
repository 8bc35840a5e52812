#pragma once

#include <iosfwd>

// Answers the commands of `in` until it ends.
void serve(std::istream& in, std::ostream& out);
