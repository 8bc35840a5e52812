#include "pool.hpp"

#include <algorithm>
#include <cstring>

std::string_view Pool::store(std::string_view text) {
    while (at_.block < blocks_.size() && blocks_[at_.block].size - at_.used < text.size()) {
        at_ = Mark{at_.block + 1, 0};
    }
    if (at_.block == blocks_.size()) {
        const std::size_t size = std::max(kBlock, text.size());
        blocks_.push_back(Block{std::make_unique<char[]>(size), size});
    }
    char* place = blocks_[at_.block].bytes.get() + at_.used;
    if (!text.empty()) {
        std::memcpy(place, text.data(), text.size());
    }
    at_.used += text.size();
    most_ = std::max(most_, held());
    return {place, text.size()};
}

std::size_t Pool::held() const {
    std::size_t total = at_.used;
    for (std::size_t i = 0; i < at_.block && i < blocks_.size(); ++i) {
        total += blocks_[i].size;
    }
    return total;
}
