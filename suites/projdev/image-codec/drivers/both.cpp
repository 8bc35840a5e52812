// rigorbench-canary ecf4fdca-358f-4d14-bb58-275f2dfb8b72
// Encodes an image and decodes the stream in pieces of random size, and watches how much memory both use.
#include "rigor_driver.hpp"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <vector>

#include "image.hpp"

namespace drive {
void both(std::istream& input, std::ostream& shown);
std::size_t in_use = 0, most = 0;
constexpr std::size_t kBefore = 16;
}  // namespace drive

void* operator new(std::size_t size) {
  auto* at = static_cast<unsigned char*>(std::malloc(size + drive::kBefore));
  if (at == nullptr) throw std::bad_alloc();
  *reinterpret_cast<std::size_t*>(at) = size;
  drive::in_use += size;
  if (drive::in_use > drive::most) drive::most = drive::in_use;
  return at + drive::kBefore;
}
void operator delete(void* where) noexcept {
  if (where == nullptr) return;
  auto* at = static_cast<unsigned char*>(where) - drive::kBefore;
  drive::in_use -= *reinterpret_cast<std::size_t*>(at);
  std::free(at);
}
void operator delete(void* where, std::size_t) noexcept { operator delete(where); }

int main() { return drive::report(drive::both); }

#include "codec.hpp"

namespace drive {

// The stream is kept outside of what is counted.
struct store {
  std::uint8_t* bytes = nullptr;
  std::size_t size = 0, room = 0;
  ~store() { std::free(bytes); }
  void add(const std::uint8_t* more, std::size_t count) {
    if (size + count > room) {
      room = 2 * (size + count);
      bytes = static_cast<std::uint8_t*>(std::realloc(bytes, room));
    }
    for (std::size_t i = 0; i < count; ++i) bytes[size + i] = more[i];
    size += count;
  }
};

void both(std::istream& input, std::ostream& shown) {
  shape s;
  for (std::uint32_t piece = 0; input >> piece >> s;) {
    const pic::Format format{s.width, s.height, static_cast<std::uint8_t>(s.channels)};
    store stream;
    std::size_t peak = 0;
    {
      image source(s);
      most = in_use;
      const std::size_t before = in_use;
      pic::Encoder encoder(format, [&stream](const std::uint8_t* bytes, std::size_t count) { stream.add(bytes, count); });
      for (std::uint32_t y = 0; y < s.height; ++y) encoder.row(source.next().data());
      encoder.finish();
      peak = most - before;
    }
    image source(s);
    std::uint64_t rows = 0, different = 0;
    most = in_use;
    const std::size_t before = in_use;
    pic::Decoder decoder([&](const pic::Format& found, const std::uint8_t* pixels) {
      const std::vector<std::uint8_t>& row = source.next();
      ++rows;
      if (found.width != s.width || found.height != s.height || found.channels != s.channels) ++different;
      for (std::size_t i = 0; i < row.size(); ++i) different += row[i] != pixels[i];
    });
    chance draw(s.seed);
    for (std::size_t at = 0, count = 0; at < stream.size; at += count) {
      count = std::min<std::size_t>(1 + draw.below(piece), stream.size - at);
      decoder.feed(stream.bytes + at, count);
    }
    const pic::Status status = decoder.finish();
    peak = std::max(peak, most - before);
    digest all;
    all.add(stream.bytes, stream.size);
    const bool small = peak <= 65536 + 16 * std::size_t{s.width} * s.channels;
    shown << stream.size << ' ' << all.value() << ' ' << (status == pic::Status::done ? "done" : "corrupt") << ' ' << rows << " rows, "
          << different << " different, memory " << (small ? "small" : "large") << '\n';
  }
}

}  // namespace drive
