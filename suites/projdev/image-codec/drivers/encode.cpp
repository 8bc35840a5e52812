// rigorbench-canary ecf4fdca-358f-4d14-bb58-275f2dfb8b72
// Encodes images: the length and a digest of each stream, and the stream itself if it is short.
#include "rigor_driver.hpp"

#include <functional>
#include <vector>

#include "image.hpp"

namespace drive {
void encode(std::istream& input, std::ostream& shown);
}

int main() { return drive::report(drive::encode); }

#include "codec.hpp"

namespace drive {

void encode(std::istream& input, std::ostream& shown) {
  for (shape s; input >> s;) {
    std::vector<std::uint8_t> stream;
    image source(s);
    pic::Encoder encoder(pic::Format{s.width, s.height, static_cast<std::uint8_t>(s.channels)},
                         [&stream](const std::uint8_t* bytes, std::size_t count) { stream.insert(stream.end(), bytes, bytes + count); });
    for (std::uint32_t y = 0; y < s.height; ++y) {
      std::vector<std::uint8_t> row = source.next();  // a copy: the encoder must not keep its address
      encoder.row(row.data());
    }
    encoder.finish();
    digest all;
    all.add(stream.data(), stream.size());
    shown << stream.size() << ' ' << all.value();
    if (stream.size() <= 200) shown << ' ' << hex(stream.data(), stream.size());
    shown << '\n';
  }
}

}  // namespace drive
