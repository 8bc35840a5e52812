#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "rating.hpp"

struct Gauge {
    std::string_view id;
    std::string_view name;
    std::string_view river;  // empty outside of any river
    std::string_view note;
    double area = 0;         // km²
    int upstream = -1;       // number of the next gauge upstream
    Rating rating;
};

// The gauges of a network, numbered as they were added, with an index of ids and names.
class Network {
public:
    // The number of the new gauge; -1 if its id or its name is used already.
    int add(const Gauge& gauge);

    // By id, or by name; -1 if there is none.
    int by_id(std::string_view id) const;
    int by_name(std::string_view name) const;
    int find(std::string_view word) const;

    Gauge& gauge(int number) { return gauges_[number]; }
    const Gauge& gauge(int number) const { return gauges_[number]; }
    int size() const { return static_cast<int>(gauges_.size()); }

    // All gauges by their names.
    const std::vector<int>& sorted() const { return sorted_; }

private:
    std::vector<int>::const_iterator place(std::string_view name) const;

    std::vector<Gauge> gauges_;
    std::vector<int> sorted_;
    // A year of levels looks for a gauge in each line.
    std::map<std::string_view, int> ids_;
    std::map<std::string_view, int> names_;
};
