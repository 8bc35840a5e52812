// rigorbench-canary af2a9595-30e3-4ce1-b98c-b2b53c6d44b8
// A file of pages of 4 KiB behind a cache of fixed size; pages that were given back are used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using PageId = std::uint32_t;

class PageFile {
 public:
  static constexpr std::size_t kBytes = 4096;
  // Page 0 is the file's own; as a number it means "no page".
  static constexpr PageId kNone = 0;
  // A pointer to a page is good until this many other pages have been asked for.
  static constexpr std::size_t kStay = 64;

  // Opens the file, or makes one; `cached` (more than kStay) pages are kept in memory.
  PageFile(const std::string& name, std::size_t cached);
  ~PageFile();
  PageFile(const PageFile&) = delete;
  PageFile& operator=(const PageFile&) = delete;

  // The page's bytes, to be read only.
  const void* read(PageId page) { return fetch(page).bytes; }
  // The page's bytes, to be changed.
  void* change(PageId page);
  // A page of zeros.
  PageId allocate();
  void release(PageId page);

  // One number that the file keeps for its user.
  PageId root() const { return head_.root; }
  void set_root(PageId root) { head_.root = root; }

  // Writes all that has been changed. Without it the file is not good for the next run.
  void save();

 private:
  struct Head {
    std::uint32_t magic, pages, unused, root;
  };
  struct Frame {
    PageId page = kNone;
    bool changed = false;
    std::uint32_t next = 0, previous = 0;  // a ring by last use: 0, the newest, ..., the oldest
    void* bytes = nullptr;
  };

  Frame& fetch(PageId page);
  // The frame that has not been used for longest, written back and free for another page.
  std::uint32_t evict();
  void unlink(std::uint32_t frame);
  void link_newest(std::uint32_t frame);
  void read_at(void* to, std::size_t size, PageId page) const;
  void write_at(const void* from, std::size_t size, PageId page) const;

  int file_;
  Head head_;
  std::vector<Frame> frames_;
  std::unique_ptr<std::byte[]> memory_;
  std::vector<std::uint32_t> frame_of_;  // by page; 0: not in memory
};
