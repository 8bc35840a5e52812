// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
// Which variable each name means: found once, before the program runs.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "function.hpp"
#include "syntax.hpp"

// The program, or a function, or the default of a parameter (which is evaluated like a function without parameters).
class Scope {
 public:
  explicit Scope(Scope* parent) : parent_(parent) {}

  void declare(const std::string& name) { locals_.emplace(name, locals_.size()); }
  void declare_global(const std::string& name) { globals_.insert(name); }
  // Makes the variable reachable from here.
  void use(const std::string& name);
  Place place(const std::string& name) const;

  std::size_t locals() const { return locals_.size(); }
  const std::map<std::string, std::size_t>& cells() const { return cells_; }
  // For each captured variable, in the order of their numbers, where the scope around has it.
  std::vector<Place> captured() const;
  const std::vector<std::string>& global_names() const { return root().global_names_; }

 private:
  const Scope& root() const { return parent_ == nullptr ? *this : parent_->root(); }
  Scope& root() { return parent_ == nullptr ? *this : parent_->root(); }
  Scope* owner(const std::string& name);

  Scope* parent_;
  std::map<std::string, std::size_t> locals_;
  std::map<std::string, std::size_t> cells_;
  std::map<std::string, std::size_t> captured_;
  std::set<std::string> globals_;
  // Of the program only.
  std::map<std::string, std::size_t> global_places_;
  std::vector<std::string> global_names_;
};

// The scopes of functions and defaults by their nodes; that of the program has the node of the program.
using Scopes = std::map<const Node*, std::unique_ptr<Scope>>;
Scopes resolve(const Node& program);
