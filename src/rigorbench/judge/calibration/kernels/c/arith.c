/* 64-bit integer and floating-point arithmetic in one long loop. */
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int64_t x = 1, sum = 0;
    double f = 0.0;
    for (int i = 0; i < 12000000; i++) {
        x = x * 48271 % 2147483647;
        sum = (sum + (x & 255)) % 1000003;
        f = f * 0.5 + (double)(x & 1023);
    }
    printf("%lld %lld\n", (long long)sum, (long long)f);
    return 0;
}
