// The library's sort over a million pseudo-random numbers.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

int main() {
    const int n = 1000000;
    std::vector<std::int32_t> a(n);
    std::int64_t x = 7;
    for (auto &value : a) {
        x = x * 48271 % 2147483647;
        value = static_cast<std::int32_t>(x);
    }
    std::sort(a.begin(), a.end());
    std::int64_t sum = 0;
    for (int i = 0; i < n; i++) sum = (sum + static_cast<std::int64_t>(i % 7) * a[i]) % 1000000007;
    std::printf("%lld\n", static_cast<long long>(sum));
}
