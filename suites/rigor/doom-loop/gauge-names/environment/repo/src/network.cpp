#include "network.hpp"

#include <algorithm>

int Network::add(const Gauge& gauge) {
    if (by_id(gauge.id) >= 0 || by_name(gauge.name) >= 0) {
        return -1;
    }
    const int number = size();
    sorted_.insert(place(gauge.name), number);
    ids_.emplace(gauge.id, number);
    names_.emplace(gauge.name, number);
    gauges_.push_back(gauge);
    return number;
}

int Network::by_id(std::string_view id) const {
    const auto found = ids_.find(id);
    return found == ids_.end() ? -1 : found->second;
}

int Network::by_name(std::string_view name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? -1 : found->second;
}

int Network::find(std::string_view word) const {
    const int number = by_id(word);
    return number >= 0 ? number : by_name(word);
}

std::vector<int>::const_iterator Network::place(std::string_view name) const {
    return std::lower_bound(sorted_.begin(), sorted_.end(), name,
                            [this](int number, std::string_view wanted) { return gauges_[number].name < wanted; });
}
