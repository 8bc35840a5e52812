// rigorbench-canary af2a9595-30e3-4ce1-b98c-b2b53c6d44b8
// Reads commands, has the index carry them out, and writes the answers.
#pragma once

#include <cstdio>

#include "card_index.hpp"

// Answers all commands of `in` on `out`. Throws std::runtime_error on what is no command, and if `out` cannot be written.
void answer_all(CardIndex& index, std::FILE* in, std::FILE* out);
