// rigorbench-canary af2a9595-30e3-4ce1-b98c-b2b53c6d44b8
#include "page_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>

namespace {
constexpr std::uint32_t kMagic = 0x31445243;
}

PageFile::PageFile(const std::string& name, std::size_t cached)
    : file_(::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644)),
      head_{kMagic, 1, kNone, kNone},
      frames_(cached + 1),
      memory_(std::make_unique_for_overwrite<std::byte[]>(cached * kBytes)) {
  if (file_ < 0) throw std::runtime_error("cannot open " + name);
  if (::lseek(file_, 0, SEEK_END) > 0) {
    read_at(&head_, sizeof head_, 0);
    if (head_.magic != kMagic) throw std::runtime_error(name + " is not a file of pages");
  }
  frame_of_.resize(head_.pages);
  for (std::uint32_t frame = 1; frame < frames_.size(); ++frame) {
    frames_[frame].bytes = memory_.get() + (frame - 1) * kBytes;
    link_newest(frame);
  }
}

PageFile::~PageFile() { ::close(file_); }

void* PageFile::change(PageId page) {
  Frame& frame = fetch(page);
  frame.changed = true;
  return frame.bytes;
}

PageId PageFile::allocate() {
  PageId page = head_.unused;
  if (page != kNone) {
    std::memcpy(&head_.unused, read(page), sizeof head_.unused);
  } else {
    page = head_.pages++;
    frame_of_.push_back(0);
    const std::uint32_t frame = evict();  // nothing to be read: the page is new
    frames_[frame].page = page;
    frame_of_[page] = frame;
    link_newest(frame);
  }
  std::memset(change(page), 0, kBytes);
  return page;
}

void PageFile::release(PageId page) {
  std::memcpy(change(page), &head_.unused, sizeof head_.unused);
  head_.unused = page;
}

void PageFile::save() {
  for (Frame& frame : frames_) {
    if (!frame.changed) continue;
    write_at(frame.bytes, kBytes, frame.page);
    frame.changed = false;
  }
  write_at(&head_, sizeof head_, 0);
}

PageFile::Frame& PageFile::fetch(PageId page) {
  std::uint32_t frame = frame_of_[page];
  if (frame != 0) {
    if (frames_[0].next != frame) {
      unlink(frame);
      link_newest(frame);
    }
    return frames_[frame];
  }
  frame = evict();
  read_at(frames_[frame].bytes, kBytes, page);
  frames_[frame].page = page;
  frame_of_[page] = frame;
  link_newest(frame);
  return frames_[frame];
}

std::uint32_t PageFile::evict() {
  const std::uint32_t number = frames_[0].previous;
  Frame& frame = frames_[number];
  if (frame.changed) write_at(frame.bytes, kBytes, frame.page);
  if (frame.page != kNone) frame_of_[frame.page] = 0;
  frame.changed = false;
  unlink(number);
  return number;
}

void PageFile::unlink(std::uint32_t frame) {
  const Frame& gone = frames_[frame];
  frames_[gone.previous].next = gone.next;
  frames_[gone.next].previous = gone.previous;
}

void PageFile::link_newest(std::uint32_t frame) {
  const std::uint32_t second = frames_[0].next;
  frames_[frame].previous = 0;
  frames_[frame].next = second;
  frames_[second].previous = frame;
  frames_[0].next = frame;
}

void PageFile::read_at(void* to, std::size_t size, PageId page) const {
  if (::pread(file_, to, size, static_cast<off_t>(page) * kBytes) != static_cast<ssize_t>(size)) {
    throw std::runtime_error("a page cannot be read");
  }
}

void PageFile::write_at(const void* from, std::size_t size, PageId page) const {
  if (::pwrite(file_, from, size, static_cast<off_t>(page) * kBytes) != static_cast<ssize_t>(size)) {
    throw std::runtime_error("a page cannot be written");
  }
}
