// rigorbench-canary ecf4fdca-358f-4d14-bb58-275f2dfb8b72
// A streaming codec with two rows and a window: the encoder looks ahead in whole rows, the decoder parses from a buffer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

namespace pic {

struct Format {
  std::uint32_t width = 0, height = 0;
  std::uint8_t channels = 0;
};

enum class Status { more, done, corrupt };

namespace inner {

// A pixel as one number: channel c in bits 8 c to 8 c + 7.
using Colour = std::uint32_t;

inline Colour colour_at(const std::uint8_t* bytes, int channels) {
  Colour found = 0;
  for (int c = channels; c-- > 0;) found = found << 8 | bytes[c];
  return found;
}
inline void colour_to(std::uint8_t* bytes, int channels, Colour colour) {
  for (int c = 0; c < channels; ++c) bytes[c] = static_cast<std::uint8_t>(colour >> 8 * c);
}
inline unsigned part(Colour colour, int c) { return colour >> 8 * c & 255u; }
inline unsigned slot_of(Colour c) { return (part(c, 0) * 3 + part(c, 1) * 5 + part(c, 2) * 7 + part(c, 3) * 11) & 63u; }

struct Slots {
  Colour colours[64] = {};
  std::uint64_t filled = 0;
  bool has(unsigned index) const { return filled >> index & 1; }
  void put(Colour colour) {
    colours[slot_of(colour)] = colour;
    filled |= std::uint64_t{1} << slot_of(colour);
  }
};

struct Checksum {
  std::uint64_t a = 1, b = 0;
  void add(const std::uint8_t* bytes, std::size_t count) {
    while (count > 0) {
      const std::size_t some = std::min<std::size_t>(count, 4096);
      for (std::size_t i = 0; i < some; ++i) b += a += bytes[i];
      a %= 65521;
      b %= 65521;
      bytes += some;
      count -= some;
    }
  }
  std::uint32_t value() const { return static_cast<std::uint32_t>(b << 16 | a); }
};

inline Colour middle(Colour x, Colour y) {
  Colour found = 0;
  for (int c = 0; c < 4; ++c) found |= (part(x, c) + part(y, c)) / 2 << 8 * c;
  return found;
}
inline Colour first_colour(int channels) { return channels == 4 ? 0xFF000000u : 0; }

}  // namespace inner

class Encoder {
 public:
  using Put = std::function<void(const std::uint8_t*, std::size_t)>;

  Encoder(const Format& format, Put put)
      : width_(format.width), channels_(format.channels), put_(std::move(put)), above_(width_), now_(width_),
        last_(inner::first_colour(channels_)) {
    out_.insert(out_.end(), {'R', 'I', 'M', '1'});
    big_endian(format.width);
    big_endian(format.height);
    out_.push_back(format.channels);
  }

  void row(const std::uint8_t* pixels) {
    sum_.add(pixels, std::size_t{width_} * channels_);
    for (std::uint32_t x = 0; x < width_; ++x) now_[x] = inner::colour_at(pixels + std::size_t{x} * channels_, channels_);
    for (std::uint32_t x = 0; x < width_;) x = step(x);
    std::swap(above_, now_);
    first_row_ = false;
    send(1u << 12);
  }

  void finish() {
    close();
    out_.push_back(0xF0);
    big_endian(sum_.value());
    send(0);
  }

 private:
  // Handles the pixel at x, and with it as many as belong to the same run; returns where to go on.
  std::uint32_t step(std::uint32_t x) {
    if (state_ != 0) {
      const unsigned before = state_;
      std::uint32_t at = x;
      while (at < width_ && length_ < 64 && (state_ = still(at)) != 0) {
        lengths_[0] += state_ & 1;
        lengths_[1] += state_ >> 1 & 1;
        ++length_;
        last_ = now_[at++];
      }
      if (at == width_ && length_ < 64 && (state_ != 0 || at == x)) {
        if (at == x) state_ = before;
        return at;
      }
      close();
      return at;
    }
    state_ = 3;
    state_ = still(x);
    if (state_ != 0) {
      lengths_[0] = state_ & 1;
      lengths_[1] = state_ >> 1;
      length_ = 1;
    } else {
      alone(x);
    }
    last_ = now_[x];
    return x + 1;
  }

