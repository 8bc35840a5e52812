// rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
#include "base/words.hpp"

#include <charconv>
#include <stdexcept>

namespace ferries {

std::string_view Parts::next() {
  const std::size_t end = rest_.find(separator_);
  const std::string_view part = rest_.substr(0, end);
  done_ = end == std::string_view::npos;
  rest_.remove_prefix(done_ ? rest_.size() : end + 1);
  return part;
}

Words::Words(std::string_view line) {
  Parts parts(line, ' ');
  while (!parts.done()) {
    const std::string_view word = parts.next();
    if (size_ == 0 && actor_.empty() && word.starts_with('@')) {
      actor_ = word.substr(1);
    } else if (size_ == kMost) {
      throw std::length_error("a command has more words than any that the statement knows");
    } else {
      words_[size_++] = word;
    }
  }
}

std::uint32_t number(std::string_view digits) {
  std::uint32_t found = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), found);
  if (error != std::errc() || end != digits.data() + digits.size()) throw std::invalid_argument("not a number");
  return found;
}

std::uint32_t minutes(std::string_view time) { return number(time.substr(0, 2)) * 60 + number(time.substr(3)); }

}  // namespace ferries
