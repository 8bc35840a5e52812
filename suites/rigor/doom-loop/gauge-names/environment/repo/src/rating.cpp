#include "rating.hpp"

bool Rating::add(double level, double flow) {
    if (!points_.empty() && level <= points_.back().level) {
        return false;
    }
    points_.push_back({level, flow});
    return true;
}

double Rating::flow(double level) const {
    if (points_.empty() || level < points_.front().level) {
        return 0;
    }
    std::size_t i = 1;
    while (i + 1 < points_.size() && points_[i].level < level) {
        ++i;
    }
    if (points_.size() == 1) {
        return points_[0].flow;
    }
    const Point &a = points_[i - 1], &b = points_[i];
    return a.flow + (b.flow - a.flow) * (level - a.level) / (b.level - a.level);
}
