#pragma once

#include <string>
#include <vector>

// One test. RUN(test_x) puts the function test_x on the list that main() goes through.
struct Case {
    Case(const char* name, void (*test)());
    const char* name;
    void (*test)();
};

std::vector<Case>& cases();

// Notes that the test that is running has failed; it goes on.
void failed(const char* file, int line, const std::string& what);

#define RUN(test) static const Case case_##test(#test, test)
#define CHECK(what) ((what) ? (void)0 : failed(__FILE__, __LINE__, #what))
#define CHECK_EQUAL(expected, found) check_equal(__FILE__, __LINE__, (expected), (found))
#define CHECK_PROBLEM(expected, expression)                         \
    do {                                                            \
        std::string said = "no problem";                            \
        try {                                                       \
            expression;                                             \
        } catch (const std::exception& problem) {                   \
            said = problem.what();                                  \
        }                                                           \
        check_equal(__FILE__, __LINE__, std::string(expected), said); \
    } while (false)

void check_equal(const char* file, int line, const std::string& expected, const std::string& found);

// Writes a file below a directory of this test run, and says where.
std::string written(const std::string& name, const std::string& text);
