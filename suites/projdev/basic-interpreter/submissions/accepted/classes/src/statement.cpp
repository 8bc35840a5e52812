// rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
#include "statement.hpp"

#include <charconv>
#include <istream>

namespace {

constexpr std::int64_t kLargestArray = 1'000'000;
constexpr std::size_t kDeepest = 10'000;

void set(Variable* variable, std::int64_t value) {
  variable->value = value;
  variable->known = true;
}

bool is_past(std::int64_t value, const Loop& loop) {
  return loop.step > 0 ? value > loop.limit : value < loop.limit;
}

// Number of loops that were begun outside of the present subroutine.
std::size_t outer_loops(const State& state) {
  return state.subroutines.empty() ? 0 : state.subroutines.back().loops;
}

// Position of the loop of this variable in the present subroutine, or the number of loops.
std::size_t loop_of(const State& state, const Variable* variable) {
  for (std::size_t i = state.loops.size(); i > outer_loops(state); --i) {
    if (state.loops[i - 1].variable == variable) return i - 1;
  }
  return state.loops.size();
}

// A number as INPUT takes it: an optional minus and digits, with spaces around.
bool read_number(std::string line, std::int64_t& value) {
  if (!line.empty() && line.back() == '\r') line.pop_back();
  std::size_t first = line.find_first_not_of(' '), last = line.find_last_not_of(' ');
  if (first == std::string::npos) return false;
  auto [end, error] = std::from_chars(line.data() + first, line.data() + last + 1, value);
  return error == std::errc() && end == line.data() + last + 1;
}

}  // namespace

void Assign::execute(State&) const { set(variable_, value_->evaluate()); }

void AssignElement::execute(State&) const {
  std::int64_t& place = element_->place();
  place = value_->evaluate();
}

void Dimension::execute(State&) const {
  std::int64_t size = size_->evaluate();
  if (array_->known) throw BasicError{"ARRAY EXISTS"};
  if (size < 1 || size > kLargestArray) throw BasicError{"BAD SIZE"};
  array_->elements.assign(static_cast<std::size_t>(size), 0);
  array_->known = true;
}

void Print::execute(State& state) const {
  std::string line;
  for (const Item& item : items_) line += item.value ? std::to_string(item.value->evaluate()) : item.text;
  state.screen.print(ends_line_ ? line + "\n" : line);
}

void Input::execute(State& state) const {
  std::string line;
  while (std::getline(state.input, line)) {
    std::int64_t value = 0;
    if (read_number(line, value)) {
      set(variable_, value);
      return;
    }
    state.screen.fresh_line();
    state.screen.print("INVALID NUMBER\n");
  }
  throw BasicError{"END OF INPUT"};
}

void Goto::execute(State& state) const {
  std::size_t back = state.next;
  if (comes_back_ && state.subroutines.size() == kDeepest) throw BasicError{"TOO MANY SUBROUTINES"};
  state.go_to(line_);
  if (comes_back_) state.subroutines.push_back({back, state.loops.size()});
}

void Return::execute(State& state) const {
  if (state.subroutines.empty()) throw BasicError{"RETURN WITHOUT GOSUB"};
  state.next = state.subroutines.back().back;
  state.loops.resize(state.subroutines.back().loops);
  state.subroutines.pop_back();
}

void If::execute(State& state) const {
  if (condition_->holds()) then_->execute(state);
}

void For::execute(State& state) const {
  std::int64_t first = first_->evaluate(), limit = limit_->evaluate(), step = step_ ? step_->evaluate() : 1;
  if (step == 0) throw BasicError{"BAD STEP"};
  set(variable_, first);
  state.loops.resize(loop_of(state, variable_));
  Loop loop{variable_, limit, step, state.next};
  if (is_past(first, loop)) {
    state.skip_loop(variable_);
  } else {
    state.loops.push_back(loop);
  }
}

void Next::execute(State& state) const {
  std::size_t found = loop_of(state, variable_);
  if (found == state.loops.size()) throw BasicError{"NEXT WITHOUT FOR"};
  state.loops.resize(found + 1);
  Loop loop = state.loops.back();
  if (!variable_->known) throw BasicError{"UNDEFINED VARIABLE"};
  std::int64_t value = 0;
  if (__builtin_add_overflow(variable_->value, loop.step, &value)) throw BasicError{"OVERFLOW"};
  variable_->value = value;
  if (is_past(value, loop)) {
    state.loops.pop_back();
  } else {
    state.next = loop.body;
  }
}
