// rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
// What a program works on: variables, arrays, loops, subroutines, and where it goes next.
#ifndef STATE_HPP
#define STATE_HPP

#include <cstdint>
#include <iosfwd>
#include <string>
#include <unordered_map>
#include <vector>

// A message of the statement's table.
struct BasicError {
  const char* message;
};

// Output, with the rule that messages begin a line.
class Screen {
 public:
  void print(const std::string& text);
  void fresh_line();
  void flush();

 private:
  std::string waiting_;
  bool in_line_ = false;
};

// A variable of the program text. Statements hold its address, so that no name is looked up while a program runs.
struct Variable {
  bool known = false;
  std::int64_t value = 0;
  std::vector<std::int64_t> elements;
};

class Names {
 public:
  Variable* variable(const std::string& name) { return &variables_[name]; }
  Variable* array(const std::string& name) { return &arrays_[name]; }
  // Forgets all values; addresses stay valid.
  void clear();

 private:
  std::unordered_map<std::string, Variable> variables_, arrays_;
};

struct Loop {
  const Variable* variable;
  std::int64_t limit, step;
  std::size_t body;  // position of the line after FOR
};

struct Subroutine {
  std::size_t back;   // position of the line after GOSUB
  std::size_t loops;  // how many loops there were before it
};

class Program;

class State {
 public:
  State(Screen& screen, std::istream& input, const Program& program)
      : screen(screen), input(input), program(program) {}

  void go_to(int line);
  // Position of the line after the NEXT that belongs to the FOR before `next`.
  void skip_loop(const Variable* variable);

  Screen& screen;
  std::istream& input;
  const Program& program;
  std::vector<Loop> loops;
  std::vector<Subroutine> subroutines;
  std::size_t next = 0;  // position of the next line
  bool ended = false;
};

#endif  // STATE_HPP
