// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
#include "sequences.hpp"

#include <algorithm>
#include <map>

namespace {

const std::string& text_of(const Value& value) {
  if (!value.is(Type::string)) fail("wrong type");
  return value.text();
}

const std::string& not_empty(const Value& value) {
  if (text_of(value).empty()) fail("wrong value");
  return value.text();
}

std::int64_t size_of(const Value& sequence) {
  if (!sequence.is(Type::string) && !sequence.is(Type::tuple)) fail("wrong type");
  return Iterator(sequence).size();
}

// A bound as a position from `lowest` to `highest`; a negative one counts from the end.
std::int64_t position(const Value& bound, std::int64_t size, std::int64_t lowest, std::int64_t highest) {
  if (bound.is(Type::big)) return bound.big().is_negative() ? lowest : highest;
  if (!bound.is(Type::small)) fail("wrong type");
  return std::clamp(bound.small() < 0 ? bound.small() + size : bound.small(), lowest, highest);
}

template <typename Sequence>
Sequence picked(const Sequence& all, std::int64_t from, std::int64_t to, std::int64_t step) {
  Sequence result;
  for (std::int64_t at = from; step > 0 ? at < to : at > to; at += step) result.push_back(all[static_cast<std::size_t>(at)]);
  return result;
}

template <char First, char Last, int Change>
Value with_case(const std::string& text, const Values&) {
  std::string result = text;
  for (char& c : result) {
    if (c >= First && c <= Last) c = static_cast<char>(c + Change);
  }
  return Value::string(std::move(result));
}

Value strip(const std::string& text, const Values&) {
  const char* spaces = " \n\t";
  const std::size_t from = text.find_first_not_of(spaces);
  if (from == std::string::npos) return Value::string("");
  return Value::string(text.substr(from, text.find_last_not_of(spaces) - from + 1));
}

Value find(const std::string& text, const Values& arguments) {
  const std::size_t found = text.find(text_of(arguments[0]));
  return Value::integer(found == std::string::npos ? -1 : static_cast<std::int64_t>(found));
}

// The parts of a text between the places where the separator stands.
std::vector<std::string> parts(const std::string& text, const std::string& separator) {
  std::vector<std::string> result;
  std::size_t from = 0;
  for (std::size_t at = text.find(separator); at != std::string::npos; at = text.find(separator, from)) {
    result.push_back(text.substr(from, at - from));
    from = at + separator.size();
  }
  result.push_back(text.substr(from));
  return result;
}

Value count(const std::string& text, const Values& arguments) {
  return Value::integer(static_cast<std::int64_t>(parts(text, not_empty(arguments[0])).size()) - 1);
}

Value split(const std::string& text, const Values& arguments) {
  Values result;
  for (std::string& part : parts(text, not_empty(arguments[0]))) result.push_back(Value::string(std::move(part)));
  return Value::tuple(std::move(result));
}

Value replace(const std::string& text, const Values& arguments) {
  text_of(arguments[0]);
  const std::string& by = text_of(arguments[1]);
  std::string result;
  bool first = true;
  for (const std::string& part : parts(text, not_empty(arguments[0]))) {
    if (!std::exchange(first, false)) result += by;
    result += part;
  }
  return Value::string(std::move(result));
}

Value join(const std::string& text, const Values& arguments) {
  std::string result;
  bool first = true;
  for (const Value& part : elements_of(arguments[0])) {
    if (!std::exchange(first, false)) result += text;
    result += text_of(part);
  }
  return Value::string(std::move(result));
}

Value startswith(const std::string& text, const Values& arguments) {
  return Value::truth(text.starts_with(text_of(arguments[0])));
}

Value endswith(const std::string& text, const Values& arguments) {
  return Value::truth(text.ends_with(text_of(arguments[0])));
}

struct Method {
  std::size_t arguments;
  Value (*body)(const std::string& text, const Values& arguments);
};

const std::map<std::string, Method> kMethods = {
    {"upper", {0, with_case<'a', 'z', 'A' - 'a'>}}, {"lower", {0, with_case<'A', 'Z', 'a' - 'A'>}},
    {"strip", {0, strip}},                          {"find", {1, find}},
    {"count", {1, count}},                          {"split", {1, split}},
    {"replace", {2, replace}},                      {"join", {1, join}},
    {"startswith", {1, startswith}},                {"endswith", {1, endswith}},
};

}  // namespace

Value element(const Value& sequence, const Value& index) {
  const std::int64_t size = size_of(sequence);
  if (!index.is_integer()) fail("wrong type");
  if (index.is(Type::big) || index.small() >= size || index.small() < -size) fail("index out of range");
  const auto at = static_cast<std::size_t>(index.small() < 0 ? index.small() + size : index.small());
  if (sequence.is(Type::tuple)) return sequence.elements()[at];
  return Value::string(std::string(1, sequence.text()[at]));
}

Value slice(const Value& sequence, const Value& start, const Value& stop, const Value& step) {
  const std::int64_t size = size_of(sequence);
  for (const Value* bound : {&start, &stop, &step}) {
    if (!bound->is(Type::unset) && !bound->is_integer()) fail("wrong type");
  }
  // A step beyond the size takes one element at most, whatever it is.
  const std::int64_t by = step.is(Type::unset) ? 1 : position(step, 0, -size - 1, size + 1);
  if (by == 0) fail("wrong value");
  const std::int64_t lowest = by > 0 ? 0 : -1;
  const std::int64_t highest = by > 0 ? size : size - 1;
  const std::int64_t from = start.is(Type::unset) ? (by > 0 ? lowest : highest) : position(start, size, lowest, highest);
  const std::int64_t to = stop.is(Type::unset) ? (by > 0 ? highest : lowest) : position(stop, size, lowest, highest);
  if (sequence.is(Type::string)) return Value::string(picked(sequence.text(), from, to, by));
  return Value::tuple(picked(sequence.elements(), from, to, by));
}

Value call_method(const Value& object, const std::string& method, const Values& arguments) {
  const auto found = kMethods.find(method);
  if (!object.is(Type::string) || found == kMethods.end()) fail("wrong type");
  if (arguments.size() != found->second.arguments) fail("wrong arguments");
  return found->second.body(object.text(), arguments);
}
