#pragma once

#include <string>

#include "lexer.hpp"
#include "network.hpp"
#include "pool.hpp"

// Reads network files; docs/files.md describes them. What tokens say is kept in the pool.
class Reader {
public:
    explicit Reader(Pool& pool) : pool_(pool) {}

    // Throws a Problem for what cannot be understood.
    Network read(const std::string& path);

private:
    void file(const std::string& path);
    void statement(Lexer& lexer, const Token& first, const std::string& directory);
    void gauge(Lexer& lexer);
    void rating(Lexer& lexer);
    void note(Lexer& lexer);
    void block(Lexer& lexer, const std::string& directory);
    void include(Lexer& lexer, const std::string& directory);

    int known(Lexer& lexer);

    Pool& pool_;
    Network network_;
    std::string_view river_;
    int depth_ = 0;
};

// The next token as a name or a number; a Problem for anything else.
std::string_view need_name(Lexer& lexer, const char* what);
double need_number(Lexer& lexer, const char* what);
