#include "levels.hpp"

#include "lexer.hpp"
#include "problem.hpp"
#include "reader.hpp"

std::vector<Series> read_levels(const std::string& path, const Network& network, Pool& pool) {
    std::vector<Series> series(network.size());
    const std::string text = slurp(path);
    Lexer lexer(text, path, pool);
    while (true) {
        // Nothing of a line is needed when the next one is read.
        const Passing passing(pool);
        const Token day = lexer.next();
        if (day.kind == Kind::kFileEnd) {
            return series;
        }
        if (day.kind == Kind::kLineEnd) {
            continue;
        }
        const std::string_view word = need_name(lexer, "a gauge");
        const int number = network.find(word);
        if (number < 0) {
            lexer.fail("no gauge is called " + std::string(word));
        }
        const double level = need_number(lexer, "a level");
        const Gauge& gauge = network.gauge(number);
        if (gauge.rating.empty()) {
            lexer.fail(std::string(word) + " has no rating");
        }
        const double flow = gauge.rating.flow(level);
        Series& at = series[number];
        at.readings += 1;
        at.sum += flow;
        if (at.readings == 1 || flow > at.highest) {
            at.highest = flow;
            at.day = std::string(day.text);
        }
        const Kind end = lexer.next().kind;
        if (end != Kind::kLineEnd && end != Kind::kFileEnd) {
            lexer.fail("expected a day, a gauge and a level");
        }
    }
}
