#include "network.hpp"

#include <algorithm>

int Network::add(const Gauge& gauge) {
    if (by_id(gauge.id) >= 0 || by_name(gauge.name) >= 0) {
        return -1;
    }
    const int number = size();
    sorted_.insert(place(gauge.name), number);
    gauges_.push_back(gauge);
    return number;
}

int Network::by_id(std::string_view id) const {
    for (int i = 0; i < size(); ++i) {
        if (gauges_[i].id == id) {
            return i;
        }
    }
    return -1;
}

int Network::by_name(std::string_view name) const {
    const auto found = place(name);
    return found != sorted_.end() && gauges_[*found].name == name ? *found : -1;
}

int Network::find(std::string_view word) const {
    const int number = by_id(word);
    return number >= 0 ? number : by_name(word);
}

std::vector<int>::const_iterator Network::place(std::string_view name) const {
    return std::lower_bound(sorted_.begin(), sorted_.end(), name,
                            [this](int number, std::string_view wanted) { return gauges_[number].name < wanted; });
}
