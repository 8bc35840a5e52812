#pragma once

#include <string>
#include <vector>

#include "levels.hpp"
#include "network.hpp"

// The gauges by name: id, name, river and area, which one is next upstream, and its note.
std::string list(const Network& network);

// Mean and highest flow at each gauge that was read, by name, and what came in since the next one upstream.
std::string report(const Network& network, const std::vector<Series>& series);
