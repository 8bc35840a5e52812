// rigorbench-canary a25b6a18-b249-4263-8654-8ba6031f129a
// Replaces the operators new and delete: requests are counted, and one of them can fail.
#ifndef MEMORY_HPP
#define MEMORY_HPP

#include <malloc.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace drive {

struct memory {
  inline static std::int64_t requests = 0;
  inline static std::int64_t held = 0;  // bytes that have not been given back
  inline static std::int64_t most = 0;  // largest `held` since it was last set
  inline static std::int64_t fuse = 0;  // the request at which memory runs out, counted from now; 0: never

  static void* take(std::size_t size, std::size_t alignment) {
    ++requests;
    if (fuse > 0 && --fuse == 0) throw std::bad_alloc();
    void* place = alignment <= alignof(std::max_align_t)
                      ? std::malloc(size == 0 ? 1 : size)
                      : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (place == nullptr) throw std::bad_alloc();
    held += static_cast<std::int64_t>(malloc_usable_size(place));
    if (held > most) most = held;
    return place;
  }
  static void give(void* place) noexcept {
    if (place != nullptr) held -= static_cast<std::int64_t>(malloc_usable_size(place));
    std::free(place);
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
void operator delete(void* place) noexcept { drive::memory::give(place); }
void operator delete[](void* place) noexcept { drive::memory::give(place); }
void operator delete(void* place, std::size_t) noexcept { drive::memory::give(place); }
void operator delete[](void* place, std::size_t) noexcept { drive::memory::give(place); }
void operator delete(void* place, std::align_val_t) noexcept { drive::memory::give(place); }
void operator delete[](void* place, std::align_val_t) noexcept { drive::memory::give(place); }
void operator delete(void* place, std::size_t, std::align_val_t) noexcept { drive::memory::give(place); }
void operator delete[](void* place, std::size_t, std::align_val_t) noexcept { drive::memory::give(place); }

#endif  // MEMORY_HPP
