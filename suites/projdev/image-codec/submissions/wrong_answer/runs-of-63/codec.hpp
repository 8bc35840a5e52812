// rigorbench-canary ecf4fdca-358f-4d14-bb58-275f2dfb8b72
// A streaming codec: the encoder counts two runs side by side, the decoder is a machine that takes byte after byte.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace pic {

struct Format {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint8_t channels = 0;
};

enum class Status { more, done, corrupt };

namespace detail {

constexpr std::uint32_t kLargestSide = 1'000'000;
constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 28;
constexpr std::uint8_t kRun = 0x00, kAbove = 0x40, kSlot = 0x80, kDelta = 0xC0, kLiteral = 0xE0, kEnd = 0xF0;
constexpr int kLongest = 63;
constexpr std::array<std::uint8_t, 4> kMagic = {'R', 'I', 'M', '1'};

// Up to four channels; those that an image does not have are 0 everywhere.
struct Pixel {
  std::array<std::uint8_t, 4> part{};
  friend bool operator==(const Pixel&, const Pixel&) = default;
};

inline int slot_of(const Pixel& p) { return (p.part[0] * 3 + p.part[1] * 5 + p.part[2] * 7 + p.part[3] * 11) % 64; }

// What both directions remember: the pixels of the last row's length, the one before, the slots, the checksum.
class Memory {
 public:
  explicit Memory(const Format& format)
      : channels_(format.channels), width_(format.width), rows_(std::size_t{format.width} * format.channels) {
    if (channels_ == 4) last_.part[3] = 255;
  }

  const Pixel& last() const { return last_; }
  bool has_above() const { return seen_ >= width_; }
  Pixel above() const {
    Pixel found;
    for (int c = 0; c < channels_; ++c) found.part[c] = rows_[std::size_t{x_} * channels_ + c];
    return found;
  }

  Pixel predicted() const {
    if (!has_above()) return last_;
    Pixel found = above();
    for (int c = 0; c < 4; ++c) found.part[c] = static_cast<std::uint8_t>((found.part[c] + last_.part[c]) / 2);
    return found;
  }

  const Pixel* slot(int index) const { return filled_[index] ? &slots_[index] : nullptr; }
  void remember(const Pixel& pixel) {
    slots_[slot_of(pixel)] = pixel;
    filled_[slot_of(pixel)] = true;
  }

  // The next pixel is this one. True: it ends a row, which row() shows.
  bool advance(const Pixel& pixel) {
    for (int c = 0; c < channels_; ++c) {
      rows_[std::size_t{x_} * channels_ + c] = pixel.part[c];
      sum_ = (sum_ + pixel.part[c]) % 65521;
      sums_ = (sums_ + sum_) % 65521;
    }
    last_ = pixel;
    ++seen_;
    x_ = x_ + 1 == width_ ? 0 : x_ + 1;
    return x_ == 0;
  }
  const std::uint8_t* row() const { return rows_.data(); }
  std::uint64_t seen() const { return seen_; }
  std::uint32_t checksum() const { return sums_ << 16 | sum_; }

 private:
  int channels_;
  std::uint32_t width_;
  std::uint32_t x_ = 0;
  std::uint64_t seen_ = 0;
  std::uint32_t sum_ = 1, sums_ = 0;
  Pixel last_;
  std::vector<std::uint8_t> rows_;
  std::array<Pixel, 64> slots_{};
  std::array<bool, 64> filled_{};
};

inline int difference(std::uint8_t value, std::uint8_t from) { return static_cast<std::int8_t>(value - from); }

}  // namespace detail

class Encoder {
 public:
  using Put = std::function<void(const std::uint8_t* bytes, std::size_t count)>;

  Encoder(const Format& format, Put put) : format_(format), put_(std::move(put)), memory_(format) {
    for (std::uint8_t byte : detail::kMagic) byte_out(byte);
    number_out(format.width);
    number_out(format.height);
    byte_out(format.channels);
  }