  // Which of the runs that are alive (bit 0: the previous pixel, bit 1: those above) the pixel at x continues.
  unsigned still(std::uint32_t x) const {
    const unsigned same = now_[x] == last_ ? 1u : 0u;
    const unsigned above = !first_row_ && now_[x] == above_[x] ? 2u : 0u;
    return state_ & (same | above);
  }

  void close() {
    if (length_ > 0) {
      const bool run = lengths_[0] >= lengths_[1];
      out_.push_back(static_cast<std::uint8_t>((run ? 0 : 64) + lengths_[run ? 0 : 1] - 1));
    }
    state_ = length_ = lengths_[0] = lengths_[1] = 0;
  }

  void alone(std::uint32_t x) {
    const inner::Colour colour = now_[x];
    const unsigned slot = inner::slot_of(colour);
    if (slots_.has(slot) && slots_.colours[slot] == colour) {
      out_.push_back(static_cast<std::uint8_t>(128 + slot));
      return;
    }
    const inner::Colour from = first_row_ ? last_ : inner::middle(last_, above_[x]);
    unsigned shifted[4];
    const unsigned shift[4] = {channels_ == 1 ? 16u : 8u, 16u, 8u, 0u};
    for (int c = 0; c < 4; ++c) shifted[c] = (inner::part(colour, c) - inner::part(from, c) + shift[c]) & 255u;
    if (channels_ == 1 && shifted[0] < 32) {
      out_.push_back(static_cast<std::uint8_t>(192 + shifted[0]));
    } else if (channels_ > 1 && shifted[0] < 16 && shifted[1] < 32 && shifted[2] < 16 && shifted[3] == 0) {
      out_.push_back(static_cast<std::uint8_t>(192 + (shifted[0] << 1) + (shifted[1] >> 4)));
      out_.push_back(static_cast<std::uint8_t>((shifted[1] << 4 | shifted[2]) & 255u));
    } else {
      out_.push_back(0xE0);
      for (int c = 0; c < channels_; ++c) out_.push_back(static_cast<std::uint8_t>(inner::part(colour, c)));
    }
    slots_.put(colour);
    send(1u << 12);
  }

  void big_endian(std::uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) out_.push_back(static_cast<std::uint8_t>(number >> shift));
  }
  void send(std::size_t least) {
    if (out_.size() <= least) return;
    put_(out_.data(), out_.size());
    out_.clear();
  }

  std::uint32_t width_;
  int channels_;
  Put put_;
  std::vector<inner::Colour> above_, now_;
  inner::Colour last_;
  bool first_row_ = true;
  unsigned state_ = 0;
  unsigned length_ = 0;
  unsigned lengths_[2] = {0, 0};
  inner::Slots slots_;
  inner::Checksum sum_;
  std::vector<std::uint8_t> out_;
};

class Decoder {
 public:
  using Row = std::function<void(const Format&, const std::uint8_t*)>;

  explicit Decoder(Row row) : row_(std::move(row)) {}

