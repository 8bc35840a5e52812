#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

// Memory for text that is put together while a file is read. What was stored can be given back down to a mark, in one
// step; the memory is then used again.
class Pool {
public:
    struct Mark {
        std::size_t block = 0;
        std::size_t used = 0;
    };

    // Copies a text into the pool; it stays until the pool is cut back to a mark that was taken before.
    std::string_view store(std::string_view text);

    Mark mark() const { return at_; }
    void cut_back(Mark mark) { at_ = mark; }

    // The number of bytes held now, and the most that were ever held.
    std::size_t held() const;
    std::size_t most() const { return most_; }

private:
    static constexpr std::size_t kBlock = 4096;

    struct Block {
        std::unique_ptr<char[]> bytes;
        std::size_t size = 0;
    };

    std::vector<Block> blocks_;
    Mark at_;
    std::size_t most_ = 0;
};

// Gives back what was stored in the pool while it lives.
class Passing {
public:
    explicit Passing(Pool& pool) : pool_(pool), mark_(pool.mark()) {}
    ~Passing() { pool_.cut_back(mark_); }
    Passing(const Passing&) = delete;
    Passing& operator=(const Passing&) = delete;

private:
    Pool& pool_;
    Pool::Mark mark_;
};
