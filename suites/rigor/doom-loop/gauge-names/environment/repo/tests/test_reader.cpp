#include "reader.hpp"

#include "check.hpp"
#include "report.hpp"

static std::string listed(const std::string& text) {
    Pool pool;
    return list(Reader(pool).read(written("a.net", text)));
}

static void test_gauges_are_listed_by_name() {
    const std::string expected =
        "Ford                g2    Ald            310.00  after Mill\n"
        "Mill                g1    Ald            120.00\n";
    CHECK_EQUAL(expected, listed("river Ald {\ngauge g1 Mill area 120\ngauge g2 Ford area 310 after g1\n}\n"));
}
RUN(test_gauges_are_listed_by_name);

static void test_a_note_is_shown() {
    const std::string expected = "Mill                g1    -                0.00  (read from the bridge)\n";
    CHECK_EQUAL(expected, listed("gauge g1 Mill\nnote g1 \"read from the bridge\"\n"));
}
RUN(test_a_note_is_shown);

static void test_a_file_includes_another_from_where_it_stands() {
    written("upper/brook.net", "gauge b1 Stones area 14\n");
    const std::string found = listed("gauge g1 Mill\ninclude \"upper/brook.net\"\n");
    CHECK(found.find("Stones              b1    -               14.00\n") != std::string::npos);
}
RUN(test_a_file_includes_another_from_where_it_stands);

static void test_an_id_is_used_once() {
    const std::string path = written("twice.net", "gauge g1 Mill\ngauge g1 Ford\n");
    Pool pool;
    CHECK_PROBLEM(path + ": line 2: a gauge is called Ford or g1 already", Reader(pool).read(path));
}
RUN(test_an_id_is_used_once);

static void test_a_rating_rises() {
    const std::string path = written("falls.net", "gauge g1 Mill\nrating g1 20 1 10 2\n");
    Pool pool;
    CHECK_PROBLEM(path + ": line 2: the levels of a rating rise", Reader(pool).read(path));
}
RUN(test_a_rating_rises);
