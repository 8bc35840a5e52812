// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// Trees from forms. What has the wrong shape is bad syntax, found before anything is evaluated.
#include <functional>
#include <unordered_map>

#include "nodes.hpp"

namespace {

// Names of the variables in reach, the innermost first.
struct Names {
  const Name* name;
  const Names* outer;
};
using Scope = const Names*;

void require(bool holds) {
  if (!holds) fail("bad syntax");
}

std::vector<Value> parts_of(Value list) {
  std::vector<Value> parts;
  for (; list.type == Type::pair; list = list.cell->second) parts.push_back(list.cell->first);
  require(list.type == Type::empty);
  return parts;
}

Name* name_of(Value value) {
  require(value.type == Type::symbol);
  return value.name;
}

bool is_word(Value value, const char* word) { return value.type == Type::symbol && value.name->text == word; }

bool is_form(Value value, const char* word) { return value.type == Type::pair && is_word(value.cell->first, word); }

using Parts = std::vector<Value>;
const Node* tree(Value form, Scope scope);
const Node* body(const Parts& parts, std::size_t first, Scope scope);

const Node* constant(Value value) {
  keep(value);
  return new Constant(value);
}
const Node* nothing() { return new Constant(kNone); }

int distance_of(const Name* name, Scope scope) {
  for (int distance = 0; scope != nullptr; scope = scope->outer, ++distance) {
    if (scope->name == name) return distance;
  }
  return -1;
}

const Node* assignment(Name* name, const Node* value, Scope scope) {
  int distance = distance_of(name, scope);
  if (distance >= 0) return new SetLocal(distance, value);
  return new SetGlobal(name, value, false);
}

const Node* sequence(const Parts& parts, std::size_t first, Scope scope) {
  require(first < parts.size());
  std::vector<const Node*> nodes;
  for (; first < parts.size(); ++first) nodes.push_back(tree(parts[first], scope));
  return nodes.size() == 1 ? nodes[0] : new Sequence(nodes);
}

// Calls `build` with the scope extended by the names, the last of which is the innermost.
const Node* extended(const std::vector<Name*>& names, Scope scope, const std::function<const Node*(Scope)>& build) {
  std::vector<Names> added(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    added[i] = {names[i], scope};
    scope = &added[i];
  }
  return build(scope);
}

const Node* with_unset(const std::vector<Name*>& names, Scope scope, const std::function<const Node*(Scope)>& build) {
  const Node* inner = extended(names, scope, build);
  return new Let(std::vector<const Node*>(names.size(), nullptr), inner);
}

const Node* procedure(Value parameters, const Parts& parts, std::size_t first, Scope scope) {
  auto* made = new Lambda;
  std::vector<Name*> names;
  for (; parameters.type == Type::pair; parameters = parameters.cell->second) {
    names.push_back(name_of(parameters.cell->first));
  }
  made->parameters = static_cast<int>(names.size());
  made->rest = parameters.type != Type::empty;
  if (made->rest) names.push_back(name_of(parameters));
  made->body = extended(names, scope, [&](Scope inner) { return body(parts, first, inner); });
  return made;
}

Name* defined(const Parts& parts) {
  require(parts.size() >= 2);
  return name_of(parts[1].type == Type::pair ? parts[1].cell->first : parts[1]);
}

const Node* defined_value(const Parts& parts, Scope scope) {
  if (parts[1].type == Type::pair) return procedure(parts[1].cell->second, parts, 2, scope);
  require(parts.size() == 3);
  return tree(parts[2], scope);
}

const Node* define(const Parts& parts, Scope scope) {
  Name* name = defined(parts);
  const Node* value = defined_value(parts, scope);
  if (scope != nullptr) return assignment(name, value, scope);
  return new SetGlobal(name, value, true);
}

const Node* body(const Parts& parts, std::size_t first, Scope scope) {
  std::vector<Name*> names;
  for (std::size_t i = first; i < parts.size() && is_form(parts[i], "define"); ++i) {
    names.push_back(defined(parts_of(parts[i])));
  }
  if (names.empty()) return sequence(parts, first, scope);
  return with_unset(names, scope, [&](Scope inner) { return sequence(parts, first, inner); });
}

struct Bindings {
  std::vector<Name*> names;
  Parts values;
};

Bindings bindings(Value list) {
  Bindings found;
  for (Value each : parts_of(list)) {
    Parts parts = parts_of(each);
    require(parts.size() == 2);
    found.names.push_back(name_of(parts[0]));
    found.values.push_back(parts[1]);
  }
  return found;
}

std::vector<const Node*> trees(const Parts& parts, Scope scope) {
  std::vector<const Node*> nodes;
  for (Value part : parts) nodes.push_back(tree(part, scope));
  return nodes;
}

// A loop: a procedure in a variable of its own, called with first values.
const Node* loop(Name* name, const Parts& values, Scope scope, const std::function<const Node*(Scope)>& build) {
  const Node* made = with_unset({name}, scope, [&](Scope inner) {
    return new Sequence({new SetLocal(0, build(inner)), new Local(0)});
  });
  return new Call(made, trees(values, scope));
}

const Node* let(const Parts& parts, Scope scope) {
  require(parts.size() >= 3);
  if (parts[1].type == Type::symbol) {
    Bindings bound = bindings(parts[2]);
    return loop(parts[1].name, bound.values, scope, [&](Scope inner) {
      auto* made = new Lambda;
      made->parameters = static_cast<int>(bound.names.size());
      made->body = extended(bound.names, inner, [&](Scope innermost) { return body(parts, 3, innermost); });
      return made;
    });
  }
  Bindings bound = bindings(parts[1]);
  const Node* inner = extended(bound.names, scope, [&](Scope names) { return body(parts, 2, names); });
  return new Let(trees(bound.values, scope), inner);
}

const Node* let_star(const Parts& parts, Scope scope) {
  require(parts.size() >= 3);
  Bindings bound = bindings(parts[1]);
  std::function<const Node*(std::size_t, Scope)> from = [&](std::size_t i, Scope reach) -> const Node* {
    if (i == bound.names.size()) return new Let({}, body(parts, 2, reach));
    const Node* value = tree(bound.values[i], reach);
    Names added{bound.names[i], reach};
    return new Let({value}, from(i + 1, &added));
  };
  return from(0, scope);
}

const Node* letrec(const Parts& parts, Scope scope) {
  require(parts.size() >= 3);
  Bindings bound = bindings(parts[1]);
  return with_unset(bound.names, scope, [&](Scope inner) {
    std::vector<const Node*> nodes;
    for (std::size_t i = 0; i < bound.names.size(); ++i) {
      nodes.push_back(assignment(bound.names[i], tree(bound.values[i], inner), inner));
    }
    nodes.push_back(body(parts, 2, inner));
    return new Sequence(nodes);
  });
}

const Node* clauses(const Parts& parts, std::size_t first, Scope scope, const Node* otherwise) {
  if (first == parts.size()) return otherwise;
  Parts clause = parts_of(parts[first]);
  require(!clause.empty());
  if (is_word(clause[0], "else")) return sequence(clause, 1, scope);
  const Node* test = tree(clause[0], scope);
  if (clause.size() == 1) return new Either({test, clauses(parts, first + 1, scope, otherwise)}, true);
  const Node* then = sequence(clause, 1, scope);
  return new If(test, then, clauses(parts, first + 1, scope, otherwise));
}

const Node* cond(const Parts& parts, Scope scope) {
  require(parts.size() >= 2);
  return clauses(parts, 1, scope, nothing());
}

// The key is a variable without a name that a program could write.
const Node* case_(const Parts& parts, Scope scope) {
  require(parts.size() >= 3);
  Names key{name_of(symbol("%key")), scope};
  const Node* chosen = nothing();
  for (std::size_t i = parts.size(); i-- > 2;) {
    Parts clause = parts_of(parts[i]);
    require(clause.size() >= 2);
    const Node* then = sequence(clause, 1, &key);
    if (is_word(clause[0], "else")) {
      chosen = then;
    } else {
      parts_of(clause[0]);
      const Node* test = new Call(new Constant(symbol("%memq").name->value), {new Local(0), constant(clause[0])});
      chosen = new If(test, then, chosen);
    }
  }
  return new Let({tree(parts[1], scope)}, chosen);
}

const Node* either(const Parts& parts, Scope scope, bool until) {
  std::vector<const Node*> nodes = trees({parts.begin() + 1, parts.end()}, scope);
  if (nodes.empty()) return constant(boolean(!until));
  return new Either(nodes, until);
}

const Node* when(const Parts& parts, Scope scope, bool wanted) {
  require(parts.size() >= 3);
  const Node* test = tree(parts[1], scope);
  const Node* then = sequence(parts, 2, scope);
  return wanted ? new If(test, then, nothing()) : new If(test, nothing(), then);
}

const Node* do_(const Parts& parts, Scope scope) {
  require(parts.size() >= 3);
  std::vector<Name*> names;
  Parts values, steps;
  for (Value variable : parts_of(parts[1])) {
    Parts each = parts_of(variable);
    require(each.size() == 2 || each.size() == 3);
    names.push_back(name_of(each[0]));
    values.push_back(each[1]);
    steps.push_back(each.back());
    if (each.size() == 2) steps.back() = each[0];
  }
  Parts end = parts_of(parts[2]);
  require(!end.empty());
  Name* name = name_of(symbol("%loop"));
  return loop(name, values, scope, [&](Scope outer) {
    auto* made = new Lambda;
    made->parameters = static_cast<int>(names.size());
    made->body = extended(names, outer, [&](Scope inner) {
      std::vector<const Node*> nodes;
      for (std::size_t i = 3; i < parts.size(); ++i) nodes.push_back(tree(parts[i], inner));
      nodes.push_back(new Call(new Local(distance_of(name, inner)), trees(steps, inner)));
      const Node* results = end.size() > 1 ? sequence(end, 1, inner) : nothing();
      return new If(tree(end[0], inner), results, new Sequence(nodes));
    });
    return made;
  });
}

const Node* quasi(Value pattern, Scope scope) {
  if (pattern.type != Type::pair) return constant(pattern);
  if (is_form(pattern, "unquote")) {
    Parts parts = parts_of(pattern);
    require(parts.size() == 2);
    return tree(parts[1], scope);
  }
  Value first = pattern.cell->first;
  bool splice = is_form(first, "unquote-splicing");
  const Node* item = nullptr;
  if (splice) {
    Parts parts = parts_of(first);
    require(parts.size() == 2);
    item = tree(parts[1], scope);
  } else {
    item = quasi(first, scope);
  }
  Value join = symbol(splice ? "%append" : "%cons").name->value;
  return new Call(new Constant(join), {item, quasi(pattern.cell->second, scope)});
}

const Node* guard(const Parts& parts, Scope scope) {
  require(parts.size() >= 3);
  Parts handler = parts_of(parts[1]);
  require(handler.size() >= 2);
  Names inner{name_of(handler[0]), scope};
  const Node* guarded = body(parts, 2, scope);
  return new Guard(guarded, clauses(handler, 1, &inner, new Reraise));
}

const Node* if_(const Parts& parts, Scope scope) {
  require(parts.size() == 3 || parts.size() == 4);
  const Node* test = tree(parts[1], scope);
  const Node* then = tree(parts[2], scope);
  return new If(test, then, parts.size() == 4 ? tree(parts[3], scope) : nothing());
}

const Node* set(const Parts& parts, Scope scope) {
  require(parts.size() == 3);
  return assignment(name_of(parts[1]), tree(parts[2], scope), scope);
}

const Node* quote(const Parts& parts) {
  require(parts.size() == 2);
  return constant(parts[1]);
}

using Build = const Node* (*)(const Parts&, Scope);
const std::unordered_map<std::string, Build> kSpecials = {
    {"quote", [](const Parts& parts, Scope) { return quote(parts); }},
    {"if", if_},
    {"define", define},
    {"set!", set},
    {"lambda",
     [](const Parts& parts, Scope scope) {
       require(parts.size() >= 3);
       return procedure(parts[1], parts, 2, scope);
     }},
    {"begin", [](const Parts& parts, Scope scope) { return sequence(parts, 1, scope); }},
    {"let", let},
    {"let*", let_star},
    {"letrec", letrec},
    {"cond", cond},
    {"case", case_},
    {"and", [](const Parts& parts, Scope scope) { return either(parts, scope, false); }},
    {"or", [](const Parts& parts, Scope scope) { return either(parts, scope, true); }},
    {"when", [](const Parts& parts, Scope scope) { return when(parts, scope, true); }},
    {"unless", [](const Parts& parts, Scope scope) { return when(parts, scope, false); }},
    {"do", do_},
    {"delay",
     [](const Parts& parts, Scope scope) -> const Node* {
       require(parts.size() == 2);
       return new Delay(procedure(kEmpty, parts, 1, scope));
     }},
    {"quasiquote",
     [](const Parts& parts, Scope scope) {
       require(parts.size() == 2);
       return quasi(parts[1], scope);
     }},
    {"guard", guard},
};

const Node* tree(Value form, Scope scope) {
  if (form.type == Type::symbol) {
    int distance = distance_of(form.name, scope);
    if (distance >= 0) return new Local(distance);
    return new Global(form.name);
  }
  if (form.type != Type::pair) {
    require(form.type != Type::empty);
    return constant(form);
  }
  Parts parts = parts_of(form);
  if (parts[0].type == Type::symbol) {
    auto special = kSpecials.find(parts[0].name->text);
    if (special != kSpecials.end()) return special->second(parts, scope);
  }
  const Node* operation = tree(parts[0], scope);
  return new Call(operation, trees({parts.begin() + 1, parts.end()}, scope));
}

}  // namespace

const Node* analyze(Value form) {
  keep(form);  // while it is taken apart, its parts are in vectors
  return tree(form, nullptr);
}
