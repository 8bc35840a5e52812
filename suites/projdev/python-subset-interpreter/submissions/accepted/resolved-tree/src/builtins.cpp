// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
#include "builtins.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "arithmetic.hpp"
#include "function.hpp"
#include "output.hpp"
#include "text.hpp"

namespace {

void need_count(const Arguments& arguments, std::size_t least, std::size_t most) {
  if (!arguments.named.empty() || arguments.values.size() < least || arguments.values.size() > most) fail("wrong arguments");
}

// The argument that is given by this name; null without it. `wrong arguments` if a name that is not allowed is given.
const Value* named(const Arguments& arguments, const std::string& wanted, const std::set<std::string>& allowed) {
  const Value* found = nullptr;
  for (const auto& [name, value] : arguments.named) {
    if (allowed.count(name) == 0) fail("wrong arguments");
    if (name == wanted) {
      if (found != nullptr) fail("wrong arguments");
      found = &value;
    }
  }
  return found;
}

std::string text_or(const Value* value, const char* otherwise) {
  if (value == nullptr) return otherwise;
  if (!value->is(Type::string)) fail("wrong type");
  return value->text();
}

Value print(Machine& machine, Arguments& arguments) {
  const Value* sep = named(arguments, "sep", {"sep", "end"});
  const Value* end = named(arguments, "end", {"sep", "end"});
  const std::string between = text_or(sep, " ");
  const std::string behind = text_or(end, "\n");
  std::string line;
  for (std::size_t i = 0; i < arguments.values.size(); ++i) line += (i > 0 ? between : "") + shown(arguments.values[i]);
  machine.output.write(line + behind);
  return Value::none();
}

Value len(Machine&, Arguments& arguments) {
  need_count(arguments, 1, 1);
  return Value::integer(Iterator(arguments.values[0]).size());
}

Value str(Machine&, Arguments& arguments) {
  need_count(arguments, 1, 1);
  return Value::string(shown(arguments.values[0]));
}

Value repr(Machine&, Arguments& arguments) {
  need_count(arguments, 1, 1);
  return Value::string(quoted(arguments.values[0]));
}

Value to_truth(Machine&, Arguments& arguments) {
  need_count(arguments, 1, 1);
  return Value::truth(is_true(arguments.values[0]));
}

Value to_integer(Machine&, Arguments& arguments) {
  need_count(arguments, 1, 1);
  const Value& value = arguments.values[0];
  switch (value.type()) {
    case Type::small: case Type::big: return value;
    case Type::real: return Value::integer(BigInteger(value.real()));
    case Type::truth: return Value::integer(value.truth() ? 1 : 0);
    case Type::string: return parse_integer(value.text());
    default: fail("wrong type");
  }
}

Value to_real(Machine&, Arguments& arguments) {
  need_count(arguments, 1, 1);
  const Value& value = arguments.values[0];
  if (value.is_number()) return Value::real(value.as_real());
  if (!value.is(Type::string)) fail("wrong type");
  return parse_real(value.text());
}

Value tuple(Machine&, Arguments& arguments) {
  need_count(arguments, 1, 1);
  return Value::tuple(elements_of(arguments.values[0]));
}

Value absolute(Machine&, Arguments& arguments) {
  need_count(arguments, 1, 1);
  const Value& value = arguments.values[0];
  if (value.is(Type::real)) return Value::real(std::fabs(value.real()));
  const Value opposite = negative(value);
  return order(value, Value::integer(0)) < 0 ? opposite : value;
}

Value best(Arguments& arguments, Comparison better) {
  need_count(arguments, 1, arguments.values.size() + 1);
  const Values values = arguments.values.size() == 1 ? elements_of(arguments.values[0]) : arguments.values;
  if (values.empty()) fail("wrong value");
  const Value* found = &values[0];
  for (const Value& value : values) {
    if (&value != &values[0] && compare(better, value, *found)) found = &value;
  }
  return *found;
}

Value min(Machine&, Arguments& arguments) { return best(arguments, Comparison::less); }
Value max(Machine&, Arguments& arguments) { return best(arguments, Comparison::greater); }

Value sum(Machine&, Arguments& arguments) {
  need_count(arguments, 1, 1);
  Value total = Value::integer(0);
  Iterator each(arguments.values[0]);
  while (auto value = each.next()) {
    if (!value->is_number()) fail("wrong type");
    total = apply(Operator::add, total, *value);
  }
  return total;
}

Value range(Machine&, Arguments& arguments) {
  need_count(arguments, 1, 3);
  for (const Value& value : arguments.values) {
    if (!value.is(Type::small)) fail("wrong type");
  }
  const Values& values = arguments.values;
  auto* made = new Range;
  Value result = Value::of(Type::range, made);
  made->start = values.size() > 1 ? values[0].small() : 0;
  made->stop = values[values.size() > 1 ? 1 : 0].small();
  made->step = values.size() > 2 ? values[2].small() : 1;
  if (made->step == 0) fail("wrong value");
  return result;
}

// The group of values that have an order among each other; unset for values that have none.
Type order_group(const Value& value) {
  if (value.is_number()) return Type::real;
  return value.is(Type::string) || value.is(Type::tuple) ? value.type() : Type::unset;
}

Value sorted(Machine& machine, Arguments& arguments) {
  const Value* key = named(arguments, "key", {"key", "reverse"});
  const Value* reverse = named(arguments, "reverse", {"key", "reverse"});
  if (arguments.values.size() != 1) fail("wrong arguments");
  if (reverse != nullptr && !reverse->is(Type::truth)) fail("wrong type");
  std::vector<std::pair<Value, Value>> keyed;
  for (Value& value : elements_of(arguments.values[0])) {
    Arguments one;
    one.values.push_back(value);
    keyed.emplace_back(key == nullptr ? value : call(machine, *key, one), value);
  }
  for (const auto& [by, value] : keyed) {
    if (order_group(by) == Type::unset || order_group(by) != order_group(keyed[0].first)) fail("wrong type");
  }
  const bool down = reverse != nullptr && reverse->truth();
  std::stable_sort(keyed.begin(), keyed.end(), [down](const auto& left, const auto& right) {
    return down ? order(right.first, left.first) < 0 : order(left.first, right.first) < 0;
  });
  Values result;
  for (auto& [by, value] : keyed) result.push_back(std::move(value));
  return Value::tuple(std::move(result));
}

Value ord(Machine&, Arguments& arguments) {
  need_count(arguments, 1, 1);
  if (!arguments.values[0].is(Type::string)) fail("wrong type");
  const std::string& text = arguments.values[0].text();
  if (text.size() != 1) fail("wrong value");
  return Value::integer(static_cast<unsigned char>(text[0]));
}

Value chr(Machine&, Arguments& arguments) {
  need_count(arguments, 1, 1);
  const Value& value = arguments.values[0];
  if (!value.is_integer()) fail("wrong type");
  const std::int64_t code = value.is(Type::small) ? value.small() : -1;
  if (code != '\n' && code != '\t' && (code < ' ' || code > '~')) fail("wrong value");
  return Value::string(std::string(1, static_cast<char>(code)));
}

Value divmod(Machine&, Arguments& arguments) {
  need_count(arguments, 2, 2);
  const Values& values = arguments.values;
  return Value::tuple({apply(Operator::floor_divide, values[0], values[1]), apply(Operator::remainder, values[0], values[1])});
}

Value pow(Machine&, Arguments& arguments) {
  need_count(arguments, 3, 3);
  const Values& values = arguments.values;
  for (const Value& value : values) {
    if (!value.is_integer()) fail("wrong type");
  }
  const BigInteger exponent = values[1].as_big();
  const BigInteger modulus = values[2].as_big();
  if (modulus.is_zero()) fail("division by zero");
  if (exponent.is_negative()) fail("wrong value");
  return Value::integer(values[0].as_big().power(exponent, modulus));
}

}  // namespace

std::map<std::string, Value> builtins() {
  const std::map<std::string, Builtin::Body> bodies = {
      {"print", print}, {"len", len},      {"str", str},     {"repr", repr},     {"bool", to_truth}, {"int", to_integer},
      {"float", to_real}, {"tuple", tuple}, {"abs", absolute}, {"min", min},     {"max", max},       {"sum", sum},
      {"range", range}, {"sorted", sorted}, {"ord", ord},    {"chr", chr},       {"divmod", divmod}, {"pow", pow},
  };
  std::map<std::string, Value> made;
  for (const auto& [name, body] : bodies) made[name] = Value::of(Type::builtin, new Builtin(name, body));
  return made;
}
