// rigorbench-canary ecf4fdca-358f-4d14-bb58-275f2dfb8b72
// Images from seeds, row by row, and what the drivers share; generators/model.py has the same.
#ifndef IMAGE_HPP
#define IMAGE_HPP

#include "rigor_driver.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace drive {

class chance {
 public:
  explicit chance(std::uint64_t seed) : state_(seed) {}
  std::uint32_t below(std::uint32_t end) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>((state_ >> 33) % end);
  }

 private:
  std::uint64_t state_;
};

class digest {
 public:
  void add(const std::uint8_t* bytes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) state_ = (state_ ^ bytes[i]) * 0x100000001B3u;
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xCBF29CE484222325u;
};

struct shape {
  std::string kind;
  std::uint32_t width = 0, height = 0;
  int channels = 0;
  std::uint64_t seed = 0;
};

inline std::istream& operator>>(std::istream& input, shape& s) {
  return input >> s.kind >> s.width >> s.height >> s.channels >> s.seed;
}

class image {
 public:
  explicit image(const shape& s) : shape_(s), chance_(s.seed), row_(std::size_t{s.width} * s.channels) {
    for (auto& value : palette_) value = static_cast<std::uint8_t>(chance_.below(256));
  }

  // The next row.
  const std::vector<std::uint8_t>& next() {
    for (std::uint32_t x = 0; x < shape_.width; ++x) paint(x, &row_[std::size_t{x} * shape_.channels]);
    ++y_;
    return row_;
  }

 private:
  void paint(std::uint32_t x, std::uint8_t* pixel) {
    const std::string& kind = shape_.kind;
    if (kind == "tiles") {
      const std::uint8_t* colour = &palette_[(x / 5 * 7 + y_ / 3 * 13) % 40 * 4];
      for (int c = 0; c < shape_.channels; ++c) pixel[c] = colour[c];
    } else if (kind == "lines") {
      if (y_ == 0 || chance_.below(50) == 0) scatter(pixel, 256);
    } else if (kind == "drift") {
      for (int c = 0; c < shape_.channels; ++c) {
        walk_[c] = static_cast<std::uint8_t>(walk_[c] + chance_.below(c == 3 ? 1 : 7) - (c == 3 ? 0 : 3));
        pixel[c] = walk_[c];
      }
    } else if (kind == "noise") {
      scatter(pixel, 256);
    } else if (kind == "spots") {
      if (chance_.below(12) == 0) {
        scatter(pixel, 4);
      } else {
        for (int c = 0; c < shape_.channels; ++c) pixel[c] = palette_[c];
      }
    } else {  // flat
      for (int c = 0; c < shape_.channels; ++c) pixel[c] = palette_[c];
    }
  }

  void scatter(std::uint8_t* pixel, std::uint32_t end) {
    for (int c = 0; c < shape_.channels; ++c) pixel[c] = static_cast<std::uint8_t>(chance_.below(end));
  }

  shape shape_;
  chance chance_;
  std::uint32_t y_ = 0;
  std::vector<std::uint8_t> row_;
  std::uint8_t palette_[160] = {};
  std::uint8_t walk_[4] = {128, 128, 128, 128};
};

inline std::string hex(const std::uint8_t* bytes, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += "0123456789abcdef"[bytes[i] >> 4];
    text += "0123456789abcdef"[bytes[i] & 15];
  }
  return text;
}

inline std::vector<std::uint8_t> bytes_of(const std::string& text) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(digit(text[i]) * 16 + digit(text[i + 1])));
  }
  return bytes;
}

// A driver's main function. What a case shows goes to the judge in one piece, after all of it has ended well.
inline int report(void (*run)(std::istream&, std::ostream&)) {
  std::ios::sync_with_stdio(false);
  std::ostringstream shown;
  run(std::cin, shown);
  rigor::out << shown.str();
  rigor::finish();
  return 0;
}

}  // namespace drive

#endif  // IMAGE_HPP
