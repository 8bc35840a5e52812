// The stored lines, in the order of their numbers.
#ifndef PROGRAM_HPP
#define PROGRAM_HPP

#include <string>

class Program {
 public:
  void store(int number, const std::string& line);
  void remove(int number);
  void clear();
};

#endif  // PROGRAM_HPP
