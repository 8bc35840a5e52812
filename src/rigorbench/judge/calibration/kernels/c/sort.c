/* The library's sort over a million pseudo-random numbers. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int order(const void *p, const void *q) {
    const int32_t a = *(const int32_t *)p, b = *(const int32_t *)q;
    return (a > b) - (a < b);
}

int main(void) {
    const int n = 1000000;
    int32_t *a = malloc(n * sizeof *a);
    int64_t x = 7, sum = 0;
    for (int i = 0; i < n; i++) {
        x = x * 48271 % 2147483647;
        a[i] = (int32_t)x;
    }
    qsort(a, n, sizeof *a, order);
    for (int i = 0; i < n; i++) sum = (sum + (int64_t)(i % 7) * a[i]) % 1000000007;
    printf("%lld\n", (long long)sum);
    free(a);
    return 0;
}
