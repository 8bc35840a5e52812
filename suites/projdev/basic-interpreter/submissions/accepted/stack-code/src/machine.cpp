// rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
#include "machine.hpp"

#include <algorithm>
#include <cctype>
#include <climits>
#include <cstdio>
#include <iostream>

namespace {

void overflow(bool happened) {
  if (happened) throw Failure{"OVERFLOW"};
}

bool beyond(std::int64_t value, std::int64_t limit, std::int64_t step) {
  return step > 0 ? value > limit : value < limit;
}

bool parse(const std::string& line, std::int64_t& value) {
  std::size_t at = line.find_first_not_of(' ');
  if (at == std::string::npos) return false;
  bool minus = line[at] == '-';
  at += minus;
  std::size_t first = at;
  value = 0;
  for (; at < line.size() && std::isdigit(static_cast<unsigned char>(line[at])); ++at) {
    int digit = line[at] - '0';
    if (__builtin_mul_overflow(value, 10, &value)) return false;
    if (__builtin_add_overflow(value, minus ? -digit : digit, &value)) return false;
  }
  return at > first && line.find_first_not_of(' ', at) == std::string::npos;
}

}  // namespace

std::int64_t Machine::slot(const std::string& name, bool array) {
  auto [place, added] = slots_[array].try_emplace(name, static_cast<std::int64_t>(slots_[array].size()));
  if (added && array) arrays_.emplace_back();
  if (added && !array) {
    values_.push_back(0);
    known_.push_back(false);
  }
  return place->second;
}

void Machine::forget() {
  std::fill(known_.begin(), known_.end(), false);
  for (auto& array : arrays_) std::vector<std::int64_t>().swap(array);
}

void Machine::write(const std::string& text) {
  if (text.empty()) return;
  written_ += text;
  last_ = text.back();
  if (written_.size() > 1 << 15) flush();
}

void Machine::fresh_line() {
  if (last_ != '\n') write("\n");
}

void Machine::message(const std::string& text) {
  fresh_line();
  write(text + "\n");
}

void Machine::flush() {
  std::fwrite(written_.data(), 1, written_.size(), stdout);
  written_.clear();
}

std::int64_t Machine::pop() {
  std::int64_t value = stack_.back();
  stack_.pop_back();
  return value;
}

void Machine::arithmetic(Do what) {
  std::int64_t right = pop();
  std::int64_t& left = stack_.back();
  switch (what) {
    case Do::add: overflow(__builtin_add_overflow(left, right, &left)); break;
    case Do::subtract: overflow(__builtin_sub_overflow(left, right, &left)); break;
    case Do::multiply: overflow(__builtin_mul_overflow(left, right, &left)); break;
    case Do::divide:
    case Do::rest:
      if (right == 0) throw Failure{"DIVISION BY ZERO"};
      if (right == -1) {
        overflow(what == Do::divide && left == LLONG_MIN);
        left = what == Do::divide ? -left : 0;
      } else {
        left = what == Do::divide ? left / right : left % right;
      }
      break;
    case Do::lesser: left = std::min(left, right); break;
    default: left = std::max(left, right); break;
  }
}

void Machine::compare(Do what) {
  std::int64_t right = pop(), left = pop();
  bool holds = false;
  switch (what) {
    case Do::equal: holds = left == right; break;
    case Do::unequal: holds = left != right; break;
    case Do::less: holds = left < right; break;
    case Do::more: holds = left > right; break;
    case Do::at_most: holds = left <= right; break;
    default: holds = left >= right; break;
  }
  stack_.push_back(holds);
}

// The index on the stack is checked and stays.
void Machine::element(std::int64_t array) {
  const auto& elements = arrays_[static_cast<std::size_t>(array)];
  if (elements.empty()) throw Failure{"UNDEFINED ARRAY"};
  std::int64_t index = stack_.back();
  if (index < 0 || index >= static_cast<std::int64_t>(elements.size())) throw Failure{"INDEX OUT OF RANGE"};
}

void Machine::dimension(std::int64_t array) {
  std::int64_t size = pop();
  auto& elements = arrays_[static_cast<std::size_t>(array)];
  if (!elements.empty()) throw Failure{"ARRAY EXISTS"};
  if (size < 1 || size > 1'000'000) throw Failure{"BAD SIZE"};
  elements.assign(static_cast<std::size_t>(size), 0);
}

void Machine::input(std::int64_t variable) {
  for (std::string line; std::getline(std::cin, line);) {
    auto place = static_cast<std::size_t>(variable);
    std::int64_t value = 0;
    if (parse(line, value)) {
      values_[place] = value;
      known_[place] = true;
      return;
    }
    message("INVALID NUMBER");
  }
  throw Failure{"END OF INPUT"};
}

