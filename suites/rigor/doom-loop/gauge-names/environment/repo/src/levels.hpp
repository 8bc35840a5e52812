#pragma once

#include <string>
#include <vector>

#include "network.hpp"
#include "pool.hpp"

// What was read at one gauge.
struct Series {
    int readings = 0;
    double sum = 0;      // of the flows, m³/s
    double highest = 0;  // m³/s
    std::string day;     // of the highest flow, the first one
};

// Reads a level file into one series for each gauge of the network. Throws a Problem for what cannot be understood.
std::vector<Series> read_levels(const std::string& path, const Network& network, Pool& pool);
