// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
// What `print` writes.
#pragma once

#include <ostream>
#include <string>

class Output {
 public:
  explicit Output(std::ostream& stream) : stream_(stream) {}
  void write(const std::string& text) {
    stream_ << text;
    if (!text.empty()) line_is_open_ = text.back() != '\n';
  }
  // Text on lines of its own.
  void write_line(const std::string& text) { write((line_is_open_ ? "\n" : "") + text + "\n"); }

 private:
  std::ostream& stream_;
  bool line_is_open_ = false;
};
