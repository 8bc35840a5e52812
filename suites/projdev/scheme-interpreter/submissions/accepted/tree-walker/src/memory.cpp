// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
// Cells come from chunks of 1 MiB. The collector marks from the names, from kept values, and from every word of the machine's stack
// that could be the address of a cell; so variables of C++ may hold values freely.
#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <deque>
#include <new>
#include <unordered_map>
#include <unordered_set>

#include "cell.hpp"

namespace {

constexpr std::size_t kChunk = 1 << 20, kCells = kChunk / sizeof(Cell);

std::vector<Cell*> chunks;
std::unordered_set<std::uintptr_t> chunk_addresses;
std::vector<Cell*> free_cells, waiting;
std::deque<Name> names;
std::unordered_map<std::string, Name*> name_table;
std::vector<Value> kept;
std::uintptr_t stack_base = 0;
std::size_t outside = 0, made_outside = 0;  // bytes of strings and vectors: in use after the last collection, made since

void mark(Value value) {
  if (value.type < Type::pair || value.cell->marked) return;
  value.cell->marked = true;
  waiting.push_back(value.cell);
}

void mark_word(std::uintptr_t word) {
  std::uintptr_t chunk = word & ~(kChunk - 1);
  if (!chunk_addresses.contains(chunk)) return;
  std::size_t index = (word - chunk) / sizeof(Cell);
  if (index >= kCells) return;
  Cell* cell = reinterpret_cast<Cell*>(chunk) + index;
  if (cell->type != Type::none) mark(Value(cell->type, cell));
}

__attribute__((noinline, no_sanitize("address"))) void mark_stack() {
  std::jmp_buf registers;
  setjmp(registers);
  auto top = reinterpret_cast<std::uintptr_t>(&registers) & ~(sizeof(std::uintptr_t) - 1);
  for (; top < stack_base; top += sizeof(std::uintptr_t)) mark_word(*reinterpret_cast<std::uintptr_t*>(top));
}

void drain() {
  while (!waiting.empty()) {
    Cell* cell = waiting.back();
    waiting.pop_back();
    mark(cell->first);
    if (cell->type == Type::vector) {
      for (Value item : *cell->items) mark(item);
    } else if (cell->type != Type::string) {
      mark(cell->second);
    }
  }
}

void release(Cell& cell) {
  if (cell.type == Type::string) delete cell.text;
  if (cell.type == Type::vector) delete cell.items;
  cell.type = Type::none;
  free_cells.push_back(&cell);
}

std::size_t outside_bytes(const Cell& cell) {
  if (cell.type == Type::string) return sizeof(std::string) + cell.text->capacity();
  return cell.type == Type::vector ? sizeof(*cell.items) + cell.items->capacity() * sizeof(Value) : 0;
}

void add_chunk() {
  void* memory = std::aligned_alloc(kChunk, kChunk);
  if (memory == nullptr) throw std::bad_alloc();
  auto* cells = static_cast<Cell*>(memory);
  for (std::size_t i = kCells; i-- > 0;) free_cells.push_back(new (cells + i) Cell);
  chunks.push_back(cells);
  chunk_addresses.insert(reinterpret_cast<std::uintptr_t>(memory));
}

void collect() {
  for (Name& name : names) mark(name.value);
  for (Value value : kept) mark(value);
  mark_stack();
  drain();
  free_cells.clear();
  outside = made_outside = 0;
  for (std::size_t i = chunks.size(); i-- > 0;) {
    for (std::size_t k = kCells; k-- > 0;) {
      Cell& cell = chunks[i][k];
      if (cell.marked) {
        cell.marked = false;
        outside += outside_bytes(cell);
      } else {
        release(cell);
      }
    }
  }
  // Half of all cells are free afterwards, so that the next collection is not near.
  while (free_cells.size() < chunks.size() * kCells / 2) add_chunk();
}

Cell* fresh_cell() {
  if (chunks.size() < 8 && free_cells.empty()) {
    add_chunk();
  } else if (free_cells.empty() || made_outside > outside + (16u << 20)) {
    collect();
  }
  Cell* cell = free_cells.back();
  free_cells.pop_back();
  return cell;
}

}  // namespace

Value make(Type type, Value first, Value second) {
  Cell* cell = fresh_cell();
  cell->type = type;
  cell->first = first;
  cell->second = second;
  return Value(type, cell);
}

Value string(std::string text) {
  Cell* cell = fresh_cell();
  cell->type = Type::string;
  cell->first = kNone;
  cell->text = new std::string(std::move(text));
  made_outside += outside_bytes(*cell);
  return Value(Type::string, cell);
}

Value vector(std::vector<Value> items) {
  // Its items are on no stack while the cell is made.
  std::size_t before = kept.size();
  kept.insert(kept.end(), items.begin(), items.end());
  Cell* cell = fresh_cell();
  kept.resize(before);
  cell->type = Type::vector;
  cell->first = kNone;
  cell->items = new std::vector<Value>(std::move(items));
  made_outside += outside_bytes(*cell);
  return Value(Type::vector, cell);
}

Value symbol(const std::string& name) {
  auto [place, added] = name_table.try_emplace(name, nullptr);
  if (added) {
    place->second = &names.emplace_back();
    place->second->text = name;
  }
  Value value(Type::symbol);
  value.name = place->second;
  return value;
}

void keep(Value value) { kept.push_back(value); }
void set_stack_base(const void* base) { stack_base = reinterpret_cast<std::uintptr_t>(base); }
void fail(const std::string& message) { throw Raised{make(Type::error, string(message), kEmpty)}; }
