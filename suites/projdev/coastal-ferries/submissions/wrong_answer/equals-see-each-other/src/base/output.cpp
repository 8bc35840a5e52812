// rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
#include "base/output.hpp"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace ferries {

Output& Output::operator<<(std::string_view text) {
  if (text.size() > kSize - used_) flush();
  std::memcpy(buffer_ + used_, text.data(), text.size());
  used_ += text.size();
  return *this;
}

Output& Output::operator<<(std::uint64_t number) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  return *this << std::string_view(digits, static_cast<std::size_t>(end - digits));
}

Output& Output::operator<<(Moment moment) {
  const std::uint32_t minute = moment.minutes % 1440;
  const char time[] = {'/',
                       static_cast<char>('0' + minute / 600),
                       static_cast<char>('0' + minute / 60 % 10),
                       ':',
                       static_cast<char>('0' + minute % 60 / 10),
                       static_cast<char>('0' + minute % 10)};
  return *this << moment.minutes / 1440 << std::string_view(time, sizeof time);
}

void Output::flush() {
  if (std::fwrite(buffer_, 1, used_, stdout) != used_ || std::fflush(stdout) != 0) {
    throw std::runtime_error("answers cannot be written");
  }
  used_ = 0;
}

}  // namespace ferries
