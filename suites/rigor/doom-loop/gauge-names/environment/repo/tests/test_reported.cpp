// What the staff readers and the offices have reported.

#include "check.hpp"
#include "levels.hpp"
#include "reader.hpp"
#include "report.hpp"

static const char* const kBrook =
    "river Brook {\n    gauge b1 Stones area 14\n    gauge b2 Glen area 9 after b1\n}\n"
    "rating b1 5 0.1 60 3\nrating b2 5 0.1 60 3\n";
static const char* const kMain =
    "gauge g1 \"Mill Lane Weir\" area 120\nrating g1  20 0.5  80 6.25  200 40\ninclude \"brook.net\"\n";

static void test_the_levels_of_may() {
    written("brook.net", kBrook);
    Pool pool;
    const Network network = Reader(pool).read(written("ald.net", kMain));
    const std::string levels =
        "2024-05-01 g1 45\n2024-05-01 b1 12\n2024-05-02 g1 44.5\n2024-05-02 \"Mill Lane Weir\" 44.25\n2024-05-02 b1 14\n";
    const std::string found = report(network, read_levels(written("may.lvl", levels), network, pool));
    CHECK(found.find("Mill Lane Weir") == 0);
    CHECK(found.find("\nStones ") != std::string::npos);
}
RUN(test_the_levels_of_may);

static void test_a_network_in_two_files_is_listed_as_in_one() {
    written("brook.net", kBrook);
    Pool pool;
    const Network network =
        Reader(pool).read(written("two.net", std::string(kMain) + "note g1 \"behind the weir\"\n" +
                                                 "gauge g2 \"Lower Ford\" area 310 after Stones\n"));
    const std::string expected =
        "Glen                b2    Brook            9.00  after Stones\n"
        "Lower Ford          g2    -              310.00  after Stones\n"
        "Mill Lane Weir      g1    -              120.00  (behind the weir)\n"
        "Stones              b1    Brook           14.00\n";
    CHECK_EQUAL(expected, list(network));
}
RUN(test_a_network_in_two_files_is_listed_as_in_one);

static void test_the_notes_of_hedda() {
    Pool pool;
    const Network network = Reader(pool).read(written(
        "hedda.net", "gauge h1 Sluice\nnote h1 \"from the east bank\"\ngauge h2 Basin\nnote h2 \"never on Sundays\"\n"));
    const std::string expected =
        "Basin               h2    -                0.00  (never on Sundays)\n"
        "Sluice              h1    -                0.00  (from the east bank)\n";
    CHECK_EQUAL(expected, list(network));
}
RUN(test_the_notes_of_hedda);

static void test_the_box_has_room_for_a_year() {
    Pool pool;
    const Network network = Reader(pool).read(written("small.net", "gauge g1 Mill\nrating g1 0 0 100 10\n"));
    std::string lines;
    for (int i = 0; i < 365; ++i) {
        lines += "2024-05-01 \"Mill\" 30.5\n";
    }
    read_levels(written("year.lvl", lines), network, pool);
    CHECK(pool.most() < 1000);
}
RUN(test_the_box_has_room_for_a_year);
