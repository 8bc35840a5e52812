// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// Memory of the interpreter: objects are made here and collected by mark and sweep.
#ifndef HEAP_HPP
#define HEAP_HPP

#include <deque>
#include <string_view>
#include <unordered_map>

#include "value.hpp"

class Heap {
 public:
  Value pair(Value head, Value tail);
  Value text(std::string characters);
  Value vector(std::vector<Value> items);
  Value closure(const Code* code, Frame* frame);
  Value promise(Value thunk);
  Value condition(std::string message, Value irritants);
  Continuation* continuation();
  Frame* frame(Frame* up, std::uint32_t size);

  Symbol* symbol(std::string_view name);

  // Whether so much was made since the last collection that the next one is due. Only the machine collects, and only between two
  // instructions, so that built-in procedures may hold values in variables of C++.
  bool is_due() const { return used_ > limit_; }
  // Marks from here; then sweep() frees what was not marked. Symbols' values are always marked.
  void mark(Value value);
  void mark(Object* object);
  void sweep();
  // Keeps a constant of compiled code for ever.
  void keep(Value value) { kept_.push_back(value); }

 private:
  // Places of one size, one after the other.
  struct Chunk {
    char* memory;
    std::size_t size, count;
  };
  template <class Made, class... Arguments>
  Made* make(std::size_t extra, Arguments&&... arguments);
  void* place(std::size_t size);
  void add_chunk(std::size_t size);
  void sweep_chunk(const Chunk& chunk);
  void drain();
  void visit(Object& object);
  static void destroy(Object& object);
  static std::size_t bytes_outside(const Object& object);

  static constexpr std::size_t kStep = 16, kSizes = 16;
  std::vector<Chunk> chunks_;
  Object* free_[kSizes + 1] = {};  // by size / kStep
  std::vector<Object*> large_;
  std::size_t used_ = 0, limit_ = 4u << 20;
  std::vector<Object*> waiting_;  // marked, but not what they point to
  std::vector<Value> kept_;
  std::deque<Symbol> symbols_;
  std::unordered_map<std::string_view, Symbol*> by_name_;
};

extern Heap heap;

#endif  // HEAP_HPP
