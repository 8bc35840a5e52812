// rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
#include "program.hpp"

#include <algorithm>

#include "parser.hpp"

namespace {

// The text with its targets changed by the table; targets that are in no line stay.
std::string retargeted(const std::string& text, const std::map<int, int>& changed, Names& names) {
  std::vector<Token> tokens = tokenize(text);
  Parser parser(tokens, 0, names);
  parser.line();
  std::string result = text;
  std::vector<std::size_t> targets = parser.targets();
  std::reverse(targets.begin(), targets.end());
  for (std::size_t target : targets) {
    auto found = changed.find(to_line_number(tokens[target].value));
    if (found == changed.end()) continue;
    result.replace(tokens[target].place, tokens[target].value.size(), std::to_string(found->second));
  }
  return result;
}

}  // namespace

void Program::store(int number, const std::string& text, Names& names) {
  std::vector<Token> tokens = tokenize(text);
  lines_[number] = Line{number, text, Parser(tokens, 0, names).line()};
}

void Program::list(Screen& screen) const {
  screen.fresh_line();
  for (const auto& [number, line] : lines_) screen.print(std::to_string(number) + " " + line.text + "\n");
}

void Program::renumber(Names& names) {
  std::map<int, int> changed;
  for (const auto& entry : lines_) changed.emplace(entry.first, static_cast<int>(changed.size() + 1) * 10);
  if (changed.size() * 10 > kLargestLine) throw BasicError{"LINE NUMBER ERROR"};
  std::map<int, Line> before;
  before.swap(lines_);
  for (const auto& [number, line] : before) store(changed[number], retargeted(line.text, changed, names), names);
}

void Program::arrange() {
  order_.clear();
  for (const auto& entry : lines_) order_.push_back(&entry.second);
}

bool Program::find(int number, std::size_t& position) const {
  auto found = std::lower_bound(order_.begin(), order_.end(), number,
                                [](const Line* line, int wanted) { return line->number < wanted; });
  if (found == order_.end() || (*found)->number != number) return false;
  position = static_cast<std::size_t>(found - order_.begin());
  return true;
}
