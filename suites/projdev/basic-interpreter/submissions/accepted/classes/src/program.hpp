// rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
// The stored lines, in the order of their numbers.
#ifndef PROGRAM_HPP
#define PROGRAM_HPP

#include <map>
#include <string>
#include <vector>

#include "statement.hpp"

struct Line {
  int number;
  std::string text;  // without the number
  StatementPtr statement;
};

class Program {
 public:
  // Throws BasicError for a line that is no statement; then the line that was there stays.
  void store(int number, const std::string& text, Names& names);
  void remove(int number) { lines_.erase(number); }
  void clear() { lines_.clear(); }
  void list(Screen& screen) const;
  void renumber(Names& names);

  // Lines by their position, as they were when arrange() was called last.
  void arrange();
  std::size_t size() const { return order_.size(); }
  const Line& at(std::size_t position) const { return *order_[position]; }
  bool find(int number, std::size_t& position) const;

 private:
  std::map<int, Line> lines_;
  std::vector<const Line*> order_;
};

#endif  // PROGRAM_HPP
