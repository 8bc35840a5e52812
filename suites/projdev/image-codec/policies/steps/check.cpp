// What the statement promises: one known stream, images through both directions in pieces, and faults that are recognised.
#include "../codec.hpp"

#include <cstdio>
#include <cstdlib>
#include <vector>

using Bytes = std::vector<std::uint8_t>;

static void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "FAILED: %s\n", what);
  std::exit(1);
}

static Bytes encoded(const pic::Format& format, const Bytes& pixels) {
  Bytes stream;
  pic::Encoder encoder(format, [&stream](const std::uint8_t* bytes, std::size_t count) { stream.insert(stream.end(), bytes, bytes + count); });
  const std::size_t row = std::size_t{format.width} * format.channels;
  for (std::size_t at = 0; at < pixels.size(); at += row) encoder.row(&pixels[at]);
  encoder.finish();
  return stream;
}

static pic::Status decoded(const Bytes& stream, std::size_t piece, Bytes& pixels) {
  pixels.clear();
  pic::Decoder decoder([&pixels](const pic::Format& format, const std::uint8_t* row) {
    pixels.insert(pixels.end(), row, row + std::size_t{format.width} * format.channels);
  });
  for (std::size_t at = 0; at < stream.size(); at += piece) {
    decoder.feed(&stream[at], piece < stream.size() - at ? piece : stream.size() - at);
  }
  return decoder.finish();
}

int main() {
  const Bytes known = {0x52, 0x49, 0x4d, 0x31, 0, 0, 0, 3, 0, 0, 0, 2, 1, 0xe0, 48, 4, 0xf0, 3, 0xf6, 1, 0x21};
  check(encoded({3, 2, 1}, Bytes(6, 48)) == known, "the example's stream");
  Bytes pixels;
  for (std::uint8_t channels : {1, 3, 4}) {
    Bytes image;
    for (int i = 0; i < 40 * 30 * channels; ++i) image.push_back(static_cast<std::uint8_t>(std::rand() % (i % 7 == 0 ? 256 : 3)));
    const Bytes stream = encoded({40, 30, channels}, image);
    for (std::size_t piece : {1, 7, 100000}) {
      check(decoded(stream, piece, pixels) == pic::Status::done && pixels == image, "an image comes back");
    }
    for (std::size_t size = 1; size < stream.size(); ++size) {
      check(decoded(Bytes(stream.begin(), stream.begin() + size), 50, pixels) == pic::Status::corrupt, "a stream that ends too early");
    }
  }
  for (std::size_t at = 0; at < known.size(); ++at) {
    Bytes wrong = known;
    wrong[at] ^= 0x80;
    check(decoded(wrong, 5, pixels) == pic::Status::corrupt, "a changed byte");
  }
  Bytes longer = known;
  longer.push_back(0);
  check(decoded(longer, 100, pixels) == pic::Status::corrupt, "a byte after the end");
  std::puts("all checks hold");
}
