// rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
// Pages of files in a bounded number of frames. All tables share one cache, so that the memory goes where the work is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace ferries {

class PageCache {
 public:
  static constexpr std::size_t kPageSize = 4096;

  explicit PageCache(std::uint32_t frames);
  PageCache(const PageCache&) = delete;
  PageCache& operator=(const PageCache&) = delete;
  ~PageCache();

  // Opens or makes a file of the working directory; returns its number for `read` and `change`.
  std::uint32_t open(const char* path);

  // The bytes of a page, until the next call. Pages beyond the end of the file are zero.
  const unsigned char* read(std::uint32_t file, std::uint32_t page) { return frame_of(file, page).bytes; }
  unsigned char* change(std::uint32_t file, std::uint32_t page);

  // Writes all changed pages. What was not flushed is lost.
  void flush();

 private:
  static constexpr std::uint32_t kMostFiles = 8;
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // Without initial values, so that a frame takes no memory before its first use.
  struct Frame {
    std::uint32_t file;
    std::uint32_t page;
    std::uint32_t next;  // in the same bucket
    bool changed;
    bool recent;
    alignas(16) unsigned char bytes[kPageSize];
  };

  Frame& frame_of(std::uint32_t file, std::uint32_t page);
  std::uint32_t bucket_of(std::uint32_t file, std::uint32_t page) const;
  std::uint32_t free_frame();
  void unlink(std::uint32_t number);
  void load(Frame& frame) const;
  void store(Frame& frame) const;

  int descriptors_[kMostFiles];
  std::uint32_t files_ = 0;
  std::uint32_t size_;
  std::uint32_t used_ = 0;
  std::uint32_t hand_ = 0;
  std::unique_ptr<Frame[]> frames_;
  std::unique_ptr<std::uint32_t[]> buckets_;
};

}  // namespace ferries
