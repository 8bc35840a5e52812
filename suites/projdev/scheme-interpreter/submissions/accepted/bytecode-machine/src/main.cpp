// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// Evaluates the forms of the program on standard input one after the other.
#include <iostream>
#include <iterator>

#include "builtins.hpp"
#include "machine.hpp"
#include "text.hpp"

namespace {

std::string complaint(Value raised) {
  if (!raised.is(Tag::condition)) return "error: uncaught " + to_text(raised, true);
  std::string text = "error: " + raised.condition().message;
  for (Value irritant : elements(raised.condition().irritants)) text += " " + to_text(irritant, true);
  return text;
}

void show_line(const std::string& text) {
  output.fresh_line();
  output.write(text + "\n");
}

void evaluate_all(Reader reader, Machine& machine) {
  for (Value form; reader.read(form);) {
    try {
      Value value = machine.evaluate(form);
      if (!value.is(Tag::unspecified)) show_line(to_text(value, true));
    } catch (const Raised& raised) {
      show_line(complaint(raised.value));
    }
  }
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  Machine machine;
  install_builtins();
  evaluate_all(Reader(prelude), machine);
  try {
    evaluate_all(Reader(std::string(std::istreambuf_iterator<char>(std::cin), {})), machine);
  } catch (const Exit&) {
    output.flush();
    return 0;
  }
  output.flush();
}
