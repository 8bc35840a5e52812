#pragma once

#include <string>
#include <string_view>

#include "pool.hpp"

enum class Kind { kWord, kQuoted, kOpen, kClose, kLineEnd, kFileEnd };

struct Token {
    Kind kind = Kind::kFileEnd;
    std::string_view text;

    bool is(std::string_view word) const { return kind == Kind::kWord && text == word; }
    bool names() const { return kind == Kind::kWord || kind == Kind::kQuoted; }
};

// Splits a text into tokens; what they say is kept in the pool.
class Lexer {
public:
    Lexer(std::string_view text, std::string file, Pool& pool) : text_(text), file_(std::move(file)), pool_(pool) {}

    Token next();
    int line() const { return line_; }

    // "FILE: line 3: TEXT", of the line of the last token.
    [[noreturn]] void fail(const std::string& text) const;

private:
    Token quoted();

    std::string_view text_;
    std::string file_;
    Pool& pool_;
    std::size_t at_ = 0;
    int line_ = 1;
    bool broken_ = false;
};

// The whole of a file. Throws a Problem when it cannot be read.
std::string slurp(const std::string& path);