  Status feed(const std::uint8_t* bytes, std::size_t count) {
    while (count > 0 && status_ != Status::corrupt) {
      // Small pieces, so that what is kept stays small: an operation has at most 13 bytes.
      const std::size_t some = std::min<std::size_t>(count, 1024);
      waiting_.insert(waiting_.end(), bytes, bytes + some);
      bytes += some;
      count -= some;
      std::size_t used = 0;
      for (std::size_t size; status_ == Status::more && (size = needed(used)) <= waiting_.size() - used; used += size) {
        if (!apply(waiting_.data() + used)) status_ = Status::corrupt;
      }
      waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(used, waiting_.size())));
      if (status_ == Status::done && (!waiting_.empty() || count > 0)) status_ = Status::corrupt;
    }
    return status_;
  }

  Status finish() { return status_ = status_ == Status::done ? Status::done : Status::corrupt; }

 private:
  // Bytes of the operation at a place of the buffer; an operation that cannot be right has one byte.
  std::size_t needed(std::size_t at) const {
    if (left_ == kNoHeader) return 13;
    if (at == waiting_.size()) return 1;
    const std::uint8_t code = waiting_[at];
    if (code == 0xF0) return left_ == 0 ? 5 : 1;
    if (left_ == 0) return 1;
    if (code == 0xE0) return 1u + format_.channels;
    return code >= 192 && code < 0xE0 && format_.channels > 1 ? 2 : 1;
  }

  bool apply(const std::uint8_t* at) {
    if (left_ == kNoHeader) return open(at);
    if (at[0] == 0xF0) {
      if (left_ > 0 || big_endian(at + 1) != sum_.value()) return false;
      status_ = Status::done;
      return true;
    }
    if (left_ == 0) return false;
    const unsigned low = at[0] & 63u;
    switch (at[0] >> 6) {
      case 0: return many(low + 1, false);
      case 1: return !first_row_ && many(low + 1, true);
      case 2: return slots_.has(low) && pixel(slots_.colours[low]);
      default: return single(at);
    }
  }

  bool open(const std::uint8_t* at) {
    format_ = {big_endian(at + 4), big_endian(at + 8), at[12]};
    const std::uint64_t pixels = std::uint64_t{format_.width} * format_.height;
    const bool fits = std::max(format_.width, format_.height) <= 1'000'000 && pixels > 0 && pixels <= 1u << 28;
    if (std::memcmp(at, "RIM1", 4) != 0 || !fits) return false;
    if (format_.channels != 1 && format_.channels != 3 && format_.channels != 4) return false;
    left_ = pixels;
    bytes_.resize(std::size_t{format_.width} * format_.channels);
    last_ = inner::first_colour(format_.channels);
    return true;
  }

  bool many(std::uint64_t count, bool above) {
    if (count > left_) return false;
    while (count-- > 0) pixel(above ? up() : last_);
    return true;
  }

  bool single(const std::uint8_t* at) {
    inner::Colour colour = 0;
    if (at[0] > 0xE0) return false;
    if (at[0] == 0xE0) {
      colour = inner::colour_at(at + 1, format_.channels);
    } else {
      const inner::Colour from = first_row_ ? last_ : inner::middle(last_, up());
      unsigned add[4] = {(at[0] & 31u) - 16u, 0, 0, 0};
      if (format_.channels > 1) {
        add[0] = (at[0] >> 1 & 15u) - 8u;
        add[1] = ((at[0] & 1u) << 4 | at[1] >> 4) - 16u;
        add[2] = (at[1] & 15u) - 8u;
      }
      for (int c = 0; c < 4; ++c) colour |= ((inner::part(from, c) + add[c]) & 255u) << 8 * c;
    }
    slots_.put(colour);
    return pixel(colour);
  }

  bool pixel(inner::Colour colour) {
    inner::colour_to(bytes_.data() + std::size_t{x_} * format_.channels, format_.channels, colour);
    last_ = colour;
    --left_;
    if (++x_ == format_.width) {
      x_ = 0;
      first_row_ = false;
      sum_.add(bytes_.data(), bytes_.size());
      row_(format_, bytes_.data());
    }
    return true;
  }

  inner::Colour up() const { return inner::colour_at(bytes_.data() + std::size_t{x_} * format_.channels, format_.channels); }

  static std::uint32_t big_endian(const std::uint8_t* at) {
    return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 | at[3];
  }

  static constexpr std::uint64_t kNoHeader = ~std::uint64_t{0};
  Row row_;
  Format format_;
  Status status_ = Status::more;
  std::uint64_t left_ = kNoHeader;
  std::uint32_t x_ = 0;
  bool first_row_ = true;
  inner::Colour last_ = 0;
  inner::Slots slots_;
  inner::Checksum sum_;
  std::vector<std::uint8_t> bytes_, waiting_;
};

}  // namespace pic
