// rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
// Steps of the machine from the tokens of one statement.
#ifndef COMPILER_HPP
#define COMPILER_HPP

#include <string>
#include <vector>

#include "machine.hpp"
#include "tokenizer.hpp"

class Compiler {
 public:
  Compiler(Code& code, Machine& machine) : code_(code), machine_(machine) {}
  // Adds the steps of a statement. Throws Failure if it is none.
  void compile(const std::string& text);
  const std::string& first_word() const { return first_; }
  // Line numbers in the text, and where they are.
  struct Target {
    std::size_t place, size;
    int line;
  };
  const std::vector<Target>& targets() const { return targets_; }

 private:
  void statement(bool after_then);
  void let();
  void print();
  void branch(Do what);
  void if_();
  void for_();
  void either();
  void both();
  void comparison();
  void sum();
  void product();
  void factor();
  void call(const std::string& function);
  std::string name();
  bool accept(const std::string& value);
  void expect(const std::string& value);
  void add(Do what, std::int64_t operand = 0) { code_.steps.push_back({what, operand}); }
  void add_text(const std::string& text);

  Code& code_;
  Machine& machine_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::string first_;
  std::vector<Target> targets_;
};

// 0 if it is no line number.
int line_of(const std::string& digits);

#endif  // COMPILER_HPP
