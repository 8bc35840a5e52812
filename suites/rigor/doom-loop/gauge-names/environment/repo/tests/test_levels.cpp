#include "levels.hpp"

#include "check.hpp"
#include "reader.hpp"
#include "report.hpp"

static const char* const kNetwork =
    "gauge g1 \"Mill Lane\"\ngauge g2 Ford after g1\nrating g1 0 0 100 10\nrating g2 0 0 100 40\n";

static std::string reported(const std::string& levels) {
    Pool pool;
    const Network network = Reader(pool).read(written("a.net", kNetwork));
    return report(network, read_levels(written("a.lvl", levels), network, pool));
}

static void test_flows_are_averaged() {
    const std::string expected =
        "Ford                    12.00    20.00  on 05-02,      9.50 since Mill Lane\n"
        "Mill Lane                2.50     3.00  on 05-01\n";
    CHECK_EQUAL(expected, reported("05-01 g1 30\n05-01 Ford 10\n05-02 \"Mill Lane\" 20\n05-02 g2 50\n"));
}
RUN(test_flows_are_averaged);

static void test_an_unknown_gauge_is_refused() {
    Pool pool;
    const Network network = Reader(pool).read(written("a.net", kNetwork));
    const std::string path = written("bad.lvl", "05-01 g1 30\n\n05-02 Mill 20\n");
    CHECK_PROBLEM(path + ": line 3: no gauge is called Mill", read_levels(path, network, pool));
}
RUN(test_an_unknown_gauge_is_refused);

static void test_lines_are_given_back() {
    Pool pool;
    const Network network = Reader(pool).read(written("a.net", kNetwork));
    std::string lines;
    for (int i = 0; i < 500; ++i) {
        lines += "2024-05-01 \"Mill Lane\" 30\n";
    }
    const std::size_t before = pool.held();
    read_levels(written("long.lvl", lines), network, pool);
    CHECK(pool.held() == before);
    CHECK(pool.most() < before + 100);
}
RUN(test_lines_are_given_back);
