// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
#include <iostream>
#include <iterator>
#include <string>

#include "builtins.hpp"
#include "compiler.hpp"
#include "lexer.hpp"
#include "output.hpp"
#include "parser.hpp"

namespace {

void run(const Program& program, Output& output) {
  Machine machine(output);
  const auto known = builtins();
  for (const std::string& name : program.globals) {
    const auto found = known.find(name);
    machine.globals.push_back(found == known.end() ? Value() : found->second);
  }
  Frame frame{machine};
  try {
    program.body->run(frame);
  } catch (const Failure& failure) {
    output.write_line("error in line " + std::to_string(failure.line) + ": " + failure.message);
  }
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  const std::string text{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  try {
    Output output(std::cout);
    run(compile(*parse(text)), output);
  } catch (const SyntaxError& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
