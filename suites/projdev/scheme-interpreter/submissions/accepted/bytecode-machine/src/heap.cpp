// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
#include "heap.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

Heap heap;

void fail(const std::string& message) { throw Raised{heap.condition(message, Value::nil())}; }

void Heap::add_chunk(std::size_t size) {
  constexpr std::size_t kChunk = 1 << 18;
  auto* memory = static_cast<char*>(std::malloc(kChunk));
  if (memory == nullptr) throw std::bad_alloc();
  chunks_.push_back({memory, size, kChunk / size});
  for (std::size_t i = kChunk / size; i-- > 0;) {
    auto* object = new (memory + i * size) Object(Object::Kind::free);
    object->next = free_[size / kStep];
    free_[size / kStep] = object;
  }
}

// Small objects share chunks with those of their size; large ones are on their own.
void* Heap::place(std::size_t size) {
  size = (size + kStep - 1) / kStep * kStep;
  used_ += size;
  if (size > kStep * kSizes) {
    void* memory = std::malloc(size);
    if (memory == nullptr) throw std::bad_alloc();
    large_.push_back(static_cast<Object*>(memory));
    return memory;
  }
  Object*& first = free_[size / kStep];
  if (first == nullptr) add_chunk(size);
  Object* found = first;
  first = found->next;
  return found;
}

template <class Made, class... Arguments>
Made* Heap::make(std::size_t extra, Arguments&&... arguments) {
  auto* made = new (place(sizeof(Made) + extra)) Made(std::forward<Arguments>(arguments)...);
  used_ += bytes_outside(*made);
  return made;
}

// What strings and vectors have outside of the object.
std::size_t Heap::bytes_outside(const Object& object) {
  if (object.kind == Object::Kind::text) return static_cast<const Text&>(object).characters.capacity();
  if (object.kind != Object::Kind::vector) return 0;
  return static_cast<const Vector&>(object).items.capacity() * sizeof(Value);
}

Value Heap::pair(Value head, Value tail) { return Value::of(Tag::pair, make<Pair>(0, head, tail)); }
Value Heap::text(std::string characters) { return Value::of(Tag::string, make<Text>(0, std::move(characters))); }
Value Heap::vector(std::vector<Value> items) { return Value::of(Tag::vector, make<Vector>(0, std::move(items))); }
Value Heap::closure(const Code* code, Frame* frame) { return Value::of(Tag::closure, make<Closure>(0, code, frame)); }
Value Heap::promise(Value thunk) { return Value::of(Tag::promise, make<Promise>(0, thunk)); }
Value Heap::condition(std::string message, Value irritants) {
  return Value::of(Tag::condition, make<Condition>(0, std::move(message), irritants));
}
Continuation* Heap::continuation() { return make<Continuation>(0); }
Frame* Heap::frame(Frame* up, std::uint32_t size) { return make<Frame>(size * sizeof(Value), up, size); }

Symbol* Heap::symbol(std::string_view name) {
  auto found = by_name_.find(name);
  if (found != by_name_.end()) return found->second;
  Symbol& made = symbols_.emplace_back();
  made.name = name;
  by_name_.emplace(made.name, &made);
  return &made;
}

void Heap::mark(Value value) {
  if (value.on_heap()) mark(value.object);
}

void Heap::mark(Object* object) {
  if (object == nullptr || object->marked) return;
  object->marked = true;
  waiting_.push_back(object);
}

void Heap::visit(Object& object) {
  switch (object.kind) {
    case Object::Kind::free:
    case Object::Kind::text: break;
    case Object::Kind::pair:
      mark(static_cast<Pair&>(object).head);
      mark(static_cast<Pair&>(object).tail);
      break;
    case Object::Kind::vector:
      for (Value item : static_cast<Vector&>(object).items) mark(item);
      break;
    case Object::Kind::closure: mark(static_cast<Closure&>(object).frame); break;
    case Object::Kind::frame: {
      auto& frame = static_cast<Frame&>(object);
      mark(frame.up);
      for (std::uint32_t i = 0; i < frame.size; ++i) mark(frame.slots()[i]);
      break;
    }
    case Object::Kind::continuation: mark(static_cast<Continuation&>(object).frame); break;
    case Object::Kind::promise: mark(static_cast<Promise&>(object).value); break;
    case Object::Kind::condition: mark(static_cast<Condition&>(object).irritants); break;
  }
}

// With a list of its own instead of recursion: lists are long.
void Heap::drain() {
  while (!waiting_.empty()) {
    Object* object = waiting_.back();
    waiting_.pop_back();
    visit(*object);
  }
}

void Heap::destroy(Object& object) {
  switch (object.kind) {
    case Object::Kind::text: static_cast<Text&>(object).~Text(); break;
    case Object::Kind::vector: static_cast<Vector&>(object).~Vector(); break;
    case Object::Kind::condition: static_cast<Condition&>(object).~Condition(); break;
    default: break;  // the others own nothing
  }
  object.kind = Object::Kind::free;
}

void Heap::sweep_chunk(const Chunk& chunk) {
  Object*& first = free_[chunk.size / kStep];
  for (std::size_t i = chunk.count; i-- > 0;) {
    auto& object = *reinterpret_cast<Object*>(chunk.memory + i * chunk.size);
    if (object.marked) {
      object.marked = false;
      used_ += chunk.size + bytes_outside(object);
    } else {
      destroy(object);
      object.next = first;
      first = &object;
    }
  }
}

void Heap::sweep() {
  for (Symbol& symbol : symbols_) mark(symbol.value);
  for (Value value : kept_) mark(value);
  drain();
  used_ = 0;
  std::fill(std::begin(free_), std::end(free_), nullptr);
  for (const Chunk& chunk : chunks_) sweep_chunk(chunk);
  std::erase_if(large_, [this](Object* object) {
    bool keeps = object->marked;
    object->marked = false;
    if (keeps) {
      used_ += sizeof(Frame) + static_cast<Frame*>(object)->size * sizeof(Value);
    } else {
      std::free(object);
    }
    return !keeps;
  });
  // The next collection comes when as much again is in use, so that its cost is shared by as many new objects.
  limit_ = std::max<std::size_t>(4u << 20, 2 * used_);
}
