// Counting in the library's hash map: 1.5 million updates of half a million keys.
#include <cstdint>
#include <cstdio>
#include <unordered_map>

int main() {
    std::unordered_map<std::int64_t, std::int64_t> count;
    std::int64_t x = 3, most = 0;
    for (int i = 0; i < 1500000; i++) {
        x = x * 48271 % 2147483647;
        const std::int64_t value = count[x % 500009 * 4001] += i & 7;
        if (value > most) most = value;
    }
    std::printf("%zu %lld\n", count.size(), static_cast<long long>(most));
}
