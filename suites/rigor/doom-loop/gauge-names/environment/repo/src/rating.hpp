#pragma once

#include <vector>

// From the level at a gauge to the flow past it: straight lines between measured points.
class Rating {
public:
    // Points are added by rising levels; false if this one does not rise.
    bool add(double level, double flow);
    bool empty() const { return points_.empty(); }

    // m³/s; below the lowest point 0, above the highest as on the last line.
    double flow(double level) const;

private:
    struct Point {
        double level;
        double flow;
    };

    std::vector<Point> points_;
};