void Machine::jump(const Code& code, std::int64_t line) {
  auto found = code.starts.find(static_cast<int>(line));
  if (found == code.starts.end()) throw Failure{"LINE NUMBER ERROR"};
  at_ = found->second;
}

std::size_t Machine::find_loop(std::int64_t variable) const {
  std::size_t first = calls_.empty() ? 0 : calls_.back().second;
  std::size_t found = loops_.size();
  for (std::size_t i = first; i < loops_.size(); ++i) {
    if (loops_[i].variable == variable) found = i;
  }
  return found;
}

void Machine::begin_loop(const Code& code, std::int64_t variable) {
  std::int64_t step = pop(), limit = pop(), value = pop();
  if (step == 0) throw Failure{"BAD STEP"};
  values_[static_cast<std::size_t>(variable)] = value;
  known_[static_cast<std::size_t>(variable)] = true;
  loops_.resize(find_loop(variable));
  if (!beyond(value, limit, step)) {
    loops_.push_back({variable, limit, step, at_});
    return;
  }
  for (const auto& [name, place] : code.ends) {
    if (name == variable && place > at_) {
      at_ = place;
      return;
    }
  }
  throw Failure{"FOR WITHOUT NEXT"};
}

void Machine::next_round(std::int64_t variable) {
  std::size_t found = find_loop(variable);
  if (found == loops_.size()) throw Failure{"NEXT WITHOUT FOR"};
  loops_.resize(found + 1);
  std::int64_t& value = values_[static_cast<std::size_t>(variable)];
  std::int64_t changed = 0;
  overflow(__builtin_add_overflow(value, loops_[found].step, &changed));
  value = changed;
  if (beyond(value, loops_[found].limit, loops_[found].step)) {
    loops_.pop_back();
  } else {
    at_ = loops_[found].body;
  }
}

void Machine::run(const Code& code, std::size_t start) {
  stack_.clear();
  loops_.clear();
  calls_.clear();
  shown_.clear();
  at_ = start;
  while (at_ < code.steps.size()) {
    const auto [what, operand] = code.steps[at_++];
    auto place = static_cast<std::size_t>(operand);
    switch (what) {
      case Do::push: stack_.push_back(operand); break;
      case Do::load:
        if (!known_[place]) throw Failure{"UNDEFINED VARIABLE"};
        stack_.push_back(values_[place]);
        break;
      case Do::load_element:
        element(operand);
        stack_.back() = arrays_[place][static_cast<std::size_t>(stack_.back())];
        break;
      case Do::store:
        values_[place] = pop();
        known_[place] = true;
        break;
      case Do::check_element: element(operand); break;
      case Do::store_element: {
        std::int64_t value = pop();
        arrays_[place][static_cast<std::size_t>(pop())] = value;
        break;
      }
      case Do::dimension: dimension(operand); break;
      case Do::negate: overflow(__builtin_sub_overflow(std::int64_t{0}, stack_.back(), &stack_.back())); break;
      case Do::absolute:
        overflow(stack_.back() == LLONG_MIN);
        stack_.back() = std::abs(stack_.back());
        break;
      case Do::sign: stack_.back() = (stack_.back() > 0) - (stack_.back() < 0); break;
      case Do::equal:
      case Do::unequal:
      case Do::less:
      case Do::more:
      case Do::at_most:
      case Do::at_least: compare(what); break;
      case Do::invert: stack_.back() = !stack_.back(); break;
      case Do::skip_if_false:
        if (stack_.back() == 0) at_ = place;
        break;
      case Do::skip_if_true:
        if (stack_.back() != 0) at_ = place;
        break;
      case Do::drop: pop(); break;
      case Do::unless:
        if (pop() == 0) at_ = place;
        break;
      case Do::text: shown_ += code.texts[place]; break;
      case Do::number: shown_ += std::to_string(pop()); break;
      case Do::show:
        write(shown_);
        shown_.clear();
        break;
      case Do::input: input(operand); break;
      case Do::go: jump(code, operand); break;
      case Do::call: {
        std::size_t back = at_;
        if (calls_.size() == 10'000) throw Failure{"TOO MANY SUBROUTINES"};
        jump(code, operand);
        calls_.emplace_back(back, loops_.size());
        break;
      }
      case Do::back:
        if (calls_.empty()) throw Failure{"RETURN WITHOUT GOSUB"};
        at_ = calls_.back().first;
        loops_.resize(calls_.back().second);
        calls_.pop_back();
        break;
      case Do::begin_loop: begin_loop(code, operand); break;
      case Do::next_round: next_round(operand); break;
      case Do::stop: return;
      case Do::line: line_ = static_cast<int>(operand); break;
      default: arithmetic(what); break;
    }
  }
}
