// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// Values, and the cells of memory that they point to. A cell is a pair of values whatever it is for.
#ifndef CELL_HPP
#define CELL_HPP

#include <cstdint>
#include <string>
#include <vector>

enum class Type : std::uint8_t {
  none, empty, boolean, integer, symbol, builtin, lambda, tail,            // nothing on the heap
  pair, string, vector, closure, promise, continuation, error              // a cell
};

struct Cell;
struct Name;
struct Builtin;

struct Value {
  Type type = Type::none;
  union {
    std::int64_t number = 0;
    Cell* cell;
    Name* name;
    const Builtin* builtin;
    const void* code;
  };
  Value() = default;
  explicit Value(Type type, std::int64_t number = 0) : type(type), number(number) {}
  Value(Type type, Cell* cell) : type(type), cell(cell) {}
  bool truth() const { return type != Type::boolean || number != 0; }
};

// What the two values are: of a pair head and tail, of a closure code and variables, of a promise whether it is known and its value,
// of an error message and irritants. Strings and vectors have their content elsewhere.
struct Cell {
  Type type = Type::none;  // none: free
  bool marked = false;
  Value first;
  union {
    Value second;
    std::string* text;
    std::vector<Value>* items;
  };
  Cell() : second() {}
};

struct Name {
  std::string text;
  Value value;
  bool bound = false;
};

struct Builtin {
  const char* name;
  int least, most;  // most < 0: any number
  Value (*run)(Value* arguments, int count);
};

inline const Value kNone{}, kEmpty(Type::empty, std::int64_t{0}), kTrue(Type::boolean, std::int64_t{1}),
    kFalse(Type::boolean, std::int64_t{0});
inline Value boolean(bool holds) { return holds ? kTrue : kFalse; }
inline Value integer(std::int64_t number) { return Value(Type::integer, number); }

Value make(Type type, Value first, Value second);
inline Value cons(Value first, Value second) { return make(Type::pair, first, second); }
Value string(std::string text);
Value vector(std::vector<Value> items);
Value symbol(const std::string& name);
// Values that code holds are never freed.
void keep(Value value);
// The collector looks for values on the stack between here and where it runs.
void set_stack_base(const void* base);

struct Raised {
  Value value;
};
struct Escape {
  const Cell* continuation;
  Value value;
};
struct Exit {};
[[noreturn]] void fail(const std::string& message);

#endif  // CELL_HPP
