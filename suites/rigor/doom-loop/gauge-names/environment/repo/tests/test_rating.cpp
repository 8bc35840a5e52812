#include "rating.hpp"

#include "check.hpp"

static void test_flows_lie_on_straight_lines() {
    Rating rating;
    CHECK(rating.add(20, 0.5));
    CHECK(rating.add(80, 6.5));
    CHECK(rating.add(180, 26.5));
    CHECK(rating.flow(10) == 0);
    CHECK(rating.flow(20) == 0.5);
    CHECK(rating.flow(50) == 3.5);
    CHECK(rating.flow(280) == 46.5);
}
RUN(test_flows_lie_on_straight_lines);

static void test_levels_rise() {
    Rating rating;
    CHECK(rating.add(20, 0.5));
    CHECK(!rating.add(20, 1));
}
RUN(test_levels_rise);
