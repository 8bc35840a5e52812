#include "lexer.hpp"

#include "check.hpp"

static std::string kinds(const std::string& text) {
    Pool pool;
    Lexer lexer(text, "x", pool);
    std::string found;
    for (Token token = lexer.next(); token.kind != Kind::kFileEnd; token = lexer.next()) {
        const char* const marks = "wq{}/";
        found += marks[static_cast<int>(token.kind)];
    }
    return found;
}

static void test_tokens_of_a_line() {
    CHECK_EQUAL("wwq{w}", kinds("gauge g1 \"Mill Lane\" { area }"));
    CHECK_EQUAL("w/w/", kinds("one # two three\nfour\n"));
}
RUN(test_tokens_of_a_line);

static void test_a_quoted_name_may_hold_quotes() {
    Pool pool;
    Lexer lexer(R"("the \"old\" mill \\ weir")", "x", pool);
    CHECK_EQUAL(R"(the "old" mill \ weir)", std::string(lexer.next().text));
}
RUN(test_a_quoted_name_may_hold_quotes);

static void test_an_open_quote_is_found_with_its_line() {
    Pool pool;
    Lexer lexer("a\n\"b\n", "x.net", pool);
    lexer.next();
    lexer.next();
    CHECK_PROBLEM("x.net: line 2: a quote is not closed", lexer.next());
}
RUN(test_an_open_quote_is_found_with_its_line);

static void test_a_pool_uses_again_what_was_given_back() {
    Pool pool;
    pool.store("stays");
    for (int i = 0; i < 1000; ++i) {
        const Passing passing(pool);
        pool.store(std::string(100, 'x'));
    }
    CHECK(pool.held() == 5);
    CHECK(pool.most() == 105);
}
RUN(test_a_pool_uses_again_what_was_given_back);
