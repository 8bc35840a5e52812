// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// Values of the language, and the objects on the heap that they point to.
#ifndef VALUE_HPP
#define VALUE_HPP

#include <cstdint>
#include <string>
#include <vector>

enum class Tag : std::uint8_t {
  unspecified, nil, boolean, integer, symbol, string, pair, vector, closure, builtin, continuation, promise, condition
};

struct Object;
struct Symbol;
struct Text;
struct Pair;
struct Vector;
struct Closure;
struct Builtin;
struct Continuation;
struct Promise;
struct Condition;

struct Value {
  Tag tag = Tag::unspecified;
  union {
    std::int64_t number = 0;
    bool truth;
    Object* object;
    Symbol* symbol;
    Builtin* builtin;
  };

  static Value nil() { return make(Tag::nil, 0); }
  static Value integer(std::int64_t number) { return make(Tag::integer, number); }
  static Value boolean(bool truth) {
    Value value = make(Tag::boolean, 0);
    value.truth = truth;
    return value;
  }
  static Value of(Symbol* symbol) {
    Value value = make(Tag::symbol, 0);
    value.symbol = symbol;
    return value;
  }
  static Value of(Builtin* builtin) {
    Value value = make(Tag::builtin, 0);
    value.builtin = builtin;
    return value;
  }
  static Value of(Tag tag, Object* object) {
    Value value = make(tag, 0);
    value.object = object;
    return value;
  }

  bool is(Tag other) const { return tag == other; }
  bool is_false() const { return tag == Tag::boolean && !truth; }
  // Whether object points to the heap.
  bool on_heap() const { return tag >= Tag::string && tag != Tag::builtin; }
  inline Pair& pair() const;
  inline Text& text() const;
  inline Vector& vector() const;
  inline Closure& closure() const;
  inline Continuation& continuation() const;
  inline Promise& promise() const;
  inline Condition& condition() const;

 private:
  static Value make(Tag tag, std::int64_t number) {
    Value value;
    value.tag = tag;
    value.number = number;
    return value;
  }
};

// One variable of the top level for each symbol.
struct Symbol {
  std::string name;
  Value value;
  bool bound = false;
};

// What the collector manages. `next` links free places of one size.
struct Object {
  enum class Kind : std::uint8_t { free, text, pair, vector, closure, frame, continuation, promise, condition };
  explicit Object(Kind kind) : kind(kind) {}
  Object* next = nullptr;
  Kind kind;
  bool marked = false;
};

struct Text : Object {
  explicit Text(std::string characters) : Object(Kind::text), characters(std::move(characters)) {}
  std::string characters;
};

struct Pair : Object {
  Pair(Value head, Value tail) : Object(Kind::pair), head(head), tail(tail) {}
  Value head, tail;
};

struct Vector : Object {
  explicit Vector(std::vector<Value> items) : Object(Kind::vector), items(std::move(items)) {}
  std::vector<Value> items;
};

// Variables of one call or one let. The slots follow the object in memory.
struct Frame : Object {
  Frame(Frame* up, std::uint32_t size) : Object(Kind::frame), size(size), up(up) {}
  Value* slots() { return reinterpret_cast<Value*>(this + 1); }
  std::uint32_t size;
  Frame* up;
};

struct Code;

struct Closure : Object {
  Closure(const Code* code, Frame* frame) : Object(Kind::closure), code(code), frame(frame) {}
  const Code* code;
  Frame* frame;
};

// Where a call/cc returns to: heights of the machine's stacks, and its registers.
struct Continuation : Object {
  Continuation() : Object(Kind::continuation) {}
  std::size_t values = 0, calls = 0, guards = 0, at = 0;
  const Code* code = nullptr;
  Frame* frame = nullptr;
};

// `value` is the procedure that computes it until it is known.
struct Promise : Object {
  explicit Promise(Value thunk) : Object(Kind::promise), value(thunk) {}
  bool known = false;
  Value value;
};

struct Condition : Object {
  Condition(std::string message, Value irritants)
      : Object(Kind::condition), message(std::move(message)), irritants(irritants) {}
  std::string message;
  Value irritants;
};

// A procedure written in C++. Those with another role than `plain` change the machine's registers; it does them itself.
struct Builtin {
  enum class Role : std::uint8_t { plain, apply, call_cc, eval };
  const char* name;
  Value (*run)(Value* arguments, int count);
  int least, most;  // numbers of arguments; most < 0: any number
  Role role = Role::plain;
};

inline Pair& Value::pair() const { return *static_cast<Pair*>(object); }
inline Text& Value::text() const { return *static_cast<Text*>(object); }
inline Vector& Value::vector() const { return *static_cast<Vector*>(object); }
inline Closure& Value::closure() const { return *static_cast<Closure*>(object); }
inline Continuation& Value::continuation() const { return *static_cast<Continuation*>(object); }
inline Promise& Value::promise() const { return *static_cast<Promise*>(object); }
inline Condition& Value::condition() const { return *static_cast<Condition*>(object); }

// What raise throws: any value. fail() raises a condition with a message.
struct Raised {
  Value value;
};
[[noreturn]] void fail(const std::string& message);

// Thrown by (exit).
struct Exit {};

#endif  // VALUE_HPP
