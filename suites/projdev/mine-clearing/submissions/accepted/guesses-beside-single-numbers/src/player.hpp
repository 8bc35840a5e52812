#pragma once

#include <iosfwd>

// Plays the games that the judge begins, until it says `end`.
void play(std::istream& in, std::ostream& out);
