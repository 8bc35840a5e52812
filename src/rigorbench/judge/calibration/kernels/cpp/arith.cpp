// 64-bit integer and floating-point arithmetic in one long loop.
#include <cstdint>
#include <cstdio>

int main() {
    std::int64_t x = 1, sum = 0;
    double f = 0.0;
    for (int i = 0; i < 12000000; i++) {
        x = x * 48271 % 2147483647;
        sum = (sum + (x & 255)) % 1000003;
        f = f * 0.5 + static_cast<double>(x & 1023);
    }
    std::printf("%lld %lld\n", static_cast<long long>(sum), static_cast<long long>(f));
}
