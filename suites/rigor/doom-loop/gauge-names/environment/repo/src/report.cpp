#include "report.hpp"

#include <cstdio>

namespace {

std::string padded(std::string_view text, std::size_t width) {
    std::string found(text);
    found.resize(found.size() < width ? width : found.size() + 1, ' ');
    return found;
}

std::string fixed(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%9.2f", value);
    return text;
}

}  // namespace

std::string list(const Network& network) {
    std::string out;
    for (const int number : network.sorted()) {
        const Gauge& gauge = network.gauge(number);
        out += padded(gauge.name, 20) + padded(gauge.id, 6) + padded(gauge.river.empty() ? "-" : gauge.river, 12);
        out += fixed(gauge.area);
        if (gauge.upstream >= 0) {
            out += "  after " + std::string(network.gauge(gauge.upstream).name);
        }
        if (!gauge.note.empty()) {
            out += "  (" + std::string(gauge.note) + ")";
        }
        out += '\n';
    }
    return out;
}

std::string report(const Network& network, const std::vector<Series>& series) {
    std::string out;
    for (const int number : network.sorted()) {
        const Gauge& gauge = network.gauge(number);
        const Series& at = series[number];
        if (at.readings == 0) {
            continue;
        }
        const double mean = at.sum / at.readings;
        out += padded(gauge.name, 20) + fixed(mean) + fixed(at.highest) + "  on " + at.day;
        if (gauge.upstream >= 0 && series[gauge.upstream].readings > 0) {
            const Series& above = series[gauge.upstream];
            out += ", " + fixed(mean - above.sum / above.readings) + " since " +
                   std::string(network.gauge(gauge.upstream).name);
        }
        out += '\n';
    }
    return out;
}
