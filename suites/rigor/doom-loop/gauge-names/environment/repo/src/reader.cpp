#include "reader.hpp"

#include <cstdlib>

#include "problem.hpp"

namespace {

constexpr int kDeepest = 16;

double number(Lexer& lexer, std::string_view text, const char* what) {
    const std::string copy(text);
    char* end = nullptr;
    const double value = std::strtod(copy.c_str(), &end);
    if (copy.empty() || *end != '\0') {
        lexer.fail(std::string("expected ") + what + ", not " + copy);
    }
    return value;
}

std::string directory_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

}  // namespace

std::string_view need_name(Lexer& lexer, const char* what) {
    const Token token = lexer.next();
    if (!token.names()) {
        lexer.fail(std::string("expected ") + what);
    }
    return token.text;
}

double need_number(Lexer& lexer, const char* what) { return number(lexer, need_name(lexer, what), what); }

Network Reader::read(const std::string& path) {
    file(path);
    return network_;
}

void Reader::file(const std::string& path) {
    const std::string text = slurp(path);
    Lexer lexer(text, path, pool_);
    for (Token token = lexer.next(); token.kind != Kind::kFileEnd; token = lexer.next()) {
        if (token.kind != Kind::kLineEnd) {
            statement(lexer, token, directory_of(path));
        }
    }
}

void Reader::statement(Lexer& lexer, const Token& first, const std::string& directory) {
    if (first.is("gauge")) {
        gauge(lexer);
    } else if (first.is("rating")) {
        rating(lexer);
    } else if (first.is("note")) {
        note(lexer);
    } else if (first.is("river")) {
        block(lexer, directory);
    } else if (first.is("include")) {
        include(lexer, directory);
    } else if (first.is("unit")) {
        const std::string_view unit = need_name(lexer, "a unit");
        if (unit != "m" && unit != "cm") {
            lexer.fail("a unit is m or cm");
        }
    } else {
        lexer.fail("expected a statement, not " + std::string(first.text));
    }
}

void Reader::gauge(Lexer& lexer) {
    Gauge found;
    found.id = need_name(lexer, "an id");
    found.name = need_name(lexer, "a name");
    found.river = river_;
    Token token = lexer.next();
    while (token.names()) {
        if (token.is("area")) {
            found.area = need_number(lexer, "an area");
        } else if (token.is("after")) {
            found.upstream = known(lexer);
        } else {
            lexer.fail("not understood: " + std::string(token.text));
        }
        token = lexer.next();
    }
    if (network_.add(found) < 0) {
        lexer.fail("a gauge is called " + std::string(found.name) + " or " + std::string(found.id) + " already");
    }
}

void Reader::rating(Lexer& lexer) {
    // Numbers are numbers once they are read: their text is not needed any more.
    const Passing passing(pool_);
    const int found = known(lexer);
    Token token = lexer.next();
    while (token.names()) {
        const double level = number(lexer, token.text, "a level");
        if (!network_.gauge(found).rating.add(level, need_number(lexer, "a flow"))) {
            lexer.fail("the levels of a rating rise");
        }
        token = lexer.next();
    }
}

void Reader::note(Lexer& lexer) {
    // The gauge is known by its number from here on.
    const Passing passing(pool_);
    Gauge& gauge = network_.gauge(known(lexer));
    gauge.note = need_name(lexer, "a note");
}

int Reader::known(Lexer& lexer) {
    const std::string_view word = need_name(lexer, "a gauge");
    const int found = network_.find(word);
    if (found < 0) {
        lexer.fail("no gauge is called " + std::string(word));
    }
    return found;
}

void Reader::block(Lexer& lexer, const std::string& directory) {
    const std::string_view outer = river_;
    river_ = need_name(lexer, "a river");
    if (lexer.next().kind != Kind::kOpen) {
        lexer.fail("expected {");
    }
    for (Token token = lexer.next(); token.kind != Kind::kClose; token = lexer.next()) {
        if (token.kind == Kind::kFileEnd) {
            lexer.fail("a river is not closed");
        }
        if (token.kind != Kind::kLineEnd) {
            statement(lexer, token, directory);
        }
    }
    river_ = outer;
}

void Reader::include(Lexer& lexer, const std::string& directory) {
    // A path is only needed to open the file.
    const Passing passing(pool_);
    const std::string path = directory + std::string(need_name(lexer, "a file"));
    if (++depth_ > kDeepest) {
        lexer.fail("files include each other too deeply");
    }
    file(path);
    --depth_;
}
