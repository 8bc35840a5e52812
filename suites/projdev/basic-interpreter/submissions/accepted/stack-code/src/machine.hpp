// rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
// A machine for compiled lines: one array of instructions for the whole program, and a stack of numbers.
#ifndef MACHINE_HPP
#define MACHINE_HPP

#include <cstdint>
#include <map>
#include <string>
#include <vector>

enum class Do : std::uint8_t {
  push, load, load_element, store, check_element, store_element, dimension,
  add, subtract, multiply, divide, rest, negate, absolute, sign, lesser, greater,
  equal, unequal, less, more, at_most, at_least, invert, skip_if_false, skip_if_true,  // skips keep the truth on the stack
  drop, unless,                                                                        // unless: pop; to `operand` if it is 0
  text, number, show, input, go, call, back, begin_loop, next_round, stop, line
};

struct Step {
  Do what;
  std::int64_t operand = 0;
};

// Why a run ended before its end.
struct Failure {
  std::string message;
};

// Compiled lines. `loops` are the variables of lines that are a NEXT, by the place behind them.
struct Code {
  std::vector<Step> steps;
  std::vector<std::string> texts;
  std::map<int, std::size_t> starts;  // of line numbers
  std::vector<std::pair<std::int64_t, std::size_t>> ends;
};

class Machine {
 public:
  // Throws Failure; failed_line() is where.
  void run(const Code& code, std::size_t start);
  void forget();
  std::int64_t slot(const std::string& name, bool array);
  void message(const std::string& text);
  void write(const std::string& text);
  void fresh_line();
  void flush();
  int failed_line() const { return line_; }

 private:
  struct Loop {
    std::int64_t variable, limit, step;
    std::size_t body;
  };
  void arithmetic(Do what);
  void compare(Do what);
  void element(std::int64_t array);
  void dimension(std::int64_t array);
  void input(std::int64_t variable);
  void begin_loop(const Code& code, std::int64_t variable);
  void next_round(std::int64_t variable);
  std::size_t find_loop(std::int64_t variable) const;
  void jump(const Code& code, std::int64_t line);
  std::int64_t pop();

  std::vector<std::int64_t> stack_, values_;
  std::vector<bool> known_;
  std::vector<std::vector<std::int64_t>> arrays_;
  std::map<std::string, std::int64_t> slots_[2];
  std::vector<Loop> loops_;
  std::vector<std::pair<std::size_t, std::size_t>> calls_;  // where to go on, and the number of loops before
  std::size_t at_ = 0;
  int line_ = 0;
  std::string shown_, written_;
  char last_ = '\n';
};

#endif  // MACHINE_HPP