  void row(const std::uint8_t* pixels) {
    for (std::uint32_t x = 0; x < format_.width; ++x) {
      detail::Pixel pixel;
      for (int c = 0; c < format_.channels; ++c) pixel.part[c] = pixels[std::size_t{x} * format_.channels + c];
      take(pixel);
    }
  }

  void finish() {
    end_runs();
    byte_out(detail::kEnd);
    number_out(memory_.checksum());
    flush();
  }

 private:
  // A run that began at the same pixel as the other and may go on.
  struct Count {
    int length = 0;
    bool open = false;
  };

  void take(const detail::Pixel& pixel) {
    if (run_.open || above_.open) {
      go_on(run_, pixel == memory_.last());
      go_on(above_, memory_.has_above() && pixel == memory_.above());
      const bool full = run_.length == detail::kLongest || above_.length == detail::kLongest;
      if (run_.open || above_.open) {
        memory_.advance(pixel);
        if (full) end_runs();
        return;
      }
      end_runs();
    }
    run_ = begin(pixel == memory_.last());
    above_ = begin(memory_.has_above() && pixel == memory_.above());
    if (!run_.open && !above_.open) single(pixel);
    memory_.advance(pixel);
  }

  static Count begin(bool fits) { return {fits ? 1 : 0, fits}; }
  static void go_on(Count& count, bool fits) {
    count.open = count.open && fits;
    if (count.open) ++count.length;
  }

  void end_runs() {
    if (run_.length > 0 && run_.length >= above_.length) {
      byte_out(static_cast<std::uint8_t>(detail::kRun | (run_.length - 1)));
    } else if (above_.length > 0) {
      byte_out(static_cast<std::uint8_t>(detail::kAbove | (above_.length - 1)));
    }
    run_ = above_ = {};
  }

  void single(const detail::Pixel& pixel) {
    const int slot = detail::slot_of(pixel);
    const detail::Pixel* kept = memory_.slot(slot);
    if (kept != nullptr && *kept == pixel) {
      byte_out(static_cast<std::uint8_t>(detail::kSlot | slot));
      return;
    }
    if (!delta(pixel)) {
      byte_out(detail::kLiteral);
      for (int c = 0; c < format_.channels; ++c) byte_out(pixel.part[c]);
    }
    memory_.remember(pixel);
  }

  bool delta(const detail::Pixel& pixel) {
    const detail::Pixel from = memory_.predicted();
    int d[4];
    for (int c = 0; c < 4; ++c) d[c] = detail::difference(pixel.part[c], from.part[c]);
    if (format_.channels == 1) {
      if (d[0] < -16 || d[0] > 15) return false;
      byte_out(static_cast<std::uint8_t>(detail::kDelta | (d[0] + 16)));
      return true;
    }
    if (d[0] < -8 || d[0] > 7 || d[1] < -16 || d[1] > 15 || d[2] < -8 || d[2] > 7 || d[3] != 0) return false;
    const int bits = (d[0] + 8) << 9 | (d[1] + 16) << 4 | (d[2] + 8);
    byte_out(static_cast<std::uint8_t>(detail::kDelta | bits >> 8));
    byte_out(static_cast<std::uint8_t>(bits & 255));
    return true;
  }

  void number_out(std::uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) byte_out(static_cast<std::uint8_t>(number >> shift));
  }
  void byte_out(std::uint8_t byte) {
    buffer_[used_++] = byte;
    if (used_ == buffer_.size()) flush();
  }
  void flush() {
    if (used_ > 0) put_(buffer_.data(), used_);
    used_ = 0;
  }

  Format format_;
  Put put_;
  detail::Memory memory_;
  Count run_, above_;
  std::array<std::uint8_t, 1024> buffer_{};
  std::size_t used_ = 0;
};

class Decoder {
 public:
  using Row = std::function<void(const Format& format, const std::uint8_t* pixels)>;

  explicit Decoder(Row row) : row_(std::move(row)), memory_(Format{}) {}

