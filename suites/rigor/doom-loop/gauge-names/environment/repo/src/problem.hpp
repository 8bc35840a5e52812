#pragma once

#include <stdexcept>
#include <string>

// What is wrong with a file, in one line for the user.
class Problem : public std::runtime_error {
public:
    explicit Problem(const std::string& text) : std::runtime_error(text) {}
};
