// rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
// Replaces the operators new and delete, so that one request can fail.
#ifndef MEMORY_HPP
#define MEMORY_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace drive {

struct memory {
  inline static std::int64_t fuse = 0;  // the request at which memory runs out, counted from now; 0: never

  static void* take(std::size_t size, std::size_t alignment) {
    if (fuse > 0 && --fuse == 0) throw std::bad_alloc();
    void* place = alignment <= alignof(std::max_align_t)
                      ? std::malloc(size == 0 ? 1 : size)
                      : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (place == nullptr) throw std::bad_alloc();
    return place;
  }
};

}  // namespace drive

void* operator new(std::size_t size) { return drive::memory::take(size, 1); }
void* operator new[](std::size_t size) { return drive::memory::take(size, 1); }
void* operator new(std::size_t size, std::align_val_t align) {
  return drive::memory::take(size, static_cast<std::size_t>(align));
}
void* operator new[](std::size_t size, std::align_val_t align) {
  return drive::memory::take(size, static_cast<std::size_t>(align));
}
void operator delete(void* place) noexcept { std::free(place); }
void operator delete[](void* place) noexcept { std::free(place); }
void operator delete(void* place, std::size_t) noexcept { std::free(place); }
void operator delete[](void* place, std::size_t) noexcept { std::free(place); }
void operator delete(void* place, std::align_val_t) noexcept { std::free(place); }
void operator delete[](void* place, std::align_val_t) noexcept { std::free(place); }
void operator delete(void* place, std::size_t, std::align_val_t) noexcept { std::free(place); }
void operator delete[](void* place, std::size_t, std::align_val_t) noexcept { std::free(place); }

#endif  // MEMORY_HPP
