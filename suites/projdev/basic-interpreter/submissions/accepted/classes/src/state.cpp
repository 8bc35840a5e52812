// rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
#include "state.hpp"

#include <cstdio>

#include "program.hpp"

void Screen::print(const std::string& text) {
  if (text.empty()) return;
  waiting_ += text;
  in_line_ = text.back() != '\n';
  if (waiting_.size() > 1 << 16) flush();
}

void Screen::fresh_line() {
  if (in_line_) print("\n");
}

void Screen::flush() {
  std::fwrite(waiting_.data(), 1, waiting_.size(), stdout);
  waiting_.clear();
}

void Names::clear() {
  for (auto& entry : variables_) entry.second.known = false;
  for (auto& entry : arrays_) {
    entry.second.known = false;
    std::vector<std::int64_t>().swap(entry.second.elements);
  }
}

void State::go_to(int line) {
  if (!program.find(line, next)) throw BasicError{"LINE NUMBER ERROR"};
}

void State::skip_loop(const Variable* variable) {
  for (std::size_t at = next; at < program.size(); ++at) {
    if (program.at(at).statement->ends_loop(variable)) {
      next = at + 1;
      return;
    }
  }
  throw BasicError{"FOR WITHOUT NEXT"};
}
