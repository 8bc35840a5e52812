// rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
// The session: keeps the text of the lines, and compiles all of them before a run.
#include <iostream>

#include "compiler.hpp"

namespace {

using Lines = std::map<int, std::string>;

std::string trimmed(const std::string& text, std::size_t first) {
  first = text.find_first_not_of(' ', first);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

void list(const Lines& lines, Machine& machine) {
  machine.fresh_line();
  for (const auto& [number, text] : lines) machine.write(std::to_string(number) + " " + text + "\n");
}

void renumber(Lines& lines, Machine& machine) {
  if (lines.size() > 9'999) throw Failure{"LINE NUMBER ERROR"};
  std::map<int, int> changed;
  for (const auto& line : lines) changed[line.first] = 10 * static_cast<int>(changed.size()) + 10;
  Lines result;
  for (const auto& [number, text] : lines) {
    Code code;
    Compiler compiler(code, machine);
    compiler.compile(text);
    std::string made = text;
    for (std::size_t i = compiler.targets().size(); i-- > 0;) {
      const Compiler::Target& target = compiler.targets()[i];
      if (changed.count(target.line)) made.replace(target.place, target.size, std::to_string(changed[target.line]));
    }
    result[changed[number]] = made;
  }
  lines = result;
}

void run(const Lines& lines, Machine& machine) {
  machine.forget();
  Code code;
  for (const auto& [number, text] : lines) {
    code.starts[number] = code.steps.size();
    code.steps.push_back({Do::line, number});
    Compiler(code, machine).compile(text);
  }
  try {
    machine.run(code, 0);
    machine.fresh_line();
  } catch (const Failure& failure) {
    machine.message(failure.message + " IN LINE " + std::to_string(machine.failed_line()));
  }
}

void immediate(const std::string& text, Machine& machine) {
  Code code;
  Compiler compiler(code, machine);
  compiler.compile(text);
  const std::string& word = compiler.first_word();
  if (word != "LET" && word != "DIM" && word != "PRINT" && word != "INPUT") throw Failure{"SYNTAX ERROR"};
  machine.run(code, 0);
}

void edit(const std::string& line, Lines& lines, Machine& machine) {
  Token first = tokenize(line)[0];
  int number = line_of(first.value);
  if (number == 0) throw Failure{"SYNTAX ERROR"};
  std::string text = trimmed(line, first.place + first.value.size());
  if (text.empty()) {
    lines.erase(number);
    return;
  }
  Code code;
  Compiler(code, machine).compile(text);
  lines[number] = text;
}

// False at the end of the session.
bool take(const std::string& line, Lines& lines, Machine& machine) {
  std::string word = trimmed(line, 0);
  if (word.empty()) return true;
  if (word == "BYE") return false;
  if (word == "RUN") {
    run(lines, machine);
  } else if (word == "LIST") {
    list(lines, machine);
  } else if (word == "RENUMBER") {
    renumber(lines, machine);
  } else if (word == "NEW" || word == "CLEAR") {
    machine.forget();
    if (word == "NEW") lines.clear();
  } else if (word[0] >= '0' && word[0] <= '9') {
    edit(line, lines, machine);
  } else {
    immediate(line, machine);
  }
  return true;
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  Lines lines;
  Machine machine;
  for (std::string line; std::getline(std::cin, line);) {
    try {
      if (!take(line, lines, machine)) break;
    } catch (const Failure& failure) {
      machine.message(failure.message);
    }
  }
  machine.flush();
}
