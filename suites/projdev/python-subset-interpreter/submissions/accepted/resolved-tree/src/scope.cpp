// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
#include "scope.hpp"

namespace {

// Calls `found` for every name that the statements of one function set.
template <typename Found>
void each_assigned(const Node& node, Found found) {
  const auto target = [&](const Node& names) {
    if (names.kind == Kind::name) found(names.text);
    for (const NodePtr& name : names.parts) found(name->text);
  };
  switch (node.kind) {
    case Kind::assign:
      for (std::size_t i = 0; i + 1 < node.parts.size(); ++i) target(*node.parts[i]);
      break;
    case Kind::update: target(*node.parts[0]); break;
    case Kind::for_loop:
      target(*node.parts[0]);
      each_assigned(*node.parts[2], found);
      break;
    case Kind::define: found(node.text); break;
    case Kind::block: case Kind::if_else: case Kind::while_loop:
      for (const NodePtr& part : node.parts) {
        if (part != nullptr) each_assigned(*part, found);
      }
      break;
    default: break;
  }
}

template <typename Found>
void each_declaration(const Node& node, Found found) {
  if (node.kind == Kind::global || node.kind == Kind::nonlocal) {
    for (const std::string& name : node.words) found(node.kind, name);
  } else if (node.kind != Kind::define) {
    for (const NodePtr& part : node.parts) {
      if (part != nullptr) each_declaration(*part, found);
    }
  }
}

class Resolver {
 public:
  Scopes program(const Node& node) {
    Scope& scope = add(node, nullptr);
    uses(node, scope);
    return std::move(scopes_);
  }

 private:
  Scope& add(const Node& node, Scope* parent) { return *(scopes_[&node] = std::make_unique<Scope>(parent)); }

  void function(const Node& node, Scope& around) {
    Scope& scope = add(node, &around);
    for (const NodePtr& part : node.parts) {
      if (part->kind != Kind::parameter) continue;
      scope.declare(part->text);
      if (const Node* value = part->parts[0].get()) uses(*value, add(*value, &around));
    }
    const Node& body = *node.parts.back();
    std::set<std::string> elsewhere;
    each_declaration(body, [&](Kind kind, const std::string& name) {
      elsewhere.insert(name);
      if (kind == Kind::global) scope.declare_global(name);
    });
    each_assigned(body, [&](const std::string& name) {
      if (elsewhere.count(name) == 0) scope.declare(name);
    });
    uses(body, scope);
  }

  void uses(const Node& node, Scope& scope) {
    if (node.kind == Kind::name || node.kind == Kind::define) scope.use(node.text);
    if (node.kind == Kind::define || node.kind == Kind::lambda) {
      function(node, scope);
      return;
    }
    for (const NodePtr& part : node.parts) {
      if (part != nullptr) uses(*part, scope);
    }
  }

  Scopes scopes_;
};

}  // namespace

// Null: the name is global.
Scope* Scope::owner(const std::string& name) {
  for (Scope* scope = this; scope->parent_ != nullptr; scope = scope->parent_) {
    if (scope->globals_.count(name) > 0) return nullptr;
    if (scope->locals_.count(name) > 0) return scope;
  }
  return nullptr;
}

void Scope::use(const std::string& name) {
  Scope* found = owner(name);
  if (found == nullptr) {
    Scope& program = root();
    if (program.global_places_.emplace(name, program.global_names_.size()).second) program.global_names_.push_back(name);
    return;
  }
  if (found != this) found->cells_.emplace(name, found->cells_.size());
  for (Scope* scope = this; scope != found; scope = scope->parent_) scope->captured_.emplace(name, scope->captured_.size());
}

Place Scope::place(const std::string& name) const {
  if (const auto cell = cells_.find(name); cell != cells_.end()) return {Place::Kind::cell, cell->second};
  if (const auto found = captured_.find(name); found != captured_.end()) return {Place::Kind::captured, found->second};
  if (const auto local = locals_.find(name); local != locals_.end()) return {Place::Kind::local, local->second};
  return {Place::Kind::global, root().global_places_.at(name)};
}

std::vector<Place> Scope::captured() const {
  std::vector<Place> places(captured_.size());
  for (const auto& [name, index] : captured_) places[index] = parent_->place(name);
  return places;
}

Scopes resolve(const Node& program) { return Resolver().program(program); }