  Status feed(const std::uint8_t* bytes, std::size_t count) {
    for (std::size_t i = 0; i < count && status_ != Status::corrupt; ++i) {
      if (status_ == Status::done || !take(bytes[i])) status_ = Status::corrupt;
    }
    return status_;
  }

  Status finish() {
    if (status_ != Status::done) status_ = Status::corrupt;
    return status_;
  }

 private:
  enum class Part { header, operation, delta, literal, checksum };

  // False: the stream is corrupt.
  bool take(std::uint8_t byte) {
    if (part_ == Part::operation) return operation(byte);
    pending_[have_++] = byte;
    if (have_ < want_) return true;
    const Part part = part_;
    part_ = Part::operation;
    switch (part) {
      case Part::header: return header();
      case Part::delta: return delta((pending_[0] & 31) << 8 | pending_[1]);
      case Part::literal: return literal();
      default: status_ = Status::done; return number(0) == memory_.checksum();
    }
  }

  bool header() {
    for (int i = 0; i < 4; ++i) {
      if (pending_[i] != detail::kMagic[i]) return false;
    }
    format_ = {number(4), number(8), pending_[12]};
    const auto side = [](std::uint32_t n) { return n >= 1 && n <= detail::kLargestSide; };
    if (!side(format_.width) || !side(format_.height)) return false;
    if (format_.channels != 1 && format_.channels != 3 && format_.channels != 4) return false;
    pixels_ = std::uint64_t{format_.width} * format_.height;
    if (pixels_ > detail::kMostPixels) return false;
    memory_ = detail::Memory(format_);
    return true;
  }

  bool operation(std::uint8_t byte) {
    const bool complete = memory_.seen() == pixels_;
    if (byte == detail::kEnd) return complete && wait(Part::checksum, 4);
    if (complete) return false;
    if (byte < detail::kSlot) return repeat(byte >= detail::kAbove, (byte & 63) + 1u);
    if (byte < detail::kDelta) {
      const detail::Pixel* kept = memory_.slot(byte & 63);
      if (kept == nullptr) return false;
      give(*kept);
      return true;
    }
    if (byte < detail::kLiteral) {
      if (format_.channels == 1) return delta(byte & 31);
      pending_[0] = byte;
      return wait(Part::delta, 2, 1);
    }
    return byte == detail::kLiteral && wait(Part::literal, format_.channels);
  }

  bool repeat(bool above, std::uint32_t count) {
    if (memory_.seen() + count > pixels_ || (above && !memory_.has_above())) return false;
    for (; count > 0; --count) give(above ? memory_.above() : memory_.last());
    return true;
  }

  bool delta(int bits) {
    detail::Pixel pixel = memory_.predicted();
    const auto change = [&pixel](int channel, int by) {
      pixel.part[channel] = static_cast<std::uint8_t>(pixel.part[channel] + by);
    };
    if (format_.channels == 1) {
      change(0, bits - 16);
    } else {
      change(0, (bits >> 9) - 8);
      change(1, (bits >> 4 & 31) - 16);
      change(2, (bits & 15) - 8);
    }
    memory_.remember(pixel);
    give(pixel);
    return true;
  }

  bool literal() {
    detail::Pixel pixel;
    for (int c = 0; c < format_.channels; ++c) pixel.part[c] = pending_[c];
    memory_.remember(pixel);
    give(pixel);
    return true;
  }

  void give(detail::Pixel pixel) {
    if (memory_.advance(pixel)) row_(format_, memory_.row());
  }

  bool wait(Part part, std::size_t bytes, std::size_t have = 0) {
    part_ = part;
    want_ = bytes;
    have_ = have;
    return true;
  }

  std::uint32_t number(int at) const {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value = value << 8 | pending_[at + i];
    return value;
  }

  Row row_;
  Format format_;
  detail::Memory memory_;
  std::uint64_t pixels_ = 0;
  Status status_ = Status::more;
  Part part_ = Part::header;
  std::array<std::uint8_t, 16> pending_{};
  std::size_t have_ = 0, want_ = 13;
};

}  // namespace pic
