#include "lexer.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "problem.hpp"

namespace {

bool ends_word(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '{' || c == '}' || c == '"' || c == '#';
}

}  // namespace

Token Lexer::next() {
    if (broken_) {
        ++line_;
        broken_ = false;
    }
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) {
        ++at_;
    }
    if (at_ < text_.size() && text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
    }
    if (at_ >= text_.size()) {
        return {Kind::kFileEnd, {}};
    }
    const char c = text_[at_];
    if (c == '\n') {
        ++at_;
        broken_ = true;
        return {Kind::kLineEnd, {}};
    }
    if (c == '{' || c == '}') {
        ++at_;
        return {c == '{' ? Kind::kOpen : Kind::kClose, {}};
    }
    if (c == '"') {
        return quoted();
    }
    const std::size_t start = at_;
    while (at_ < text_.size() && !ends_word(text_[at_])) {
        ++at_;
    }
    return {Kind::kWord, pool_.store(text_.substr(start, at_ - start))};
}

Token Lexer::quoted() {
    std::string found;
    for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
        if (text_[at_] == '"') {
            ++at_;
            return {Kind::kQuoted, pool_.store(found)};
        }
        if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
            ++at_;
        }
        found += text_[at_];
    }
    fail("a quote is not closed");
}

void Lexer::fail(const std::string& text) const {
    throw Problem(file_ + ": line " + std::to_string(line_) + ": " + text);
}

std::string slurp(const std::string& path) {
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) {
        throw Problem(path + ": " + std::strerror(errno));
    }
    std::string text;
    char buffer[4096];
    for (std::size_t count; (count = std::fread(buffer, 1, sizeof buffer, file)) > 0;) {
        text.append(buffer, count);
    }
    std::fclose(file);
    return text;
}
