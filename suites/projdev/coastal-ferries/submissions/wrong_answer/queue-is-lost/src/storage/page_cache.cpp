// rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
#include "storage/page_cache.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>

namespace ferries {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

}  // namespace

PageCache::PageCache(std::uint32_t frames)
    : size_(frames), frames_(new Frame[frames]), buckets_(std::make_unique<std::uint32_t[]>(frames)) {
  for (std::uint32_t bucket = 0; bucket < size_; ++bucket) buckets_[bucket] = kNone;
}

PageCache::~PageCache() {
  for (std::uint32_t file = 0; file < files_; ++file) close(descriptors_[file]);
}

std::uint32_t PageCache::open(const char* path) {
  if (files_ == kMostFiles) throw std::length_error("too many files");
  const int descriptor = ::open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) fail(path);
  descriptors_[files_] = descriptor;
  return files_++;
}

unsigned char* PageCache::change(std::uint32_t file, std::uint32_t page) {
  Frame& frame = frame_of(file, page);
  frame.changed = true;
  return frame.bytes;
}

void PageCache::flush() {
  for (std::uint32_t number = 0; number < used_; ++number) store(frames_[number]);
}

PageCache::Frame& PageCache::frame_of(std::uint32_t file, std::uint32_t page) {
  const std::uint32_t bucket = bucket_of(file, page);
  for (std::uint32_t number = buckets_[bucket]; number != kNone; number = frames_[number].next) {
    Frame& frame = frames_[number];
    if (frame.file == file && frame.page == page) {
      frame.recent = true;
      return frame;
    }
  }
  const std::uint32_t number = free_frame();
  Frame& frame = frames_[number];
  frame.file = file;
  frame.page = page;
  frame.recent = true;
  load(frame);
  frame.next = buckets_[bucket];
  buckets_[bucket] = number;
  return frame;
}

std::uint32_t PageCache::bucket_of(std::uint32_t file, std::uint32_t page) const {
  return (page * 2654435761U + file * 40503U) % size_;
}

// A frame in no bucket: a new one, or the next that was not used since the hand came by.
std::uint32_t PageCache::free_frame() {
  if (used_ < size_) return used_++;
  while (frames_[hand_].recent) {
    frames_[hand_].recent = false;
    hand_ = (hand_ + 1) % size_;
  }
  const std::uint32_t number = hand_;
  hand_ = (hand_ + 1) % size_;
  store(frames_[number]);
  unlink(number);
  return number;
}

void PageCache::unlink(std::uint32_t number) {
  const Frame& frame = frames_[number];
  std::uint32_t* link = &buckets_[bucket_of(frame.file, frame.page)];
  while (*link != number) link = &frames_[*link].next;
  *link = frame.next;
}

void PageCache::load(Frame& frame) const {
  const off_t place = static_cast<off_t>(frame.page) * static_cast<off_t>(kPageSize);
  std::size_t got = 0;
  while (got < kPageSize) {
    const ssize_t read =
        pread(descriptors_[frame.file], frame.bytes + got, kPageSize - got, place + static_cast<off_t>(got));
    if (read < 0) fail("a page cannot be read");
    if (read == 0) break;
    got += static_cast<std::size_t>(read);
  }
  std::memset(frame.bytes + got, 0, kPageSize - got);
  frame.changed = false;
}

void PageCache::store(Frame& frame) const {
  if (!frame.changed) return;
  const off_t place = static_cast<off_t>(frame.page) * static_cast<off_t>(kPageSize);
  std::size_t put = 0;
  while (put < kPageSize) {
    const ssize_t wrote =
        pwrite(descriptors_[frame.file], frame.bytes + put, kPageSize - put, place + static_cast<off_t>(put));
    if (wrote <= 0) fail("a page cannot be written");
    put += static_cast<std::size_t>(wrote);
  }
  frame.changed = false;
}

}  // namespace ferries
