// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// Reads the program, and evaluates and answers form by form.
#include <cstdio>
#include <iostream>
#include <iterator>

#include "library.hpp"
#include "node.hpp"
#include "parser.hpp"

namespace {

void define_builtins() {
  for (auto table : {arithmetic(), data(), control()}) {
    for (const Builtin& builtin : table) {
      Value value(Type::builtin);
      value.builtin = &builtin;
      for (const char* prefix : {"", "%"}) {
        Name& name = *symbol(prefix + std::string(builtin.name)).name;
        name.value = value;
        name.bound = true;
      }
    }
  }
}

void answer(const std::string& line) {
  if (!output.empty() && output.back() != '\n') output += '\n';
  output += line + '\n';
}

std::string uncaught(Value raised) {
  if (raised.type != Type::error) return "error: uncaught " + show(raised, true);
  std::string line = "error: " + show(raised.cell->first, false);
  for (Value rest = raised.cell->second; rest.type == Type::pair; rest = rest.cell->second) {
    line += ' ' + show(rest.cell->first, true);
  }
  return line;
}

__attribute__((noinline)) void evaluate_all(const std::string& program) {
  Parser parser(program);
  for (Value form; parser.next(form);) {
    try {
      Value value = run(analyze(form), kEmpty);
      if (value.type != Type::none) answer(show(value, true));
    } catch (const Raised& raised) {
      answer(uncaught(raised.value));
    }
  }
}

int written() {
  std::fwrite(output.data(), 1, output.size(), stdout);
  return 0;
}

}  // namespace

int main() {
  set_stack_base(__builtin_frame_address(0));
  define_builtins();
  try {
    evaluate_all(std::string(std::istreambuf_iterator<char>(std::cin), {}));
  } catch (const Exit&) {
    return written();
  }
  return written();
}
