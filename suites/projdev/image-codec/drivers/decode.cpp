// rigorbench-canary ecf4fdca-358f-4d14-bb58-275f2dfb8b72
// Decodes streams: in pieces, whole, and damaged in many ways.
#include "rigor_driver.hpp"

#include <functional>
#include <vector>

#include "image.hpp"

namespace drive {
void decode(std::istream& input, std::ostream& shown);
}

int main() { return drive::report(drive::decode); }

#include "codec.hpp"

namespace drive {

// What a decoder has shown.
struct watched {
  std::uint64_t rows = 0;
  digest all;
  std::string text;
  pic::Decoder decoder{[this](const pic::Format& format, const std::uint8_t* pixels) {
    const std::size_t count = std::size_t{format.width} * format.channels;
    ++rows;
    all.add(pixels, count);
    if (text.size() < 400) text += ' ' + hex(pixels, count < 200 ? count : 200);
  }};
};

const char* name(pic::Status status) {
  return status == pic::Status::done ? "done" : status == pic::Status::more ? "more" : "corrupt";
}

// `stream PIECE HEX`: fed in pieces of PIECE bytes; after each, how many rows there are.
void stream(std::istream& input, std::ostream& shown) {
  std::size_t piece = 0;
  std::string text;
  input >> piece >> text;
  const std::vector<std::uint8_t> bytes = bytes_of(text);
  watched w;
  digest steps;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    const std::vector<std::uint8_t> part(bytes.begin() + at, bytes.begin() + std::min(at + piece, bytes.size()));
    w.decoder.feed(part.data(), part.size());
    const std::uint8_t rows[2] = {static_cast<std::uint8_t>(w.rows), static_cast<std::uint8_t>(w.rows >> 8)};
    steps.add(rows, 2);
  }
  shown << name(w.decoder.finish()) << ' ' << w.rows << ' ' << steps.value() << ' ' << w.all.value() << w.text << '\n';
}

std::vector<std::uint8_t> damaged(std::vector<std::uint8_t> bytes, chance& draw) {
  const std::uint32_t what = draw.below(5);
  const std::uint32_t at = draw.below(static_cast<std::uint32_t>(bytes.size()));
  const auto value = static_cast<std::uint8_t>(draw.below(256));
  if (what == 0) {
    bytes.resize(at);
  } else if (what == 1) {
    bytes.insert(bytes.begin() + at, value);
  } else if (what == 2) {
    bytes.erase(bytes.begin() + at);
  } else {
    bytes[at] = value;
  }
  return bytes;
}

// `damage COUNT SEED HEX`: for each damaged copy a letter, d or c; then a digest of all rows.
void damage(std::istream& input, std::ostream& shown) {
  std::uint64_t count = 0, seed = 0;
  std::string text;
  input >> count >> seed >> text;
  const std::vector<std::uint8_t> bytes = bytes_of(text);
  chance draw(seed);
  digest rows;
  std::string letters;
  for (; count > 0; --count) {
    const std::vector<std::uint8_t> copy = damaged(bytes, draw);
    watched w;
    const std::size_t half = copy.size() / 2;
    const std::vector<std::uint8_t> first(copy.begin(), copy.begin() + half), second(copy.begin() + half, copy.end());
    w.decoder.feed(first.data(), first.size());
    w.decoder.feed(second.data(), second.size());
    letters += name(w.decoder.finish())[0];
    const std::uint8_t seen[2] = {static_cast<std::uint8_t>(w.rows), static_cast<std::uint8_t>(w.all.value())};
    rows.add(seen, 2);
  }
  shown << letters << ' ' << rows.value() << '\n';
}

void decode(std::istream& input, std::ostream& shown) {
  for (std::string command; input >> command;) {
    if (command == "stream") stream(input, shown);
    if (command == "damage") damage(input, shown);
  }
}

}  // namespace drive
