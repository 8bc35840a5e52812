// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// One compiler for each procedure; scopes are chained outwards.
#ifndef COMPILER_HPP
#define COMPILER_HPP

#include <unordered_map>
#include <vector>

#include "code.hpp"

// Names of one frame, in the order of its slots.
struct Scope {
  std::vector<Symbol*> names;
  const Scope* up;
};

class Compiler {
 public:
  explicit Compiler(Code& code) : code_(code) {}
  // Puts the value of the form on the stack; in a tail position the procedure returns it.
  void form(Value form, const Scope* scope, bool tail);
  void body(Value forms, const Scope* scope, bool tail);
  void finish() { emit(Op::return_); }

 private:
  using Special = void (Compiler::*)(Value, const Scope*, bool);
  static const std::unordered_map<const Symbol*, Special>& specials();

  std::size_t emit(Op op, std::size_t a = 0, std::size_t b = 0);
  void land(std::size_t jump);
  void constant(Value value);
  void unspecified() { constant(Value()); }
  void reference(Symbol* name, const Scope* scope, bool set);
  void call(Value form, const Scope* scope, bool tail);
  void sequence(Value forms, const Scope* scope, bool tail);
  void procedure(Value parameters, Value forms, const Scope* scope);
  void clauses(Value rest, const Scope* scope, bool tail, bool reraise);
  void in_frame(const std::vector<Symbol*>& names, Value forms, const Scope* scope, bool tail);
  void quasi(Value pattern, const Scope* scope);

  void quote(Value form, const Scope* scope, bool tail);
  void if_(Value form, const Scope* scope, bool tail);
  void define(Value form, const Scope* scope, bool tail);
  void set(Value form, const Scope* scope, bool tail);
  void lambda(Value form, const Scope* scope, bool tail);
  void begin(Value form, const Scope* scope, bool tail);
  void let(Value form, const Scope* scope, bool tail);
  void named_let(Value form, const Scope* scope, bool tail);
  void let_star(Value form, const Scope* scope, bool tail);
  void letrec(Value form, const Scope* scope, bool tail);
  void cond(Value form, const Scope* scope, bool tail);
  void case_(Value form, const Scope* scope, bool tail);
  void and_(Value form, const Scope* scope, bool tail);
  void or_(Value form, const Scope* scope, bool tail);
  void when(Value form, const Scope* scope, bool tail);
  void unless(Value form, const Scope* scope, bool tail);
  void do_(Value form, const Scope* scope, bool tail);
  void delay(Value form, const Scope* scope, bool tail);
  void quasiquote(Value form, const Scope* scope, bool tail);
  void guard(Value form, const Scope* scope, bool tail);

  Code& code_;
};

#endif  // COMPILER_HPP
