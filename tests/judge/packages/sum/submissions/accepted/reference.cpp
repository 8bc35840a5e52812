#include <cstdio>
int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    long long total = 0, value;
    for (int i = 0; i < n; ++i)
        if (std::scanf("%lld", &value) == 1) total += value;
    std::printf("%lld\n", total);
}
